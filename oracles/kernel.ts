import type { Random } from "@groundrule/testing/random";
import { reverseRing, toPlot, toRing } from "@groundrule/testing/shapes";
import { exactKernel } from "../packages/engine/src/geometry/kernel/exact-kernel.ts";
import type { Plot } from "../packages/engine/src/geometry/plot/plot.ts";
import { findPolygonFaults } from "../packages/engine/src/geometry/plot/validity/validity.ts";
import { randomAdversarialPair } from "../packages/engine/test/adversarial-pair.ts";
import { buildAreaLayer } from "../packages/engine/test/build-layer.ts";
import { findExactRelation } from "../packages/engine/test/exact-relation.ts";
import type { Postgis } from "./postgis.ts";
import { randomGridPositions, randomGridShape, randomStarRing } from "./shapes.ts";
import { formatMultiPolygon, formatPointOrLine, type Polygons } from "./wkt.ts";

export interface RelationComparison {
  readonly compared: number;
  readonly apart: number;
  readonly touching: number;
  readonly covering: number;
  readonly coveredBy: number;
  /** Where GEOS answers otherwise and exact arithmetic agrees with the kernel. */
  readonly geosWrong: number;
  /** Where exact arithmetic does not agree with the kernel. */
  readonly wrong: readonly string[];
}

/** Lets GEOS judge how areas stand to plots, and exact arithmetic where it answers otherwise. */
export async function compareRelations(
  postgis: Postgis,
  random: Random,
  count: number,
): Promise<RelationComparison> {
  const pairs = Array.from({ length: count }, (_, i) =>
    i % 2 === 0 ? randomGridPair(random) : randomAdversarialPair(random),
  ).filter(({ plot, area }) => findPolygonFaults(plot).length === 0 && findPolygonFaults(area).length === 0);
  const rows = await postgis.queryEach<Stands & { valid: boolean }>(
    `SELECT ST_IsValid(area) AND ST_IsValid(plot) AS valid, ST_Intersects(area, plot) AS meets,
       ST_Touches(area, plot) AS touches, ST_Covers(area, plot) AS covers, ST_CoveredBy(area, plot) AS "coveredBy"
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS pair(area_text, plot_text, i),
       LATERAL (SELECT area_text::geometry AS area, plot_text::geometry AS plot) AS shapes
     ORDER BY i`,
    pairs.map(({ area }) => formatMultiPolygon(area)),
    pairs.map(({ plot }) => formatMultiPolygon(plot)),
  );
  let [compared, apart, touching, covering, coveredBy, geosWrong] = [0, 0, 0, 0, 0, 0];
  const wrong: string[] = [];
  for (const [i, { plot, area }] of pairs.entries()) {
    const theirs = rows[i]!;
    if (!theirs.valid) continue;
    compared++;
    const ours = relateByKernel(plot, area);
    if (!ours.meets) apart++;
    if (ours.touches) touching++;
    if (ours.covers) covering++;
    if (ours.coveredBy) coveredBy++;
    // Where both agree, one in ten is decided all the same: so the judge is seen to be in its right mind.
    if (agree(ours, theirs) && i % 10 !== 0) continue;
    if (!agree(ours, relateExactly(plot, area)))
      wrong.push(`${formatMultiPolygon(area)} to ${formatMultiPolygon(plot)}: ${JSON.stringify(ours)}`);
    else if (!agree(ours, theirs)) geosWrong++;
  }
  return { compared, apart, touching, covering, coveredBy, geosWrong, wrong };
}

/**
 * Likewise for plots that are lines or points, on the grid, where every crossing is a fraction of small
 * integers and GEOS makes no mistake: nobody has to decide between the two. Areas whose rings share
 * edges are left out, GEOS having no meaning for them.
 */
export async function compareThinRelations(
  postgis: Postgis,
  random: Random,
  count: number,
): Promise<Omit<RelationComparison, "coveredBy" | "geosWrong">> {
  const cases = Array.from({ length: count }, (_, i) => {
    const positions = randomGridPositions(random, i % 3 === 0 ? 1 : 2 + random.integer(4));
    return { area: randomGridPolygons(random), positions };
  });
  const rows = await postgis.queryEach<Stands & { valid: boolean }>(
    `SELECT ST_IsValid(area) AS valid, ST_Intersects(area, plot) AS meets, ST_Touches(area, plot) AS touches,
       ST_Covers(area, plot) AS covers, ST_CoveredBy(area, plot) AS "coveredBy"
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS pair(area_text, plot_text, i),
       LATERAL (SELECT area_text::geometry AS area, plot_text::geometry AS plot) AS shapes
     ORDER BY i`,
    cases.map(({ area }) => formatMultiPolygon(area)),
    cases.map(({ positions }) => formatPointOrLine(positions)),
  );
  let [compared, apart, touching, covering] = [0, 0, 0, 0];
  const wrong: string[] = [];
  for (const [i, { area, positions }] of cases.entries()) {
    const theirs = rows[i]!;
    if (!theirs.valid) continue;
    compared++;
    const ours = relateByKernel([[positions]], area, positions.length === 2 ? "point" : "line");
    if (!ours.meets) apart++;
    if (ours.touches) touching++;
    if (ours.covers) covering++;
    if (!agree(ours, theirs))
      wrong.push(`${formatMultiPolygon(area)} to ${formatPointOrLine(positions)}: ${JSON.stringify(ours)}`);
  }
  return { compared, apart, touching, covering, wrong };
}

/** The relation of the area to the plot. */
interface Stands {
  readonly meets: boolean;
  readonly touches: boolean;
  readonly covers: boolean;
  readonly coveredBy: boolean;
}

function relateByKernel(plot: Polygons, area: Polygons, dimension?: Plot["dimension"]): Stands {
  const layer = buildAreaLayer([area]);
  const bound = exactKernel.bind(toPlot(plot, dimension));
  if (bound.intersections(layer).length === 0)
    return { meets: false, touches: false, covers: false, coveredBy: false };
  return { meets: true, ...bound.relation(layer, 0) };
}

function relateExactly(plot: Polygons, area: Polygons): Stands {
  const { meets, overlaps, within, contains } = findExactRelation(area, plot);
  return { meets, touches: meets && !overlaps, covers: contains, coveredBy: within };
}

function agree(one: Stands, other: Stands): boolean {
  return (
    one.meets === other.meets &&
    one.touches === other.touches &&
    one.covers === other.covers &&
    one.coveredBy === other.coveredBy
  );
}

export interface OverlapComparison {
  /** Pairs with more than boundary in common. */
  readonly overlapping: number;
  /** Largest difference as a share of the tolerance. */
  readonly worst: number;
  /** Pairs on which GEOS gave no answer. */
  readonly unanswered: number;
}

/**
 * Compares overlaps with the area, on the ellipsoid, of the intersection GEOS constructs. What the two
 * may differ by:
 * - edges there are geodesics and here straight in longitude and latitude. So they are cut into pieces
 *   of s = 7 m; a length l of them then moves the area by at most l·s²·tan|φ| / 4R.
 * - GeographicLib takes the area under each piece down to the equator, and in it a difference of two
 *   numbers up to a²e²/2: rounding leaves 3e-5 m² a piece.
 */
export async function compareOverlaps(
  postgis: Postgis,
  random: Random,
  count: number,
): Promise<OverlapComparison> {
  let [overlapping, worst, unanswered] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const { plot, area } = placePair(randomGridPair(random), random);
    const [hit] = exactKernel.bind(toPlot(plot)).intersections(buildAreaLayer([area]));
    const [answer] = await postgis.query<{
      area: number;
      perimeter: number;
      pieces: number;
      latitude: number;
    }>(
      `SELECT ST_Area(piece::geography) AS area, ST_Perimeter(piece::geography) AS perimeter, ST_NPoints(piece) AS pieces,
         coalesce(greatest(abs(ST_YMin(piece)), abs(ST_YMax(piece))), 0) AS latitude
       FROM (SELECT ST_Segmentize(ST_CollectionExtract(ST_Intersection($1::geometry, $2::geometry), 3), $3::float8) AS piece) AS pieces`,
      [formatMultiPolygon(area), formatMultiPolygon(plot), PIECE_DEGREES],
    );
    if (answer === undefined) {
      unanswered++;
      continue;
    }
    if (answer.area > 0) overlapping++;
    const curving = answer.perimeter * PIECE_METERS ** 2 * tangent(answer.latitude);
    const tolerance = curving / (4 * EARTH_RADIUS_METERS) + 3e-5 * (answer.pieces + 1);
    worst = Math.max(worst, Math.abs((hit?.overlapSquareMeters ?? 0) - answer.area) / tolerance);
  }
  return { overlapping, worst, unanswered };
}

export interface DistanceComparison {
  /** Largest difference as a share of the tolerance. */
  readonly worst: number;
  /** Pairs on which PostGIS measures between points that are not the closest ones. */
  readonly misled: number;
}

/**
 * Compares distances. PostGIS finds the closest points on a sphere and measures between them on the
 * ellipsoid. Perpendiculars of the two lean apart by up to e² = 1/149 (on the equator, where meridians
 * curve most), so its points lie up to d / 149 beside the closest ones and its distance is too long by
 * up to d·e⁴/2 = 2.24e-5 d, never too short. Edges are cut as for overlaps, and move by at most
 * s²·tan|φ| / 4R.
 *
 * Where places in different directions are almost equally near, the sphere may name the wrong one, and
 * its distance is too long by up to d·e². Then the corners of the pieces decide, each with each.
 */
export async function compareDistances(
  postgis: Postgis,
  random: Random,
  count: number,
): Promise<DistanceComparison> {
  const pairs = Array.from({ length: count }, () => randomSeparatePair(random));
  const rows = await postgis.queryEach<{ meters: number }>(
    `SELECT ST_Distance(ST_Segmentize(area::geometry, piece)::geography,
       ST_Segmentize(plot::geometry, piece)::geography) AS meters
     FROM unnest($1::text[], $2::text[], $3::float8[]) WITH ORDINALITY AS pair(area, plot, piece, i)
     ORDER BY i`,
    pairs.map(({ area }) => formatMultiPolygon(area)),
    pairs.map(({ plot }) => formatMultiPolygon(plot)),
    pairs.map(() => PIECE_DEGREES),
  );
  const curving = (PIECE_METERS ** 2 * tangent(72)) / (4 * EARTH_RADIUS_METERS) + 1e-6;
  let [worst, misled] = [0, 0];
  for (const [i, pair] of pairs.entries()) {
    const [hit] = exactKernel.bind(toPlot(pair.plot)).distances(buildAreaLayer([pair.area]), 1e6);
    const ours = hit?.distanceMeters ?? Number.NaN;
    let { meters } = rows[i]!;
    let leeway = 2.3e-5 * meters;
    if (meters - ours > leeway + curving) {
      misled++;
      meters = await measureClosestCorners(postgis, pair);
      leeway = PIECE_METERS ** 2 / (2 * meters);
    }
    const tooLong = meters - ours;
    worst = Math.max(worst, Math.abs(tooLong) / (tooLong > 0 ? leeway + curving : curving));
  }
  return { worst, misled };
}

/** Metres between the closest corners of the pieces; those lie within half a piece of the closest points. */
async function measureClosestCorners(postgis: Postgis, { plot, area }: Pair): Promise<number> {
  const [closest] = await postgis.query<{ meters: number }>(
    `SELECT min(ST_Distance(one.geom::geography, other.geom::geography)) AS meters
     FROM ST_DumpPoints(ST_Segmentize($1::geometry, $3::float8)) AS one,
       ST_DumpPoints(ST_Segmentize($2::geometry, $3::float8)) AS other`,
    [formatMultiPolygon(area), formatMultiPolygon(plot), PIECE_DEGREES],
  );
  return closest?.meters ?? Number.NaN;
}

interface Pair {
  readonly plot: Polygons;
  readonly area: Polygons;
}

const EARTH_RADIUS_METERS = 6_371_000;
/** A grid step: about 109 m, and a power of two, so that shapes on the grid stay what they are anywhere. */
const STEP_DEGREES = 2 ** -10;
const PIECE_DEGREES = 2 ** -14;
const PIECE_METERS = 7;

/** Two valid (multi)polygons on a small grid: corners, edges and stretches of them in common, more often than not. */
function randomGridPair(random: Random): Pair {
  return { plot: randomGridPolygons(random), area: randomGridPolygons(random) };
}

function randomGridPolygons(random: Random): Polygons {
  for (;;) {
    const outer = windCounterClockwise(randomGridShape(random));
    const other = windCounterClockwise(randomGridShape(random));
    const makes: readonly Polygons[] = [
      [[outer]],
      [[outer]],
      [[outer, reverseRing(other)]],
      [[outer], [other]],
    ];
    const made = makes[random.integer(makes.length)]!;
    if (findPolygonFaults(made).length === 0) return made;
  }
}

/** The ring counter-clockwise. */
function windCounterClockwise(ring: Float64Array): Float64Array {
  const positions: [number, number][] = [];
  for (let i = 0; i + 2 < ring.length; i += 2) positions.push([ring[i]!, ring[i + 1]!]);
  return toRing(positions);
}

function placePair({ plot, area }: Pair, random: Random): Pair {
  const lon = Math.round(random.between(-179, 178) / STEP_DEGREES);
  const lat = Math.round(random.between(-70, 70) / STEP_DEGREES);
  const move = (polygons: Polygons): Polygons =>
    polygons.map((rings) =>
      rings.map((ring) => ring.map((value, i) => (value + (i % 2 === 0 ? lon : lat)) * STEP_DEGREES)),
    );
  return { plot: move(plot), area: move(area) };
}

/** Plots of 500 m some 5 m to 50 km apart. */
function randomSeparatePair(random: Random): Pair {
  const [lon, lat] = [random.between(-178, 178), random.between(-70, 70)];
  const apart = 10 ** random.between(-2.1, -0.4);
  const turn = random.between(0, 2 * Math.PI);
  const plot = [[windCounterClockwise(randomStarRing(random, lon, lat, 0.005, 3 + random.integer(9)))]];
  const area = [
    [
      windCounterClockwise(
        randomStarRing(
          random,
          lon + apart * Math.cos(turn),
          lat + apart * Math.sin(turn),
          0.005,
          3 + random.integer(9),
        ),
      ),
    ],
  ];
  return { plot, area };
}

function tangent(degrees: number): number {
  return Math.abs(Math.tan((degrees * Math.PI) / 180));
}
