import { EngineError } from "../../base/errors.ts";
import { compareUtf8, encodeUtf8 } from "../../base/utf8.ts";
import { canonicalizeValue } from "../canonical-value.ts";
import type { ContentIdentifiers } from "../content-digest.ts";
import { SECTION } from "../format.ts";
import { formatSchemeSuggestion, SCHEME_MAX_LENGTH, SCHEME_PATTERN } from "../scheme-type.ts";
import { Chunked } from "./chunked.ts";
import { GramIndexWriter } from "./gram-index-writer.ts";
import type { Piece, Spill } from "./spill.ts";
import { type SortedEntry, TextSorter } from "./text-sorter.ts";
import { TextTable } from "./text-table.ts";

export interface SortedIdentifiers {
  readonly count: number;
  readonly content: ContentIdentifiers;
  readonly sections: readonly [number, Piece[]][];
}

/** Collects the identifiers of a register, and sorts them: as they are stored, and as answers list them. */
export class IdentifierCollector {
  readonly #spill: Spill | undefined;
  readonly #schemeNumbers = new Map<string, number>();
  readonly #sorter: TextSorter;

  constructor(spill?: Spill) {
    this.#spill = spill;
    this.#sorter = new TextSorter("number first", spill);
  }

  /** @param id of the record in the row */
  add(scheme: string, value: string, row: number, id: string): void {
    let number = this.#schemeNumbers.get(scheme);
    if (number === undefined) {
      if (scheme.length > SCHEME_MAX_LENGTH || !SCHEME_PATTERN.test(scheme)) {
        const message = `record "${id}" has scheme ${JSON.stringify(scheme)}, expected <authority>:<name>, lowercase${formatSchemeSuggestion(scheme)}`;
        throw new EngineError("VALIDATION_FAILED", message, { id, scheme });
      }
      number = this.#schemeNumbers.size;
    }
    const canonical = canonicalizeValue(value.toWellFormed());
    if (canonical === "") {
      const message = `record "${id}" has ${scheme} ${JSON.stringify(value)}, whose canonical form is empty`;
      throw new EngineError("VALIDATION_FAILED", message, { id, scheme, value });
    }
    this.#schemeNumbers.set(scheme, number);
    this.#sorter.add(number, encodeUtf8(canonical), row, encodeUtf8(value), encodeUtf8(id));
  }

  /** By scheme, canonical value, row and value, all ascending; equal ones once. */
  sort(): SortedIdentifiers {
    const spill = this.#spill;
    const schemes = [...this.#schemeNumbers.keys()].sort();
    const starts = new Uint32Array(schemes.length + 1);
    const canonical = new TextTable(spill);
    const values = new TextTable(spill);
    const rows: Chunked<Uint32Array> = new Chunked(Uint32Array, spill);
    const order: Chunked<Uint32Array> = new Chunked(Uint32Array, spill);
    const grams = new GramIndexWriter(spill);
    for (const [s, scheme] of schemes.entries()) {
      const inAnswers = new TextSorter("second first", spill);
      let last: Pick<SortedEntry, "text" | "number" | "second"> | undefined;
      this.#sorter.read(this.#schemeNumbers.get(scheme)!, ({ text, number, second, payload }) => {
        if (last?.number === number && isSame(last.text, text) && isSame(last.second, second)) return;
        last = { text, number, second };
        inAnswers.add(0, payload, rows.length, second, text);
        canonical.push(text);
        values.push(second);
        rows.push(number);
      });
      inAnswers.read(0, ({ number, payload }) => {
        order.push(number);
        grams.add(payload);
      });
      grams.endScheme();
      starts[s + 1] = rows.length;
    }
    return {
      count: rows.length,
      content: {
        schemes,
        schemeStarts: starts,
        value: (i) => values.get(i),
        row: (i) => rows.get(i),
      },
      sections: [
        [SECTION.IDENTIFIER_SCHEMES, [new Uint8Array(starts.buffer)]],
        [SECTION.IDENTIFIER_CANONICAL, canonical.pieces()],
        [SECTION.IDENTIFIER_VALUES, values.pieces()],
        [SECTION.IDENTIFIER_ROWS, rows.pieces()],
        [SECTION.IDENTIFIER_ORDER, order.pieces()],
        ...grams.sections(),
      ],
    };
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return compareUtf8(a, 0, a.length, b, 0, b.length) === 0;
}
