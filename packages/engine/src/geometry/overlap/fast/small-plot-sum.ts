import { evaluateSeries } from "../../earth/authalic.ts";
import { openRing } from "../../trees/candidates.ts";
import { CELL_DEGREES } from "../../trees/cells.ts";
import type { AreaLayer } from "../../trees/layer.ts";
import { type BoundarySum, SMALL_PLOT_EDGES, settleWork } from "../boundary-sum.ts";
import {
  BASE_X,
  BASE_Y,
  boundHeightError,
  createEdgeWalk,
  cutEdgeToWindow,
  type EdgeWalk,
  edgeMeetsChain,
  endRun,
  extendRunAbove,
  getEdgeIntegral,
  LEFT,
  openEdge,
  RIGHT,
  ROUNDING,
  SIGN,
  SLOPE,
  segmentHeightAt,
  sumAlongChain,
} from "../edge-walk.ts";
import { CHAIN, type Gathered, gatherBelowNode } from "./gather.ts";
import { integratePlotWithin, integratePositions, type SmallPlot } from "./small-plot.ts";

/*
 * The double sum of boundary-sum.ts for a plot of few edges and what was gathered of an area. The window
 * is the plot's bbox, and the plot is loaded. Runs above the plot add the plot's integral under them. For
 * each edge of a chain near the plot, the plot is walked along it, group by group (edge-walk.ts); where
 * a chain is short against the plot, its box settles most of the plot's edges, and for each of the others
 * the chain is walked.
 */

/** Chains of fewer edges are not tried against the plot by their box. */
const LEAST_SETTLED = 4;

export interface ChainSum {
  /** Its chain is one of the area's. */
  readonly walk: EdgeWalk;
  /** Plot edges that the box of a chain could not settle, and how many. */
  readonly mixed: Int32Array;
  mixedCount: number;
  /** How often the chain lies below the plot: the sum of the signs of the edges above it. */
  winding: number;
}

export function createChainSum(): ChainSum {
  return {
    walk: createEdgeWalk(),
    mixed: new Int32Array(2 * SMALL_PLOT_EDGES),
    mixedCount: 0,
    winding: 0,
  };
}

/** The sum over the plot and all that was gathered. Sets `sum.touched` where edges meet. */
export function sumOverGathered(
  sum: BoundarySum,
  small: SmallPlot,
  chains: ChainSum,
  gathered: Gathered,
  layer: AreaLayer,
): number {
  chains.walk.xy = small.plot!.xy;
  let total = sumOverRuns(sum, small, gathered, 0);
  const end = CHAIN * gathered.chains;
  for (let c = 0; c < end; c += CHAIN) {
    const { chainList } = gathered;
    if (chainList[c + 3]! > 0) {
      gathered.ring = chainList[c + 4]!;
      openRing(sum.area, layer, gathered.ring, sum.area.shift);
    }
    total += sumOverChain(sum, small, chains, gathered, c);
  }
  return total;
}

/** The sum over the runs gathered from a number on: the plot's integral under each. */
function sumOverRuns(sum: BoundarySum, small: SmallPlot, gathered: Gathered, first: number): number {
  const { area, window } = sum;
  const { runList, runs } = gathered;
  const origin = sum.originX - area.shift;
  let total = 0;
  sum.work += runs - first;
  for (let r = 2 * first; r < 2 * runs; r += 2) {
    const from = Math.min(Math.max(area.xy[2 * runList[r]!]! - origin, window.west), window.east);
    const to = Math.min(Math.max(area.xy[2 * runList[r + 1]!]! - origin, window.west), window.east);
    if (from < to) total += integratePlotWithin(sum, small, from, to);
    else if (from > to) total -= integratePlotWithin(sum, small, to, from);
  }
  return total;
}

/** The sum over a gathered chain: of edges, or of a node, which is settled whole or by what is below it. */
function sumOverChain(
  sum: BoundarySum,
  small: SmallPlot,
  chains: ChainSum,
  gathered: Gathered,
  c: number,
): number {
  const { chainList } = gathered;
  const start = chainList[c]!;
  const end = chainList[c + 1]!;
  const node = chainList[c + 2]!;
  const level = chainList[c + 3]!;
  const { area } = sum;
  if (level === 0) return sumOverEdges(sum, small, chains, start, end, node);
  const { boxes } = area;
  const box = 4 * node;
  const south = boxes[box + 1]! * CELL_DEGREES - sum.originY;
  if (south >= sum.window.south) {
    const origin = sum.originX - area.shift;
    const west = boxes[box]! * CELL_DEGREES - origin;
    const east = boxes[box + 2]! * CELL_DEGREES - origin;
    const north = boxes[box + 3]! * CELL_DEGREES - sum.originY;
    const total = sumOfSettled(sum, small, chains, west, south, east, north, start, end);
    if (chains.mixedCount === 0) return total + computeWindingIntegral(sum, chains, start, end, node);
  }
  // The edges below the node are appended to all that was gathered, and removed again.
  const { runs, chains: count } = gathered;
  gatherBelowNode(gathered, area, level, node);
  let total = sumOverRuns(sum, small, gathered, runs);
  for (let k = count; k < gathered.chains; k++) {
    total += sumOverChain(sum, small, chains, gathered, CHAIN * k);
  }
  gathered.runs = runs;
  gathered.chains = count;
  return total;
}

/**
 * Parts the plot's edges by a chain's box: those below it contribute their own integral, which is
 * returned; those above all of it are counted in `winding`; the others are left in `mixed`.
 */
function sumOfSettled(
  sum: BoundarySum,
  small: SmallPlot,
  chains: ChainSum,
  west: number,
  south: number,
  east: number,
  north: number,
  start: number,
  end: number,
): number {
  const { area } = sum;
  const origin = sum.originX - area.shift;
  const from = area.xy[2 * start]! - origin;
  const to = area.xy[2 * end]! - origin;
  const low = from < to ? from : to;
  const high = from < to ? to : from;
  const { x, y, own, along, boxes, firsts, lasts, groups } = small;
  const { mixed } = chains;
  let total = 0;
  let winding = 0;
  let mixedCount = 0;
  sum.work += groups;
  for (let g = 0, b = 0; g < groups; g++, b += 4) {
    const groupWest = boxes[b]!;
    const groupEast = boxes[b + 2]!;
    if (groupEast < west || groupWest > east) continue;
    const first = firsts[g]!;
    const last = lasts[g]!;
    if (boxes[b + 3]! < south) {
      // As far as the chain reaches; where it turns back its parts cancel.
      if (groupWest >= low && groupEast <= high) total += along[last]! - along[first]!;
      else if (groupEast > low && groupWest < high) {
        total += integratePositions(sum, small, first, last, low, high);
      }
      continue;
    }
    sum.work += last - first;
    let x1 = x[first]!;
    let y1 = y[first]!;
    for (let k = first; k < last; k++) {
      const x0 = x1;
      const y0 = y1;
      x1 = x[k + 1]!;
      y1 = y[k + 1]!;
      const xl = x0 < x1 ? x0 : x1;
      const xr = x0 < x1 ? x1 : x0;
      if (xr < west || xl > east) continue;
      let top = y0 < y1 ? y1 : y0;
      let bottom = y0 < y1 ? y0 : y1;
      if (top >= south && bottom <= north && top - bottom >= north - south && x0 !== x1) {
        // A taller edge aslant may pass the box by: its heights above the box, less what rounding could hide.
        const l = segmentHeightAt(x0, y0, x1, y1, xl > west ? xl : west);
        const r = segmentHeightAt(x0, y0, x1, y1, xr < east ? xr : east);
        const slope = Math.abs((y1 - y0) / (x1 - x0));
        const doubt = ROUNDING * (top - bottom + Math.abs(top) + slope * (Math.abs(xl) + Math.abs(xr)));
        top = (l < r ? r : l) + doubt;
        bottom = (l < r ? l : r) - doubt;
      }
      if (top < south) {
        if (xl >= low && xr <= high) total += own[k]!;
        else total += integratePositions(sum, small, k, k + 1, low, high);
      } else if (bottom > north && xl <= west && xr >= east) {
        winding += x0 < x1 ? 1 : -1;
      } else {
        mixed[mixedCount++] = k;
      }
    }
  }
  chains.winding = winding;
  chains.mixedCount = mixedCount;
  return from < to ? total : -total;
}

/**
 * Contribution of the plot's edges above a chain that is a node: the integral of the chain itself, stored in its node.
 */
function computeWindingIntegral(
  sum: BoundarySum,
  chains: ChainSum,
  start: number,
  end: number,
  node: number,
): number {
  if (chains.winding === 0) return 0;
  const { area, series, originY, base } = sum;
  const height = evaluateSeries(series.terms, series.degree, area.xy[2 * start + 1]! - originY) - base;
  const width = area.xy[2 * end]! - area.xy[2 * start]!;
  return chains.winding * (area.integrals[node]! + height * width);
}

/** The sum over consecutive edges near the plot; `node` is their node among the layer's, or −1 where they are none. */
function sumOverEdges(
  sum: BoundarySum,
  small: SmallPlot,
  chains: ChainSum,
  start: number,
  end: number,
  node: number,
): number {
  const count = end - start;
  if (count < LEAST_SETTLED) return sumOverEach(sum, small, chains, start, end);
  sum.work += 2 * count;
  const { area, window, originY, longest } = sum;
  const { xy } = area;
  const { x, y, own } = chains.walk;
  const origin = sum.originX - area.shift;
  let x0 = xy[2 * start]! - origin;
  let y0 = xy[2 * start + 1]! - originY;
  let west = x0;
  let south = y0;
  let east = x0;
  let north = y0;
  x[0] = x0;
  y[0] = y0;
  let greatest = 0;
  for (let k = 1, i = 2 * start + 2; k <= count; k++, i += 2) {
    const x1 = xy[i]! - origin;
    const y1 = xy[i + 1]! - originY;
    x[k] = x1;
    y[k] = y1;
    own[k - 1] = Number.NaN;
    greatest = Math.max(greatest, Math.abs(x1 - x0) + Math.abs(y1 - y0));
    west = Math.min(west, x1);
    east = Math.max(east, x1);
    south = Math.min(south, y1);
    north = Math.max(north, y1);
    x0 = x1;
    y0 = y1;
  }
  // A box half as large as the plot settles too little of it.
  const size = 2 * (east - west + (north - south));
  const isLarge = size > window.east - window.west + (window.north - window.south);
  if (isLarge || greatest > longest) return sumOverEach(sum, small, chains, start, end);
  let total = sumOfSettled(sum, small, chains, west, south, east, north, start, end);
  const { mixedCount, winding } = chains;
  // Where much of the plot is near, walks of the plot along the chain's edges are fewer.
  if (mixedCount * (12 + count) > count * (24 + small.groups)) {
    return sumOverEach(sum, small, chains, start, end);
  }
  if (winding !== 0) {
    if (node >= 0 && south >= window.south) {
      total += computeWindingIntegral(sum, chains, start, end, node);
    } else {
      let all = 0;
      for (let k = 0; k < count; k++) all += getEdgeIntegral(sum, x, y, own, k);
      total += winding * all;
    }
  }
  return total + sumOverMixed(sum, small, chains, start, count);
}

/** The sum over the plot's edges that the chain's box could not settle: the chain is walked along each. */
function sumOverMixed(
  sum: BoundarySum,
  small: SmallPlot,
  chains: ChainSum,
  start: number,
  count: number,
): number {
  const { walk, mixed, mixedCount } = chains;
  const { edge } = walk;
  walk.alongPlot = false;
  walk.chainAt = start;
  let total = 0;
  for (let m = 0; m < mixedCount; m++) {
    const k = mixed[m]!;
    walk.edgeAt = k;
    if (openEdge(edge, small.x[k]!, small.y[k]!, small.x[k + 1]!, small.y[k + 1]!)) {
      const along = sumAlongChain(sum, walk, walk.x, walk.y, walk.own, 0, count);
      total += edge[SIGN]! * (along + endRun(sum, edge));
    } else {
      for (let i = 0; i < count && !sum.touched; i++) sum.touched = edgeMeetsChain(sum, walk, i);
    }
    sum.work += 4;
    if (sum.work > sum.allowed) settleWork(sum);
  }
  return total;
}

/** The sum over consecutive edges of the area, the plot walked along each. */
function sumOverEach(
  sum: BoundarySum,
  small: SmallPlot,
  chains: ChainSum,
  start: number,
  end: number,
): number {
  chains.walk.alongPlot = true;
  chains.walk.chainAt = 0;
  let total = 0;
  for (let i = start; i < end; i++) total += sumOverEdge(sum, small, chains.walk, i);
  return total;
}

/** The sum over the area's edge at position i and the plot. */
function sumOverEdge(sum: BoundarySum, small: SmallPlot, walk: EdgeWalk, i: number): number {
  const { boxes, firsts, lasts, along, x, y, own, groups } = small;
  const { edge } = walk;
  const { xy, shift } = sum.area;
  const origin = sum.originX - shift;
  const x0 = xy[2 * i]! - origin;
  const y0 = xy[2 * i + 1]! - sum.originY;
  const x1 = xy[2 * i + 2]! - origin;
  const y1 = xy[2 * i + 3]! - sum.originY;
  walk.edgeAt = i;
  sum.work += groups;
  if (sum.work > sum.allowed) settleWork(sum);
  if (!openEdge(edge, x0, y0, x1, y1)) {
    for (let g = 0; g < groups; g++) {
      for (let k = firsts[g]!; k < lasts[g]! && !sum.touched; k++) sum.touched = edgeMeetsChain(sum, walk, k);
    }
    return 0;
  }
  if (Math.abs(x1 - x0) + Math.abs(y1 - y0) > sum.longest) cutEdgeToWindow(sum, edge, i);
  const left = edge[LEFT]!;
  const right = edge[RIGHT]!;
  const slope = edge[SLOPE]!;
  const baseX = edge[BASE_X]!;
  const baseY = edge[BASE_Y]!;
  const doubt = boundHeightError(sum, edge);
  let total = 0;
  for (let g = 0, b = 0; g < groups; g++, b += 4) {
    const west = boxes[b]!;
    const east = boxes[b + 2]!;
    if (east < left || west > right) continue;
    const l = baseY + ((west > left ? west : left) - baseX) * slope;
    const r = baseY + ((east < right ? east : right) - baseX) * slope;
    const first = firsts[g]!;
    const last = lasts[g]!;
    if (boxes[b + 3]! + doubt < (l < r ? l : r)) {
      if (west >= left && east <= right) total += along[last]! - along[first]!;
      else total += integratePositions(sum, small, first, last, left, right);
    } else if (boxes[b + 1]! - doubt > (l < r ? r : l)) {
      const from = Math.min(Math.max(x[first]!, left), right);
      const to = Math.min(Math.max(x[last]!, left), right);
      total += extendRunAbove(sum, edge, from, to);
    } else {
      total += sumAlongChain(sum, walk, x, y, own, first, last);
    }
  }
  return edge[SIGN]! * (total + endRun(sum, edge));
}
