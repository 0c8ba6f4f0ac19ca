/*
 * Error-free transformations: what the rounding of one operation dropped, exactly, as long as
 * nothing over- or underflows. Source: Knuth, TAOCP 2, 4.2.2; Dekker (1971), Veltkamp's splitting.
 */

/** a + b − sum, for sum = fl(a + b). */
export function sumRest(a: number, b: number, sum: number): number {
  const virtual = sum - a;
  return a - (sum - virtual) + (b - virtual);
}

/** a − b − difference, for difference = fl(a − b). */
export function differenceRoundingError(a: number, b: number, difference: number): number {
  const virtual = a - difference;
  return a - (difference + virtual) + (virtual - b);
}

/** a·b − product, for product = fl(a·b). */
export function productRoundingError(a: number, b: number, product: number): number {
  const ca = 134217729 * a;
  const ah = ca - (ca - a);
  const al = a - ah;
  const cb = 134217729 * b;
  const bh = cb - (cb - b);
  const bl = b - bh;
  return al * bl - (product - ah * bh - al * bh - ah * bl);
}
