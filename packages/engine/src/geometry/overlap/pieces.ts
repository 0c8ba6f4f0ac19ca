import { type BoundarySum, heightOfLongEdge, STRIDE, strip } from "./boundary-sum.ts";

/** Numbers of an edge piece: left end, right end, slope, sign of dx, least and greatest height; STRIDE of them. */
export const XL = 0;
export const YL = 1;
export const XR = 2;
export const YR = 3;
export const SLOPE = 4;
export const SIGN = 5;
export const LOW = 6;
export const HIGH = 7;

/** Edges from position `start` as pieces, written from `at`. */
export function loadPieces(
  sum: BoundarySum,
  xy: Float64Array,
  start: number,
  count: number,
  shift: number,
  pieces: Float64Array,
  at = 0,
): void {
  for (let k = 0; k < count; k++) loadPiece(sum, xy, start + k, shift, pieces, at + k * STRIDE);
}

/** The edge from position i as a piece from left to right in local coordinates, written at `p`. */
export function loadPiece(
  sum: BoundarySum,
  xy: Float64Array,
  i: number,
  shift: number,
  pieces: Float64Array,
  p: number,
): void {
  const origin = sum.originX - shift;
  const x0 = xy[2 * i]! - origin;
  const y0 = xy[2 * i + 1]! - sum.originY;
  const x1 = xy[2 * i + 2]! - origin;
  const y1 = xy[2 * i + 3]! - sum.originY;
  const width = x1 - x0;
  const height = y1 - y0;
  if (width >= 0) {
    pieces[p + XL] = x0;
    pieces[p + YL] = y0;
    pieces[p + XR] = x1;
    pieces[p + YR] = y1;
  } else {
    pieces[p + XL] = x1;
    pieces[p + YL] = y1;
    pieces[p + XR] = x0;
    pieces[p + YR] = y0;
  }
  pieces[p + SLOPE] = height / width;
  pieces[p + SIGN] = width > 0 ? 1 : width < 0 ? -1 : 0;
  pieces[p + LOW] = height > 0 ? y0 : y1;
  pieces[p + HIGH] = height > 0 ? y1 : y0;
  if (Math.abs(width) + Math.abs(height) > sum.longest && width !== 0) {
    clipLongPiece(sum, xy, i, origin, pieces, p);
  }
}

/** Cuts a piece to the window's longitudes: local coordinates of far ends are too coarse to interpolate between. */
function clipLongPiece(
  sum: BoundarySum,
  xy: Float64Array,
  i: number,
  origin: number,
  pieces: Float64Array,
  p: number,
): void {
  const { west, east } = sum.window;
  const xl = pieces[p + XL]!;
  const xr = pieces[p + XR]!;
  if (xr < west || xl > east) return;
  if (xl < west) {
    pieces[p + XL] = west;
    pieces[p + YL] = heightOfLongEdge(sum, xy, i, origin, west);
  }
  if (xr > east) {
    pieces[p + XR] = east;
    pieces[p + YR] = heightOfLongEdge(sum, xy, i, origin, east);
  }
}

/** Height of a piece above x; at its ends the end's own height, to the bit. */
export function heightOfPiece(pieces: Float64Array, p: number, x: number): number {
  const xl = pieces[p + XL]!;
  const xr = pieces[p + XR]!;
  if (x === xl) return pieces[p + YL]!;
  if (x === xr) return pieces[p + YR]!;
  // From the nearer end, where the error of the slope counts least.
  return x - xl < xr - x
    ? pieces[p + YL]! + (x - xl) * pieces[p + SLOPE]!
    : pieces[p + YR]! - (xr - x) * pieces[p + SLOPE]!;
}

/** ∫ G(min(y_e, y_f)) dx over the longitudes two pieces share. */
export function stripUnderBoth(
  sum: BoundarySum,
  ps: Float64Array,
  p: number,
  qs: Float64Array,
  q: number,
): number {
  const pl = ps[p + XL]!;
  const pr = ps[p + XR]!;
  const ql = qs[q + XL]!;
  const qr = qs[q + XR]!;
  const a = pl > ql ? pl : ql;
  const b = pr < qr ? pr : qr;
  if (!(a < b)) return 0;
  if (ps[p + HIGH]! <= qs[q + LOW]!) {
    return strip(sum, a, heightOfPiece(ps, p, a), b, heightOfPiece(ps, p, b));
  }
  const qa = heightOfPiece(qs, q, a);
  const qb = heightOfPiece(qs, q, b);
  if (qs[q + HIGH]! <= ps[p + LOW]!) return strip(sum, a, qa, b, qb);
  const pa = heightOfPiece(ps, p, a);
  const pb = heightOfPiece(ps, p, b);
  const da = pa - qa;
  const db = pb - qb;
  if (da <= 0 && db <= 0) return strip(sum, a, pa, b, pb);
  if (da >= 0 && db >= 0) return strip(sum, a, qa, b, qb);
  // They cross: the lower one on either side.
  const share = da / (da - db);
  const x = a + (b - a) * share;
  const y = Math.abs(pb - pa) < Math.abs(qb - qa) ? pa + (pb - pa) * share : qa + (qb - qa) * share;
  return da < 0
    ? strip(sum, a, pa, x, y) + strip(sum, x, y, b, qb)
    : strip(sum, a, qa, x, y) + strip(sum, x, y, b, pb);
}
