import { type DescribedCrs, RADIANS_PER_DEGREE, toDegrees } from "./described-crs.ts";
import { findNode, parseWkt, type WktNode } from "./wkt.ts";

const GEOGRAPHIC = ["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"];
const PROJECTED = ["PROJCS", "PROJCRS", "PROJECTEDCRS"];
const BASE = ["GEOGCS", "BASEGEOGCRS", "BASEGEODCRS"];

/**
 * Reads well-known text; undefined if the text is not well-known text, or describes no system of two axes on the
 * ellipsoid.
 */
export function describeWkt(text: string): DescribedCrs | undefined {
  const root = parseWkt(text.replace(/^\ufeff/, "").replace(/\0+$/, ""));
  const node = root === undefined ? undefined : findHorizontalNode(root);
  if (node === undefined) return undefined;
  const isProjected = PROJECTED.includes(node.keyword);
  const base = isProjected ? findNode(node, ...BASE) : node;
  if (base === undefined) return undefined;
  const datum = findNode(base, "DATUM", "GEODETICDATUM", "TRF", "ENSEMBLE");
  const ellipsoid = datum && findNode(datum, "SPHEROID", "ELLIPSOID");
  const [, semiMajor, inverseFlattening] = ellipsoid?.values ?? [];
  if (typeof semiMajor !== "number" || typeof inverseFlattening !== "number") return undefined;
  const angle = readUnit(base) ?? RADIANS_PER_DEGREE;
  const conversion = isProjected ? (findNode(node, "CONVERSION") ?? node) : undefined;
  const length = isProjected ? readUnit(node) : undefined;
  return {
    kind: isProjected ? "projected" : "geographic",
    name: readName(node),
    id: readId(node),
    baseId: readId(base),
    baseName: readName(base),
    datumName: readName(datum!),
    semiMajorMeters: semiMajor * (readUnit(ellipsoid!) ?? 1),
    inverseFlattening,
    meridianDegrees: readPrimeMeridians(base, angle),
    unit: isProjected ? length : angle,
    method: conversion && readName(findNode(conversion, "PROJECTION", "METHOD")),
    parameters: conversion === undefined ? new Map() : readParameters(conversion, angle, length ?? 1),
    directions: node.nodes.filter(({ keyword }) => keyword === "AXIS").map(readDirection),
    extension: readExtension(node) ?? readExtension(base),
  };
}

/** The name of a definition, for messages: the first string in it, or the text's beginning where it is none. */
export function wktName(text: string): string {
  const root = parseWkt(text.replace(/^\ufeff/, ""));
  return root === undefined ? text.trim().slice(0, 60) : readName(root);
}

/** Without heights, and without the shift that a definition may carry. */
function findHorizontalNode(node: WktNode): WktNode | undefined {
  if (GEOGRAPHIC.includes(node.keyword) || PROJECTED.includes(node.keyword)) return node;
  if (node.keyword === "COMPD_CS" || node.keyword === "COMPOUNDCRS") {
    return node.nodes[0] && findHorizontalNode(node.nodes[0]);
  }
  const source = node.keyword === "BOUNDCRS" ? findNode(node, "SOURCECRS") : undefined;
  return source?.nodes[0] && findHorizontalNode(source.nodes[0]);
}

function readName(node: WktNode | undefined): string {
  const [name] = node?.values ?? [];
  return typeof name === "string" ? name : "";
}

function readId(node: WktNode): string | undefined {
  const [authority, code] = findNode(node, "AUTHORITY", "ID")?.values ?? [];
  return authority === undefined || code === undefined
    ? undefined
    : `${String(authority).toUpperCase()}:${String(code).toUpperCase()}`;
}

const UNITS = ["UNIT", "ANGLEUNIT", "LENGTHUNIT", "SCALEUNIT"];

/** The unit of a definition, or else of its axes. */
function readUnit(node: WktNode): number | undefined {
  const axis = findNode(node, "AXIS");
  const unit = findNode(node, ...UNITS) ?? (axis && findNode(axis, ...UNITS));
  const factor = unit?.values[1];
  return typeof factor === "number" ? factor : undefined;
}

/** GDAL writes it in degrees, Esri too; the standard means the system's unit. */
function readPrimeMeridians(base: WktNode, angle: number): readonly number[] {
  const meridian = findNode(base, "PRIMEM", "PRIMEMERIDIAN");
  const value = meridian?.values[1];
  if (typeof value !== "number") return [0];
  const unit = readUnit(meridian!);
  if (unit !== undefined) return [toDegrees(value, unit)];
  return [value, toDegrees(value, angle)];
}

const LENGTHS = /easting|northing/i;
const FACTORS = /scale|sphere_?type/i;

function readParameters(node: WktNode, angle: number, length: number): ReadonlyMap<string, number> {
  const parameters = new Map<string, number>();
  for (const parameter of node.nodes.filter(({ keyword }) => keyword === "PARAMETER")) {
    const [name, value] = parameter.values;
    if (typeof name !== "string" || typeof value !== "number") continue;
    const own = readUnit(parameter);
    if (FACTORS.test(name)) parameters.set(name, value);
    else if (LENGTHS.test(name)) parameters.set(name, value * (own ?? length));
    else parameters.set(name, toDegrees(value, own ?? angle));
  }
  return parameters;
}

function readDirection(axis: WktNode): string {
  return String(axis.values[1] ?? "").toLowerCase();
}

function readExtension(node: WktNode): string | undefined {
  const extension = findNode(node, "EXTENSION");
  return extension && String(extension.values[1] ?? "");
}
