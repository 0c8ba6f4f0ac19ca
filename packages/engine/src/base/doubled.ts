/** A copy of twice the length. */
export function doubled<
  T extends Float64Array | Int8Array | Int32Array | Uint8Array | Uint16Array | Uint32Array,
>(array: T): T {
  const out = new (array.constructor as new (length: number) => T)(2 * array.length);
  out.set(array);
  return out;
}
