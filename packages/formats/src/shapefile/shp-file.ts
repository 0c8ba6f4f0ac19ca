import { FileWindow, toDataView } from "../file/file-window.ts";
import type { LocalFile } from "../file/local-file.ts";
import { createFormatError, FormatError, fileDamagedError } from "../format-error.ts";
import { SHAPES, type ShapeKind } from "./shapes.ts";

/** The content of one record: its bytes last until the next record is read. */
export interface ShpRecord {
  /** Number of the record, from 1. */
  readonly number: number;
  /** Where the content starts. */
  readonly byte: number;
  readonly content: Uint8Array;
}

const HEADER_BYTES = 100;
const RECORD_HEADER_BYTES = 8;
const FILE_CODE = 9994;
const VERSION = 1000;

/**
 * The geometries of a shapefile: `.shp`, in the order of its index `.shx` where there is one.
 *
 * Source: ESRI Shapefile Technical Description, July 1998.
 */
export class ShpFile {
  readonly kind: ShapeKind;
  /** Number of records; undefined without an index. */
  readonly count: number | undefined;
  readonly #shp: FileWindow;
  readonly #shx: FileWindow | undefined;
  readonly #mostBytes: number;

  private constructor(shp: FileWindow, shx: FileWindow | undefined, kind: ShapeKind, mostBytes: number) {
    this.#shp = shp;
    this.#shx = shx;
    this.kind = kind;
    this.#mostBytes = mostBytes;
    this.count = shx === undefined ? undefined : (shx.size - HEADER_BYTES) / 8;
  }

  /**
   * @param mostBytes of one record
   *
   * Fails: `FILE_DAMAGED` where a header, or the length in it, is not that of the file; `FORMAT_UNSUPPORTED` for
   * patches.
   */
  static async open(shp: LocalFile, shx: LocalFile | undefined, mostBytes: number): Promise<ShpFile> {
    const records = new FileWindow(shp);
    const index = shx === undefined ? undefined : new FileWindow(shx);
    const kind = await readShpHeader(records, ".shp");
    if (index !== undefined) {
      const indexed = await readShpHeader(index, ".shx");
      if (indexed !== kind)
        throw fileDamagedError(`shape type ${indexed.type}`, `${kind.type}`, { entry: ".shx" });
      if ((index.size - HEADER_BYTES) % 8 !== 0) {
        throw fileDamagedError(`${index.size} bytes`, "100 bytes, and 8 for each record", { entry: ".shx" });
      }
      await checkShxIndex(index, records.size);
    }
    return new ShpFile(records, index, kind, mostBytes);
  }

  async *records(): AsyncGenerator<ShpRecord, void, undefined> {
    let at = HEADER_BYTES;
    for (let number = 1; this.count === undefined ? at < this.#shp.size : number <= this.count; number++) {
      const indexed = this.#shx === undefined ? undefined : await readIndexEntry(this.#shx, number);
      const start = indexed?.start ?? at;
      const length = await this.#contentLength(number, start, indexed?.length);
      const byte = start + RECORD_HEADER_BYTES;
      at = byte + length;
      yield { number, byte, content: await this.#shp.read(byte, length) };
    }
  }

  async #contentLength(number: number, start: number, indexed: number | undefined): Promise<number> {
    const place = { entry: ".shp", feature: number, byte: start };
    const header = await this.#shp.read(start, RECORD_HEADER_BYTES);
    if (header.length < RECORD_HEADER_BYTES) {
      throw fileDamagedError("the end of the file", "the header of a record", place);
    }
    const length = 2 * toDataView(header).getInt32(4);
    if (indexed !== undefined && length !== indexed) {
      throw fileDamagedError(
        `a record of ${length} bytes`,
        `${indexed} bytes as its index (.shx) says`,
        place,
      );
    }
    const left = this.#shp.size - start - RECORD_HEADER_BYTES;
    if (length < 4 || length > left) {
      throw fileDamagedError(`a record of ${length} bytes`, `4 to ${left}, which the file has left`, place);
    }
    if (length > this.#mostBytes) throw recordTooLargeError(place, length, this.#mostBytes);
    return length;
  }
}

function recordTooLargeError(
  place: { entry: string; feature: number },
  found: number,
  limit: number,
): FormatError {
  const expected = `at most ${limit} bytes a feature`;
  return createFormatError("TEXT_TOO_LARGE", `a record of ${found} bytes`, expected, { place, limit });
}

async function readShpHeader(file: FileWindow, entry: string): Promise<ShapeKind> {
  const bytes = await file.read(0, HEADER_BYTES);
  if (bytes.length < HEADER_BYTES) {
    throw fileDamagedError(`${bytes.length} bytes`, "a header of 100", { entry });
  }
  const header = toDataView(bytes);
  const code = header.getInt32(0);
  if (code !== FILE_CODE) throw fileDamagedError(`the file code ${code}`, `${FILE_CODE}`, { entry, byte: 0 });
  const version = header.getInt32(28, true);
  if (version !== VERSION) throw fileDamagedError(`version ${version}`, `${VERSION}`, { entry, byte: 28 });
  const length = 2 * header.getInt32(24);
  if (length !== file.size) {
    throw fileDamagedError(`a length of ${length} bytes`, `${file.size}, which the file has`, {
      entry,
      byte: 24,
    });
  }
  const type = header.getInt32(32, true);
  const kind = SHAPES.get(type);
  if (kind !== undefined) return kind;
  if (type !== MULTIPATCH)
    throw fileDamagedError(`shape type ${type}`, "one of the format", { entry, byte: 32 });
  const expected = "points, lines or polygons: turn surfaces in space into polygons first";
  throw new FormatError("FORMAT_UNSUPPORTED", `found shapes of type MultiPatch, expected ${expected}`, {
    place: { entry, byte: 32 },
    found: "MultiPatch",
    expected,
  });
}

const MULTIPATCH = 31;

async function readIndexEntry(index: FileWindow, number: number): Promise<{ start: number; length: number }> {
  const entry = toDataView(await index.read(HEADER_BYTES + 8 * (number - 1), 8));
  return { start: 2 * entry.getInt32(0), length: 2 * entry.getInt32(4) };
}

/** Records that lie in the file, and together no larger than it: one record under many numbers is a bomb. */
async function checkShxIndex(index: FileWindow, size: number): Promise<void> {
  const count = (index.size - HEADER_BYTES) / 8;
  let total = HEADER_BYTES;
  for (let number = 1; number <= count; number++) {
    const { start, length } = await readIndexEntry(index, number);
    const place = { entry: ".shx", feature: number, byte: HEADER_BYTES + 8 * (number - 1) };
    total += RECORD_HEADER_BYTES + length;
    if (start < HEADER_BYTES || length < 4 || start + RECORD_HEADER_BYTES + length > size) {
      throw fileDamagedError(
        `a record of ${length} bytes at ${start}`,
        `one within the ${size} bytes of the .shp`,
        place,
      );
    }
    if (total > size)
      throw fileDamagedError("records that share bytes", `${size} bytes of records at most`, place);
  }
}
