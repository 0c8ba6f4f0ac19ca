import { FileWindow, toDataView } from "../file/file-window.ts";
import type { LocalFile } from "../file/local-file.ts";
import { createFormatError, type FormatError, fileDamagedError } from "../format-error.ts";
import { type Cell, createCellReader, type DbfField } from "./dbf-values.ts";
import { findDriverCodePage, resolveTextDecoding, type TextDecoding, UNDECLARED } from "./encodings.ts";

/** One row: undefined where it is marked as deleted. */
export type DbfRow = ReadonlyMap<string, unknown> | undefined;

const ENTRY = ".dbf";
const END_OF_FIELDS = 0x0d;
const END_OF_FILE = 0x1a;
const DELETED = 0x2a;

/** Where fields stand in the header, up to dBase V and in dBase 7. */
const LAYOUTS = {
  old: { start: 32, bytes: 32, nameBytes: 11, type: 11, length: 16, decimals: 17 },
  seven: { start: 68, bytes: 48, nameBytes: 32, type: 32, length: 33, decimals: 34 },
} as const;

/** The attributes of a shapefile: a table of dBase, read row by row. */
export class DbfFile {
  readonly count: number;
  readonly fields: readonly DbfField[];
  readonly #file: FileWindow;
  readonly #start: number;
  readonly #rowBytes: number;
  readonly #readers: readonly ((row: Uint8Array) => Cell)[];

  private constructor(file: FileWindow, header: Header, decoding: TextDecoding) {
    this.#file = file;
    this.count = header.count;
    this.#start = header.bytes;
    this.#rowBytes = header.rowBytes;
    this.fields = header.fields;
    this.#readers = header.fields.map((field) => createCellReader(field, header.version, decoding));
  }

  /**
   * @param encoding what was said, or what the `.cpg` says; undefined: what the header states, if anything
   *
   * Fails: `FILE_DAMAGED` where the header is not that of the file, `FORMAT_UNSUPPORTED` for fields whose values stand
   * in another file, `ENCODING_UNKNOWN`.
   */
  static async open(file: LocalFile, encoding: TextDecoding | undefined): Promise<DbfFile> {
    const window = new FileWindow(file);
    const first = await window.read(0, 32);
    if (first.length < 32)
      throw fileDamagedError(`${first.length} bytes`, "a header of 32 or more", { entry: ENTRY });
    const page = findDriverCodePage(first[29]!);
    const decoding = encoding ?? (page === undefined ? UNDECLARED : resolveTextDecoding(page, ENTRY));
    return new DbfFile(window, await readDbfHeader(window, decoding), decoding);
  }

  /**
   * @param index from 0
   *
   * Fails: `FILE_DAMAGED`, `TEXT_NOT_UTF8`, `ENCODING_UNKNOWN`.
   */
  async row(index: number): Promise<DbfRow> {
    const byte = this.#start + index * this.#rowBytes;
    const place = { entry: ENTRY, row: index + 1, byte };
    const row = await this.#file.read(byte, this.#rowBytes);
    if (row.length < this.#rowBytes)
      throw fileDamagedError(`a row of ${row.length} bytes`, `${this.#rowBytes}`, place);
    if (row[0] === DELETED) return undefined;
    if (row[0] !== 0x20)
      throw fileDamagedError(`the byte ${row[0]}`, "a space, or * for a deleted row", place);
    const cells = new Map<string, unknown>();
    for (const [i, { name, start }] of this.fields.entries()) {
      const cell = this.#readers[i]!(row);
      if (typeof cell === "object" && cell !== null) {
        throw undecodableFieldError({ ...place, byte: byte + start }, name, cell.encoding);
      }
      cells.set(name, cell);
    }
    return cells;
  }
}

interface Header {
  readonly version: number;
  readonly count: number;
  readonly bytes: number;
  readonly rowBytes: number;
  readonly fields: readonly DbfField[];
}

async function readDbfHeader(file: FileWindow, decoding: TextDecoding): Promise<Header> {
  const head = toDataView(await file.read(0, 32));
  const version = head.getUint8(0);
  const count = head.getUint32(4, true);
  const bytes = head.getUint16(8, true);
  const rowBytes = head.getUint16(10, true);
  const needed = bytes + count * rowBytes;
  if (bytes < 33 || rowBytes < 1 || needed > file.size) {
    const found = `${count} rows of ${rowBytes} bytes after a header of ${bytes}`;
    throw fileDamagedError(found, `what fits into the ${file.size} bytes of the file`, {
      entry: ENTRY,
      byte: 4,
    });
  }
  await checkDbfEnd(file, needed, rowBytes);
  const fields = readDbfFields(await file.read(0, bytes), version, rowBytes, decoding);
  return { version, count, bytes, rowBytes, fields };
}

/** Behind the last row stands an end mark, or nothing; a whole row more is one that the header does not count. */
async function checkDbfEnd(file: FileWindow, end: number, rowBytes: number): Promise<void> {
  const rest = file.size - end;
  if (rest === 0) return;
  const [mark] = await file.read(end, 1);
  if (mark === END_OF_FILE || rest < rowBytes) return;
  throw fileDamagedError(`${rest} bytes behind the last row`, "the end of the file", {
    entry: ENTRY,
    byte: end,
  });
}

function readDbfFields(
  header: Uint8Array,
  version: number,
  rowBytes: number,
  decoding: TextDecoding,
): readonly DbfField[] {
  const layout = (version & 7) === 4 ? LAYOUTS.seven : LAYOUTS.old;
  const short = parseDbfFields(header, layout, decoding, false);
  if (short.end === rowBytes) return checkDbfFields(short.fields);
  // Clipper and FoxPro write texts longer than 255 bytes, with the rest of the length in place of the decimals.
  const long = parseDbfFields(header, layout, decoding, true);
  if (long.end === rowBytes) return checkDbfFields(long.fields);
  const found = `fields of ${short.end - 1} bytes together`;
  throw fileDamagedError(found, `${rowBytes - 1}, as the header says`, { entry: ENTRY, byte: 10 });
}

function parseDbfFields(
  header: Uint8Array,
  layout: (typeof LAYOUTS)["old" | "seven"],
  decoding: TextDecoding,
  isLong: boolean,
): { fields: DbfField[]; end: number } {
  const fields: DbfField[] = [];
  let start = 1;
  for (let at = layout.start; header[at] !== END_OF_FIELDS; at += layout.bytes) {
    if (at + layout.bytes > header.length) {
      throw fileDamagedError("the end of the header", "a field, or the mark that ends them", {
        entry: ENTRY,
        byte: at,
      });
    }
    const type = String.fromCharCode(header[at + layout.type]!);
    const decimals = header[at + layout.decimals]!;
    const length = header[at + layout.length]! + (isLong && type === "C" ? 256 * decimals : 0);
    fields.push({
      name: decodeFieldNameAt(header, at, layout.nameBytes, decoding),
      type,
      start,
      length,
      decimals,
    });
    start += length;
  }
  return { fields, end: start };
}

function decodeFieldNameAt(
  header: Uint8Array,
  at: number,
  nameBytes: number,
  decoding: TextDecoding,
): string {
  const bytes = header.subarray(at, at + nameBytes);
  const end = bytes.indexOf(0);
  const named = end === -1 ? bytes : bytes.subarray(0, end);
  // biome-ignore lint/plugin: a name has as many as its layout gives it
  if (named.every((byte) => byte < 0x80)) return String.fromCharCode(...named).trim();
  const name = decoding.decode(named, end === -1);
  if (name === undefined) throw undecodableFieldError({ entry: ENTRY, byte: at }, undefined, decoding.name);
  return name.trim();
}

const TYPES = "CNFDLIBO+";

function checkDbfFields(fields: readonly DbfField[]): readonly DbfField[] {
  const names = new Set<string>();
  for (const [i, { name, type, length }] of fields.entries()) {
    const place = { entry: ENTRY };
    if (name === "") throw fileDamagedError(`field ${i + 1} without a name`, "a name", place);
    if (names.has(name)) throw fileDamagedError(`two fields "${name}"`, "each name once", place);
    names.add(name);
    if (!TYPES.includes(type)) {
      const found = `the field "${name}" of type ${JSON.stringify(type)}`;
      const expected = `values in the table itself (${[...TYPES].join(", ")}): export it without the field`;
      throw createFormatError("FORMAT_UNSUPPORTED", found, expected, { place });
    }
    const width = WIDTHS[type];
    if (width !== undefined && !width.includes(length)) {
      throw fileDamagedError(`the field "${name}" (${type}) of ${length} bytes`, width.join(" or "), place);
    }
  }
  return fields;
}

const WIDTHS: Readonly<Record<string, readonly number[]>> = { I: [4], "+": [4], O: [8], D: [8], L: [1] };

function undecodableFieldError(
  place: { readonly entry: string; readonly row?: number; readonly byte: number },
  field: string | undefined,
  encoding: string,
): FormatError {
  const where = field === undefined ? "a field's name" : `the field "${field}"`;
  const found = `bytes in ${where} that are no text in ${encoding === "" ? "UTF-8, and no encoding is declared" : encoding}`;
  const mend =
    "the encoding by its name: --encoding windows-1252, --encoding utf-8, or what the publisher says";
  const expected = encoding === "" ? `a .cpg file that says which encoding they are in, or ${mend}` : mend;
  const code = encoding === "utf-8" ? "TEXT_NOT_UTF8" : "ENCODING_UNKNOWN";
  return createFormatError(code, found, expected, { place });
}
