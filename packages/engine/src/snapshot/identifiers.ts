import type { StoredTexts } from "./columns.ts";
import type { Identifier, IdentifierIndex } from "./snapshot.ts";
import { compareUtf8, encodeUtf8 } from "./utf8.ts";

/** The identifiers of an opened register: binary search on UTF-8 bytes, decoding only what is found. */
export class StoredIdentifiers implements IdentifierIndex {
  readonly count: number;
  readonly schemes: readonly string[];
  readonly #schemeNumbers: ReadonlyMap<string, number>;
  /** First identifier of each scheme; one entry more. */
  readonly #schemeStarts: Uint32Array;
  readonly #canonical: StoredTexts;
  readonly #values: StoredTexts;
  readonly #rows: Uint32Array;

  constructor(
    schemes: readonly string[],
    schemeStarts: Uint32Array,
    canonical: StoredTexts,
    values: StoredTexts,
    rows: Uint32Array,
  ) {
    this.count = rows.length;
    this.schemes = schemes;
    this.#schemeNumbers = new Map(schemes.map((scheme, s) => [scheme, s]));
    this.#schemeStarts = schemeStarts;
    this.#canonical = canonical;
    this.#values = values;
    this.#rows = rows;
  }

  find(scheme: string, canonical: string, limit: number = Infinity): Identifier[] {
    return this.#collect(scheme, encodeUtf8(canonical), true, limit);
  }

  findPrefix(scheme: string, prefix: string, limit: number = Infinity): Identifier[] {
    return this.#collect(scheme, encodeUtf8(prefix), false, limit);
  }

  #collect(scheme: string, wanted: Uint8Array, whole: boolean, limit: number): Identifier[] {
    const found: Identifier[] = [];
    const s = this.#schemeNumbers.get(scheme);
    if (s === undefined) return found;
    const { offsets, blob } = this.#canonical;
    const end = this.#schemeStarts[s + 1]!;
    for (
      let i = this.#lowerBound(this.#schemeStarts[s]!, end, wanted);
      i < end && found.length < limit;
      i++
    ) {
      const from = offsets[i]!;
      const to = offsets[i + 1]!;
      const compared = whole ? to : Math.min(to, from + wanted.length);
      if (compareUtf8(blob, from, compared, wanted, 0, wanted.length) !== 0) break;
      found.push({ scheme, value: this.#values.text(i), row: this.#rows[i]! });
    }
    return found;
  }

  /** The first of the identifiers `[low, high)` whose canonical value is not below `wanted`. */
  #lowerBound(start: number, end: number, wanted: Uint8Array): number {
    const { offsets, blob } = this.#canonical;
    let low = start;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareUtf8(blob, offsets[middle]!, offsets[middle + 1]!, wanted, 0, wanted.length) < 0)
        low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
