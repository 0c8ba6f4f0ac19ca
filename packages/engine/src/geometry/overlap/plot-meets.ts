import type { Plot } from "../plot/plot.ts";
import { CELLS_A_DEGREE } from "../trees/cells.ts";
import { FAN_OUT } from "../trees/chain-tree.ts";
import { type Chains, spanOfLevel } from "../trees/chains.ts";
import { type BoundarySum, edgesMeetAt, settleWork } from "./boundary-sum.ts";
import { beginGathering, createGathered, type Gathered } from "./fast/gather.ts";

/*
 * Whether an edge of a plot meets one of an area's ring, by whole numbers as far as possible: the
 * plot's positions, and boxes over groups of its edges, in the cells (cells.ts) in which the trees of the
 * area have their boxes. Floors of numbers that are equal or in order are so too: boxes of floors that
 * are apart are apart.
 */

/** Most edges of a plot that is asked edge by edge whether it meets an area; larger ones are measured, by their trees. */
export const MEETING_EDGES = 1000;
/** Edges of a group. */
const GROUP_EDGES = 4;
/** Rings have three edges or more. */
const MOST_RINGS: number = Math.ceil(MEETING_EDGES / 3);
const MOST_POSITIONS: number = MEETING_EDGES + MOST_RINGS;
const MOST_GROUPS: number = MEETING_EDGES / GROUP_EDGES + MOST_RINGS;

/** The plot's positions and groups in cells, and what of an area is looked at. */
export interface PlotCells {
  plot: Plot | undefined;
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** Groups of consecutive edges: first and last position, box `[west, south, east, north]`. */
  groups: number;
  readonly firsts: Int32Array;
  readonly lasts: Int32Array;
  readonly boxes: Int32Array;
  /** The groups whose boxes meet that of the node at hand. */
  readonly near: Int32Array;
  nearCount: number;
  /** Whether an edge of the area was found near the plot's bbox, since the caller said no. */
  isNear: boolean;
  /** What the area's longitudes are shifted by, in cells. */
  shift: number;
  /** The plot's bbox; nodes that would be gathered whole are held against the groups. */
  readonly box: Gathered;
}

export function createPlotCells(): PlotCells {
  return {
    plot: undefined,
    x: new Int32Array(MOST_POSITIONS),
    y: new Int32Array(MOST_POSITIONS),
    groups: 0,
    firsts: new Int32Array(MOST_GROUPS),
    lasts: new Int32Array(MOST_GROUPS),
    boxes: new Int32Array(4 * MOST_GROUPS),
    near: new Int32Array(MOST_GROUPS),
    nearCount: 0,
    isNear: false,
    shift: 0,
    box: createGathered(),
  };
}

/** Readies a plot of at most MEETING_EDGES edges to be held against rings at that shift. */
export function beginMeeting(cells: PlotCells, plot: Plot, shift: number): void {
  if (cells.plot !== plot) cells.groups = 0;
  cells.plot = plot;
  cells.isNear = false;
  cells.shift = shift * CELLS_A_DEGREE;
  beginGathering(cells.box, plot.bbox, shift);
}

/** Writes the plot's positions and groups in cells, once they are needed. */
function load(cells: PlotCells, { xy, ringStarts }: Plot): void {
  const { x, y, firsts, lasts, boxes } = cells;
  let group = 0;
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    const from = ringStarts[ring]!;
    const last = ringStarts[ring + 1]! - 1;
    let u = Math.floor(xy[2 * from]! * CELLS_A_DEGREE) | 0;
    let v = Math.floor(xy[2 * from + 1]! * CELLS_A_DEGREE) | 0;
    x[from] = u;
    y[from] = v;
    for (let first = from; first < last; first += GROUP_EDGES, group++) {
      const end = Math.min(first + GROUP_EDGES, last);
      let west = u;
      let east = u;
      let south = v;
      let north = v;
      for (let i = first + 1; i <= end; i++) {
        u = Math.floor(xy[2 * i]! * CELLS_A_DEGREE) | 0;
        v = Math.floor(xy[2 * i + 1]! * CELLS_A_DEGREE) | 0;
        x[i] = u;
        y[i] = v;
        // Least and greatest, without branches.
        west += (u - west) & ((u - west) >> 31);
        south += (v - south) & ((v - south) >> 31);
        east -= (east - u) & ((east - u) >> 31);
        north -= (north - v) & ((north - v) >> 31);
      }
      firsts[group] = first;
      lasts[group] = end;
      boxes[4 * group] = west;
      boxes[4 * group + 1] = south;
      boxes[4 * group + 2] = east;
      boxes[4 * group + 3] = north;
    }
  }
  cells.groups = group;
}

/**
 * Whether an edge of the opened ring shares a point with one of the plot. Exact; stops at the first.
 * Where `isNear` stays false, no edge of the ring comes near the plot's bbox.
 */
export function ringMeetsPlot(sum: BoundarySum, cells: PlotCells): boolean {
  const { area } = sum;
  const root = area.levelStarts[area.levels - 1]!;
  return nodesMeet(sum, cells, area.levels - 1, root, root + 1);
}

/** The same of consecutive nodes of one level. */
function nodesMeet(sum: BoundarySum, cells: PlotCells, level: number, first: number, last: number): boolean {
  const { area } = sum;
  const { levelStarts, boxes } = area;
  const { cellWest, cellSouth, cellEast, cellNorth, settle } = cells.box;
  sum.work += last - first;
  for (let node = first, box = 4 * (area.node + first); node < last; node++, box += 4) {
    const w = boxes[box]!;
    const s = boxes[box + 1]!;
    const e = boxes[box + 2]!;
    const n = boxes[box + 3]!;
    if (((cellEast - w) | (e - cellWest) | (cellNorth - s) | (n - cellSouth)) < 0) continue;
    if (level === 0 || e - w + (n - s) < settle) {
      if (!findGroups(sum, cells, w + cells.shift, s, e + cells.shift, n)) {
        cells.isNear = true;
        continue;
      }
    }
    const index = node - levelStarts[level]!;
    if (level > 0) {
      const children = levelStarts[level - 1]! + index * FAN_OUT;
      const end = Math.min(children + FAN_OUT, levelStarts[level]!);
      if (nodesMeet(sum, cells, level - 1, children, end)) return true;
    } else {
      const start = area.first + index * spanOfLevel(area, 0);
      if (leafMeets(sum, cells, area, start, Math.min(start + area.leaf, area.first + area.edges)))
        return true;
    }
  }
  return false;
}

/** Lists the groups whose boxes meet a box, and says whether there are any. */
function findGroups(
  sum: BoundarySum,
  cells: PlotCells,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  if (cells.groups === 0) load(cells, cells.plot!);
  const { boxes, near, groups } = cells;
  sum.work += groups >> 2;
  let count = 0;
  for (let g = 0, b = 0; g < groups; g++, b += 4) {
    near[count] = g;
    const apart =
      (east - boxes[b]!) | (boxes[b + 2]! - west) | (north - boxes[b + 1]!) | (boxes[b + 3]! - south);
    // One more where they meet, without a branch.
    count += 1 + (apart >> 31);
  }
  cells.nearCount = count;
  return count > 0;
}

/** Whether an edge of a leaf meets the plot; the groups near it are listed. */
function leafMeets(sum: BoundarySum, cells: PlotCells, area: Chains, start: number, end: number): boolean {
  const { xy, shift } = area;
  const { cellWest, cellSouth: south, cellEast, cellNorth: north } = cells.box;
  const west = cellWest + cells.shift;
  const east = cellEast + cells.shift;
  sum.work += end - start;
  let x0 = Math.floor((xy[2 * start]! + shift) * CELLS_A_DEGREE) | 0;
  let y0 = Math.floor(xy[2 * start + 1]! * CELLS_A_DEGREE) | 0;
  for (let i = start; i < end; i++) {
    const x1 = Math.floor((xy[2 * i + 2]! + shift) * CELLS_A_DEGREE) | 0;
    const y1 = Math.floor(xy[2 * i + 3]! * CELLS_A_DEGREE) | 0;
    const beyond =
      ((x0 - west) & (x1 - west)) |
      ((east - x0) & (east - x1)) |
      ((y0 - south) & (y1 - south)) |
      ((north - y0) & (north - y1));
    if (beyond >= 0) {
      cells.isNear = true;
      if (edgeMeets(sum, cells, i, x0, y0, x1, y1)) return true;
    }
    x0 = x1;
    y0 = y1;
  }
  return false;
}

/** Whether the area's edge at position i, of those ends in cells, meets an edge of the groups listed. Exact. */
function edgeMeets(
  sum: BoundarySum,
  cells: PlotCells,
  i: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): boolean {
  const { x, y, firsts, lasts, boxes, near, nearCount } = cells;
  const { area } = sum;
  const west = x0 < x1 ? x0 : x1;
  const east = x0 < x1 ? x1 : x0;
  const south = y0 < y1 ? y0 : y1;
  const north = y0 < y1 ? y1 : y0;
  sum.work += nearCount;
  if (sum.work > sum.allowed) settleWork(sum);
  for (let m = 0; m < nearCount; m++) {
    const g = near[m]!;
    const b = 4 * g;
    const apart =
      (east - boxes[b]!) | (boxes[b + 2]! - west) | (north - boxes[b + 1]!) | (boxes[b + 3]! - south);
    if (apart < 0) continue;
    const last = lasts[g]!;
    let k = firsts[g]!;
    let u0 = x[k]!;
    let v0 = y[k]!;
    sum.work += last - k;
    for (; k < last; k++) {
      const u1 = x[k + 1]!;
      const v1 = y[k + 1]!;
      const beyond =
        ((u0 - west) & (u1 - west)) |
        ((east - u0) & (east - u1)) |
        ((v0 - south) & (v1 - south)) |
        ((north - v0) & (north - v1));
      u0 = u1;
      v0 = v1;
      if (beyond >= 0 && edgesMeetAt(cells.plot!.xy, k, area.xy, i, area.shift)) return true;
    }
  }
  return false;
}
