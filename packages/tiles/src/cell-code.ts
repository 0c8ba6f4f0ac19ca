/** Steps of shares, so that neighbours are drawn as one. */
const SHARES = 5;

/** Value that is drawn nowhere: background, nodata, and places off the grid. */
export const NOTHING = -1;

/**
 * An area and a share as one number.
 *
 * @param share the part of what is drawn there that is an area, above 0, up to 1
 */
export function encodeCellCode(area: number, share: number): number {
  return area * SHARES + Math.min(SHARES, Math.ceil(share * SHARES)) - 1;
}

/** The same of a part that is not the whole, however large it is. */
export function encodeFaintCell(area: number, share: number): number {
  return encodeCellCode(area, Math.min(share, (SHARES - 1) / SHARES));
}

/** The area of a number of {@link encodeCellCode}, and its share, rounded up. */
export function decodeCellCode(code: number): { readonly area: number; readonly share: number } {
  return { area: Math.floor(code / SHARES), share: ((code % SHARES) + 1) / SHARES };
}
