import { repairEvenOdd } from "../packages/engine/src/geometry/repair.ts";
import type { Random } from "../packages/engine/test/random.ts";
import type { Postgis } from "./postgis.ts";
import { gridRing, tangledRing } from "./shapes.ts";
import { multiPolygonText, polygonText } from "./wkt.ts";

export interface RepairComparison {
  /** Rings of which no edge runs along another, and so what linework encloses is what even-odd does. */
  readonly comparable: number;
  /** Of those, rings that cross themselves. */
  readonly crossing: number;
  /** Largest difference of area between the two repairs, as a share of the ring's envelope. */
  readonly differenceOfArea: number;
  /** Repaired, comparable or not, and still not valid to GEOS. */
  readonly invalid: readonly string[];
}

/**
 * Compares repairs of random rings with GEOS's ST_MakeValid by linework. That peels boundaries from
 * the outside in and takes each other one as land: even-odd, unless an edge is there twice, which
 * linework counts once.
 */
export async function compareRepair(
  postgis: Postgis,
  random: Random,
  count: number,
): Promise<RepairComparison> {
  const rings = Array.from({ length: count }, (_, i) =>
    i % 2 === 0 ? gridRing(random) : tangledRing(random),
  );
  const repaired = rings.map((ring) => repairEvenOdd([ring]));
  const rows = await postgis.queryEach<Row>(
    `SELECT ST_IsValid(ring) AS simple, ST_Area(ST_MakeValid(ring, 'method=linework')) AS linework,
       ST_Length(line) - ST_Length(ST_UnaryUnion(line)) > 1e-9 AS doubled,
       ST_Area(mine) AS mine, ST_IsValid(mine) AS valid,
       (ST_XMax(ring) - ST_XMin(ring)) * (ST_YMax(ring) - ST_YMin(ring)) AS envelope
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS shape(text, repaired, i),
       LATERAL (SELECT text::geometry AS ring, repaired::geometry AS mine) AS shapes,
       LATERAL (SELECT ST_ExteriorRing(ring) AS line) AS lines
     ORDER BY i`,
    rings.map((ring) => polygonText([ring])),
    repaired.map((polygons) => (polygons.length === 0 ? "MULTIPOLYGON EMPTY" : multiPolygonText(polygons))),
  );
  let [comparable, crossing, differenceOfArea] = [0, 0, 0];
  const invalid: string[] = [];
  for (const [i, row] of rows.entries()) {
    if (!row.valid) invalid.push(`${polygonText([rings[i]!])} became ${multiPolygonText(repaired[i]!)}`);
    if (row.doubled || row.envelope === 0) continue;
    comparable++;
    if (!row.simple) crossing++;
    differenceOfArea = Math.max(differenceOfArea, Math.abs(row.mine - row.linework) / row.envelope);
  }
  return { comparable, crossing, differenceOfArea, invalid };
}

interface Row {
  readonly simple: boolean;
  readonly linework: number;
  readonly doubled: boolean;
  readonly mine: number;
  readonly valid: boolean;
  readonly envelope: number;
}
