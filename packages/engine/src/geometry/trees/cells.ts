import type { Bbox } from "../earth/bbox.ts";

/*
 * Boxes of layers and plots are kept in cells: whole numbers, 2²⁰ a degree, rounded outward. So boxes
 * that are apart in cells are strictly apart in degrees, and four comparisons become one, the sign of
 * four differences or'ed together. A cell is 0.1 m or less.
 */

export const CELLS_A_DEGREE = 1048576;
/** Degrees of a cell; a power of two, so that cells turn into degrees exactly. */
export const CELL_DEGREES: number = 1 / CELLS_A_DEGREE;
/** A distinct value for anything farther: no difference of two cells leaves 32 bits. */
const FARTHEST = 0x3fff_ffff;

/** The last cell boundary not above that many degrees. */
export function floorToCell(degrees: number): number {
  return Math.floor(Math.max(-FARTHEST, Math.min(FARTHEST, degrees * CELLS_A_DEGREE)));
}

/** The first cell boundary not below that many degrees. */
export function ceilToCell(degrees: number): number {
  return Math.ceil(Math.max(-FARTHEST, Math.min(FARTHEST, degrees * CELLS_A_DEGREE)));
}

/** A box in degrees as one in cells, rounded outward. */
export function toCellBox(west: number, south: number, east: number, north: number): Int32Array {
  const box = new Int32Array(4);
  writeBox(box, 0, west, south, east, north);
  return box;
}

/** Writes a box in degrees at a node, rounded outward. */
export function writeBox(
  boxes: Int32Array,
  node: number,
  west: number,
  south: number,
  east: number,
  north: number,
): void {
  boxes[4 * node] = floorToCell(west);
  boxes[4 * node + 1] = floorToCell(south);
  boxes[4 * node + 2] = ceilToCell(east);
  boxes[4 * node + 3] = ceilToCell(north);
}

/** The box `[west, south, east, north]` at an index of boxes in cells, in degrees. */
export function toDegreesBox(boxes: Int32Array, at: number): Bbox {
  return [
    boxes[at]! * CELL_DEGREES,
    boxes[at + 1]! * CELL_DEGREES,
    boxes[at + 2]! * CELL_DEGREES,
    boxes[at + 3]! * CELL_DEGREES,
  ];
}

/** True if two boxes in cells share a point, or come within a cell of each other. */
export function cellBoxesMeet(a: Int32Array, i: number, b: Int32Array, j: number): boolean {
  return ((b[j + 2]! - a[i]!) | (a[i + 2]! - b[j]!) | (b[j + 3]! - a[i + 1]!) | (a[i + 3]! - b[j + 1]!)) >= 0;
}

/** True if the boxes of two nodes are the same. */
export function isSameBox(a: Int32Array, i: number, b: Int32Array, j: number): boolean {
  return (
    a[4 * i] === b[4 * j] &&
    a[4 * i + 1] === b[4 * j + 1] &&
    a[4 * i + 2] === b[4 * j + 2] &&
    a[4 * i + 3] === b[4 * j + 3]
  );
}

/** A node's box as it is written in errors. */
export function formatBox(boxes: Int32Array, node: number): string {
  return `[${boxes.subarray(4 * node, 4 * node + 4).join(", ")}]`;
}
