import type { Plot } from "../plot/plot.ts";
import { CELL_DEGREES } from "../trees/cells.ts";
import { FAN_OUT } from "../trees/chain-tree.ts";
import { spanOfLevel } from "../trees/chains.ts";
import { type BoundarySum, edgesMeetAt, settleWork } from "./boundary-sum.ts";

/**
 * Whether an edge of the opened ring shares a point with an edge of the plot. Exact; stops at the
 * first. Only nodes and edges whose envelopes meet the plot's are looked at.
 */
export function edgeMeetsPlot(sum: BoundarySum, plot: Plot): boolean {
  const { area } = sum;
  return visit(sum, plot, area.levels - 1, area.levelStarts[area.levels - 1]!);
}

function visit(sum: BoundarySum, plot: Plot, level: number, node: number): boolean {
  sum.work++;
  const { area } = sum;
  const { boxes, shift } = area;
  const box = 4 * (area.node + node);
  const bbox = plot.bbox;
  if (boxes[box + 1]! * CELL_DEGREES > bbox[3] || boxes[box + 3]! * CELL_DEGREES < bbox[1]) return false;
  if (boxes[box]! * CELL_DEGREES + shift > bbox[2]) return false;
  if (boxes[box + 2]! * CELL_DEGREES + shift < bbox[0]) return false;
  const index = node - area.levelStarts[level]!;
  if (level > 0) {
    const below = area.levelStarts[level - 1]!;
    const last = Math.min(below + (index + 1) * FAN_OUT, area.levelStarts[level]!);
    for (let child = below + index * FAN_OUT; child < last; child++) {
      if (visit(sum, plot, level - 1, child)) return true;
    }
    return false;
  }
  const start = area.first + index * spanOfLevel(area, level);
  const end = Math.min(start + area.leaf, area.first + area.edges);
  return edgesMeetPlot(sum, plot, start, end);
}

function edgesMeetPlot(sum: BoundarySum, plot: Plot, start: number, end: number): boolean {
  const { area } = sum;
  const { xy, shift } = area;
  const [west, south, east, north] = plot.bbox;
  let x0 = xy[2 * start]! + shift;
  let y0 = xy[2 * start + 1]!;
  for (let j = start; j < end; j++) {
    const x1 = xy[2 * j + 2]! + shift;
    const y1 = xy[2 * j + 3]!;
    const w = Math.min(x0, x1);
    const e = Math.max(x0, x1);
    const s = Math.min(y0, y1);
    const n = Math.max(y0, y1);
    x0 = x1;
    y0 = y1;
    if (e < west || w > east || n < south || s > north) continue;
    if (edgeMeets(sum, plot, j, w, s, e, n)) return true;
  }
  return false;
}

/** Whether the ring's edge at position j, of that envelope, meets an edge of the plot. */
function edgeMeets(
  sum: BoundarySum,
  plot: Plot,
  j: number,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  const { xy, ringStarts } = plot;
  const { area } = sum;
  sum.work += xy.length >> 1;
  if (sum.work > sum.allowed) settleWork(sum);
  for (let r = 0; r + 1 < ringStarts.length; r++) {
    const last = ringStarts[r + 1]! - 1;
    let x0 = xy[2 * ringStarts[r]!]!;
    let y0 = xy[2 * ringStarts[r]! + 1]!;
    for (let i = ringStarts[r]!; i < last; i++) {
      const x1 = xy[2 * i + 2]!;
      const y1 = xy[2 * i + 3]!;
      const near =
        (x0 <= east || x1 <= east) &&
        (x0 >= west || x1 >= west) &&
        (y0 <= north || y1 <= north) &&
        (y0 >= south || y1 >= south);
      x0 = x1;
      y0 = y1;
      if (near && edgesMeetAt(xy, i, area.xy, j, area.shift)) return true;
    }
  }
  return false;
}
