import { differenceRoundingError, productRoundingError, sumRest } from "./error-free.ts";

/** (3 + 16ε)ε of Shewchuk (1997), ε = 2⁻⁵³: below this share of its terms a determinant's sign is in doubt. */
const SIGN_BOUND = 3.3306690738754716e-16;
/** Products below this may have lost bits to underflow. */
const UNDERFLOW = 1e-270;

/**
 * Side of the line a→b, from (`ax`, `ay`) to (`bx`, `by`), on which c (`cx`, `cy`) lies: positive left
 * (counter-clockwise), negative right, 0 on it. Only the sign has meaning, and it is exact for all finite
 * coordinates, in whatever unit.
 *
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
  if (
    isOrdinary(ax) &&
    isOrdinary(ay) &&
    isOrdinary(bx) &&
    isOrdinary(by) &&
    isOrdinary(cx) &&
    isOrdinary(cy)
  ) {
    return orient2dAdaptive(ax, ay, bx, by, cx, cy);
  }
  return orient2dInIntegers(ax, ay, bx, by, cx, cy);
}

/** (2 + 12ε)ε, (3 + 8ε)ε and (9 + 64ε)ε²: Shewchuk's bounds of the errors that are left in turn. */
const PRODUCT_BOUND = 2.2204460492503146e-16;
const RESULT_BOUND = 3.3306690738754706e-16;
const DIFFERENCE_BOUND = 1.1093356479670487e-31;

/**
 * Takes back one rounding after another until the sign is certain: first those of the two products, then
 * those of the differences as far as one term; what is still in doubt is decided in integers.
 */
function orient2dAdaptive(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const [dax, day, dbx, dby] = [ax - cx, ay - cy, bx - cx, by - cy];
  const left = dax * dby;
  const right = day * dbx;
  const size = Math.abs(left) + Math.abs(right);
  // (left + leftRest) − (right + rightRest) as four terms that do not overlap, least first.
  const leftRest = productRoundingError(dax, dby, left);
  const rightRest = productRoundingError(day, dbx, right);
  const rest = leftRest - rightRest;
  const term0 = differenceRoundingError(leftRest, rightRest, rest);
  const sum = left + rest;
  const sumTail = sumRest(left, rest, sum);
  const less = sumTail - right;
  const term1 = differenceRoundingError(sumTail, right, less);
  const term3 = sum + less;
  const term2 = sumRest(sum, less, term3);
  const ofProducts = term0 + term1 + term2 + term3;
  if (Math.abs(ofProducts) >= PRODUCT_BOUND * size) return ofProducts;

  const [axRest, ayRest] = [differenceRoundingError(ax, cx, dax), differenceRoundingError(ay, cy, day)];
  const [bxRest, byRest] = [differenceRoundingError(bx, cx, dbx), differenceRoundingError(by, cy, dby)];
  if (axRest === 0 && ayRest === 0 && bxRest === 0 && byRest === 0) return ofProducts;
  const determinant = ofProducts + (dax * byRest + dby * axRest - (day * bxRest + dbx * ayRest));
  const bound = DIFFERENCE_BOUND * size + RESULT_BOUND * Math.abs(ofProducts);
  return Math.abs(determinant) >= bound ? determinant : orient2dInIntegers(ax, ay, bx, by, cx, cy);
}

/** True if every bit of a product of two such numbers, or of their exact differences, is representable. */
function isOrdinary(x: number): boolean {
  const a = Math.abs(x);
  return x === 0 || (a > 1e-100 && a < 1e100);
}

function orient2dInIntegers(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  shift = 0,
): number {
  const [x0, y0] = [toExactInteger(cx) - toExactInteger(shift), toExactInteger(cy)];
  const determinant =
    (toExactInteger(ax) - x0) * (toExactInteger(by) - y0) -
    (toExactInteger(ay) - y0) * (toExactInteger(bx) - x0);
  return determinant > 0n ? 1 : determinant < 0n ? -1 : 0;
}

/**
 * {@link orient2d} of a and b with `shift` (±360 or 0 degrees) added to their longitudes, and c.
 * Exact also where the shifted longitudes are no doubles.
 */
export function orient2dShifted(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  shift: number,
  cx: number,
  cy: number,
): number {
  if (shift === 0) return orient2d(ax, ay, bx, by, cx, cy);
  if (sumIsExact(ax, shift) && sumIsExact(bx, shift)) return orient2d(ax + shift, ay, bx + shift, by, cx, cy);
  return orient2dInIntegers(ax, ay, bx, by, cx, cy, shift);
}

/** Sign of (x + shift − y), exactly. */
export function compareShifted(x: number, shift: number, y: number): number {
  const sum = x + shift;
  return sum === y ? sumRest(x, shift, sum) : sum - y;
}

/**
 * Side of the line a→b on which the middle of p and q lies; only the sign has meaning, exact.
 * The determinant is affine in the position, so two sides that agree are the middle's.
 */
export function orient2dMiddle(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  px: number,
  py: number,
  qx: number,
  qy: number,
): number {
  const p = orient2d(ax, ay, bx, by, px, py);
  const q = orient2d(ax, ay, bx, by, qx, qy);
  if (p >= 0 && q >= 0) return p + q > 0 ? 1 : 0;
  if (p <= 0 && q <= 0) return -1;
  const x = toExactInteger(px) + toExactInteger(qx);
  const y = toExactInteger(py) + toExactInteger(qy);
  const determinant =
    (2n * toExactInteger(ax) - x) * (2n * toExactInteger(by) - y) -
    (2n * toExactInteger(ay) - y) * (2n * toExactInteger(bx) - x);
  return determinant > 0n ? 1 : determinant < 0n ? -1 : 0;
}

/** Sign of (a − (p + q) / 2), exactly. */
export function compareMiddle(a: number, p: number, q: number): number {
  const sum = p + q;
  return 2 * a === sum ? -sumRest(p, q, sum) : 2 * a - sum;
}

function sumIsExact(x: number, shift: number): boolean {
  return sumRest(x, shift, x + shift) === 0;
}

/** x · 2¹⁰⁷⁴, an integer for every finite double. */
export function toExactInteger(x: number): bigint {
  let whole = Math.abs(x);
  let shift = 1074;
  while (whole !== Math.trunc(whole)) {
    whole *= 2;
    shift--;
  }
  const magnitude = BigInt(whole) << BigInt(shift);
  return x < 0 ? -magnitude : magnitude;
}

/** True if the closed segments ab and cd share a point; a segment may be a single position. Exact. */
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

/** {@link segmentsIntersect} of ab and of cd with `shift` added to its longitudes. Exact. */
export function segmentsIntersectShifted(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
  shift: number,
): boolean {
  if (shift === 0) return segmentsIntersect(ax, ay, bx, by, cx, cy, dx, dy);
  if (sumIsExact(cx, shift) && sumIsExact(dx, shift)) {
    return segmentsIntersect(ax, ay, bx, by, cx + shift, cy, dx + shift, dy);
  }
  const aFirst = Math.min(ax, bx);
  const aLast = Math.max(ax, bx);
  const cFirst = Math.min(cx, dx);
  const cLast = Math.max(cx, dx);
  if (compareShifted(cFirst, shift, aLast) > 0 || compareShifted(cLast, shift, aFirst) < 0) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  const a = orient2dShifted(cx, cy, dx, dy, shift, ax, ay);
  const b = orient2dShifted(cx, cy, dx, dy, shift, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return false;
  const c = orient2dShifted(ax, ay, bx, by, -shift, cx, cy);
  const d = orient2dShifted(ax, ay, bx, by, -shift, dx, dy);
  return !((c > 0 && d > 0) || (c < 0 && d < 0));
}
