import { seriesValue } from "../earth/authalic.ts";
import type { Plot } from "../plot/plot.ts";
import { CELL_DEGREES } from "../trees/cells.ts";
import { FAN_OUT, LEAF_EDGES } from "../trees/chain-tree.ts";
import { spanOfLevel } from "../trees/chains.ts";
import {
  type BoundarySum,
  edgesMeetAt,
  HIGH,
  heightOfPiece,
  LOW,
  loadPiece,
  loadPieces,
  SIGN,
  SLOPE,
  SMALL_PLOT_EDGES,
  STEPS_A_PAIR,
  STRIDE,
  settleWork,
  strip,
  stripUnderBoth,
  XL,
  XR,
  YL,
  YR,
} from "./boundary-sum.ts";

/*
 * The double sum of boundary-sum.ts for a plot of few edges: the area's chain tree is walked against
 * the plot's bbox, and a leaf classifies the plot's edges by its own box. Where the plot is small
 * most leaves settle most edges at once. `sum.area` and the window (the plot's bbox) are set before.
 */

/** Bound of the relative rounding error of a height on an edge: a few units in the last place. */
const ROUNDING = 4e-15;

/** All edges of a small plot; their pieces lie in `sum.plotPieces` in the same order. */
export interface SmallPlot {
  plot: Plot | undefined;
  loaded: boolean;
  /** Nodes below this width plus height are tried whole before they are opened. */
  settle: number;
  /** The plot's bbox in the longitudes of the area. */
  west: number;
  south: number;
  east: number;
  north: number;
  /** Position of each piece's edge. */
  readonly edges: Int32Array;
  count: number;
  /** Scratch: pieces that a chain's box could not settle, and how many. */
  readonly mixed: Int32Array;
  mixedCount: number;
  /** Scratch: positions of the area's loaded edges. */
  readonly near: Int32Array;
  /** Scratch: sum of the signs of the pieces above the chain. */
  winding: number;
  /** Scratch: a run of the ring above the whole plot, its first and last position; -1: none. */
  runStart: number;
  runEnd: number;
}

export function createSmallPlot(): SmallPlot {
  return {
    plot: undefined,
    loaded: false,
    settle: 0,
    west: 0,
    south: 0,
    east: 0,
    north: 0,
    edges: new Int32Array(SMALL_PLOT_EDGES),
    count: 0,
    mixed: new Int32Array(SMALL_PLOT_EDGES),
    mixedCount: 0,
    near: new Int32Array(LEAF_EDGES),
    winding: 0,
    runStart: -1,
    runEnd: -1,
  };
}

/** Names the plot to be measured; it has at most SMALL_PLOT_EDGES, and its bbox is the window. */
export function beginSmallPlot(small: SmallPlot, plot: Plot): void {
  if (small.plot !== plot) small.loaded = false;
  small.plot = plot;
}

/** Writes all edges of the plot as pieces, once something comes near enough to need them. */
function load(sum: BoundarySum, small: SmallPlot): void {
  const plot = small.plot!;
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
  small.loaded = true;
}

/** The double sum over the whole plot and the opened ring. Sets `sum.touched` where edges meet. */
export function sumOverRing(sum: BoundarySum, small: SmallPlot): number {
  const { area } = sum;
  const { bbox } = small.plot!;
  small.runStart = -1;
  small.runEnd = -1;
  small.settle = (bbox[2] - bbox[0] + (bbox[3] - bbox[1])) / 4;
  small.west = bbox[0] - area.shift;
  small.east = bbox[2] - area.shift;
  small.south = bbox[1];
  small.north = bbox[3];
  const root = area.levelStarts[area.levels - 1]!;
  return sumOverNodes(sum, small, area.levels - 1, root, root + 1) + integralUnderRun(sum, small);
}

/** The sum over consecutive nodes of one level. */
function sumOverNodes(
  sum: BoundarySum,
  small: SmallPlot,
  level: number,
  first: number,
  last: number,
): number {
  const { area } = sum;
  const { boxes, levelStarts } = area;
  const { west, south, east, north } = small;
  let total = 0;
  sum.work += last - first;
  for (let node = first; node < last; node++) {
    const box = 4 * (area.node + node);
    // Boxes are rounded outward and rounding is monotone: a strict comparison here is a true one.
    if (boxes[box + 3]! * CELL_DEGREES < south) continue;
    if (boxes[box]! * CELL_DEGREES > east || boxes[box + 2]! * CELL_DEGREES < west) continue;
    const above = boxes[box + 1]! * CELL_DEGREES > north;
    const index = node - levelStarts[level]!;
    if (
      level > 0 &&
      !above &&
      (boxes[box + 2]! - boxes[box]! + (boxes[box + 3]! - boxes[box + 1]!)) * CELL_DEGREES >= small.settle
    ) {
      const children = levelStarts[level - 1]! + index * FAN_OUT;
      const end = Math.min(children + FAN_OUT, levelStarts[level]!);
      total += sumOverNodes(sum, small, level - 1, children, end);
    } else {
      total += sumOverChain(sum, small, level, node, above);
    }
  }
  return total;
}

/** The sum over a node that may be settled whole. */
function sumOverChain(
  sum: BoundarySum,
  small: SmallPlot,
  level: number,
  node: number,
  above: boolean,
): number {
  const { area } = sum;
  const { boxes, levelStarts } = area;
  const index = node - levelStarts[level]!;
  const span = spanOfLevel(area, level);
  const start = area.first + index * span;
  const end = Math.min(start + span, area.first + area.edges);
  if (above) return addToRun(sum, small, start, end);
  if (level === 0) return sumOverLeaf(sum, small, start, end, node);
  const box = 4 * (area.node + node);
  const south = boxes[box + 1]! * CELL_DEGREES;
  if (south >= small.south) {
    const origin = sum.originX - area.shift;
    const total = sumOfSettled(
      sum,
      small,
      boxes[box]! * CELL_DEGREES - origin,
      south - sum.originY,
      boxes[box + 2]! * CELL_DEGREES - origin,
      boxes[box + 3]! * CELL_DEGREES - sum.originY,
      start,
      end,
    );
    if (small.mixedCount === 0) return total + windingIntegral(sum, small, start, end, node);
  }
  const children = levelStarts[level - 1]! + index * FAN_OUT;
  return sumOverNodes(sum, small, level - 1, children, Math.min(children + FAN_OUT, levelStarts[level]!));
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
  if (!small.loaded) load(sum, small);
  const { count, mixed } = small;
  let total = 0;
  let winding = 0;
  let mixedCount = 0;
  sum.work += count;
  for (let k = 0, p = 0; k < count; k++, p += STRIDE) {
    const xl = plotPieces[p + XL]!;
    const xr = plotPieces[p + XR]!;
    if (xr < west || xl > east) continue;
    let top = plotPieces[p + HIGH]!;
    let bottom = plotPieces[p + LOW]!;
    if (top >= south && bottom <= north) {
      if (top - bottom < north - south || xl === xr) {
        mixed[mixedCount++] = k;
        continue;
      }
      // A taller edge aslant may pass the box by: its heights above the box, less what rounding could hide.
      const l = heightOfPiece(plotPieces, p, xl > west ? xl : west);
      const r = heightOfPiece(plotPieces, p, xr < east ? xr : east);
      const slope = Math.abs(plotPieces[p + SLOPE]!);
      const doubt = ROUNDING * (top - bottom + Math.abs(top) + slope * (Math.abs(xl) + Math.abs(xr)));
      top = (l < r ? r : l) + doubt;
      bottom = (l < r ? l : r) - doubt;
    }
    if (top < south) {
      // As far as the chain reaches; where it turns back its parts cancel.
      const a = xl > low ? xl : low;
      const b = xr < high ? xr : high;
      if (a < b) {
        const part = strip(sum, a, heightOfPiece(plotPieces, p, a), b, heightOfPiece(plotPieces, p, b));
        total += plotPieces[p + SIGN]! * part;
      }
    } else if (bottom > north && xl <= west && xr >= east) {
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
  if (!small.loaded) load(sum, small);
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
  const { area } = sum;
  const xy = area.xy;
  let west = xy[2 * start]!;
  let south = xy[2 * start + 1]!;
  let east = west;
  let north = south;
  const last = 2 * end;
  for (let i = 2 * start + 2; i <= last; i += 2) {
    const x = xy[i]!;
    const y = xy[i + 1]!;
    if (x < west) west = x;
    else if (x > east) east = x;
    if (y < south) south = y;
    else if (y > north) north = y;
  }
  sum.work += end - start;
  if (east < small.west || west > small.east || north < small.south) return 0;
  if (south > small.north) return addToRun(sum, small, start, end);

  const held = node >= 0 && south >= small.south;
  const origin = sum.originX - area.shift;
  west -= origin;
  south -= sum.originY;
  east -= origin;
  north -= sum.originY;
  let total = sumOfSettled(sum, small, west, south, east, north, start, end);
  const { mixedCount, winding } = small;
  if (held) total += windingIntegral(sum, small, start, end, node);
  if (mixedCount > 0 || (winding !== 0 && !held)) {
    const near = loadNear(sum, small, start, end);
    if (winding !== 0 && !held) total += winding * integralOfPieces(sum, near);
    for (let m = 0; m < mixedCount; m++) total += sumOverEdge(sum, small, small.mixed[m]!, near);
  }
  return total;
}

/** Loads a chain's edges that come near the plot's bbox and do not lie below it; returns how many. */
function loadNear(sum: BoundarySum, small: SmallPlot, start: number, end: number): number {
  const { area, areaPieces } = sum;
  const { xy, shift } = area;
  const { west, south, east, near } = small;
  let count = 0;
  let x0 = xy[2 * start]!;
  let y0 = xy[2 * start + 1]!;
  for (let i = start; i < end; i++) {
    const x1 = xy[2 * i + 2]!;
    const y1 = xy[2 * i + 3]!;
    const far = (x0 < west && x1 < west) || (x0 > east && x1 > east) || (y0 < south && y1 < south);
    x0 = x1;
    y0 = y1;
    if (far) continue;
    loadPiece(sum, xy, i, shift, areaPieces, STRIDE * count);
    near[count++] = i;
  }
  return count;
}

function integralOfPieces(sum: BoundarySum, count: number): number {
  const pieces = sum.areaPieces;
  let total = 0;
  for (let q = 0; q < STRIDE * count; q += STRIDE) {
    const sign = pieces[q + SIGN]!;
    if (sign !== 0)
      total += sign * strip(sum, pieces[q + XL]!, pieces[q + YL]!, pieces[q + XR]!, pieces[q + YR]!);
  }
  return total;
}

/** The sum over one edge of the plot and the loaded edges of the area. */
function sumOverEdge(sum: BoundarySum, small: SmallPlot, piece: number, count: number): number {
  const { plotPieces, areaPieces } = sum;
  const p = STRIDE * piece;
  const xl = plotPieces[p + XL]!;
  const xr = plotPieces[p + XR]!;
  const sign = plotPieces[p + SIGN]!;
  let total = 0;
  let pairs = 0;
  for (let f = 0, q = 0; f < count; f++, q += STRIDE) {
    if (areaPieces[q + XR]! < xl || areaPieces[q + XL]! > xr) continue;
    pairs++;
    if (
      !sum.touched &&
      areaPieces[q + LOW]! <= plotPieces[p + HIGH]! &&
      areaPieces[q + HIGH]! >= plotPieces[p + LOW]!
    ) {
      sum.touched = edgesMeetAt(
        small.plot!.xy,
        small.edges[piece]!,
        sum.area.xy,
        small.near[f]!,
        sum.area.shift,
      );
    }
    const signs = sign * areaPieces[q + SIGN]!;
    if (signs !== 0) total += signs * stripUnderBoth(sum, plotPieces, p, areaPieces, q);
  }
  sum.work += 1 + (count >> 3) + STEPS_A_PAIR * pairs;
  if (sum.work > sum.allowed) settleWork(sum);
  return total;
}
