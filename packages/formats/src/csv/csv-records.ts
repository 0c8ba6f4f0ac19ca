import { createFormatError } from "../format-error.ts";

/** A record of CSV and the line in which it starts. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Most characters of a record, so that an unclosed quote does not read on to the end of the source. */
const RECORD_CHARACTERS: number = 1 << 20;

/**
 * Splits the text of a CSV source into records, whatever the pieces in which it comes. Cells are quoted as RFC 4180
 * has it; records end in LF, CR LF or CR; empty lines are skipped.
 *
 * Fails: `CSV_MALFORMED` for misplaced quotes and a record of more than {@link RECORD_CHARACTERS}.
 */
export class CsvRecords {
  readonly #delimiter: string;
  /** The beginning of a record that has not ended yet, and the line in which it starts. */
  #rest = "";
  #line = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The records that end in the next piece of text. @param isLast whether the text ends there */
  take(piece: string, isLast: boolean): CsvRecord[] {
    const text = this.#rest + piece;
    const records: CsvRecord[] = [];
    let at = 0;
    let quote = text.indexOf('"');
    let carriageReturn = text.indexOf("\r");
    while (at < text.length) {
      if (quote >= 0 && quote < at) quote = text.indexOf('"', at);
      if (carriageReturn >= 0 && carriageReturn < at) carriageReturn = text.indexOf("\r", at);
      let end = text.indexOf("\n", at);
      if (end < 0) end = text.length;
      if (carriageReturn >= 0 && carriageReturn < end) end = carriageReturn;
      let cells: string[] | undefined;
      if (quote < 0 || quote >= end) {
        if (end > at) cells = text.slice(at, end).split(this.#delimiter);
      } else {
        const quoted = this.#readQuoted(text, at, isLast);
        if (quoted === undefined) break;
        ({ cells, end } = quoted);
      }
      // A line break at the end may be half of one, and without one there may be more.
      if (!isLast && (end === text.length || (end === text.length - 1 && text[end] === "\r"))) break;
      this.#checkLength(end - at);
      if (cells !== undefined) records.push({ line: this.#line, cells });
      const next = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
      this.#line += 1 + (quote >= at && quote < end ? countLineBreaks(text.slice(at, end)) : 0);
      at = next;
    }
    this.#rest = text.slice(at);
    this.#checkLength(this.#rest.length);
    return records;
  }

  /** A record with quotes and where it ends; undefined where the text ends before. */
  #readQuoted(
    text: string,
    start: number,
    isLast: boolean,
  ): { readonly cells: string[]; readonly end: number } | undefined {
    const cells: string[] = [];
    for (let at = start; ; at++) {
      let cell = "";
      // `="00012"` is how spreadsheets keep a text that looks like a number.
      if (text[at] === "=" && text[at + 1] === '"') at++;
      else if (text[at] === "=" && at + 1 === text.length && !isLast) return undefined;
      if (text[at] === '"') {
        const opening = at;
        for (;;) {
          const closing = text.indexOf('"', at + 1);
          if (closing < 0 && isLast) this.#refuse(FAULTS.unclosed, text.slice(start, opening));
          if (closing < 0 || (closing + 1 === text.length && !isLast)) return undefined;
          cell += text.slice(at + 1, closing);
          at = closing + 1;
          if (text[at] !== '"') break;
          cell += '"';
        }
        if (at < text.length && !this.#endsCell(text[at]!))
          this.#refuse(FAULTS.afterQuote, text.slice(start, at));
      } else {
        const from = at;
        while (at < text.length && !this.#endsCell(text[at]!)) {
          if (text[at] === '"' && !isOfSeconds(text, from, at))
            this.#refuse(FAULTS.innerQuote, text.slice(start, at));
          at++;
        }
        cell = text.slice(from, at);
      }
      cells.push(cell.startsWith('="') ? unwrapTextFormula(cell) : cell);
      if (text[at] !== this.#delimiter) return { cells, end: at };
    }
  }

  #endsCell(character: string): boolean {
    return character === this.#delimiter || character === "\n" || character === "\r";
  }

  #checkLength(length: number): void {
    if (length > RECORD_CHARACTERS) this.#refuse(FAULTS.tooLong, "");
  }

  /** @param before what stands in the record before the fault */
  #refuse([found, expected]: readonly [string, string], before: string): never {
    const place = { line: this.#line + countLineBreaks(before) };
    throw createFormatError("CSV_MALFORMED", found, expected, { place });
  }
}

/** True if a quote in an unquoted cell is the sign of seconds: it follows a number and degrees, `55°14'42.4"W`. */
function isOfSeconds(text: string, from: number, at: number): boolean {
  const before = text.slice(Math.max(from, at - 24), at);
  return /[\d.,] ?$/.test(before) && /[°º˚'′’´]/.test(before);
}

/** The text that a formula of nothing but a text has. */
function unwrapTextFormula(cell: string): string {
  const text = /^="((?:[^"]|"")*)"$/.exec(cell);
  return text === null ? cell : text[1]!.replaceAll('""', '"');
}

const FAULTS = {
  unclosed: ["a quote that is never closed", "its closing quote"],
  afterQuote: ["text after a closing quote", "a delimiter or the end of the row"],
  innerQuote: ["a quote within an unquoted cell", "the cell in quotes, with its inner quotes doubled"],
  tooLong: [`a row of more than ${RECORD_CHARACTERS} characters`, "shorter rows (is a quote not closed?)"],
} as const;

function countLineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
