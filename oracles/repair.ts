import { repairPolygons } from "../packages/engine/src/geometry/plot/mend/repair.ts";
import type { Postgis } from "./postgis.ts";
import { formatMultiPolygon, type Polygons } from "./wkt.ts";

export interface RepairComparison {
  readonly compared: number;
  /** Geometries at which GEOS throws, where here no exception is caught within it. */
  readonly refused: number;
  /** Number of compared geometries that are not valid to GEOS. */
  readonly invalid: number;
  /** Number of these of which nothing is left, to both. */
  readonly empty: number;
  /** Largest difference of the two areas, as a share of the geometry's envelope. */
  readonly differenceOfArea: number;
  /** Geometries, by number, that differ in area or place by more than 1e-9 of their envelope. */
  readonly different: readonly number[];
  /** Geometries, by number, that are repaired and still not valid to GEOS. */
  readonly stillInvalid: readonly number[];
}

/**
 * Compares repairs with GEOS's ST_MakeValid by structure, which drops what collapses to lines. The
 * symmetric difference is taken on a grid of 1e-9, where GEOS does not throw.
 */
export async function compareRepair(
  postgis: Postgis,
  geometries: readonly Polygons[],
): Promise<RepairComparison> {
  let [refused, invalid, empty, differenceOfArea] = [0, 0, 0, 0];
  const different: number[] = [];
  const stillInvalid: number[] = [];
  for (const [i, polygons] of geometries.entries()) {
    const repaired = repairPolygons(polygons);
    const [row] = await postgis.query<Row>(
      `SELECT ST_IsValid(given) AS simple, ST_Area(structure) AS structure, ST_Area(mine) AS mine,
         ST_IsValid(mine) AS valid, ST_Area(ST_SymDifference(mine, structure, 1e-9)) AS difference,
         (ST_XMax(given) - ST_XMin(given)) * (ST_YMax(given) - ST_YMin(given)) AS envelope
       FROM (SELECT $1::text::geometry AS given, $2::text::geometry AS mine) AS shapes,
         LATERAL (SELECT ST_MakeValid(given, 'method=structure keepcollapsed=false') AS structure) AS made`,
      [
        formatMultiPolygon(polygons),
        repaired.length === 0 ? "MULTIPOLYGON EMPTY" : formatMultiPolygon(repaired),
      ],
    );
    if (row === undefined) {
      refused++;
      continue;
    }
    const envelope = row.envelope === 0 ? 1 : row.envelope;
    const change = Math.abs(row.mine - row.structure) / envelope;
    if (!row.valid) stillInvalid.push(i);
    if (!row.simple) invalid++;
    if (row.mine === 0 && row.structure === 0) empty++;
    if (!(change < 1e-9 && row.difference / envelope < 1e-9)) different.push(i);
    else differenceOfArea = Math.max(differenceOfArea, change);
  }
  const compared = geometries.length - refused;
  return { compared, refused, invalid, empty, differenceOfArea, different, stillInvalid };
}

interface Row {
  readonly simple: boolean;
  readonly structure: number;
  readonly mine: number;
  readonly valid: boolean;
  readonly difference: number;
  readonly envelope: number;
}
