import type { PatternMeter } from "../../base/pattern-meter.ts";
import { compareUtf8, encodeUtf8 } from "../../base/utf8.ts";
import type { Identifier, IdentifierIndex } from "../snapshot.ts";
import { type FormerValue, findFormerValues } from "./former-values.ts";
import type { GramIndex } from "./gram-index.ts";
import { findByGrams } from "./gram-search.ts";
import type { StoredTexts } from "./stored-columns.ts";

/** Contents of a register's sections about its identifiers. */
export interface IdentifierTables {
  readonly schemes: readonly string[];
  /** First identifier of each scheme; one entry more. */
  readonly schemeStarts: Uint32Array;
  readonly canonical: StoredTexts;
  readonly values: StoredTexts;
  readonly rows: Uint32Array;
  /** Ids of the records. */
  readonly ids: StoredTexts;
  readonly grams: GramIndex;
}

/** The identifiers of an opened register: binary search on UTF-8 bytes, decoding only what is found. */
export class StoredIdentifiers implements IdentifierIndex {
  readonly tables: IdentifierTables;
  readonly #schemeNumbers: ReadonlyMap<string, number>;
  /** By scheme, found at its first look-up. */
  readonly #former: (readonly FormerValue[])[] = [];

  constructor(tables: IdentifierTables) {
    this.tables = tables;
    this.#schemeNumbers = new Map(tables.schemes.map((scheme, s) => [scheme, s]));
  }

  get count(): number {
    return this.tables.rows.length;
  }

  get schemes(): readonly string[] {
    return this.tables.schemes;
  }

  find(scheme: string, canonical: string, limit: number = Infinity): Identifier[] {
    return this.#collect(scheme, encodeUtf8(canonical), limit, true);
  }

  findPrefix(scheme: string, prefix: string, limit: number = Infinity): Identifier[] {
    return this.#collect(scheme, encodeUtf8(prefix), limit, false);
  }

  findFirst(scheme: string, pieces: readonly string[], limit: number, meter: PatternMeter): Identifier[] {
    const s = this.#schemeNumbers.get(scheme);
    if (s === undefined) return [];
    const [prefix, ...others] = pieces.map(encodeUtf8) as [Uint8Array, ...Uint8Array[]];
    const after = others.length === 0 ? WHOLE : others;
    const { offsets, blob } = this.tables.canonical;
    const start = this.tables.schemeStarts[s]!;
    const end = this.tables.schemeStarts[s + 1]!;
    const low = this.#lowerBound(start, end, prefix);
    const high = this.#upperBound(low, end, prefix, after === WHOLE);
    const matches = (i: number): boolean =>
      i >= low &&
      i < high &&
      (after === WHOLE || holdsInOrder(blob, offsets[i]! + prefix.length, offsets[i + 1]!, after, meter));
    const question = { scheme: s, start, count: end - start, pieces: [prefix, ...others], matches };
    const found =
      high - low <= LISTED
        ? this.#firstBetween(low, high, matches, limit, meter)
        : findByGrams(this.tables.grams, question, limit, meter);
    const former = this.#findFormer(s).filter(({ identifier, canonical }) => {
      meter.add(KEPT_UNITS);
      if (matches(identifier) || countEqualBytes(canonical, 0, prefix) < prefix.length) return false;
      return after === WHOLE
        ? canonical.length === prefix.length
        : holdsInOrder(canonical, prefix.length, canonical.length, after, meter);
    });
    if (former.length > 0) {
      for (const { identifier } of former) found.push(identifier);
      found.sort((a, b) => this.compareInAnswer(a, b)).splice(limit);
    }
    return found.map((i) => this.#identifier(scheme, i));
  }

  #identifier(scheme: string, i: number): Identifier {
    return { scheme, value: this.tables.values.text(i), row: this.tables.rows[i]! };
  }

  #findFormer(scheme: number): readonly FormerValue[] {
    this.#former[scheme] ??= findFormerValues(this.tables, scheme);
    return this.#former[scheme];
  }

  /** The first `limit` of the identifiers `[low, high)` that match, in the order of answers, found without the index. */
  #firstBetween(
    low: number,
    high: number,
    matches: (i: number) => boolean,
    limit: number,
    meter: PatternMeter,
  ): number[] {
    const found: number[] = [];
    for (let i = low; i < high; i++) {
      if ((i & 3) === 0) meter.add(1);
      if (!matches(i)) continue;
      meter.add(KEPT_UNITS);
      found.push(i);
    }
    return found.sort((a, b) => this.compareInAnswer(a, b)).slice(0, limit);
  }

  /** The order of answers: by the record's id, then the spelling, then the canonical value and row. */
  compareInAnswer(a: number, b: number): number {
    const { ids, rows, values } = this.tables;
    return ids.compare(rows[a]!, rows[b]!) || values.compare(a, b) || a - b;
  }

  #collect(scheme: string, prefix: Uint8Array, limit: number, isWhole: boolean): Identifier[] {
    const found: Identifier[] = [];
    const s = this.#schemeNumbers.get(scheme);
    if (s === undefined) return found;
    const end = this.tables.schemeStarts[s + 1]!;
    const low = this.#lowerBound(this.tables.schemeStarts[s]!, end, prefix);
    const high = this.#upperBound(low, end, prefix, isWhole);
    for (let i = low; i < high && found.length < limit; i++) found.push(this.#identifier(scheme, i));
    const former = this.#findFormer(s).filter(
      ({ identifier, canonical }) =>
        (identifier < low || identifier >= high) &&
        countEqualBytes(canonical, 0, prefix) === prefix.length &&
        (!isWhole || canonical.length === prefix.length),
    );
    if (former.length === 0) return found;
    for (const { identifier } of former) found.push(this.#identifier(scheme, identifier));
    if (isWhole) found.sort((a, b) => a.row - b.row);
    return found.slice(0, limit);
  }

  /** The first of the identifiers `[low, high)` whose canonical value is not below `wanted`. */
  #lowerBound(start: number, end: number, wanted: Uint8Array): number {
    const { offsets, blob } = this.tables.canonical;
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

  /** The end of the identifiers from `start` on whose canonical value begins with a text, or is that. */
  #upperBound(start: number, end: number, prefix: Uint8Array, isWhole: boolean): number {
    const { offsets, blob } = this.tables.canonical;
    let low = start;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const from = offsets[middle]!;
      const to = isWhole ? offsets[middle + 1]! : Math.min(offsets[middle + 1]!, from + prefix.length);
      if (compareUtf8(blob, from, to, prefix, 0, prefix.length) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** So few are listed and sorted rather than found in order. */
const LISTED = 128;
/** Cost of keeping a match and finding its place in order. */
const KEPT_UNITS = 4;

/** Nothing may follow the prefix. */
const WHOLE = "whole";

/**
 * True if bytes contain the pieces one after another, the last at their end. Each piece is matched at its first place
 * after the one before, so the bytes are passed once. In UTF-8 a piece of text occurs in a text exactly where its
 * bytes do.
 *
 * Fails: `PATTERN_TOO_COMPLEX` as the meter says, which counts the bytes compared of long values.
 */
function holdsInOrder(
  bytes: Uint8Array,
  from: number,
  to: number,
  pieces: readonly Uint8Array[],
  meter: PatternMeter,
): boolean {
  const isLong = to - from > UNCOUNTED_BYTES;
  let at = from;
  for (let p = 0; p < pieces.length; p++) {
    const piece = pieces[p]!;
    const latest = to - piece.length;
    if (p === pieces.length - 1)
      return latest >= at && countEqualBytes(bytes, latest, piece) === piece.length;
    while (at <= latest) {
      const equal = countEqualBytes(bytes, at, piece);
      if (isLong) meter.add(1 + (equal >>> 2));
      if (equal === piece.length) break;
      at++;
    }
    if (at > latest) return false;
    at += piece.length;
  }
  return true;
}

/** How many bytes of a piece stand at a place before the first that differs. */
function countEqualBytes(bytes: Uint8Array, at: number, piece: Uint8Array): number {
  let k = 0;
  while (k < piece.length && bytes[at + k] === piece[k]) k++;
  return k;
}

/** Values up to this long count as a whole in the cost of trying them. */
const UNCOUNTED_BYTES = 1_024;
