import { seriesValue } from "../earth/authalic.ts";
import { CELL_DEGREES } from "../trees/cells.ts";
import { FAN_OUT } from "../trees/chain-tree.ts";
import { type Chains, spanOfLevel } from "../trees/chains.ts";
import {
  type BoundarySum,
  edgesMeetAt,
  heightOfLongEdge,
  STEPS_A_PAIR,
  STRIDE,
  settleWork,
  strip,
} from "./boundary-sum.ts";
import { HIGH, heightOfPiece, LOW, loadPieces, SIGN, stripUnderBoth, XL, XR } from "./pieces.ts";

/*
 * The double sum of boundary-sum.ts where both rings have trees: two nodes at a time, the larger opened,
 * until they are apart or both are leaves, whose edges are summed pair by pair.
 */

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
