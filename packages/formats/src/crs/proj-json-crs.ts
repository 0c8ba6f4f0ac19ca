import { isObject } from "@groundrule/engine/internal/json";
import { type DescribedCrs, RADIANS_PER_DEGREE, toDegrees } from "./described-crs.ts";

type Json = Readonly<Record<string, unknown>>;

/** Reads PROJJSON; undefined if the value is not PROJJSON, or describes no system of two axes on the ellipsoid. */
export function describeProjJson(value: unknown): DescribedCrs | undefined {
  const crs = findHorizontalCrs(value, 0);
  if (crs === undefined) return undefined;
  const isProjected = crs.type === "ProjectedCRS";
  const base = isProjected ? findObjectMember(crs, "base_crs") : crs;
  const datum = base && (findObjectMember(base, "datum") ?? findObjectMember(base, "datum_ensemble"));
  const ellipsoid = datum && findObjectMember(datum, "ellipsoid");
  if (base === undefined || datum === undefined || ellipsoid === undefined) return undefined;
  const shape = readEllipsoid(ellipsoid);
  if (shape === undefined) return undefined;
  const conversion = isProjected ? findObjectMember(crs, "conversion") : undefined;
  const axes = listObjectMembers(findObjectMember(crs, "coordinate_system"), "axis");
  const meridian = findObjectMember(datum, "prime_meridian");
  return {
    kind: isProjected ? "projected" : "geographic",
    name: readTextMember(crs, "name"),
    id: readAuthorityCode(crs),
    baseId: readAuthorityCode(base),
    baseName: readTextMember(base, "name"),
    datumName: readTextMember(datum, "name"),
    ...shape,
    meridianDegrees: [
      meridian === undefined ? 0 : (toStandardUnit(meridian.longitude, "degree") ?? Number.NaN),
    ],
    unit: axes[0] && readUnitFactor(axes[0].unit),
    method: conversion && readTextMember(findObjectMember(conversion, "method"), "name"),
    parameters: readProjectionParameters(conversion),
    directions: axes.map((axis) => readTextMember(axis, "direction").toLowerCase()),
    extension: undefined,
  };
}

/** The name of a definition, for messages. */
export function projJsonName(value: unknown): string {
  return isObject(value) ? readTextMember(value, "name") : String(value).slice(0, 60);
}

function findHorizontalCrs(value: unknown, level: number): Json | undefined {
  if (!isObject(value) || level > 4) return undefined;
  const { type } = value;
  if (type === "GeographicCRS" || type === "GeodeticCRS" || type === "ProjectedCRS") return value;
  if (type === "BoundCRS") return findHorizontalCrs(value.source_crs, level + 1);
  if (type === "CompoundCRS") return findHorizontalCrs(listObjectMembers(value, "components")[0], level + 1);
  return undefined;
}

function findObjectMember(object: Json, key: string): Json | undefined {
  const value = object[key];
  return isObject(value) ? value : undefined;
}

function listObjectMembers(object: Json | undefined, key: string): readonly Json[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function readTextMember(object: Json | undefined, key: string): string {
  const value = object?.[key];
  return typeof value === "string" ? value : "";
}

function readAuthorityCode(object: Json): string | undefined {
  const id = findObjectMember(object, "id") ?? listObjectMembers(object, "ids")[0];
  return id && `${String(id.authority).toUpperCase()}:${String(id.code).toUpperCase()}`;
}

function readEllipsoid(ellipsoid: Json): { semiMajorMeters: number; inverseFlattening: number } | undefined {
  const radius = toStandardUnit(ellipsoid.radius, "metre");
  if (radius !== undefined) return { semiMajorMeters: radius, inverseFlattening: 0 };
  const a = toStandardUnit(ellipsoid.semi_major_axis, "metre");
  const b = toStandardUnit(ellipsoid.semi_minor_axis, "metre");
  const flattening = ellipsoid.inverse_flattening;
  if (a === undefined) return undefined;
  if (typeof flattening === "number") return { semiMajorMeters: a, inverseFlattening: flattening };
  return b === undefined ? undefined : { semiMajorMeters: a, inverseFlattening: a === b ? 0 : a / (a - b) };
}

/** A number in the unit that goes without saying, or one with its unit; in degrees, metres or as a factor. */
function toStandardUnit(value: unknown, unit: string): number | undefined {
  if (typeof value === "number") return inStandardUnit(value, unit);
  if (!isObject(value) || typeof value.value !== "number") return undefined;
  return inStandardUnit(value.value, value.unit ?? unit);
}

function inStandardUnit(value: number, unit: unknown): number | undefined {
  if (unit === "degree") return value;
  const factor = readUnitFactor(unit);
  if (factor === undefined) return undefined;
  return isObject(unit) && unit.type === "AngularUnit" ? toDegrees(value, factor) : value * factor;
}

/** Radians, metres or ones in a unit. */
function readUnitFactor(unit: unknown): number | undefined {
  if (unit === "degree") return RADIANS_PER_DEGREE;
  if (unit === "metre" || unit === "unity") return 1;
  const factor = isObject(unit) ? unit.conversion_factor : undefined;
  return typeof factor === "number" ? factor : undefined;
}

function readProjectionParameters(conversion: Json | undefined): ReadonlyMap<string, number> {
  const parameters = new Map<string, number>();
  for (const parameter of listObjectMembers(conversion, "parameters")) {
    const value = toStandardUnit(parameter, "unity");
    if (value !== undefined) parameters.set(readTextMember(parameter, "name"), value);
  }
  return parameters;
}
