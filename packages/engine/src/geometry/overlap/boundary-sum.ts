import { WorkMeter } from "../../base/work-meter.ts";
import {
  createLatitudeSeries,
  evaluateSeries,
  evaluateSeriesMean,
  type LatitudeSeries,
  type Surface,
} from "../earth/authalic.ts";
import { differenceRoundingError, productRoundingError, sumRest } from "../earth/error-free.ts";
import { segmentsIntersectShifted } from "../earth/predicates.ts";
import { type Chains, createChains } from "../trees/chains.ts";

/*
 * Overlap as a double sum over two boundaries (docs/semantics/overlap.md):
 *
 *   area(P ∩ A) = Σ_{e ∈ ∂P} Σ_{f ∈ ∂A} s_e s_f ∫_{X_e ∩ X_f} G(min(y_e, y_f)) dx
 *
 * s is the sign of an edge's dx, y its height above x, G the area of the strip below a height, from
 * the window's southern side up: 0 below that side. The sum takes no topological decision, so a
 * rounding error anywhere costs its own size and never a region. Chains that do not interact are
 * settled whole: a chain E lying below a chain F from xa to xb contributes E's own integral over
 * [xa, xb], which its tree holds.
 */

/** Most edges of a plot that is measured without a tree of its own (small-plot-sum.ts). */
export const SMALL_PLOT_EDGES = 200;

/** Where two closed boxes meet, in degrees; nothing of either boundary outside it matters. */
interface Window {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Workspace of the double sum over one ring of the plot and one ring of an area. */
export interface BoundarySum {
  /** A ring of the plot, and one of the area; opened by the caller. */
  readonly plot: Chains;
  readonly area: Chains;
  /** Set when an edge of one shares a point with an edge of the other (exact). */
  touched: boolean;
  /** Meter of the current answer. */
  meter: WorkMeter;
  /** Steps done and not yet metered: pairs of edges looked at, nodes visited. */
  work: number;
  /** Most of them that are left to the answer. */
  allowed: number;
  readonly series: LatitudeSeries;
  /** The series' own, at hand for the innermost loops. */
  terms: Float64Array;
  degree: number;
  /** Local coordinates count from here. `originX` is a multiple of 2⁻²⁰, so that shifting it is exact. */
  originX: number;
  originY: number;
  /** The window in local coordinates. */
  readonly window: Window;
  /** Height of the window's southern side above the series' centre, and g there. */
  base: number;
  /** Longest edge, width plus height, that is used without clipping it to the window. */
  longest: number;
}

export function createBoundarySum(): BoundarySum {
  const series = createLatitudeSeries();
  return {
    plot: createChains(),
    area: createChains(),
    touched: false,
    meter: new WorkMeter(Infinity),
    work: 0,
    allowed: Infinity,
    series,
    terms: series.terms,
    degree: 1,
    originX: 0,
    originY: 0,
    window: { west: 0, south: 0, east: 0, north: 0 },
    base: 0,
    longest: 0,
  };
}

/** Units of work of a step: a pair of nodes compared, an edge taken up, eight pairs of edges that are apart. */
const UNITS_A_STEP = 4;

/**
 * Meters the steps done since the last call; to be called before the first step, after the last, and as soon as there
 * are more steps than allowed. Fails: `GEOMETRY_TOO_COMPLEX`.
 */
export function settleWork(sum: BoundarySum): void {
  const steps = sum.work;
  sum.work = 0;
  sum.meter.add(UNITS_A_STEP * steps);
  sum.allowed = sum.meter.left / UNITS_A_STEP;
}

/** Sets the window, in the plot's longitudes. */
export function setWindow(
  sum: BoundarySum,
  surface: Surface,
  west: number,
  south: number,
  east: number,
  north: number,
): void {
  sum.originX = Math.round((west + east) * 524288) / 1048576;
  sum.originY = (south + north) / 2;
  sum.window.west = west - sum.originX;
  sum.window.east = east - sum.originX;
  sum.window.south = south - sum.originY;
  sum.window.north = north - sum.originY;
  sum.longest = 32 * (east - west + (north - south));
  const { series, window } = sum;
  surface.fit(series, sum.originY, Math.max(window.north, -window.south));
  sum.degree = series.degree;
  sum.base = evaluateSeries(series.terms, series.degree, window.south);
}

/**
 * True if the edge at position i of `p` and the edge at j of `a`, `shift` added to its longitudes, share a point.
 * Exact.
 */
export function edgesMeetAt(p: Float64Array, i: number, a: Float64Array, j: number, shift: number): boolean {
  return segmentsIntersectShifted(
    p[2 * i]!,
    p[2 * i + 1]!,
    p[2 * i + 2]!,
    p[2 * i + 3]!,
    a[2 * j]!,
    a[2 * j + 1]!,
    a[2 * j + 2]!,
    a[2 * j + 3]!,
    shift,
  );
}

/** ∫ G dx under the straight piece from (a, ya) to (b, yb), a ≤ b. */
export function integrateForwardStrip(
  sum: BoundarySum,
  a: number,
  ya: number,
  b: number,
  yb: number,
): number {
  const south = sum.window.south;
  if (ya < south || yb < south) {
    if (ya <= south && yb <= south) return 0;
    const x = a + (b - a) * ((south - ya) / (yb - ya));
    if (ya < south) {
      a = x;
      ya = south;
    } else {
      b = x;
      yb = south;
    }
  }
  return (b - a) * (evaluateSeriesMean(sum.terms, sum.degree, ya, yb) - sum.base);
}

/**
 * Local height at local longitude x of the edge at position i, in double-double arithmetic: exact
 * to rounding however far its ends are.
 */
export function heightOfLongEdge(
  sum: BoundarySum,
  xy: Float64Array,
  i: number,
  origin: number,
  x: number,
): number {
  const x0 = xy[2 * i]!;
  const y0 = xy[2 * i + 1]!;
  const x1 = xy[2 * i + 2]!;
  const y1 = xy[2 * i + 3]!;
  const startX = x0 - origin;
  const startY = y0 - sum.originY;
  const startYLow = differenceRoundingError(y0, sum.originY, startY);
  // u = x − startX, how far along; u · dy / dx, how far up.
  const u = x - startX;
  const uLow = differenceRoundingError(x, startX, u) - differenceRoundingError(x0, origin, startX);
  const dx = x1 - x0;
  const dxLow = differenceRoundingError(x1, x0, dx);
  const dy = y1 - y0;
  const dyLow = differenceRoundingError(y1, y0, dy);
  const product = u * dy;
  const productLow = productRoundingError(u, dy, product) + (u * dyLow + uLow * dy);
  const rise = product / dx;
  const back = rise * dx;
  const riseLow = (product - back - productRoundingError(rise, dx, back) + productLow - rise * dxLow) / dx;
  const y = startY + rise;
  return y + (sumRest(startY, rise, y) + riseLow + startYLow);
}
