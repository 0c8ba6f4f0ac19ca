import type { Random } from "@groundrule/testing/random";
import { findPolygonFaults } from "../packages/engine/src/geometry/plot/validity/validity.ts";
import type { Postgis } from "./postgis.ts";
import { randomPolygons } from "./shapes.ts";
import { formatMultiPolygon, formatWktPolygon, type Polygons } from "./wkt.ts";

export interface ValidityComparison {
  readonly bothValid: number;
  readonly bothInvalid: number;
  /** Valid here and not there, because rings share edges and nothing else is wrong. */
  readonly sharedEdges: number;
  /** All others, as well-known text with what either said. */
  readonly unexplained: readonly string[];
}

/** Lets GEOS judge random polygons of many makes. */
export async function compareValidity(
  postgis: Postgis,
  random: Random,
  count: number,
): Promise<ValidityComparison> {
  let [bothValid, bothInvalid, sharedEdges] = [0, 0, 0];
  const unexplained: string[] = [];
  const cases = Array.from({ length: count }, () => randomPolygons(random));
  const reasons = await postgis.queryEach<{ reason: string }>(
    `SELECT ST_IsValidReason(text::geometry) AS reason
     FROM unnest($1::text[]) WITH ORDINALITY AS shape(text, i) ORDER BY i`,
    cases.map(formatMultiPolygon),
  );
  for (const [i, polygons] of cases.entries()) {
    const faults = findPolygonFaults(polygons);
    const { reason } = reasons[i]!;
    const validThere = reason === "Valid Geometry";
    if (faults.length === 0 && validThere) bothValid++;
    else if (faults.length > 0 && !validThere) bothInvalid++;
    else if (faults.length === 0 && (await sharesOnlyEdges(postgis, polygons))) sharedEdges++;
    else unexplained.push(`${formatMultiPolygon(polygons)}: ${reason}, ${faults[0]?.message ?? "no fault"}`);
  }
  return { bothValid, bothInvalid, sharedEdges, unexplained };
}

/**
 * True if rings run along each other, and everything else is as OGC requires, by GEOS's overlays: every ring is simple;
 * of each polygon the holes take their whole area from the outer ring, none of it twice, and leave one piece; no two
 * polygons overlap.
 */
async function sharesOnlyEdges(postgis: Postgis, polygons: Polygons): Promise<boolean> {
  const rings = polygons.flat().map((ring) => formatWktPolygon([ring]));
  const [lines] = await postgis.query<{ shared: number; simple: boolean }>(
    `SELECT bool_and(ST_IsValid(ring)) AS simple,
       sum(ST_Length(ST_ExteriorRing(ring))) - ST_Length(ST_UnaryUnion(ST_Collect(ST_ExteriorRing(ring)))) AS shared
     FROM unnest($1::text[]) AS text, LATERAL (SELECT text::geometry AS ring) AS rings`,
    [rings],
  );
  if (lines?.simple !== true || !(lines.shared > NOTHING)) return false;
  let [sum, parts] = [0, [] as string[]];
  for (const [shell, ...holes] of polygons) {
    const [left] = await postgis.query<{ whole: number; area: number; pieces: number; part: string }>(
      `SELECT ST_Area(shell) - coalesce((SELECT sum(ST_Area(text::geometry)) FROM unnest($2::text[]) AS text), 0) AS whole,
         ST_Area(part) AS area, ST_NumGeometries(part) AS pieces, ST_AsText(part, 17) AS part
       FROM (SELECT $1::geometry AS shell) AS outside,
         LATERAL (SELECT ST_Difference(shell, coalesce(
           (SELECT ST_UnaryUnion(ST_Collect(text::geometry)) FROM unnest($2::text[]) AS text),
           'POLYGON EMPTY'::geometry)) AS part) AS parts`,
      [formatWktPolygon([shell!]), holes.map((hole) => formatWktPolygon([hole]))],
    );
    if (left === undefined || left.pieces !== 1 || Math.abs(left.whole - left.area) > NOTHING) return false;
    sum += left.area;
    parts.push(left.part);
  }
  const [all] = await postgis.query<{ area: number }>(
    "SELECT ST_Area(ST_UnaryUnion(ST_Collect(text::geometry))) AS area FROM unnest($1::text[]) AS text",
    [parts],
  );
  return all !== undefined && Math.abs(all.area - sum) < NOTHING;
}

/** Square units and units in which the shapes, some hundred units wide, cannot differ but by rounding. */
const NOTHING = 1e-9;
