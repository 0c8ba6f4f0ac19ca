import type { Postgis } from "../../oracles/postgis.ts";
import type { NaturalEarthCountry, Ring } from "./natural-earth.ts";

/** How far each territory is widened, in metres, by geodesics. */
const WIDENING_METERS = 4750;
/** How far towards the country the outline of what was widened may move when it is simplified, in metres. */
const INWARD_METERS = 870;
/** How far away from it. */
const OUTWARD_METERS = 170;

/**
 * The territory of a country and everything within {@link WIDENING_METERS} of it.
 *
 * Each part of at most 128 positions is buffered by itself, moved to the prime meridian, since PostGIS buffers
 * in a projection that it chooses by the place, and knows nothing of ±180. What lies near ±180 comes twice, once on
 * each side; the cap around the south pole reaches past it. So no outline runs where the map is cut later.
 *
 * @returns outlines, the territory on their left; it holds a position that is in an odd number of them
 */
export async function widenTerritory(
  postgis: Postgis,
  polygons: NaturalEarthCountry["polygons"],
): Promise<Ring[]> {
  const [row] = await postgis.query<{ rings: string }>(
    `WITH whole AS (SELECT (ST_Dump(ST_MakeValid(ST_GeomFromText($1)))).geom AS g),
      part AS (SELECT ST_Subdivide(ST_Segmentize(g, 0.1), 128) AS g FROM whole),
      centre AS (SELECT g, round(ST_X(ST_Centroid(g))) AS x FROM part),
      buffered AS (
        SELECT x, ST_Buffer(ST_Translate(g, -x, 0)::geography, $2, 'quad_segs=8')::geometry AS g FROM centre),
      copied AS (
        SELECT ST_Translate(g, x + turn, 0) AS g FROM buffered, (VALUES (-360), (0), (360)) AS turns (turn)),
      kept AS (
        SELECT g FROM copied WHERE ST_XMax(g) > -190 AND ST_XMin(g) < 190
        UNION ALL
        SELECT ST_MakeEnvelope(-200, -95, 200, -88.9) WHERE $3::boolean),
      widened AS (SELECT ST_Union(g, 1e-7) AS g FROM kept),
      wound AS (SELECT ST_ForcePolygonCCW((ST_Dump(g)).geom) AS g FROM widened),
      ring AS (SELECT (ST_DumpRings(g)).geom AS g FROM wound)
    SELECT json_agg(ST_AsGeoJSON(ST_ExteriorRing(g), 9)::json -> 'coordinates') AS rings FROM ring`,
    [toWkt(polygons), WIDENING_METERS, polygons.flat(2).some(([, latitude]) => latitude < CAP_LATITUDE)],
  );
  if (row === undefined) throw new Error("an exception within GEOS ended the query");
  return row.rings as unknown as Ring[];
}

/** Land south of it is added as it is: buffers do not contain a pole. */
const CAP_LATITUDE = -89;

/** An islet that the grid of the atlas has shrunk to a line or a point stays one: `ST_MakeValid` keeps it. */
function toWkt(polygons: NaturalEarthCountry["polygons"]): string {
  const list = (items: readonly string[]): string => `(${items.join()})`;
  const padded = (ring: Ring): Ring => [
    ...ring,
    ...Array<Ring[0]>(Math.max(0, 4 - ring.length)).fill(ring[0]!),
  ];
  return `MULTIPOLYGON${list(
    polygons.map((rings) =>
      list(rings.map((ring) => list(padded(ring).map(([x, y]) => `${x} ${Math.max(y, CAP_LATITUDE)}`)))),
    ),
  )}`;
}

/**
 * Leaves out positions of an outline such that no stretch lies farther from the edge that takes its place than
 * {@link INWARD_METERS} on its right and {@link OUTWARD_METERS} on its left (after Douglas and Peucker 1973, who have
 * one distance for both). Buffers bulge, so that edges mostly cut bulges off: two distances leave a tenth fewer.
 *
 * A position that this takes out of the territory, or into it, lies between a stretch and its edge. So it is no
 * farther from the stretch than those distances, whatever the outcome crosses.
 *
 * @param ring with the territory on its left
 */
export function simplifyRing(ring: Ring): Ring {
  const keep = new Uint8Array(ring.length);
  const middle = findFarthestIndex(ring, 0);
  keep[0] = keep[middle] = keep[ring.length - 1] = 1;
  const stretches: [number, number][] = [
    [0, middle],
    [middle, ring.length - 1],
  ];
  for (let stretch = stretches.pop(); stretch !== undefined; stretch = stretches.pop()) {
    const [from, to] = stretch;
    let worst = { excess: 1, at: -1 };
    for (let at = from + 1; at < to; at++) {
      const excess = computeDeviationShare(ring[at]!, ring[from]!, ring[to]!);
      if (excess > worst.excess) worst = { excess, at };
    }
    if (worst.at < 0) continue;
    keep[worst.at] = 1;
    stretches.push([from, worst.at], [worst.at, to]);
  }
  return ring.filter((_, i) => keep[i] === 1);
}

function findFarthestIndex(ring: Ring, from: number): number {
  let [farthest, greatest] = [from, -1];
  for (const [i, [x, y]] of ring.entries()) {
    const distance = Math.hypot(x - ring[from]![0], y - ring[from]![1]);
    if (distance > greatest) [farthest, greatest] = [i, distance];
  }
  return farthest;
}

const METERS_PER_DEGREE = 111_700;

/**
 * How far a position lies from an edge, as a share of what is allowed on that side. From above: a degree of longitude
 * is taken where it is longest, a degree of latitude as at the poles.
 */
function computeDeviationShare([x, y]: Ring[0], [x1, y1]: Ring[0], [x2, y2]: Ring[0]): number {
  const nearestToEquator = Math.min(Math.abs(y), Math.abs(y1), Math.abs(y2));
  const scale = Math.min(1, Math.cos((nearestToEquator * Math.PI) / 180) * 1.003);
  const [dx, dy] = [(x2 - x1) * scale, y2 - y1];
  const [px, py] = [(x - x1) * scale, y - y1];
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length2));
  const meters = Math.hypot(px - along * dx, py - along * dy) * METERS_PER_DEGREE;
  const isOnRight = dx * py - dy * px < 0;
  return meters / (isOnRight ? INWARD_METERS : OUTWARD_METERS);
}
