import type { ColumnMetaData, DecodedArray, PageHeader, SchemaElement } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { crc32 } from "#host/unpack";
import { toDataView } from "../../file/file-window.ts";
import type { LocalFile } from "../../file/local-file.ts";
import { createFormatError, FormatError, fileDamagedError } from "../../format-error.ts";
import { loadCodec, unpackParquetPage } from "./codecs.ts";
import { decodePageValues } from "./decode-values.ts";
import { readHybridNumbers } from "./hybrid.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import { endOfStruct } from "./thrift-check.ts";

/** A column that holds values, and how it lies in the schema. */
export interface Leaf {
  readonly path: readonly string[];
  readonly element: SchemaElement;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

/** The values of a page, and the levels that show where there is none, and where lists begin. */
export interface Page {
  /** Values and nulls. */
  readonly count: number;
  /** Absent: every value is there. */
  readonly definitions: Uint8Array | undefined;
  /** Absent: the column has no lists. */
  readonly repetitions: Uint8Array | undefined;
  readonly values: DecodedArray;
}

/** Most bytes of a page's header; statistics may hold whole texts. */
const HEADER_LIMIT = 16 * 2 ** 20;
const HEADER_WINDOW = 4096;
/** Pages of fewer bytes may unpack to any multiple of theirs. */
const RATIO_FREE = 64 * 2 ** 20;
/** Bytes that a value takes in memory at least, as a level and in a list. */
const VALUE_BYTES = 9;

/** Reads a column's pages within one row group, one at a time. */
export class ChunkReader {
  readonly #file: LocalFile;
  readonly #leaf: Leaf;
  readonly #meta: ColumnMetaData;
  readonly #budget: MemoryBudget;
  readonly #ratio: number;
  readonly #end: number;
  #at: number;
  #left: number;
  #dictionary: DecodedArray | undefined;
  #dictionaryBytes = 0;
  #pageBytes = 0;

  /** Fails: `FILE_DAMAGED` where the column lies outside of the file. */
  constructor(
    file: LocalFile,
    leaf: Leaf,
    meta: ColumnMetaData,
    { budget, ratio }: { readonly budget: MemoryBudget; readonly ratio: number },
  ) {
    this.#file = file;
    this.#leaf = leaf;
    this.#meta = meta;
    this.#budget = budget;
    this.#ratio = ratio;
    const first = Number(meta.data_page_offset);
    const dictionary = Number(meta.dictionary_page_offset ?? 0);
    this.#at = dictionary > 0 && dictionary < first ? dictionary : first;
    const size = Number(meta.total_compressed_size);
    this.#end = this.#at + size;
    this.#left = Number(meta.num_values);
    if (!(this.#at >= 4 && size >= 0 && this.#end <= file.size && this.#left >= 0))
      this.#fail(`${size} bytes at ${this.#at}`, `bytes within the file's ${file.size}`);
  }

  /** The next page with values; undefined after the last. */
  async next(): Promise<Page | undefined> {
    this.#drop();
    await loadCodec(this.#meta.codec);
    while (this.#left > 0) {
      const header = await this.#header();
      const packed = await this.#file.read(this.#at, header.compressed_page_size);
      if (packed.length < header.compressed_page_size) this.#fail("the end of the file", "a page");
      if (header.crc !== undefined && header.crc !== (crc32(packed) | 0))
        this.#fail(`a page of the checksum ${crc32(packed)}`, `${header.crc >>> 0}, as its header says`);
      const page = this.#placed(() => this.#read(header, packed));
      this.#at += packed.length;
      if (page === undefined) continue;
      this.#left -= page.count;
      return page;
    }
    this.#give();
    return undefined;
  }

  /** Releases the memory of the last page. */
  #drop(): void {
    this.#budget.give(this.#pageBytes);
    this.#pageBytes = 0;
  }

  #give(): void {
    this.#budget.give(this.#dictionaryBytes);
    this.#dictionaryBytes = 0;
    this.#dictionary = undefined;
  }

  async #header(): Promise<PageHeader> {
    for (let size = HEADER_WINDOW; ; size *= 16) {
      const window = await this.#file.read(this.#at, Math.min(size, this.#end - this.#at));
      const end = endOfStruct(window, 0, this.#at);
      if (end === -1) {
        if (window.length < size || size > HEADER_LIMIT)
          this.#fail("the end of the column", "a page's header");
        continue;
      }
      const view = toDataView(window);
      const header = this.#placed(() => parquetHeader({ view, offset: 0 }));
      this.#at += end;
      const { compressed_page_size: packed, uncompressed_page_size: size_ } = header;
      if (!(packed >= 0 && packed <= this.#end - this.#at))
        this.#fail(`a page of ${packed} bytes`, `at most ${this.#end - this.#at}`);
      if (!(size_ >= 0)) this.#fail(`a page that unpacks to ${size_} bytes`, "a size");
      if (size_ > RATIO_FREE && size_ > this.#ratio * packed) throw this.#bomb(size_, packed);
      return header;
    }
  }

  #read(header: PageHeader, packed: Uint8Array): Page | undefined {
    const size = header.uncompressed_page_size;
    if (header.type === "DICTIONARY_PAGE") {
      const count = header.dictionary_page_header?.num_values ?? -1;
      if (this.#dictionary !== undefined) throw new Error("a second dictionary");
      this.#dictionaryBytes = this.#take(size, count);
      const bytes = unpackParquetPage(this.#meta.codec, packed, size);
      this.#dictionary = this.#decode(bytes, 0, count, "PLAIN");
      return undefined;
    }
    if (header.type === "DATA_PAGE" && header.data_page_header !== undefined)
      return this.#dataPage(header.data_page_header, packed, size);
    if (header.type === "DATA_PAGE_V2" && header.data_page_header_v2 !== undefined)
      return this.#dataPageV2(header.data_page_header_v2, packed, size);
    if (header.type === "INDEX_PAGE") return undefined;
    throw new Error(`a page of type ${header.type}`);
  }

  #dataPage(head: NonNullable<PageHeader["data_page_header"]>, packed: Uint8Array, size: number): Page {
    const { num_values: count, encoding } = head;
    this.#checkCount(count);
    this.#pageBytes = this.#take(size, count);
    const bytes = unpackParquetPage(this.#meta.codec, packed, size);
    const view = toDataView(bytes);
    let at = 0;
    const levels = (most: number, levelEncoding: string): Uint8Array | undefined => {
      if (most === 0) return undefined;
      if (levelEncoding !== "RLE") throw new Error(`levels of the encoding ${levelEncoding}`);
      const end = at + 4 + view.getUint32(at, true);
      const out = readPageLevels(bytes, at + 4, end, most, count);
      at = end;
      return out;
    };
    const repetitions = levels(this.#leaf.maxRepetition, head.repetition_level_encoding);
    const definitions = levels(this.#leaf.maxDefinition, head.definition_level_encoding);
    const present = this.#countPresent(definitions, count);
    return { count, definitions, repetitions, values: this.#decode(bytes, at, present, encoding) };
  }

  #dataPageV2(head: NonNullable<PageHeader["data_page_header_v2"]>, packed: Uint8Array, size: number): Page {
    const { num_values: count, encoding } = head;
    this.#checkCount(count);
    this.#pageBytes = this.#take(size, count);
    const first = head.repetition_levels_byte_length;
    const both = first + head.definition_levels_byte_length;
    if (!(first >= 0 && both >= first && both <= packed.length && both <= size))
      throw new Error(`levels of ${both} bytes`);
    const { maxRepetition, maxDefinition } = this.#leaf;
    const repetitions =
      maxRepetition === 0 ? undefined : readPageLevels(packed, 0, first, maxRepetition, count);
    const definitions =
      maxDefinition === 0 ? undefined : readPageLevels(packed, first, both, maxDefinition, count);
    const codec = head.is_compressed === false ? "UNCOMPRESSED" : this.#meta.codec;
    const bytes = unpackParquetPage(codec, packed.slice(both), size - both);
    const present = this.#countPresent(definitions, count);
    return { count, definitions, repetitions, values: this.#decode(bytes, 0, present, encoding) };
  }

  #decode(
    bytes: Uint8Array,
    from: number,
    count: number,
    encoding: Parameters<typeof decodePageValues>[0]["encoding"],
  ): DecodedArray {
    return decodePageValues({
      bytes,
      from,
      count,
      encoding,
      type: this.#meta.type,
      typeLength: this.#leaf.element.type_length,
      dictionary: this.#dictionary,
      budget: this.#budget,
    });
  }

  #countPresent(definitions: Uint8Array | undefined, count: number): number {
    if (definitions === undefined) return count;
    let present = 0;
    for (const level of definitions) if (level === this.#leaf.maxDefinition) present++;
    return present;
  }

  #checkCount(count: number): void {
    if (!(count >= 0 && count <= this.#left))
      throw new Error(`${count} values where ${this.#left} are left of those that the column has`);
  }

  #take(size: number, count: number): number {
    if (!(count >= 0)) throw new Error(`${count} values`);
    const bytes = size + VALUE_BYTES * count;
    this.#budget.take(bytes);
    return bytes;
  }

  #placed<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof FormatError) throw error;
      this.#fail(`what does not read as a page (${(error as Error).message})`, "a page");
    }
  }

  #bomb(size: number, packed: number): FormatError {
    const found = `a page of ${packed} bytes that unpacks to ${size}`;
    const expected = `at most ${this.#ratio} times its bytes`;
    return createFormatError("UNPACKED_TOO_LARGE", found, expected, {
      place: { byte: this.#at },
      limit: this.#ratio,
    });
  }

  #fail(found: string, expected: string): never {
    throw fileDamagedError(`${found} in column "${this.#leaf.path.join(".")}"`, expected, { byte: this.#at });
  }
}

function readPageLevels(
  bytes: Uint8Array,
  from: number,
  end: number,
  most: number,
  count: number,
): Uint8Array {
  if (end > bytes.length) throw new Error("levels beyond the page");
  const levels = new Uint8Array(count);
  readHybridNumbers(bytes, from, end, 32 - Math.clz32(most), levels);
  for (const level of levels)
    if (level > most) throw new Error(`a level ${level}, where ${most} is the highest`);
  return levels;
}
