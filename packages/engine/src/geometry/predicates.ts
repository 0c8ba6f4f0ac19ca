import { orient2d as adaptiveOrient2d } from "robust-predicates";

/** (3 + 16ε)ε of Shewchuk (1997), ε = 2⁻⁵³: below this share of its terms a determinant's sign is in doubt. */
const SIGN_BOUND = 3.3306690738754716e-16;
/** Products below this may have lost bits to underflow. */
const UNDERFLOW = 1e-270;

/**
 * Side of the line a→b on which c lies: positive left (counter-clockwise), negative right, 0 on it.
 * Only the sign has meaning, and it is exact for all finite coordinates.
 * Source: Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 * Predicates (1997); where numbers are too small for its arithmetic, integers take over.
 */
export function orient2d(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const determinant = left - right;
  const size = Math.abs(left) + Math.abs(right);
  if (size > UNDERFLOW && size < Infinity) {
    const magnitude = Math.abs(determinant);
    if (magnitude > SIGN_BOUND * size) return determinant;
  }
  return orient2dSlow(ax, ay, bx, by, cx, cy);
}

function orient2dSlow(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  if ((ax === bx && ay === by) || (ax === cx && ay === cy) || (bx === cx && by === cy)) return 0;
  if ((ax === bx && bx === cx) || (ay === by && by === cy)) return 0;
  if (ordinary(ax) && ordinary(ay) && ordinary(bx) && ordinary(by) && ordinary(cx) && ordinary(cy)) {
    // robust-predicates counts clockwise as positive.
    return -adaptiveOrient2d(ax, ay, bx, by, cx, cy);
  }
  return orient2dInIntegers(ax, ay, bx, by, cx, cy);
}

/** Whether every bit of a product of two such numbers, or of their exact differences, is representable. */
function ordinary(x: number): boolean {
  const a = Math.abs(x);
  return x === 0 || (a > 1e-100 && a < 1e100);
}

function orient2dInIntegers(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const [x0, y0] = [exactInteger(cx), exactInteger(cy)];
  const determinant =
    (exactInteger(ax) - x0) * (exactInteger(by) - y0) - (exactInteger(ay) - y0) * (exactInteger(bx) - x0);
  return determinant > 0n ? 1 : determinant < 0n ? -1 : 0;
}

/** x · 2¹⁰⁷⁴, an integer for every finite double. */
export function exactInteger(x: number): bigint {
  let whole = Math.abs(x);
  let shift = 1074;
  while (whole !== Math.trunc(whole)) {
    whole *= 2;
    shift--;
  }
  const magnitude = BigInt(whole) << BigInt(shift);
  return x < 0 ? -magnitude : magnitude;
}

/** Whether the closed segments ab and cd share a point; a segment may be a single position. Exact. */
export function segmentsIntersect(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  // Overlapping envelopes, and each segment's ends not strictly on one side of the other's line.
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return false;
  const c = orient2d(ax, ay, bx, by, cx, cy);
  const d = orient2d(ax, ay, bx, by, dx, dy);
  return !((c > 0 && d > 0) || (c < 0 && d < 0));
}

/** Where a position lies with respect to a ring. */
export type RingSide = "inside" | "boundary" | "outside";

/**
 * Side of a position with respect to a ring, by the even-odd rule. Exact.
 * @param xy flat `[lon, lat, …]`
 * @param from first position of the ring
 * @param to one past its last, which equals its first
 */
export function pointInRing(x: number, y: number, xy: Float64Array, from: number, to: number): RingSide {
  let inside = false;
  let xa = xy[2 * from]!;
  let ya = xy[2 * from + 1]!;
  for (let i = from + 1; i < to; i++) {
    const xb = xy[2 * i]!;
    const yb = xy[2 * i + 1]!;
    const crosses = ya > y !== yb > y;
    if (crosses || (ya <= y && yb >= y) || (yb <= y && ya >= y)) {
      if (x <= xa || x <= xb) {
        const side = orient2d(xa, ya, xb, yb, x, y);
        if (side === 0 && ((xa <= x && x <= xb) || (xb <= x && x <= xa))) return "boundary";
        if (crosses && side > 0 === yb > ya) inside = !inside;
      }
    }
    xa = xb;
    ya = yb;
  }
  return inside ? "inside" : "outside";
}
