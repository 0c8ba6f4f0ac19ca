import { FileWindow, toDataView } from "../../file/file-window.ts";
import type { LocalFile } from "../../file/local-file.ts";
import { noLayersError } from "../../file/unsupported.ts";
import { FormatError, fileDamagedError } from "../../format-error.ts";
import {
  type Feature,
  type FormatReader,
  type OpenTable,
  type ReadOptions,
  type Row,
  readGeometryOrFault,
} from "../../format-reader.ts";
import { resolveFormatLimits } from "../../limits.ts";
import { readFlatGeobufGeometry } from "./geometry.ts";
import { type Header, readColumns, readFlatGeobufHeader } from "./header.ts";
import { BINARY, readFeatureProperties } from "./properties.ts";
import { Table } from "./table.ts";

/** Reads a FlatGeobuf from its first feature to its last; the index is passed over. */
export const reader: FormatReader = {
  async open(file: LocalFile, options: ReadOptions): Promise<OpenTable> {
    const header = await readFlatGeobufHeader(file, options.encoding);
    if (options.layer !== undefined && options.layer !== header.name)
      throw layerUnknownError(header, options.layer);
    return new FlatGeobufTable(file, header, options);
  },
};

/** Fields of a feature, in the order of the schema. */
const GEOMETRY = 0;
const PROPERTIES = 1;
const COLUMNS = 2;

class FlatGeobufTable implements OpenTable {
  readonly format = "flatgeobuf";
  readonly isPacked = false;
  readonly layer: undefined;
  readonly crs: string | undefined;
  readonly columns: readonly string[];
  readonly #file: LocalFile;
  readonly #header: Header;
  readonly #encoding: string | undefined;
  readonly #featureBytes: number;

  constructor(file: LocalFile, header: Header, options: ReadOptions) {
    this.#file = file;
    this.#header = header;
    this.#encoding = options.encoding;
    this.#featureBytes = resolveFormatLimits(options).featureBytes;
    this.crs = header.crs;
    this.columns = header.columns.filter(({ type }) => type !== BINARY).map(({ name }) => name);
  }

  async *features(): AsyncGenerator<Feature, void, undefined> {
    let number = 0;
    for await (const { table, start, size } of this.#tables()) {
      const place = { feature: ++number, byte: start };
      const properties = this.#properties(table, place);
      yield { place, id: undefined, properties, crs: this.crs, ...this.#geometry(table, size) };
    }
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    let number = 0;
    for await (const { table, start } of this.#tables()) {
      const place = { row: ++number, byte: start };
      yield { place, cells: this.#properties(table, place) };
    }
  }

  async close(): Promise<void> {}

  #geometry(table: Table, size: number): Pick<Feature, "geometry" | "fault"> {
    return readGeometryOrFault(() => {
      const geometry = table.table(GEOMETRY);
      return geometry === undefined
        ? null
        : readFlatGeobufGeometry(geometry, this.#header.geometryType, size);
    });
  }

  #properties(table: Table, place: { readonly byte: number }): Map<string, unknown> {
    const own = table.count(COLUMNS) > 0 ? readColumns(table, COLUMNS, this.#encoding) : this.#header.columns;
    const bytes = table.bytes(PROPERTIES) ?? new Uint8Array(0);
    return readFeatureProperties(bytes, {
      columns: own,
      encoding: this.#encoding,
      place: { ...place, byte: table.placeOf(PROPERTIES) },
    });
  }

  /** The features one after another, each with its bytes in memory. */
  async *#tables(): AsyncGenerator<{ table: Table; start: number; size: number }, void, undefined> {
    const { size: end } = this.#file;
    const window = new FileWindow(this.#file);
    let at = this.#header.featuresStart;
    let count = 0;
    while (at < end) {
      const prefix = await window.read(at, 4);
      if (prefix.length < 4) this.#fail(count + 1, at, "the end of the file", "the size of a feature");
      const size = toDataView(prefix).getUint32(0, true);
      if (size > end - at - 4)
        this.#fail(count + 1, at, `a feature of ${size} bytes`, `at most ${end - at - 4}`);
      if (size > this.#featureBytes) throw featureTooLargeError(count + 1, at, size, this.#featureBytes);
      at += 4;
      const bytes = await window.read(at, size);
      if (bytes.length < size) this.#fail(count + 1, at, "the end of the file", `a feature of ${size} bytes`);
      count++;
      yield { table: readRootTable(bytes, at, count), start: at, size };
      at += size;
    }
    const expected = this.#header.featureCount;
    if (expected !== 0 && count !== expected)
      this.#fail(count, at, `${count} features`, `${expected}, as the header says`);
  }

  #fail(feature: number, byte: number, found: string, expected: string): never {
    throw fileDamagedError(found, expected, { feature, byte });
  }
}

function layerUnknownError({ name }: Header, wanted: string): FormatError {
  if (name === undefined || name === "") return noLayersError("FlatGeobuf", wanted);
  const found = `the layer "${name}"`;
  return new FormatError("LAYER_UNKNOWN", `found ${found}, expected "${wanted}"`, {
    found,
    expected: wanted,
    layers: [name],
  });
}

function readRootTable(bytes: Uint8Array, start: number, feature: number): Table {
  try {
    return Table.rootOf(bytes, start);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { found = "", expected = "", place } = error.details;
    throw fileDamagedError(found, expected, { ...place, feature });
  }
}

function featureTooLargeError(feature: number, byte: number, size: number, limit: number): FormatError {
  const found = `a feature of ${size} bytes`;
  return new FormatError("TEXT_TOO_LARGE", `found ${found}, expected at most ${limit}`, {
    place: { feature, byte },
    found,
    expected: `at most ${limit} bytes`,
    limit,
  });
}
