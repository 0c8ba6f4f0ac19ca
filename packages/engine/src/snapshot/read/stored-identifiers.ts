import { compareUtf8, encodeUtf8 } from "../../base/utf8.ts";
import type { Identifier, IdentifierIndex } from "../snapshot.ts";
import type { StoredTexts } from "./stored-columns.ts";

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
    return this.#collect(scheme, encodeUtf8(canonical), limit, WHOLE);
  }

  findPrefix(scheme: string, prefix: string, limit: number = Infinity): Identifier[] {
    return this.#collect(scheme, encodeUtf8(prefix), limit, []);
  }

  findLike(scheme: string, pieces: readonly string[], limit: number = Infinity): Identifier[] {
    const [first = "", ...others] = pieces;
    return this.#collect(
      scheme,
      encodeUtf8(first),
      limit,
      others.length === 0 ? WHOLE : others.map(encodeUtf8),
    );
  }

  /** @param after what must follow the prefix, each somewhere after the one before, the last at the end */
  #collect(
    scheme: string,
    prefix: Uint8Array,
    limit: number,
    after: readonly Uint8Array[] | typeof WHOLE,
  ): Identifier[] {
    const found: Identifier[] = [];
    const s = this.#schemeNumbers.get(scheme);
    if (s === undefined) return found;
    const { offsets, blob } = this.#canonical;
    const end = this.#schemeStarts[s + 1]!;
    for (
      let i = this.#lowerBound(this.#schemeStarts[s]!, end, prefix);
      i < end && found.length < limit;
      i++
    ) {
      const from = offsets[i]!;
      const to = offsets[i + 1]!;
      const compared = after === WHOLE ? to : Math.min(to, from + prefix.length);
      if (compareUtf8(blob, from, compared, prefix, 0, prefix.length) !== 0) break;
      if (after !== WHOLE && !holdsInOrder(blob, compared, to, after)) continue;
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

/** Nothing may follow the prefix. */
const WHOLE = "whole";

/**
 * Whether bytes hold the pieces one after another, the last at their end. Each is taken at its first
 * place after the one before, so bytes are passed once. In UTF-8 a piece of text occurs in a text
 * where its bytes do.
 */
function holdsInOrder(bytes: Uint8Array, from: number, to: number, pieces: readonly Uint8Array[]): boolean {
  let at = from;
  for (let p = 0; p < pieces.length; p++) {
    const piece = pieces[p]!;
    const latest = to - piece.length;
    if (p === pieces.length - 1) return latest >= at && equalsAt(bytes, latest, piece);
    while (at <= latest && !equalsAt(bytes, at, piece)) at++;
    if (at > latest) return false;
    at += piece.length;
  }
  return true;
}

function equalsAt(bytes: Uint8Array, at: number, piece: Uint8Array): boolean {
  for (let k = 0; k < piece.length; k++) if (bytes[at + k] !== piece[k]) return false;
  return true;
}
