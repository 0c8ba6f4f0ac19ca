import { joinChunks } from "../bytes.ts";
import { advanceTextPlace, countWholeCharacterBytes, decodeUtf8 } from "../decode-utf8.ts";
import { peekStream } from "../file/peek.ts";
import { FormatError, type TextPlace } from "../format-error.ts";
import { findHeaderRowIndex, HEADER_ROWS, hasGeometryColumnNames } from "../table/header.ts";
import { CsvRecords } from "./csv-records.ts";

/** A row as it is in the source. A ragged row has fewer or more cells than there are columns. */
export interface CsvRow {
  /** Where the row starts, with its number: the header is not counted, the first row is 1. */
  readonly place: TextPlace & {
    /** Number of the row, from 1. */
    readonly row: number;
  };
  /** The texts of its cells, unquoted, in the order of the columns. */
  readonly cells: readonly string[];
}

/** A CSV source whose header has been read. */
export interface CsvSource {
  /** The cells of the header, in order; some may be empty, and some alike. */
  readonly header: readonly string[];
  readonly delimiter: CsvDelimiter;
  /** The line of the header, from 1. */
  readonly headerLine: number;
  /** The rows, which can be read only once. */
  readonly rows: AsyncGenerator<CsvRow, void, undefined>;
}

/** Separators of the cells of a row. */
export type CsvDelimiter = "," | ";" | "\t" | "|";
/** Every delimiter that is recognized. */
const CSV_DELIMITERS: readonly CsvDelimiter[] = [",", ";", "\t", "|"];

/** Delimiter and header are found within these many bytes. */
const SNIFFED_BYTES = 1 << 16;

/**
 * Reads CSV (RFC 4180) with a header row as a stream of UTF-8, with or without a byte order mark.
 * Lines end in LF, CR LF or CR; rows whose every cell is empty are skipped. A first line `sep=;` states the delimiter,
 * as Excel has it. Where nothing does, it is whichever of comma, semicolon, tab and bar occurs most often in the header
 * outside quotes. Lines above the header, such as a title, are skipped; see {@link findHeaderRowIndex}.
 *
 * Fails: `CSV_MALFORMED` for a missing header and misplaced quotes; `TEXT_NOT_UTF8`. Ragged rows are passed on; the
 * caller decides about them.
 */
export async function readCsv(
  bytes: AsyncIterable<Uint8Array>,
  options: { readonly delimiter?: CsvDelimiter | undefined } = {},
): Promise<CsvSource> {
  const { first, all } = await peekStream(bytes, SNIFFED_BYTES);
  const { delimiter, skipped } = detectCsvLayout(first, options.delimiter);
  const rows = parseCsvRows(all, delimiter, skipped);
  const header = await rows.next();
  if (header.done === true) {
    throw new FormatError("CSV_MALFORMED", "the source is empty, expected a header row", {
      place: { line: 1 },
      found: "the end of the source",
      expected: "a header row",
    });
  }
  const { place, cells } = header.value;
  return { header: cells, headerLine: place.line, delimiter, rows };
}

/** The rows behind some that are skipped; the first, number 0, is the header. */
async function* parseCsvRows(
  bytes: AsyncIterable<Uint8Array>,
  delimiter: string,
  skipped: number,
): AsyncGenerator<CsvRow, void, undefined> {
  const records = new CsvRecords(delimiter);
  let row = -skipped;
  for await (const text of decodeUtf8Stream(bytes)) {
    for (const { line, cells } of records.take(text, false)) {
      if (isEmpty(cells)) continue;
      if (row >= 0) yield { place: { row, line }, cells };
      row++;
    }
  }
  for (const { line, cells } of records.take("", true)) {
    if (isEmpty(cells)) continue;
    if (row >= 0) yield { place: { row, line }, cells };
    row++;
  }
}

/** True if a row is one of delimiters alone, as spreadsheets write below their last. */
function isEmpty(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== "") return false;
  return true;
}

/** Text in pieces that never cut through a character; the byte order mark is left out. */
async function* decodeUtf8Stream(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = new Uint8Array(0);
  let place: TextPlace = { line: 1, byte: 0 };
  for await (const chunk of bytes) {
    const pending = joinChunks([rest, chunk]);
    const whole = pending.subarray(0, countWholeCharacterBytes(pending));
    const text = decodeUtf8(whole, place);
    if (text !== "") yield place.byte === 0 && text.startsWith("\ufeff") ? text.slice(1) : text;
    place = advanceTextPlace(place, whole);
    rest = pending.subarray(whole.length);
  }
  decodeUtf8(rest, place);
}

interface Sniffed {
  readonly delimiter: CsvDelimiter;
  /** Rows above the header. */
  readonly skipped: number;
}

const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?[,;\t|]*(?:\r\n|\n|\r)/i;

/** The delimiter and how many rows stand above the header, by the first bytes. */
function detectCsvLayout(first: Uint8Array, named: CsvDelimiter | undefined): Sniffed {
  const text = new TextDecoder().decode(first);
  const separator = SEPARATOR_LINE.exec(text);
  const stated = CSV_DELIMITERS.find((delimiter) => delimiter === separator?.[1]);
  const body = separator === null || stated === undefined ? text : text.slice(separator[0].length);
  const own = named ?? stated ?? detectDelimiter(body);
  const above = separator !== null && stated !== undefined ? 1 : 0;
  const rows = parseFirstRows(body, own);
  const header = findHeaderRowIndex(rows);
  if (named !== undefined || stated !== undefined || header > 0 || hasGeometryColumnNames(rows[0] ?? [])) {
    return { delimiter: own, skipped: above + header };
  }
  // A title has other signs than the header below it, or none.
  for (const delimiter of CSV_DELIMITERS) {
    if (delimiter === own) continue;
    const others = parseFirstRows(body, delimiter);
    const at = findHeaderRowIndex(others);
    if (at > 0 && others[at]!.length > 1) return { delimiter, skipped: at };
  }
  return { delimiter: own, skipped: 0 };
}

/** The first rows of a text that is cut somewhere; fewer where it is malformed. */
function parseFirstRows(text: string, delimiter: string): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = [];
  const records = new CsvRecords(delimiter);
  const lines = text.replace(/^\ufeff/, "");
  try {
    // A few lines at a time: what comes behind the last row that matters is not looked at.
    for (let at = 0; at < lines.length && rows.length < HEADER_ROWS; at += 1024) {
      const taken = records.take(lines.slice(at, at + 1024), false);
      for (const { cells } of taken) if (!isEmpty(cells)) rows.push(cells);
    }
    if (rows.length < HEADER_ROWS) {
      for (const { cells } of records.take("", true)) if (!isEmpty(cells)) rows.push(cells);
    }
  } catch (error) {
    // The reading of all rows refuses it in its place.
    if (!(error instanceof FormatError)) throw error;
  }
  return rows.slice(0, HEADER_ROWS);
}

/** The delimiter that the first line with one has most often, outside quotes. */
function detectDelimiter(text: string): CsvDelimiter {
  const counts = new Map<string, number>();
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "\n" || character === "\r") && counts.size > 0) break;
    else if (!quoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  let most: CsvDelimiter = ",";
  for (const delimiter of CSV_DELIMITERS) {
    if ((counts.get(delimiter) ?? 0) > (counts.get(most) ?? 0)) most = delimiter;
  }
  return most;
}
