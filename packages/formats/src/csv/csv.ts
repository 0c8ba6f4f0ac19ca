import { joined } from "../bytes.ts";
import { advance, decodeUtf8, wholeCharacters } from "../decode-utf8.ts";
import { FormatError, refusal, type TextPlace } from "../format-error.ts";
import { peek } from "../open/peek.ts";
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
  /** The names in the header, in order; none is empty and none occurs twice. */
  readonly columns: readonly string[];
  readonly delimiter: CsvDelimiter;
  /** The rows, which can be read only once. */
  readonly rows: AsyncGenerator<CsvRow, void, undefined>;
}

/** What can separate the cells of a row. */
export type CsvDelimiter = "," | ";" | "\t";
/** Every delimiter that is recognized. */
export const CSV_DELIMITERS: readonly CsvDelimiter[] = [",", ";", "\t"];

/** The delimiter is told from the header within these many bytes. */
const SNIFFED_BYTES = 1 << 16;

/**
 * Reads CSV (RFC 4180) with a header row as a stream of UTF-8, with or without a byte order mark.
 * Lines end in LF, CR LF or CR; empty ones are skipped. Where no delimiter is given, it is whichever
 * of comma, semicolon and tab occurs most often in the header outside quotes.
 *
 * Fails: `CSV_MALFORMED` for a missing header, a column without a name or with the name of another, and
 * misplaced quotes; `TEXT_NOT_UTF8`. Ragged rows are passed on; the caller decides about them.
 */
export async function readCsv(
  bytes: AsyncIterable<Uint8Array>,
  options: { readonly delimiter?: CsvDelimiter | undefined } = {},
): Promise<CsvSource> {
  const { first, all } = await peek(bytes, SNIFFED_BYTES);
  const delimiter = options.delimiter ?? sniffDelimiter(first);
  const rows = parseRows(all, delimiter);
  const header = await rows.next();
  if (header.done === true) {
    throw new FormatError("CSV_MALFORMED", "the source is empty, expected a header row", {
      place: { line: 1 },
      found: "the end of the source",
      expected: "a header row",
    });
  }
  const columns = checkHeader(header.value);
  return { columns, delimiter, rows };
}

/** The rows; the first, number 0, is the header. */
async function* parseRows(
  bytes: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<CsvRow, void, undefined> {
  const records = new CsvRecords(delimiter);
  let row = 0;
  for await (const text of decode(bytes)) {
    for (const { line, cells } of records.take(text, false)) yield { place: { row: row++, line }, cells };
  }
  for (const { line, cells } of records.take("", true)) yield { place: { row: row++, line }, cells };
}

/** Text in pieces that never cut through a character; the byte order mark is left out. */
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = new Uint8Array(0);
  let place: TextPlace = { line: 1, byte: 0 };
  for await (const chunk of bytes) {
    const held = joined([rest, chunk]);
    const whole = held.subarray(0, wholeCharacters(held));
    const text = decodeUtf8(whole, place);
    if (text !== "") yield place.byte === 0 && text.startsWith("\ufeff") ? text.slice(1) : text;
    place = advance(place, whole);
    rest = held.subarray(whole.length);
  }
  decodeUtf8(rest, place);
}

function sniffDelimiter(first: Uint8Array): CsvDelimiter {
  const counts = new Map<string, number>();
  let quoted = false;
  for (const byte of first) {
    const character = String.fromCharCode(byte);
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

function checkHeader({ place: { line }, cells }: CsvRow): readonly string[] {
  const seen = new Set<string>();
  for (const [index, name] of cells.entries()) {
    const found =
      name === ""
        ? `column ${index + 1} without a name`
        : seen.has(name)
          ? `two columns "${name}"`
          : undefined;
    if (found !== undefined) {
      const expected = "a header that names each column once";
      throw refusal("CSV_MALFORMED", found, expected, { place: { line }, columns: cells });
    }
    seen.add(name);
  }
  return cells;
}
