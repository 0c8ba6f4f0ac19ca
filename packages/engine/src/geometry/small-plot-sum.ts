import { seriesValue } from "./authalic.ts";
import {
  type BoundarySum,
  edgesMeetAt,
  HIGH,
  heightOfPiece,
  LOW,
  loadPieces,
  SIGN,
  SMALL_PLOT_EDGES,
  STRIDE,
  strip,
  stripUnderBoth,
  tooComplex,
  XL,
  XR,
  YL,
  YR,
} from "./boundary-sum.ts";
import { FAN_OUT, LEAF_EDGES } from "./chain-tree.ts";
import { spanOfLevel } from "./chains.ts";
import type { Plot } from "./plot.ts";

/*
 * The double sum of boundary-sum.ts for a plot of few edges: the area's chain tree is walked against
 * the plot's bbox, and a leaf classifies the plot's edges by its own box. Where the plot is small
 * most leaves settle most edges at once. `sum.area` and the window (the plot's bbox) are set before.
 */

/** All edges of a small plot; their pieces lie in `sum.plotPieces` in the same order. */
export interface SmallPlot {
  plot: Plot | undefined;
  /** Position of each piece's edge. */
  readonly edges: Int32Array;
  count: number;
  /** Nodes below this width plus height are tried whole before they are opened. */
  settle: number;
  /** Scratch: pieces that a chain's box could not settle, and how many. */
  readonly mixed: Int32Array;
  mixedCount: number;
  /** Scratch: sum of the signs of the pieces above the chain. */
  winding: number;
  /** Scratch: a run of the ring above the whole plot, its first and last position; -1: none. */
  runStart: number;
  runEnd: number;
}

export function createSmallPlot(): SmallPlot {
  return {
    plot: undefined,
    edges: new Int32Array(SMALL_PLOT_EDGES),
    count: 0,
    settle: 0,
    mixed: new Int32Array(SMALL_PLOT_EDGES),
    mixedCount: 0,
    winding: 0,
    runStart: -1,
    runEnd: -1,
  };
}

/** Writes all edges of a plot as pieces; the plot has at most SMALL_PLOT_EDGES, the window is its bbox. */
export function loadSmallPlot(sum: BoundarySum, small: SmallPlot, plot: Plot): void {
  const { ringStarts } = plot;
  let count = 0;
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    const from = ringStarts[ring]!;
    const length = ringStarts[ring + 1]! - from - 1;
    loadPieces(sum, plot.xy, from, length, 0, sum.plotPieces, STRIDE * count);
    for (let i = 0; i < length; i++) small.edges[count + i] = from + i;
    count += length;
  }
  small.count = count;
  small.plot = plot;
  small.settle = (sum.window.east - sum.window.west + (sum.window.north - sum.window.south)) / 4;
}

/** The double sum over the whole loaded plot and the opened ring. Sets `sum.touched` where edges meet. */
export function sumOverRing(sum: BoundarySum, small: SmallPlot): number {
  const { area } = sum;
  small.runStart = -1;
  small.runEnd = -1;
  const total = sumOverNode(sum, small, area.levels - 1, area.levelStarts[area.levels - 1]!);
  return total + integralUnderRun(sum, small);
}

function sumOverNode(sum: BoundarySum, small: SmallPlot, level: number, node: number): number {
  sum.work++;
  const { area, window } = sum;
  const { boxes } = area;
  const box = 4 * (area.node + node);
  const origin = sum.originX - area.shift;
  // Boxes are rounded outward and rounding is monotone: a strict comparison here is a true one.
  const north = boxes[box + 3]! - sum.originY;
  if (north < window.south) return 0;
  const west = boxes[box]! - origin;
  const east = boxes[box + 2]! - origin;
  if (west > window.east || east < window.west) return 0;
  const south = boxes[box + 1]! - sum.originY;
  const above = south > window.north;
  const index = node - area.levelStarts[level]!;
  if (level === 0 || above || east - west + (north - south) < small.settle) {
    const span = spanOfLevel(area, level);
    const start = area.first + index * span;
    const end = Math.min(start + span, area.first + area.edges);
    if (above) return addToRun(sum, small, start, end);
    if (level === 0) return sumOverLeaf(sum, small, start, end, node);
    if (south >= window.south) {
      const total = sumOfSettled(sum, small, west, south, east, north, start, end);
      if (small.mixedCount === 0) return total + windingIntegral(sum, small, start, end, node);
    }
  }
  const children = area.levelStarts[level - 1]!;
  const last = Math.min(children + (index + 1) * FAN_OUT, area.levelStarts[level]!);
  let total = 0;
  for (let child = children + index * FAN_OUT; child < last; child++) {
    total += sumOverNode(sum, small, level - 1, child);
  }
  return total;
}

/**
 * Parts the plot's edges by a chain's box: those below it contribute their own integral, which is
 * returned; those above all of it are counted in `winding`; the others are left in `mixed`.
 */
function sumOfSettled(
  sum: BoundarySum,
  small: SmallPlot,
  west: number,
  south: number,
  east: number,
  north: number,
  start: number,
  end: number,
): number {
  const { area, plotPieces } = sum;
  const origin = sum.originX - area.shift;
  const from = area.xy[2 * start]! - origin;
  const to = area.xy[2 * end]! - origin;
  const low = from < to ? from : to;
  const high = from < to ? to : from;
  const { count, mixed } = small;
  let total = 0;
  let winding = 0;
  let mixedCount = 0;
  sum.work += count;
  for (let k = 0, p = 0; k < count; k++, p += STRIDE) {
    const xl = plotPieces[p + XL]!;
    const xr = plotPieces[p + XR]!;
    if (xr < west || xl > east) continue;
    if (plotPieces[p + HIGH]! < south) {
      // As far as the chain reaches; where it turns back its parts cancel.
      const a = xl > low ? xl : low;
      const b = xr < high ? xr : high;
      if (a < b) {
        const part = strip(sum, a, heightOfPiece(plotPieces, p, a), b, heightOfPiece(plotPieces, p, b));
        total += plotPieces[p + SIGN]! * part;
      }
    } else if (plotPieces[p + LOW]! > north && xl <= west && xr >= east) {
      winding += plotPieces[p + SIGN]!;
    } else {
      mixed[mixedCount++] = k;
    }
  }
  small.winding = winding;
  small.mixedCount = mixedCount;
  return from < to ? total : -total;
}

/** What the edges above a chain contribute: its own integral, which its node holds. */
function windingIntegral(
  sum: BoundarySum,
  small: SmallPlot,
  start: number,
  end: number,
  node: number,
): number {
  if (small.winding === 0) return 0;
  const { area, series } = sum;
  const height = seriesValue(series.terms, series.degree, area.xy[2 * start + 1]! - sum.originY) - sum.base;
  const width = area.xy[2 * end]! - area.xy[2 * start]!;
  return small.winding * (area.integrals[area.node + node]! + height * width);
}

/** A chain above the whole plot: the plot's integral under it. Chains that follow each other are one. */
function addToRun(sum: BoundarySum, small: SmallPlot, start: number, end: number): number {
  if (start === small.runEnd) {
    small.runEnd = end;
    return 0;
  }
  const total = integralUnderRun(sum, small);
  small.runStart = start;
  small.runEnd = end;
  return total;
}

function integralUnderRun(sum: BoundarySum, small: SmallPlot): number {
  if (small.runStart < 0) return 0;
  const { area, window } = sum;
  const origin = sum.originX - area.shift;
  const from = Math.min(Math.max(area.xy[2 * small.runStart]! - origin, window.west), window.east);
  const to = Math.min(Math.max(area.xy[2 * small.runEnd]! - origin, window.west), window.east);
  if (from === to) return 0;
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  const pieces = sum.plotPieces;
  let total = 0;
  sum.work += small.count;
  for (let p = 0; p < STRIDE * small.count; p += STRIDE) {
    const a = Math.max(low, pieces[p + XL]!);
    const b = Math.min(high, pieces[p + XR]!);
    if (a < b) {
      total += pieces[p + SIGN]! * strip(sum, a, heightOfPiece(pieces, p, a), b, heightOfPiece(pieces, p, b));
    }
  }
  return from < to ? total : -total;
}

function sumOverLeaf(sum: BoundarySum, small: SmallPlot, start: number, end: number, node: number): number {
  if (end - start <= LEAF_EDGES) return sumOverBlock(sum, small, start, end, node);
  let total = 0;
  for (let from = start; from < end; from += LEAF_EDGES) {
    total += sumOverBlock(sum, small, from, Math.min(from + LEAF_EDGES, end), -1);
  }
  return total;
}

/** The sum over a chain of few edges; `node` is its node in the tree, or -1 where it is only a part of one. */
function sumOverBlock(sum: BoundarySum, small: SmallPlot, start: number, end: number, node: number): number {
  const { area, window } = sum;
  const xy = area.xy;
  const origin = sum.originX - area.shift;
  const originY = sum.originY;
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let i = start; i <= end; i++) {
    const x = xy[2 * i]! - origin;
    const y = xy[2 * i + 1]! - originY;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  sum.work += end - start;
  if (east < window.west || west > window.east || north < window.south) return 0;
  if (south > window.north) return addToRun(sum, small, start, end);

  let total = sumOfSettled(sum, small, west, south, east, north, start, end);
  const { mixedCount, winding } = small;
  const held = node >= 0 && south >= window.south;
  if (held) total += windingIntegral(sum, small, start, end, node);
  if (mixedCount > 0 || (winding !== 0 && !held)) {
    const edges = end - start;
    loadPieces(sum, xy, start, edges, area.shift, sum.areaPieces);
    if (winding !== 0 && !held) total += winding * integralOfPieces(sum, edges);
    for (let m = 0; m < mixedCount; m++) total += sumOverEdge(sum, small, small.mixed[m]!, start, edges);
  }
  return total;
}

function integralOfPieces(sum: BoundarySum, edges: number): number {
  const pieces = sum.areaPieces;
  let total = 0;
  for (let q = 0; q < STRIDE * edges; q += STRIDE) {
    const sign = pieces[q + SIGN]!;
    if (sign !== 0)
      total += sign * strip(sum, pieces[q + XL]!, pieces[q + YL]!, pieces[q + XR]!, pieces[q + YR]!);
  }
  return total;
}

/** The sum over one edge of the plot and the loaded edges of the area. */
function sumOverEdge(
  sum: BoundarySum,
  small: SmallPlot,
  piece: number,
  start: number,
  edges: number,
): number {
  const { plotPieces, areaPieces, window } = sum;
  const p = STRIDE * piece;
  const xl = plotPieces[p + XL]!;
  const xr = plotPieces[p + XR]!;
  const high = plotPieces[p + HIGH]!;
  const low = plotPieces[p + LOW]!;
  const sign = plotPieces[p + SIGN]!;
  let total = 0;
  sum.work += edges;
  if (sum.work > sum.allowed) throw tooComplex(sum.work, sum.allowed);
  for (let f = 0, q = 0; f < edges; f++, q += STRIDE) {
    const fl = areaPieces[q + XL]!;
    const fr = areaPieces[q + XR]!;
    if (fr < xl || fl > xr) continue;
    const fLow = areaPieces[q + LOW]!;
    const fHigh = areaPieces[q + HIGH]!;
    if (fHigh < window.south) continue;
    if (!sum.touched && fLow <= high && fHigh >= low) {
      sum.touched = edgesMeetAt(small.plot!.xy, small.edges[piece]!, sum.area.xy, start + f, sum.area.shift);
    }
    const signs = sign * areaPieces[q + SIGN]!;
    const a = fl > xl ? fl : xl;
    const b = fr < xr ? fr : xr;
    if (signs === 0 || !(a < b)) continue;
    if (high <= fLow) {
      total += signs * strip(sum, a, heightOfPiece(plotPieces, p, a), b, heightOfPiece(plotPieces, p, b));
    } else if (fHigh <= low) {
      total += signs * strip(sum, a, heightOfPiece(areaPieces, q, a), b, heightOfPiece(areaPieces, q, b));
    } else {
      total += signs * stripUnderBoth(sum, plotPieces, p, areaPieces, q);
    }
  }
  return total;
}
