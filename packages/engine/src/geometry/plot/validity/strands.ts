import { orient2d } from "../../earth/predicates.ts";

/** The way a ring takes through a point: from one position, to another. */
export interface Strand {
  previousX: number;
  previousY: number;
  nextX: number;
  nextY: number;
}

/** On which side of a strand through (x, y) the direction to (qx, qy) lies: 1 left, −1 right, 0 along it. */
export function sideOfStrand(strand: Strand, qx: number, qy: number, x: number, y: number): number {
  const { previousX, previousY, nextX, nextY } = strand;
  const afterNext = orient2d(x, y, nextX, nextY, qx, qy);
  if (afterNext === 0 && areOnSameSide(x, y, nextX, nextY, qx, qy)) return 0;
  const afterPrevious = orient2d(previousX, previousY, x, y, qx, qy);
  if (afterPrevious === 0 && areOnSameSide(x, y, previousX, previousY, qx, qy)) return 0;
  const turn = orient2d(previousX, previousY, x, y, nextX, nextY);
  if (turn > 0) return afterNext > 0 && afterPrevious > 0 ? 1 : -1;
  if (turn < 0) return afterNext < 0 && afterPrevious < 0 ? -1 : 1;
  return afterNext > 0 ? 1 : -1;
}

/** True if b and c lie on the same side of a; the three are on one line, and neither b nor c equals a. */
export function areOnSameSide(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): boolean {
  return bx !== ax ? bx < ax === cx < ax : by < ay === cy < ay;
}
