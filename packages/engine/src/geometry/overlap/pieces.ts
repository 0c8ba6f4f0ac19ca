import { type BoundarySum, heightOfLongEdge, STRIDE } from "./boundary-sum.ts";
import { heightAt } from "./edge-walk.ts";

/** Numbers of an edge piece: left end, right end, sign of dx, least height; STRIDE of them. */
export const XL = 0;
export const YL = 1;
export const XR = 2;
export const YR = 3;
export const SIGN = 4;
export const LOW = 5;

/** Edges from position `start` as pieces. */
export function loadPieces(
  sum: BoundarySum,
  xy: Float64Array,
  start: number,
  count: number,
  shift: number,
  pieces: Float64Array,
): void {
  for (let k = 0; k < count; k++) loadPiece(sum, xy, start + k, shift, pieces, k * STRIDE);
}

/** The edge from position i as a piece from left to right in local coordinates, written at `p`. */
function loadPiece(
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
  pieces[p + SIGN] = width > 0 ? 1 : width < 0 ? -1 : 0;
  pieces[p + LOW] = height > 0 ? y0 : y1;
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
  return heightAt(pieces[p + XL]!, pieces[p + YL]!, pieces[p + XR]!, pieces[p + YR]!, x);
}
