import { evaluateSeries } from "../earth/authalic.ts";
import { CELL_DEGREES } from "../trees/cells.ts";
import { FAN_OUT } from "../trees/chain-tree.ts";
import { type Chains, getLevelSpan } from "../trees/chains.ts";
import { type BoundarySum, heightOfLongEdge, integrateForwardStrip, settleWork } from "./boundary-sum.ts";
import {
  cutEdgeToWindow,
  type EdgeWalk,
  edgeMeetsChain,
  endRun,
  extendRunAbove,
  LEFT,
  openEdge,
  RIGHT,
  SIGN,
  segmentHeightAt,
  sumAlongChain,
} from "./edge-walk.ts";

/*
 * The double sum of boundary-sum.ts where both rings have trees: two nodes at a time, the larger opened,
 * until they are apart or both are leaves: then by walks (edge-walk.ts).
 */

/** The double sum over the two opened rings. Sets `touched` where their edges meet. */
export function sumOverRings(sum: BoundarySum, walk: EdgeWalk): number {
  const { plot, area } = sum;
  return sumOverNodes(
    sum,
    walk,
    plot.levels - 1,
    plot.levelStarts[plot.levels - 1]!,
    area.levels - 1,
    area.levelStarts[area.levels - 1]!,
  );
}

function sumOverNodes(
  sum: BoundarySum,
  walk: EdgeWalk,
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
  if (pNorth < aSouth)
    return integrateLowUnderHigh(sum, plot, pLevel, pNode, pOrigin, area, aLevel, aNode, aOrigin);
  if (aNorth < pSouth)
    return integrateLowUnderHigh(sum, area, aLevel, aNode, aOrigin, plot, pLevel, pNode, pOrigin);

  if (pLevel === 0 && aLevel === 0) return sumOverLeaves(sum, walk, pNode, aNode);
  const splitPlot =
    aLevel === 0 || (pLevel > 0 && pEast - pWest + (pNorth - pSouth) > aEast - aWest + (aNorth - aSouth));
  let total = 0;
  if (splitPlot) {
    const children = plot.levelStarts[pLevel - 1]!;
    const first = children + (pNode - plot.levelStarts[pLevel]!) * FAN_OUT;
    const end = Math.min(first + FAN_OUT, plot.levelStarts[pLevel]!);
    for (let child = first; child < end; child++)
      total += sumOverNodes(sum, walk, pLevel - 1, child, aLevel, aNode);
  } else {
    const children = area.levelStarts[aLevel - 1]!;
    const first = children + (aNode - area.levelStarts[aLevel]!) * FAN_OUT;
    const end = Math.min(first + FAN_OUT, area.levelStarts[aLevel]!);
    for (let child = first; child < end; child++)
      total += sumOverNodes(sum, walk, pLevel, pNode, aLevel - 1, child);
  }
  return total;
}

/** The contribution of a chain `low` that lies below a chain `high`: low's integral under high. */
function integrateLowUnderHigh(
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
  const span = getLevelSpan(high, highLevel);
  const start = high.first + (highNode - high.levelStarts[highLevel]!) * span;
  const end = Math.min(start + span, high.first + high.edges);
  const from = high.xy[2 * start]! - highOrigin;
  const to = high.xy[2 * end]! - highOrigin;
  if (from < to) return integrateChainBetween(sum, low, lowLevel, lowNode, lowOrigin, from, to);
  if (from > to) return -integrateChainBetween(sum, low, lowLevel, lowNode, lowOrigin, to, from);
  return 0;
}

/** ∫ G dx along the part of a chain with `from` ≤ x ≤ `to`, in the chain's direction. */
function integrateChainBetween(
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
    const span = getLevelSpan(chains, level);
    const start = first + index * span;
    const end = Math.min(start + span, first + chains.edges);
    const { terms, degree } = sum.series;
    const height = evaluateSeries(terms, degree, xy[2 * start + 1]! - sum.originY) - sum.base;
    return chains.integrals[chains.node + node]! + height * (xy[2 * end]! - xy[2 * start]!);
  }
  let total = 0;
  if (level === 0) {
    const start = first + index * chains.leaf;
    const end = Math.min(start + chains.leaf, first + chains.edges);
    sum.work += 2 * (end - start);
    for (let i = start; i < end; i++) total += integrateEdgeBetween(sum, xy, i, origin, from, to);
    return total;
  }
  const children = chains.levelStarts[level - 1]!;
  const end = Math.min(children + (index + 1) * FAN_OUT, chains.levelStarts[level]!);
  for (let child = children + index * FAN_OUT; child < end; child++) {
    total += integrateChainBetween(sum, chains, level - 1, child, origin, from, to);
  }
  return total;
}

/** ∫ G dx along the part of the edge at position i with `from` ≤ x ≤ `to`, in the edge's direction. */
function integrateEdgeBetween(
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
  const isLong = x1 - x0 + Math.abs(y1 - y0) > sum.longest;
  const heightOf = (x: number): number =>
    isLong && x !== x0 && x !== x1
      ? heightOfLongEdge(sum, xy, i, origin, x)
      : segmentHeightAt(x0, y0, x1, y1, x);
  const integral = integrateForwardStrip(sum, a, heightOf(a), b, heightOf(b));
  return forward ? integral : -integral;
}

/** The sum over two leaves: the plot's chain is walked along each of the area's edges. */
function sumOverLeaves(sum: BoundarySum, walk: EdgeWalk, pNode: number, aNode: number): number {
  const { plot, area } = sum;
  const start = plot.first + pNode * plot.leaf;
  const count = Math.min(plot.leaf, plot.first + plot.edges - start);
  const aStart = area.first + aNode * area.leaf;
  const aEnd = Math.min(aStart + area.leaf, area.first + area.edges);
  walk.xy = plot.xy;
  walk.alongPlot = true;
  sum.work += count + aEnd - aStart;
  if (loadPlotChain(sum, walk, start, count)) return sumUnderEdges(sum, walk, start, count, aStart, aEnd);
  // An edge too long for the window: each is a chain of its own, and cut.
  let total = 0;
  for (let i = start; i < start + count; i++) {
    if (!loadPlotChain(sum, walk, i, 1)) cutChainToWindow(sum, walk, i);
    total += sumUnderEdges(sum, walk, i, 1, aStart, aEnd);
  }
  return total;
}

/** Loads a chain of the plot's; false where an edge is too long to be interpolated in the window. */
function loadPlotChain(sum: BoundarySum, walk: EdgeWalk, start: number, count: number): boolean {
  const { plot, originY, longest } = sum;
  const { x, y, own } = walk;
  const origin = sum.originX - plot.shift;
  let greatest = 0;
  for (let k = 0, i = 2 * start; k <= count; k++, i += 2) {
    x[k] = plot.xy[i]! - origin;
    y[k] = plot.xy[i + 1]! - originY;
    own[k] = Number.NaN;
    if (k > 0) greatest = Math.max(greatest, Math.abs(x[k]! - x[k - 1]!) + Math.abs(y[k]! - y[k - 1]!));
  }
  return greatest <= longest;
}

/** Cuts a chain of one edge, the plot's at position i, to the window's longitudes. */
function cutChainToWindow(sum: BoundarySum, { x, y }: EdgeWalk, i: number): void {
  const { plot, window } = sum;
  const origin = sum.originX - plot.shift;
  const [x0, x1] = [x[0]!, x[1]!];
  if (x0 === x1) return;
  const a = Math.min(Math.max(x0, window.west), window.east);
  const b = Math.min(Math.max(x1, window.west), window.east);
  x[0] = a;
  x[1] = b;
  if (a !== x0) y[0] = heightOfLongEdge(sum, plot.xy, i, origin, a);
  if (b !== x1) y[1] = heightOfLongEdge(sum, plot.xy, i, origin, b);
}

/** The sum over the loaded chain, the plot's from a position on, and consecutive edges of the area. */
function sumUnderEdges(
  sum: BoundarySum,
  walk: EdgeWalk,
  chainAt: number,
  count: number,
  start: number,
  end: number,
): number {
  const { area, window, originY, longest } = sum;
  const { x, y, own, edge } = walk;
  const { xy } = area;
  const origin = sum.originX - area.shift;
  let west = x[0]!;
  let east = west;
  let south = y[0]!;
  for (let k = 1; k <= count; k++) {
    west = Math.min(west, x[k]!);
    east = Math.max(east, x[k]!);
    south = Math.min(south, y[k]!);
  }
  walk.chainAt = chainAt;
  let total = 0;
  let u1 = xy[2 * start]! - origin;
  let v1 = xy[2 * start + 1]! - originY;
  for (let i = start; i < end; i++) {
    const u0 = u1;
    const v0 = v1;
    u1 = xy[2 * i + 2]! - origin;
    v1 = xy[2 * i + 3]! - originY;
    if ((u0 < west && u1 < west) || (u0 > east && u1 > east)) continue;
    if (v0 < window.south && v1 < window.south) continue;
    walk.edgeAt = i;
    if (!openEdge(edge, u0, v0, u1, v1)) {
      for (let k = 0; k < count && !sum.touched; k++) sum.touched = edgeMeetsChain(sum, walk, k);
      continue;
    }
    if (Math.abs(u1 - u0) + Math.abs(v1 - v0) > longest) cutEdgeToWindow(sum, edge, i);
    let part: number;
    if (v0 < south && v1 < south) {
      // The whole chain is above.
      const left = edge[LEFT]!;
      const right = edge[RIGHT]!;
      const to = Math.min(Math.max(x[count]!, left), right);
      part = extendRunAbove(sum, edge, Math.min(Math.max(x[0]!, left), right), to);
    } else {
      part = sumAlongChain(sum, walk, x, y, own, 0, count);
    }
    total += edge[SIGN]! * (part + endRun(sum, edge));
  }
  return total;
}
