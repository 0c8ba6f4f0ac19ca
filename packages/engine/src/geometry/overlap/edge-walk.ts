import { evaluateSeriesMean } from "../earth/authalic.ts";
import { SINGLE_NODE_EDGES } from "../trees/chain-tree.ts";
import { type BoundarySum, edgesMeetAt, heightOfLongEdge, integrateForwardStrip } from "./boundary-sum.ts";

/*
 * The double sum of boundary-sum.ts over one edge f, from longitude l to r, and a chain that is walked
 * along it. A piece of the chain below f adds its own integral; a piece above adds f's under it, and as
 * pieces above that follow each other telescope, what they add is f's integral from where the chain came
 * above f to where it left, whatever it does between. So f costs a comparison a position and a strip or
 * two a crossing.
 */

/** Bound of the relative rounding error of a height on an edge: a few units in the last place. */
export const ROUNDING = 4e-15;
/** Steps of a piece that is cut or crosses. */
const STEPS_A_PIECE = 4;

/**
 * Numbers of the edge at hand: its ends from left to right; the sign of its dx; its slope; where its
 * heights count from; from where to where the chain last ran above it.
 */
export const LEFT = 0;
const LEFT_Y = 1;
export const RIGHT = 2;
const RIGHT_Y = 3;
export const SIGN = 4;
export const SLOPE = 5;
export const BASE_X = 6;
export const BASE_Y = 7;
const RUN_FROM = 8;
const RUN_TO = 9;
const EDGE_NUMBERS = 10;

/** Scratch of walks: the edge at hand, a chain, and the positions that exact questions are about. */
export interface EdgeWalk {
  readonly edge: Float64Array;
  /** A chain: local coordinates of its positions, ∫ G dx along each edge, NaN until it is known. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly own: Float64Array;
  /** Coordinates of the plot. */
  xy: Float64Array;
  /** True if the chain is the plot's and the edge the area's; false for the reverse. */
  alongPlot: boolean;
  /** Position of the edge, and of the chain's position 0. */
  edgeAt: number;
  chainAt: number;
}

export function createEdgeWalk(): EdgeWalk {
  return {
    edge: new Float64Array(EDGE_NUMBERS),
    x: new Float64Array(SINGLE_NODE_EDGES + 1),
    y: new Float64Array(SINGLE_NODE_EDGES + 1),
    own: new Float64Array(SINGLE_NODE_EDGES + 1),
    xy: new Float64Array(0),
    alongPlot: true,
    edgeAt: 0,
    chainAt: 0,
  };
}

/** Makes a segment the edge at hand. False: it is vertical, or so nearly that it adds nothing. */
export function openEdge(edge: Float64Array, x0: number, y0: number, x1: number, y1: number): boolean {
  const slope = (y1 - y0) / (x1 - x0);
  const forward = x0 < x1;
  edge[LEFT] = forward ? x0 : x1;
  edge[LEFT_Y] = forward ? y0 : y1;
  edge[RIGHT] = forward ? x1 : x0;
  edge[RIGHT_Y] = forward ? y1 : y0;
  edge[SIGN] = forward ? 1 : -1;
  edge[SLOPE] = slope;
  // Heights count from the end nearer to the middle, where the error of the slope counts least.
  const fromStart = Math.abs(x0) < Math.abs(x1);
  edge[BASE_X] = fromStart ? x0 : x1;
  edge[BASE_Y] = fromStart ? y0 : y1;
  edge[RUN_FROM] = x0;
  edge[RUN_TO] = x0;
  return Math.abs(slope) < 1e200;
}

/** Cuts the edge at hand, the area's at position i, to the window's longitudes. */
export function cutEdgeToWindow(sum: BoundarySum, edge: Float64Array, i: number): void {
  const { area, window } = sum;
  const origin = sum.originX - area.shift;
  if (edge[LEFT]! < window.west) {
    edge[LEFT] = window.west;
    edge[LEFT_Y] = heightOfLongEdge(sum, area.xy, i, origin, window.west);
  }
  if (edge[RIGHT]! > window.east) {
    edge[RIGHT] = window.east;
    edge[RIGHT_Y] = heightOfLongEdge(sum, area.xy, i, origin, window.east);
  }
  const fromLeft = Math.abs(edge[LEFT]!) < Math.abs(edge[RIGHT]!);
  edge[BASE_X] = fromLeft ? edge[LEFT]! : edge[RIGHT]!;
  edge[BASE_Y] = fromLeft ? edge[LEFT_Y]! : edge[RIGHT_Y]!;
}

/** Largest error that rounding may cause in a height above the edge at hand, between its ends. */
export function boundHeightError(sum: BoundarySum, edge: Float64Array): number {
  const { west, south, east, north } = sum.window;
  const reach = Math.abs(edge[BASE_X]!) + east - west;
  return ROUNDING * (Math.abs(edge[BASE_Y]!) + north - south + Math.abs(edge[SLOPE]!) * reach);
}

/** Notes that the chain runs above the edge at hand from one longitude to another, between its ends. Returns what ends so. */
export function extendRunAbove(sum: BoundarySum, edge: Float64Array, from: number, to: number): number {
  const ended = from === edge[RUN_TO]! ? 0 : endRun(sum, edge, from);
  edge[RUN_TO] = to;
  return ended;
}

/** The integral of the edge at hand under the run above it, which ends; another may start at a longitude. */
export function endRun(sum: BoundarySum, edge: Float64Array, start = 0): number {
  const from = edge[RUN_FROM]!;
  const to = edge[RUN_TO]!;
  edge[RUN_FROM] = start;
  edge[RUN_TO] = start;
  if (from === to) return 0;
  const slope = edge[SLOPE]!;
  const baseX = edge[BASE_X]!;
  const baseY = edge[BASE_Y]!;
  return integrateStrip(sum, from, baseY + (from - baseX) * slope, to, baseY + (to - baseX) * slope);
}

/** ∫ G dx under the straight piece from (a, ya) to (b, yb), in either direction. */
function integrateStrip(sum: BoundarySum, a: number, ya: number, b: number, yb: number): number {
  const south = sum.window.south;
  if (ya >= south && yb >= south)
    return (b - a) * (evaluateSeriesMean(sum.terms, sum.degree, ya, yb) - sum.base);
  return a < b ? integrateForwardStrip(sum, a, ya, b, yb) : -integrateForwardStrip(sum, b, yb, a, ya);
}

/** ∫ G dx along the edge of a chain from position k on; kept in `own`, where NaN stands for what is not known yet. */
export function getEdgeIntegral(
  sum: BoundarySum,
  x: Float64Array,
  y: Float64Array,
  own: Float64Array,
  k: number,
): number {
  const known = own[k]!;
  if (!Number.isNaN(known)) return known;
  const found = integrateStrip(sum, x[k]!, y[k]!, x[k + 1]!, y[k + 1]!);
  own[k] = found;
  return found;
}

/** True if the edge at hand shares a point with the chain's edge that starts at position k; exact. */
export function edgeMeetsChain(sum: BoundarySum, walk: EdgeWalk, k: number): boolean {
  const { area } = sum;
  const chainAt = walk.chainAt + k;
  return walk.alongPlot
    ? edgesMeetAt(walk.xy, chainAt, area.xy, walk.edgeAt, area.shift)
    : edgesMeetAt(walk.xy, walk.edgeAt, area.xy, chainAt, area.shift);
}

/**
 * The sum over the edge at hand, its sign aside, and a chain from one of its positions to another, but
 * for the run above the edge that it ends with. Sets `sum.touched` where they share a point.
 *
 * A position is told apart from the edge only between the edge's ends, and by more than rounding may
 * hide; what is left goes to {@link sumOverPiece}.
 */
export function sumAlongChain(
  sum: BoundarySum,
  walk: EdgeWalk,
  x: Float64Array,
  y: Float64Array,
  own: Float64Array,
  first: number,
  last: number,
): number {
  const { edge } = walk;
  const left = edge[LEFT]!;
  const right = edge[RIGHT]!;
  const slope = edge[SLOPE]!;
  const baseX = edge[BASE_X]!;
  const baseY = edge[BASE_Y]!;
  const doubt = boundHeightError(sum, edge);
  let total = 0;
  let x1 = x[first]!;
  let d1 = y[first]! - (baseY + (x1 - baseX) * slope);
  sum.work += 1 + ((last - first) >> 1);
  for (let k = first; k < last; k++) {
    const x0 = x1;
    const d0 = d1;
    x1 = x[k + 1]!;
    d1 = y[k + 1]! - (baseY + (x1 - baseX) * slope);
    if (x0 >= left && x0 <= right && x1 >= left && x1 <= right) {
      if (d0 < -doubt && d1 < -doubt) total += getEdgeIntegral(sum, x, y, own, k);
      else if (d0 > doubt && d1 > doubt) {
        if (x0 !== edge[RUN_TO]!) total += endRun(sum, edge, x0);
        edge[RUN_TO] = x1;
      } else total += sumOverPiece(sum, walk, x, y, own, k, doubt);
    } else if ((x0 >= left || x1 >= left) && (x0 <= right || x1 <= right)) {
      total += sumOverPiece(sum, walk, x, y, own, k, doubt);
    }
  }
  return total;
}

/**
 * The same for the chain's edge from position k on, which reaches beyond an end of the edge at hand, or
 * comes so near to it that they may meet: cut to where both are, then split where they cross.
 */
function sumOverPiece(
  sum: BoundarySum,
  walk: EdgeWalk,
  x: Float64Array,
  y: Float64Array,
  own: Float64Array,
  k: number,
  doubt: number,
): number {
  const { edge } = walk;
  const left = edge[LEFT]!;
  const right = edge[RIGHT]!;
  const slope = edge[SLOPE]!;
  const baseX = edge[BASE_X]!;
  const baseY = edge[BASE_Y]!;
  const x0 = x[k]!;
  const y0 = y[k]!;
  const x1 = x[k + 1]!;
  const y1 = y[k + 1]!;
  const a = x0 < left ? left : x0 > right ? right : x0;
  const b = x1 < left ? left : x1 > right ? right : x1;
  const ya = a === x0 ? y0 : segmentHeightAt(x0, y0, x1, y1, a);
  const yb = b === x1 ? y1 : segmentHeightAt(x0, y0, x1, y1, b);
  const da = ya - (baseY + (a - baseX) * slope);
  const db = yb - (baseY + (b - baseX) * slope);
  const isWhole = a === x0 && b === x1;
  sum.work += STEPS_A_PIECE;
  if (!sum.touched) {
    let uncertain = doubt;
    if (!isWhole) {
      const rise = Math.abs((y1 - y0) / (x1 - x0)) * (Math.abs(x0) + Math.abs(x1));
      uncertain += ROUNDING * (Math.abs(y0) + Math.abs(y1) + rise);
    }
    const isApart = (da > uncertain && db > uncertain) || (da < -uncertain && db < -uncertain);
    if (!isApart) {
      sum.work += 4;
      sum.touched = edgeMeetsChain(sum, walk, k);
    }
  }
  if (da <= 0 && db <= 0) {
    return isWhole ? getEdgeIntegral(sum, x, y, own, k) : integrateStrip(sum, a, ya, b, yb);
  }
  if (da >= 0 && db >= 0) return extendRunAbove(sum, edge, a, b);
  const share = da / (da - db);
  const xc = a + (b - a) * share;
  // The height of the crossing from the flatter of the two.
  const isFlatter = Math.abs(yb - ya) < Math.abs((b - a) * slope);
  const yc = isFlatter ? ya + (yb - ya) * share : baseY + (xc - baseX) * slope;
  return da < 0
    ? integrateStrip(sum, a, ya, xc, yc) + extendRunAbove(sum, edge, xc, b)
    : extendRunAbove(sum, edge, a, xc) + integrateStrip(sum, xc, yc, b, yb);
}

/** Height of a segment above x, reckoned from its nearer end; at its ends the end's own, to the bit. */
export function segmentHeightAt(x0: number, y0: number, x1: number, y1: number, x: number): number {
  if (x === x0) return y0;
  if (x === x1) return y1;
  const slope = (y1 - y0) / (x1 - x0);
  return Math.abs(x - x0) < Math.abs(x1 - x) ? y0 + (x - x0) * slope : y1 - (x1 - x) * slope;
}
