import { EngineError } from "../../base/errors.ts";
import { compareUtf8, encodeUtf8 } from "../../base/utf8.ts";
import { canonicalValue } from "../canonical-value.ts";
import type { ContentIdentifiers } from "../content-digest.ts";
import { SECTION } from "../format.ts";
import { SCHEME_MAX_LENGTH, SCHEME_PATTERN } from "../manifest.ts";
import { type Chunked, chunkedUint32 } from "./chunked.ts";
import { GramIndexWriter } from "./gram-index-writer.ts";
import { TextTable } from "./text-table.ts";

export interface SortedIdentifiers {
  readonly schemes: readonly string[];
  readonly content: ContentIdentifiers;
  readonly sections: readonly [number, Uint8Array[]][];
}

/** Collects the identifiers of a register, and sorts them. */
export class IdentifierCollector {
  readonly #schemeNumbers = new Map<string, number>();
  readonly #schemes: Chunked<Uint32Array> = chunkedUint32();
  readonly #rows: Chunked<Uint32Array> = chunkedUint32();
  #canonical: TextTable = new TextTable();
  #values: TextTable = new TextTable();

  add(scheme: string, value: string, row: number, id: string): void {
    if (scheme.length > SCHEME_MAX_LENGTH || !SCHEME_PATTERN.test(scheme)) {
      const message = `record "${id}" has scheme ${JSON.stringify(scheme)}, expected <authority>:<name>, lowercase`;
      throw new EngineError("VALIDATION_FAILED", message, { id, scheme });
    }
    const utf8 = encodeUtf8(value);
    const canonical = canonicalValue(value.toWellFormed());
    if (canonical === "") {
      const message = `record "${id}" has ${scheme} ${JSON.stringify(value)}, whose canonical form is empty`;
      throw new EngineError("VALIDATION_FAILED", message, { id, scheme, value });
    }
    let number = this.#schemeNumbers.get(scheme);
    if (number === undefined) {
      number = this.#schemeNumbers.size;
      this.#schemeNumbers.set(scheme, number);
    }
    this.#schemes.push(number);
    this.#rows.push(row);
    this.#canonical.push(encodeUtf8(canonical));
    this.#values.push(utf8);
  }

  /**
   * By scheme, canonical value, row and value, all ascending; equal ones once.
   *
   * @param idOf the id of the record in a row
   */
  sort(idOf: (row: number) => Uint8Array): SortedIdentifiers {
    const schemes = [...this.#schemeNumbers.keys()].sort();
    const rankByNumber = new Uint32Array(schemes.length);
    for (const [rank, scheme] of schemes.entries()) rankByNumber[this.#schemeNumbers.get(scheme)!] = rank;
    const rankOf = (i: number): number => rankByNumber[this.#schemes.get(i)]!;
    const compare = (a: number, b: number): number =>
      rankOf(a) - rankOf(b) ||
      compareTexts(this.#canonical.get(a), this.#canonical.get(b)) ||
      this.#rows.get(a) - this.#rows.get(b) ||
      compareTexts(this.#values.get(a), this.#values.get(b));
    const all = new Uint32Array(this.#rows.length);
    for (let i = 0; i < all.length; i++) all[i] = i;
    all.sort(compare);
    const order = all.filter((item, i) => i === 0 || compare(all[i - 1]!, item) !== 0);

    const ranks = order.map(rankOf);
    const rows = order.map((i) => this.#rows.get(i));
    // One table at a time, so that no more than one stands in memory twice.
    const canonical = reorder(this.#canonical, order);
    this.#canonical = new TextTable();
    const values = reorder(this.#values, order);
    this.#values = new TextTable();

    const schemeStarts = new Uint32Array(schemes.length + 1);
    for (const rank of ranks) schemeStarts[rank + 1]!++;
    for (let s = 0; s < schemes.length; s++) schemeStarts[s + 1]! += schemeStarts[s]!;
    const inAnswer = Uint32Array.from({ length: order.length }, (_, i) => i);
    const grams = new GramIndexWriter();
    for (let s = 0; s < schemes.length; s++) {
      const ofScheme = inAnswer.subarray(schemeStarts[s], schemeStarts[s + 1]);
      ofScheme.sort(
        (a, b) =>
          compareTexts(idOf(rows[a]!), idOf(rows[b]!)) || compareTexts(values.get(a), values.get(b)) || a - b,
      );
      for (const i of ofScheme) grams.add(canonical.get(i));
      grams.endScheme();
    }
    return {
      schemes,
      content: {
        count: order.length,
        scheme: (i) => schemes[ranks[i]!]!,
        value: (i) => values.get(i),
        row: (i) => rows[i]!,
      },
      sections: [
        [SECTION.IDENTIFIER_SCHEMES, [new Uint8Array(schemeStarts.buffer)]],
        [SECTION.IDENTIFIER_CANONICAL, [...canonical.offsetBytes(), ...canonical.blobBytes()]],
        [SECTION.IDENTIFIER_VALUES, [...values.offsetBytes(), ...values.blobBytes()]],
        [SECTION.IDENTIFIER_ROWS, [new Uint8Array(rows.buffer)]],
        [SECTION.IDENTIFIER_ORDER, [new Uint8Array(inAnswer.buffer)]],
        ...grams.sections(),
      ],
    };
  }
}

function reorder(table: TextTable, order: Uint32Array): TextTable {
  const ordered = new TextTable();
  for (const i of order) ordered.push(table.get(i));
  return ordered;
}

function compareTexts(a: Uint8Array, b: Uint8Array): number {
  return compareUtf8(a, 0, a.length, b, 0, b.length);
}
