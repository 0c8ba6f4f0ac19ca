import { type DescribedCrs, RADIANS_PER_DEGREE, toDegrees } from "./described-crs.ts";
import { findMemberByKeyword, parseWkt, type WktNode } from "./wkt.ts";

const GEOGRAPHIC = ["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"];
const PROJECTED = ["PROJCS", "PROJCRS", "PROJECTEDCRS"];
const BASE = ["GEOGCS", "BASEGEOGCRS", "BASEGEODCRS"];

/**
 * Reads well-known text; undefined if the text is not well-known text, or describes no system of two axes on the
 * ellipsoid.
 */
export function parseWktCrs(text: string): DescribedCrs | undefined {
  const root = parseWkt(text.replace(/^\ufeff/, "").replace(/\0+$/, ""));
  const node = root === undefined ? undefined : findHorizontalNode(root);
  if (node === undefined) return undefined;
  const isProjected = PROJECTED.includes(node.keyword);
  const base = isProjected ? findMemberByKeyword(node, ...BASE) : node;
  if (base === undefined) return undefined;
  const datum = findMemberByKeyword(base, "DATUM", "GEODETICDATUM", "TRF", "ENSEMBLE");
  const ellipsoid = datum && findMemberByKeyword(datum, "SPHEROID", "ELLIPSOID");
  const [, semiMajor, inverseFlattening] = ellipsoid?.values ?? [];
  if (typeof semiMajor !== "number" || typeof inverseFlattening !== "number") return undefined;
  const angle = readUnitFactor(base) ?? RADIANS_PER_DEGREE;
  const conversion = isProjected ? (findMemberByKeyword(node, "CONVERSION") ?? node) : undefined;
  const length = isProjected ? readUnitFactor(node) : undefined;
  return {
    kind: isProjected ? "projected" : "geographic",
    name: readNodeName(node),
    id: readAuthorityCode(node),
    baseId: readAuthorityCode(base),
    baseName: readNodeName(base),
    datumName: readNodeName(datum!),
    semiMajorMeters: semiMajor * (readUnitFactor(ellipsoid!) ?? 1),
    inverseFlattening,
    meridianDegrees: readPrimeMeridians(base, angle),
    unit: isProjected ? length : angle,
    method: conversion && readNodeName(findMemberByKeyword(conversion, "PROJECTION", "METHOD")),
    parameters:
      conversion === undefined ? new Map() : readProjectionParameters(conversion, angle, length ?? 1),
    directions: node.nodes.filter(({ keyword }) => keyword === "AXIS").map(readAxisDirection),
    extension: readExtensionText(node) ?? readExtensionText(base),
  };
}

/** The name of a definition, for messages: the first string in it, or the text's beginning where it is none. */
export function getWktName(text: string): string {
  const root = parseWkt(text.replace(/^\ufeff/, ""));
  return root === undefined ? text.trim().slice(0, 60) : readNodeName(root);
}

/** Without heights, and without the shift that a definition may carry. */
function findHorizontalNode(node: WktNode): WktNode | undefined {
  if (GEOGRAPHIC.includes(node.keyword) || PROJECTED.includes(node.keyword)) return node;
  if (node.keyword === "COMPD_CS" || node.keyword === "COMPOUNDCRS") {
    return node.nodes[0] && findHorizontalNode(node.nodes[0]);
  }
  const source = node.keyword === "BOUNDCRS" ? findMemberByKeyword(node, "SOURCECRS") : undefined;
  return source?.nodes[0] && findHorizontalNode(source.nodes[0]);
}

function readNodeName(node: WktNode | undefined): string {
  const [name] = node?.values ?? [];
  return typeof name === "string" ? name : "";
}

function readAuthorityCode(node: WktNode): string | undefined {
  const [authority, code] = findMemberByKeyword(node, "AUTHORITY", "ID")?.values ?? [];
  return authority === undefined || code === undefined
    ? undefined
    : `${String(authority).toUpperCase()}:${String(code).toUpperCase()}`;
}

const UNITS = ["UNIT", "ANGLEUNIT", "LENGTHUNIT", "SCALEUNIT"];

/** The unit of a definition, or else of its axes. */
function readUnitFactor(node: WktNode): number | undefined {
  const axis = findMemberByKeyword(node, "AXIS");
  const unit = findMemberByKeyword(node, ...UNITS) ?? (axis && findMemberByKeyword(axis, ...UNITS));
  const factor = unit?.values[1];
  return typeof factor === "number" ? factor : undefined;
}

/** GDAL writes it in degrees, Esri too; the standard means the system's unit. */
function readPrimeMeridians(base: WktNode, angle: number): readonly number[] {
  const meridian = findMemberByKeyword(base, "PRIMEM", "PRIMEMERIDIAN");
  const value = meridian?.values[1];
  if (typeof value !== "number") return [0];
  const unit = readUnitFactor(meridian!);
  if (unit !== undefined) return [toDegrees(value, unit)];
  return [value, toDegrees(value, angle)];
}

const LENGTHS = /easting|northing/i;
const FACTORS = /scale|sphere_?type/i;

function readProjectionParameters(node: WktNode, angle: number, length: number): ReadonlyMap<string, number> {
  const parameters = new Map<string, number>();
  for (const parameter of node.nodes.filter(({ keyword }) => keyword === "PARAMETER")) {
    const [name, value] = parameter.values;
    if (typeof name !== "string" || typeof value !== "number") continue;
    const own = readUnitFactor(parameter);
    if (FACTORS.test(name)) parameters.set(name, value);
    else if (LENGTHS.test(name)) parameters.set(name, value * (own ?? length));
    else parameters.set(name, toDegrees(value, own ?? angle));
  }
  return parameters;
}

function readAxisDirection(axis: WktNode): string {
  return String(axis.values[1] ?? "").toLowerCase();
}

function readExtensionText(node: WktNode): string | undefined {
  const extension = findMemberByKeyword(node, "EXTENSION");
  return extension && String(extension.values[1] ?? "");
}
