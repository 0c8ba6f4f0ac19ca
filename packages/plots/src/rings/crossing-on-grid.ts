import { orient2d } from "@groundrule/engine/internal";

/**
 * Visits where two edges cross between their ends, rounded to the nearest position of the grid, halves to the east
 * and north. Exact: fractions are of integers. Edges that touch, or lie upon each other, do so at a position.
 *
 * @param edges flat `[x0, y0, x1, y1, …]`, integers
 */
export function crossingOnGrid(
  edges: Float64Array,
  e: number,
  f: number,
  visit: (x: number, y: number) => void,
): void {
  const [ax, ay, bx, by] = [edges[4 * e]!, edges[4 * e + 1]!, edges[4 * e + 2]!, edges[4 * e + 3]!];
  const [cx, cy, dx, dy] = [edges[4 * f]!, edges[4 * f + 1]!, edges[4 * f + 2]!, edges[4 * f + 3]!];
  const sideC = orient2d(ax, ay, bx, by, cx, cy);
  const sideD = orient2d(ax, ay, bx, by, dx, dy);
  if (!((sideC > 0 && sideD < 0) || (sideC < 0 && sideD > 0))) return;
  const sideA = orient2d(cx, cy, dx, dy, ax, ay);
  const sideB = orient2d(cx, cy, dx, dy, bx, by);
  if (!((sideA > 0 && sideB < 0) || (sideA < 0 && sideB > 0))) return;

  const [alongX, alongY] = [BigInt(bx - ax), BigInt(by - ay)];
  const [acrossX, acrossY] = [BigInt(dx - cx), BigInt(dy - cy)];
  const whole = alongX * acrossY - alongY * acrossX;
  const part = BigInt(cx - ax) * acrossY - BigInt(cy - ay) * acrossX;
  visit(ax + roundedShare(alongX * part, whole), ay + roundedShare(alongY * part, whole));
}

/** The quotient rounded to the nearest integer, halves up. */
function roundedShare(numerator: bigint, denominator: bigint): number {
  const [above, below] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const doubled = 2n * above + below;
  const quotient = doubled / (2n * below);
  return Number(doubled < 0n && doubled % (2n * below) !== 0n ? quotient - 1n : quotient);
}
