import { EngineError } from "../errors.ts";
import type { AreaLayer } from "../snapshot/layer.ts";
import { createLatitudeSeries, ELLIPSOID, signedRingAreaOn } from "./authalic.ts";
import { areaBoundary, type Boundary, plotBoundary, sideOfBoundary } from "./boundary.ts";
import type { Workspace } from "./candidates.ts";
import { type Chains, forEdgesIn, forEdgesNear } from "./chains.ts";
import { crossingPoint } from "./crossing-point.ts";
import type { MultiPolygonCoordinates } from "./kernel.ts";
import type { Plot } from "./plot.ts";
import { orient2d } from "./predicates.ts";
import { regionArea } from "./region-sum.ts";
import { repairEvenOdd } from "./repair.ts";

/** Most steps of joining pieces, and most meetings of edges; part of the semantics version. */
const ALLOWED_STEPS = 10_000_000;
const ALLOWED_MEETINGS = 100_000;
/** Share of the plot by which a construction's area may differ from the measured one. */
const AGREEMENT = 1e-9;

type Position = readonly [number, number];

/**
 * plot ∩ area as people look at it: valid polygons, counter-clockwise outside, in the plot's
 * longitudes, of the area measured to 1e-9 of the plot's; `null` beyond the budget.
 *
 * Both boundaries are cut where they meet; pieces of either inside the other are kept, and of what
 * they share the pieces beside which both interiors lie. Only edges near the plot take part. Where
 * the two all but coincide, the rounding of crossings can leave that open; then the overlap is
 * joined from the trapezoids of region-sum.ts. The window of the sum is the plot's bbox.
 */
export function overlapPolygons(
  workspace: Workspace,
  plot: Plot,
  layer: AreaLayer,
  area: number,
  overlapSquareMeters: number,
  plotSquareMeters: number,
): MultiPolygonCoordinates | null {
  try {
    const allowed = AGREEMENT * plotSquareMeters;
    const pieces = piecesOfOverlap(plotBoundary(plot), areaBoundary(workspace, layer, area, plot.bbox));
    const joined = pieces === null ? null : repairEvenOdd(pieces, { allowedWork: ALLOWED_STEPS });
    if (joined !== null && Math.abs(areaOf(joined) - overlapSquareMeters) <= allowed)
      return coordinates(joined);
    const trapezoids: Float64Array[] = [];
    regionArea(workspace, plot, { op: "areas", areas: [{ layer, area }] }, (x0, x1, l0, l1, h0, h1) => {
      trapezoids.push(Float64Array.of(x0, l0, x1, l1, x1, h1, x0, h0, x0, l0));
    });
    const rebuilt = repairEvenOdd(trapezoids, { allowedWork: ALLOWED_STEPS });
    return Math.abs(areaOf(rebuilt) - overlapSquareMeters) <= allowed ? coordinates(rebuilt) : null;
  } catch (error) {
    if (error instanceof EngineError && error.code === "GEOMETRY_TOO_COMPLEX") return null;
    throw error;
  }
}

function areaOf(polygons: readonly (readonly Float64Array[])[]): number {
  const series = createLatitudeSeries();
  let total = 0;
  for (const ring of polygons.flat()) total += signedRingAreaOn(ELLIPSOID, ring, 0, ring.length / 2, series);
  return total;
}

function coordinates(polygons: readonly (readonly Float64Array[])[]): MultiPolygonCoordinates {
  return polygons.map((rings) =>
    rings.map((ring) => Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!])),
  );
}

/** The pieces that bound the overlap, each `[lon, lat, lon, lat]`; null beyond the budget. */
function piecesOfOverlap(plot: Boundary, area: Boundary): Float64Array[] | null {
  const plotCuts = plot.rings.map(() => new Map<number, Position[]>());
  const areaCuts = area.rings.map(() => new Map<number, Position[]>());
  let meetings = 0;
  for (const [r, ring] of plot.rings.entries()) {
    for (const [s, other] of area.rings.entries()) {
      const tooMany = forEdgesNear(ring, other, (i, j) => {
        cut(ring, i, other, j, plotCuts[r]!, areaCuts[s]!);
        return ++meetings > ALLOWED_MEETINGS;
      });
      if (tooMany) return null;
    }
  }
  const kept: Float64Array[] = [];
  const shared = new Set<string>();
  forPieces(plot, plotCuts, area, (ax, ay, bx, by) => {
    const side = sideOfBoundary(area, ax, ay, bx, by);
    if (side === 1) kept.push(Float64Array.of(ax, ay, bx, by));
    if (side === 2) shared.add(`${ax} ${ay} ${bx} ${by}`);
  });
  forPieces(area, areaCuts, plot, (ax, ay, bx, by) => {
    const side = sideOfBoundary(plot, ax, ay, bx, by);
    // Interiors lie to the left: both beside a shared piece only where both boundaries run the same way.
    if (side === 1 || (side === 2 && shared.has(`${ax} ${ay} ${bx} ${by}`))) {
      kept.push(Float64Array.of(ax, ay, bx, by));
    }
  });
  return kept;
}

/** Calls `visit` with every piece, in its boundary's direction, that comes near the other's bbox. */
function forPieces(
  boundary: Boundary,
  cuts: readonly Map<number, Position[]>[],
  other: Boundary,
  visit: (ax: number, ay: number, bx: number, by: number) => void,
): void {
  const [west, south, east, north] = other.bbox;
  for (const [r, ring] of boundary.rings.entries()) {
    forEdgesIn(ring, west, south, east, north, (i) => {
      const { xy } = ring;
      const [ax, ay, bx, by] = [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
      const stops: Position[] = [[ax, ay], ...(cuts[r]!.get(i) ?? []), [bx, by]];
      if (stops.length > 2) {
        const horizontal = Math.abs(bx - ax) >= Math.abs(by - ay);
        const sign = (horizontal ? bx - ax : by - ay) < 0 ? -1 : 1;
        stops.sort((p, q) => sign * (horizontal ? p[0] - q[0] : p[1] - q[1]));
      }
      for (let k = 0; k + 1 < stops.length; k++) {
        const [p, q] = [stops[k]!, stops[k + 1]!];
        if (p[0] !== q[0] || p[1] !== q[1]) visit(p[0], p[1], q[0], q[1]);
      }
    });
  }
}

function cut(
  one: Chains,
  i: number,
  other: Chains,
  j: number,
  oneCuts: Map<number, Position[]>,
  otherCuts: Map<number, Position[]>,
): void {
  const [p, q] = [one.xy, other.xy];
  const [ax, ay, bx, by] = [p[2 * i]!, p[2 * i + 1]!, p[2 * i + 2]!, p[2 * i + 3]!];
  const [cx, cy, dx, dy] = [q[2 * j]!, q[2 * j + 1]!, q[2 * j + 2]!, q[2 * j + 3]!];
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return;
  const c = orient2d(ax, ay, bx, by, cx, cy);
  const d = orient2d(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return;
  if (a !== 0 && b !== 0 && c !== 0 && d !== 0) {
    const point = crossingPoint(ax, ay, bx, by, cx, cy, dx, dy);
    note(oneCuts, i, point);
    note(otherCuts, j, point);
    return;
  }
  if (a === 0 && between(ax, ay, cx, cy, dx, dy)) note(otherCuts, j, [ax, ay]);
  if (b === 0 && between(bx, by, cx, cy, dx, dy)) note(otherCuts, j, [bx, by]);
  if (c === 0 && between(cx, cy, ax, ay, bx, by)) note(oneCuts, i, [cx, cy]);
  if (d === 0 && between(dx, dy, ax, ay, bx, by)) note(oneCuts, i, [dx, dy]);
}

function note(cuts: Map<number, Position[]>, edge: number, position: Position): void {
  const positions = cuts.get(edge);
  if (positions === undefined) cuts.set(edge, [position]);
  else positions.push(position);
}

function between(x: number, y: number, ax: number, ay: number, bx: number, by: number): boolean {
  return Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);
}
