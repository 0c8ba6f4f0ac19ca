// The look-up index of a register, as `docs/formats/snapshot.md` describes it, is made of grams: runs of four bytes of a
// canonical value in UTF-8. A value of n bytes has n of them, one from each byte; beyond the value's end stands 0. So
// every run of one to three bytes begins some gram, and the grams that begin with it are neighbours in the index.

/** Bytes of a gram. */
export const GRAM_BYTES = 4;

/** The gram that begins at byte `at` of a text that ends before byte `end`, its first byte the highest. */
export function readGram(bytes: Uint8Array, at: number, end: number): number {
  let gram = 0;
  for (let k = at; k < at + GRAM_BYTES; k++) gram = (gram << 8) | (k < end ? bytes[k]! : 0);
  return gram >>> 0;
}
