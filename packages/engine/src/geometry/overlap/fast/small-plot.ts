import { evaluateSeriesMean } from "../../earth/authalic.ts";
import type { Plot } from "../../plot/plot.ts";
import { type BoundarySum, SMALL_PLOT_EDGES } from "../boundary-sum.ts";
import { segmentHeightAt } from "../edge-walk.ts";

/** Edges of a group: what is passed by one box. */
const GROUP_EDGES = 8;
/** Rings have three edges or more. */
const MOST_RINGS: number = Math.ceil(SMALL_PLOT_EDGES / 3);
const MOST_POSITIONS: number = SMALL_PLOT_EDGES + MOST_RINGS;
const MOST_GROUPS: number = SMALL_PLOT_EDGES / GROUP_EDGES + MOST_RINGS;

/** A plot of few edges as the double sum needs it: in local coordinates, with its edges' integrals. */
export interface SmallPlot {
  plot: Plot | undefined;
  /** True if the members below describe the plot in the window at hand. */
  loaded: boolean;
  /** Local coordinates of the plot's positions. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** ∫ G dx along the edge from each position on. */
  readonly own: Float64Array;
  /** ∫ G dx along the ring from its first position to each. */
  readonly along: Float64Array;
  /** ∫ G dx along all rings, and the sum of the sizes of its parts. */
  whole: number;
  size: number;
  /** Groups of consecutive edges: first and last position, box `[west, south, east, north]`. */
  groups: number;
  readonly firsts: Int32Array;
  readonly lasts: Int32Array;
  readonly boxes: Float64Array;
}

export function createSmallPlot(): SmallPlot {
  return {
    plot: undefined,
    loaded: false,
    x: new Float64Array(MOST_POSITIONS),
    y: new Float64Array(MOST_POSITIONS),
    own: new Float64Array(MOST_POSITIONS),
    along: new Float64Array(MOST_POSITIONS),
    whole: 0,
    size: 0,
    groups: 0,
    firsts: new Int32Array(MOST_GROUPS),
    lasts: new Int32Array(MOST_GROUPS),
    boxes: new Float64Array(4 * MOST_GROUPS),
  };
}

/** Readies a plot of at most SMALL_PLOT_EDGES edges for the window, which is its bbox. */
export function loadSmallPlot(sum: BoundarySum, small: SmallPlot, plot: Plot): void {
  if (small.loaded && small.plot === plot) return;
  small.plot = plot;
  small.groups = 0;
  small.whole = 0;
  small.size = 0;
  const { ringStarts } = plot;
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    loadRing(sum, small, plot.xy, ringStarts[ring]!, ringStarts[ring + 1]! - 1);
  }
  small.loaded = true;
}

/** Loads the edges from position `from` to position `last`, a ring. A mean costs as much as all else together. */
function loadRing(sum: BoundarySum, small: SmallPlot, xy: Float64Array, from: number, last: number): void {
  const { x, y, own, along, boxes, firsts, lasts } = small;
  const { originX, originY, terms, degree, base } = sum;
  const t1 = terms[1]!;
  const t2 = terms[2]!;
  const t3 = terms[3]!;
  const t4 = terms[4]!;
  const t5 = terms[5]!;
  let { groups, size } = small;
  let total = 0;
  let x0 = xy[2 * from]! - originX;
  let y0 = xy[2 * from + 1]! - originY;
  x[from] = x0;
  y[from] = y0;
  along[from] = 0;
  for (let first = from; first < last; first += GROUP_EDGES, groups++) {
    const end = first + GROUP_EDGES < last ? first + GROUP_EDGES : last;
    let west = x0;
    let east = x0;
    let south = y0;
    let north = y0;
    for (let i = first + 1; i <= end; i++) {
      const x1 = xy[2 * i]! - originX;
      const y1 = xy[2 * i + 1]! - originY;
      let mean: number;
      if (degree <= 5) {
        // evaluateSeriesMean in place; the terms beyond the degree are 0.
        const p2 = y1 * y1;
        const p3 = p2 * y1;
        const p4 = p3 * y1;
        const h1 = y0 + y1;
        const h2 = y0 * h1 + p2;
        const h3 = y0 * h2 + p3;
        const h4 = y0 * h3 + p4;
        const h5 = y0 * h4 + p4 * y1;
        mean = t1 * h1 + t2 * h2 + t3 * h3 + t4 * h4 + t5 * h5;
      } else {
        mean = evaluateSeriesMean(terms, degree, y0, y1);
      }
      const part = (x1 - x0) * (mean - base);
      own[i - 1] = part;
      total += part;
      size += Math.abs(part);
      x[i] = x1;
      y[i] = y1;
      along[i] = total;
      west = Math.min(west, x1);
      east = Math.max(east, x1);
      south = Math.min(south, y1);
      north = Math.max(north, y1);
      x0 = x1;
      y0 = y1;
    }
    firsts[groups] = first;
    lasts[groups] = end;
    boxes[4 * groups] = west;
    boxes[4 * groups + 1] = south;
    boxes[4 * groups + 2] = east;
    boxes[4 * groups + 3] = north;
  }
  small.groups = groups;
  small.size = size;
  small.whole += total;
}

/**
 * Square metres of the loaded plot: less the sum of its edges' integrals. 0 where it fills so little of
 * its bbox, or its edges wind so much, that rounding could reach 1e-14 of it.
 */
export function computeLoadedPlotArea(sum: BoundarySum, small: SmallPlot): number {
  const { window, terms } = sum;
  const area = -small.whole;
  const bbox = 2 * terms[1]! * (window.east - window.west) * (window.north - window.south);
  return area > 0.01 * bbox && small.size * 2.2e-16 <= area * 1e-14 ? area : 0;
}

/** The plot's integral as far as low ≤ x ≤ high. */
export function integratePlotWithin(sum: BoundarySum, small: SmallPlot, low: number, high: number): number {
  if (low <= sum.window.west && high >= sum.window.east) return small.whole;
  const { boxes, firsts, lasts, along, groups } = small;
  sum.work += groups;
  let total = 0;
  for (let g = 0, b = 0; g < groups; g++, b += 4) {
    const west = boxes[b]!;
    const east = boxes[b + 2]!;
    if (east <= low || west >= high) continue;
    if (west >= low && east <= high) total += along[lasts[g]!]! - along[firsts[g]!]!;
    else total += integratePositions(sum, small, firsts[g]!, lasts[g]!, low, high);
  }
  return total;
}

/** ∫ G dx along the plot from one position of a ring to another, as far as low ≤ x ≤ high. */
export function integratePositions(
  sum: BoundarySum,
  small: SmallPlot,
  first: number,
  last: number,
  low: number,
  high: number,
): number {
  const { x, y, own } = small;
  const { terms, degree, base } = sum;
  sum.work += last - first;
  let total = 0;
  for (let k = first; k < last; k++) {
    const x0 = x[k]!;
    const x1 = x[k + 1]!;
    if ((x0 <= low && x1 <= low) || (x0 >= high && x1 >= high)) continue;
    const a = x0 < low ? low : x0 > high ? high : x0;
    const b = x1 < low ? low : x1 > high ? high : x1;
    if (a === x0 && b === x1) {
      total += own[k]!;
      continue;
    }
    const ya = segmentHeightAt(x0, y[k]!, x1, y[k + 1]!, a);
    const yb = segmentHeightAt(x0, y[k]!, x1, y[k + 1]!, b);
    total += (b - a) * (evaluateSeriesMean(terms, degree, ya, yb) - base);
  }
  return total;
}
