import { WorkMeter } from "../../base/work-meter.ts";
import {
  createLatitudeSeries,
  type LatitudeSeries,
  type Surface,
  seriesMean,
  seriesValue,
} from "../earth/authalic.ts";
import { differenceRest, productRest, sumRest } from "../earth/error-free.ts";
import { segmentsIntersectShifted } from "../earth/predicates.ts";
import { CELL_DEGREES } from "../trees/cells.ts";
import { FAN_OUT, SINGLE_NODE_EDGES } from "../trees/chain-tree.ts";
import { type Chains, createChains, spanOfLevel } from "../trees/chains.ts";

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

/** Numbers of an edge piece: left end, right end, slope, sign of dx, least and greatest height. */
export const STRIDE = 8;
export const XL = 0;
export const YL = 1;
export const XR = 2;
export const YR = 3;
export const SLOPE = 4;
export const SIGN = 5;
export const LOW = 6;
export const HIGH = 7;

/** Most edges of a plot that is measured by leaves of the area's tree alone (small-plot-sum.ts). */
export const SMALL_PLOT_EDGES = 200;

/** Where two closed boxes meet, in degrees; nothing of either boundary outside it matters. */
export interface Window {
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
  /** Of the answer at hand. */
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
  /** Pieces of a leaf of the plot, or of all its edges where it has at most SMALL_PLOT_EDGES. */
  readonly plotPieces: Float64Array;
  readonly areaPieces: Float64Array;
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
    plotPieces: new Float64Array(STRIDE * SMALL_PLOT_EDGES),
    areaPieces: new Float64Array(STRIDE * SINGLE_NODE_EDGES),
  };
}

/** Units of work of a step: a pair of nodes compared, an edge taken up, eight pairs of edges that are apart. */
const UNITS_A_STEP = 4;
/** Steps of a pair of edges that is integrated. */
export const STEPS_A_PAIR = 3;

/**
 * Meters the steps done since last asked; to be called before the first, after the last, and as soon as
 * they are more than are allowed.
 * Fails: `GEOMETRY_TOO_COMPLEX`.
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
  sum.base = seriesValue(series.terms, series.degree, window.south);
}

/** The double sum over the two opened rings. Sets `touched` where their edges meet. */
export function sumOverRings(sum: BoundarySum): number {
  const { plot, area } = sum;
  return sumOverNodes(
    sum,
    plot.levels - 1,
    plot.levelStarts[plot.levels - 1]!,
    area.levels - 1,
    area.levelStarts[area.levels - 1]!,
  );
}

function sumOverNodes(
  sum: BoundarySum,
  pLevel: number,
  pNode: number,
  aLevel: number,
  aNode: number,
): number {
  sum.work++;
  if (sum.work > sum.allowed) settleWork(sum);
  const { plot, area, window } = sum;
  const p = 4 * (plot.node + pNode);
  const a = 4 * (area.node + aNode);
  const pBoxes = plot.boxes;
  const aBoxes = area.boxes;
  const pOrigin = sum.originX - plot.shift;
  const aOrigin = sum.originX - area.shift;
  // Boxes are rounded outward and rounding is monotone: a strict comparison here is a true one.
  const pWest = pBoxes[p]! * CELL_DEGREES - pOrigin;
  const pEast = pBoxes[p + 2]! * CELL_DEGREES - pOrigin;
  const aWest = aBoxes[a]! * CELL_DEGREES - aOrigin;
  const aEast = aBoxes[a + 2]! * CELL_DEGREES - aOrigin;
  if (pEast < aWest || aEast < pWest) return 0;
  const pNorth = pBoxes[p + 3]! * CELL_DEGREES - sum.originY;
  const aNorth = aBoxes[a + 3]! * CELL_DEGREES - sum.originY;
  if (pNorth < window.south || aNorth < window.south) return 0;
  const pSouth = pBoxes[p + 1]! * CELL_DEGREES - sum.originY;
  const aSouth = aBoxes[a + 1]! * CELL_DEGREES - sum.originY;
  if (pNorth < aSouth) return below(sum, plot, pLevel, pNode, pOrigin, area, aLevel, aNode, aOrigin);
  if (aNorth < pSouth) return below(sum, area, aLevel, aNode, aOrigin, plot, pLevel, pNode, pOrigin);

  if (pLevel === 0 && aLevel === 0) return sumOverLeaves(sum, pNode, aNode, aWest, aEast, aSouth);
  const splitPlot =
    aLevel === 0 || (pLevel > 0 && pEast - pWest + (pNorth - pSouth) > aEast - aWest + (aNorth - aSouth));
  let total = 0;
  if (splitPlot) {
    const children = plot.levelStarts[pLevel - 1]!;
    const first = children + (pNode - plot.levelStarts[pLevel]!) * FAN_OUT;
    const end = Math.min(first + FAN_OUT, plot.levelStarts[pLevel]!);
    for (let child = first; child < end; child++)
      total += sumOverNodes(sum, pLevel - 1, child, aLevel, aNode);
  } else {
    const children = area.levelStarts[aLevel - 1]!;
    const first = children + (aNode - area.levelStarts[aLevel]!) * FAN_OUT;
    const end = Math.min(first + FAN_OUT, area.levelStarts[aLevel]!);
    for (let child = first; child < end; child++)
      total += sumOverNodes(sum, pLevel, pNode, aLevel - 1, child);
  }
  return total;
}

/** The contribution of a chain `low` that lies below a chain `high`: low's integral under high. */
function below(
  sum: BoundarySum,
  low: Chains,
  lowLevel: number,
  lowNode: number,
  lowOrigin: number,
  high: Chains,
  highLevel: number,
  highNode: number,
  highOrigin: number,
): number {
  const span = spanOfLevel(high, highLevel);
  const start = high.first + (highNode - high.levelStarts[highLevel]!) * span;
  const end = Math.min(start + span, high.first + high.edges);
  const from = high.xy[2 * start]! - highOrigin;
  const to = high.xy[2 * end]! - highOrigin;
  if (from < to) return integralBetween(sum, low, lowLevel, lowNode, lowOrigin, from, to);
  if (from > to) return -integralBetween(sum, low, lowLevel, lowNode, lowOrigin, to, from);
  return 0;
}

/** ∫ G dx along the part of a chain with `from` ≤ x ≤ `to`, in the chain's direction. */
function integralBetween(
  sum: BoundarySum,
  chains: Chains,
  level: number,
  node: number,
  origin: number,
  from: number,
  to: number,
): number {
  sum.work++;
  const { boxes, xy, first } = chains;
  const box = 4 * (chains.node + node);
  const west = boxes[box]! * CELL_DEGREES - origin;
  const east = boxes[box + 2]! * CELL_DEGREES - origin;
  if (east <= from || west >= to) return 0;
  if (boxes[box + 3]! * CELL_DEGREES - sum.originY <= sum.window.south) return 0;
  const index = node - chains.levelStarts[level]!;
  if (from <= west && east <= to && boxes[box + 1]! * CELL_DEGREES - sum.originY >= sum.window.south) {
    const span = spanOfLevel(chains, level);
    const start = first + index * span;
    const end = Math.min(start + span, first + chains.edges);
    const { terms, degree } = sum.series;
    const height = seriesValue(terms, degree, xy[2 * start + 1]! - sum.originY) - sum.base;
    return chains.integrals[chains.node + node]! + height * (xy[2 * end]! - xy[2 * start]!);
  }
  let total = 0;
  if (level === 0) {
    const start = first + index * chains.leaf;
    const end = Math.min(start + chains.leaf, first + chains.edges);
    sum.work += 2 * (end - start);
    for (let i = start; i < end; i++) total += edgeIntegral(sum, xy, i, origin, from, to);
    return total;
  }
  const children = chains.levelStarts[level - 1]!;
  const end = Math.min(children + (index + 1) * FAN_OUT, chains.levelStarts[level]!);
  for (let child = children + index * FAN_OUT; child < end; child++) {
    total += integralBetween(sum, chains, level - 1, child, origin, from, to);
  }
  return total;
}

/** ∫ G dx along the part of the edge at position i with `from` ≤ x ≤ `to`, in the edge's direction. */
function edgeIntegral(
  sum: BoundarySum,
  xy: Float64Array,
  i: number,
  origin: number,
  from: number,
  to: number,
): number {
  let x0 = xy[2 * i]! - origin;
  let x1 = xy[2 * i + 2]! - origin;
  if (x0 === x1) return 0;
  let y0 = xy[2 * i + 1]! - sum.originY;
  let y1 = xy[2 * i + 3]! - sum.originY;
  if (Math.max(x0, x1) <= from || Math.min(x0, x1) >= to || Math.max(y0, y1) <= sum.window.south) return 0;
  const forward = x0 < x1;
  if (!forward) {
    [x0, y0, x1, y1] = [x1, y1, x0, y0];
  }
  const a = Math.max(x0, from);
  const b = Math.min(x1, to);
  let ya: number;
  let yb: number;
  if (x1 - x0 + Math.abs(y1 - y0) > sum.longest) {
    ya = a === x0 ? y0 : heightOfLongEdge(sum, xy, i, origin, a);
    yb = b === x1 ? y1 : heightOfLongEdge(sum, xy, i, origin, b);
  } else {
    const slope = (y1 - y0) / (x1 - x0);
    ya = a === x0 ? y0 : y0 + (a - x0) * slope;
    yb = b === x1 ? y1 : y1 - (x1 - b) * slope;
  }
  const integral = strip(sum, a, ya, b, yb);
  return forward ? integral : -integral;
}

function sumOverLeaves(
  sum: BoundarySum,
  pNode: number,
  aNode: number,
  aWest: number,
  aEast: number,
  aSouth: number,
): number {
  const { plot, area, plotPieces, areaPieces, window } = sum;
  const pStart = plot.first + pNode * plot.leaf;
  const pCount = Math.min(plot.leaf, plot.first + plot.edges - pStart);
  const aStart = area.first + aNode * area.leaf;
  const aCount = Math.min(area.leaf, area.first + area.edges - aStart);
  loadPieces(sum, plot.xy, pStart, pCount, plot.shift, plotPieces);
  loadPieces(sum, area.xy, aStart, aCount, area.shift, areaPieces);
  sum.work += pCount + aCount;
  let total = 0;
  for (let e = 0, p = 0; e < pCount; e++, p += STRIDE) {
    const xl = plotPieces[p + XL]!;
    const xr = plotPieces[p + XR]!;
    const high = plotPieces[p + HIGH]!;
    if (xr < aWest || xl > aEast || high < window.south) continue;
    const sign = plotPieces[p + SIGN]!;
    const low = plotPieces[p + LOW]!;
    if (high < aSouth && sign !== 0) {
      // The edge lies below the whole leaf: its own integral, as far as the leaf reaches.
      const from = area.xy[2 * aStart]! - (sum.originX - area.shift);
      const to = area.xy[2 * (aStart + aCount)]! - (sum.originX - area.shift);
      if (from !== to) {
        const a = Math.max(xl, Math.min(from, to));
        const b = Math.min(xr, Math.max(from, to));
        if (a < b) {
          const part = strip(sum, a, heightOfPiece(plotPieces, p, a), b, heightOfPiece(plotPieces, p, b));
          total += from < to ? sign * part : -sign * part;
          sum.work += STEPS_A_PAIR;
        }
      }
      continue;
    }
    let pairs = 0;
    for (let f = 0, q = 0; f < aCount; f++, q += STRIDE) {
      if (areaPieces[q + XR]! < xl || areaPieces[q + XL]! > xr || areaPieces[q + HIGH]! < window.south)
        continue;
      pairs++;
      if (!sum.touched && areaPieces[q + LOW]! <= high && areaPieces[q + HIGH]! >= low) {
        sum.touched = edgesMeet(plot, pStart + e, area, aStart + f);
      }
      const signs = sign * areaPieces[q + SIGN]!;
      if (signs !== 0) total += signs * stripUnderBoth(sum, plotPieces, p, areaPieces, q);
    }
    sum.work += (aCount >> 3) + STEPS_A_PAIR * pairs;
  }
  return total;
}

/** Whether edge i of one ring and edge j of the other share a point; exact. The first is unshifted. */
function edgesMeet(plot: Chains, i: number, area: Chains, j: number): boolean {
  return edgesMeetAt(plot.xy, i, area.xy, j, area.shift - plot.shift);
}

/** Whether the edge at position i of `p` and that at j of `a`, `shift` added to its longitudes, share a point. Exact. */
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

/** Edges from position `start` as pieces, written from `at`. */
export function loadPieces(
  sum: BoundarySum,
  xy: Float64Array,
  start: number,
  count: number,
  shift: number,
  pieces: Float64Array,
  at = 0,
): void {
  for (let k = 0; k < count; k++) loadPiece(sum, xy, start + k, shift, pieces, at + k * STRIDE);
}

/** The edge from position i as a piece from left to right in local coordinates, written at `p`. */
export function loadPiece(
  sum: BoundarySum,
  xy: Float64Array,
  i: number,
  shift: number,
  pieces: Float64Array,
  p: number,
): void {
  const origin = sum.originX - shift;
  const x0 = xy[2 * i]! - origin;
  const y0 = xy[2 * i + 1]! - sum.originY;
  const x1 = xy[2 * i + 2]! - origin;
  const y1 = xy[2 * i + 3]! - sum.originY;
  const width = x1 - x0;
  const height = y1 - y0;
  if (width >= 0) {
    pieces[p + XL] = x0;
    pieces[p + YL] = y0;
    pieces[p + XR] = x1;
    pieces[p + YR] = y1;
  } else {
    pieces[p + XL] = x1;
    pieces[p + YL] = y1;
    pieces[p + XR] = x0;
    pieces[p + YR] = y0;
  }
  pieces[p + SLOPE] = height / width;
  pieces[p + SIGN] = width > 0 ? 1 : width < 0 ? -1 : 0;
  pieces[p + LOW] = height > 0 ? y0 : y1;
  pieces[p + HIGH] = height > 0 ? y1 : y0;
  if (Math.abs(width) + Math.abs(height) > sum.longest && width !== 0) {
    clipLongPiece(sum, xy, i, origin, pieces, p);
  }
}

/** Cuts a piece to the window's longitudes: local coordinates of far ends are too coarse to interpolate between. */
function clipLongPiece(
  sum: BoundarySum,
  xy: Float64Array,
  i: number,
  origin: number,
  pieces: Float64Array,
  p: number,
): void {
  const { west, east } = sum.window;
  const xl = pieces[p + XL]!;
  const xr = pieces[p + XR]!;
  if (xr < west || xl > east) return;
  if (xl < west) {
    pieces[p + XL] = west;
    pieces[p + YL] = heightOfLongEdge(sum, xy, i, origin, west);
  }
  if (xr > east) {
    pieces[p + XR] = east;
    pieces[p + YR] = heightOfLongEdge(sum, xy, i, origin, east);
  }
}

/** Height of a piece above x; at its ends the end's own height, to the bit. */
export function heightOfPiece(pieces: Float64Array, p: number, x: number): number {
  const xl = pieces[p + XL]!;
  const xr = pieces[p + XR]!;
  if (x === xl) return pieces[p + YL]!;
  if (x === xr) return pieces[p + YR]!;
  // From the nearer end, where the error of the slope counts least.
  return x - xl < xr - x
    ? pieces[p + YL]! + (x - xl) * pieces[p + SLOPE]!
    : pieces[p + YR]! - (xr - x) * pieces[p + SLOPE]!;
}

/** ∫ G(min(y_e, y_f)) dx over the longitudes two pieces share. */
export function stripUnderBoth(
  sum: BoundarySum,
  ps: Float64Array,
  p: number,
  qs: Float64Array,
  q: number,
): number {
  const pl = ps[p + XL]!;
  const pr = ps[p + XR]!;
  const ql = qs[q + XL]!;
  const qr = qs[q + XR]!;
  const a = pl > ql ? pl : ql;
  const b = pr < qr ? pr : qr;
  if (!(a < b)) return 0;
  if (ps[p + HIGH]! <= qs[q + LOW]!) {
    return strip(sum, a, heightOfPiece(ps, p, a), b, heightOfPiece(ps, p, b));
  }
  const qa = heightOfPiece(qs, q, a);
  const qb = heightOfPiece(qs, q, b);
  if (qs[q + HIGH]! <= ps[p + LOW]!) return strip(sum, a, qa, b, qb);
  const pa = heightOfPiece(ps, p, a);
  const pb = heightOfPiece(ps, p, b);
  const da = pa - qa;
  const db = pb - qb;
  if (da <= 0 && db <= 0) return strip(sum, a, pa, b, pb);
  if (da >= 0 && db >= 0) return strip(sum, a, qa, b, qb);
  // They cross: the lower one on either side.
  const share = da / (da - db);
  const x = a + (b - a) * share;
  const y = Math.abs(pb - pa) < Math.abs(qb - qa) ? pa + (pb - pa) * share : qa + (qb - qa) * share;
  return da < 0
    ? strip(sum, a, pa, x, y) + strip(sum, x, y, b, qb)
    : strip(sum, a, qa, x, y) + strip(sum, x, y, b, pb);
}

/** ∫ G dx under the straight piece from (a, ya) to (b, yb), a ≤ b. */
export function strip(sum: BoundarySum, a: number, ya: number, b: number, yb: number): number {
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
  return (b - a) * (seriesMean(sum.terms, sum.degree, ya, yb) - sum.base);
}

/**
 * Local height at local longitude x of the edge at position i, in double-double arithmetic: exact
 * to rounding however far its ends are.
 */
function heightOfLongEdge(sum: BoundarySum, xy: Float64Array, i: number, origin: number, x: number): number {
  const x0 = xy[2 * i]!;
  const y0 = xy[2 * i + 1]!;
  const x1 = xy[2 * i + 2]!;
  const y1 = xy[2 * i + 3]!;
  const startX = x0 - origin;
  const startY = y0 - sum.originY;
  const startYLow = differenceRest(y0, sum.originY, startY);
  // u = x − startX, how far along; u · dy / dx, how far up.
  const u = x - startX;
  const uLow = differenceRest(x, startX, u) - differenceRest(x0, origin, startX);
  const dx = x1 - x0;
  const dxLow = differenceRest(x1, x0, dx);
  const dy = y1 - y0;
  const dyLow = differenceRest(y1, y0, dy);
  const product = u * dy;
  const productLow = productRest(u, dy, product) + (u * dyLow + uLow * dy);
  const rise = product / dx;
  const back = rise * dx;
  const riseLow = (product - back - productRest(rise, dx, back) + productLow - rise * dxLow) / dx;
  const y = startY + rise;
  return y + (sumRest(startY, rise, y) + riseLow + startYLow);
}
