import { isObject } from "@groundrule/engine/internal/json";
import { spoolStreamToFile } from "#host/files";
import type { LocalFile } from "../file/local-file.ts";
import { createFormatError } from "../format-error.ts";
import type {
  Feature,
  GeoJsonForm,
  OpenTable,
  ReadOptions,
  Row,
  TextInput,
  TextReader,
} from "../format-reader.ts";
import { type FormatLimits, resolveFormatLimits } from "../limits.ts";
import { overrideTableMembers, withFileClosed } from "../table/closing.ts";
import { FeatureSplitter, type SplitValue } from "./feature-splitter.ts";
import { checkNoFeaturesOmitted, keepExactNumbers, readGeoJsonAreas } from "./geojson.ts";
import { withLateCrs } from "./late-crs.ts";
import type { RowOptions } from "./object-as-feature.ts";

/**
 * Reads GeoJSON, in its stream forms too, and objects one a line. An object that is no Feature has its geometry where
 * the options say.
 */
export const reader: TextReader = { openText: openJson };

async function openJson(text: TextInput, options: ReadOptions): Promise<OpenTable> {
  const format = options.format === "json-lines" ? "json-lines" : "geojson";
  const limits = resolveFormatLimits(options);
  const { isPacked, isRepeatable, file } = text;
  const of = { format, isPacked, limits, isRepeatable, file, columns: options };
  if (!text.isReadTwice) return new JsonTable(() => text.bytes(), of);
  // Read for its columns as it goes into the file: its faults are reported before it has ended.
  const columns = new Set<string>();
  const noted = collectColumns(text.bytes(), limits, columns);
  const scratch = await spoolStreamToFile(noted, text.name, limits.unpackedBytes);
  const table = new JsonTable(() => scratch.stream(), of);
  return withFileClosed(overrideTableMembers(table, { columns: [...columns] }), scratch);
}

/** JSON text that was opened: GeoJSON in its stream forms, or, for its rows, objects one a line. */
class JsonTable implements OpenTable {
  readonly format: string;
  readonly layer: undefined;
  readonly crs: undefined;
  readonly isPacked: boolean;
  readonly #bytes: () => AsyncIterable<Uint8Array>;
  readonly #limits: FormatLimits;
  readonly #file: LocalFile | undefined;
  readonly #isRepeatable: boolean;
  readonly #columns: RowOptions;
  #form: GeoJsonForm = "geojson";

  /**
   * @param bytes the text from its start, as often as it is read
   * @param of.file the file that has just these bytes
   * @param of.isRepeatable whether the text can be read several times
   * @param of.columns where an object that is no Feature has its geometry
   */
  constructor(
    bytes: () => AsyncIterable<Uint8Array>,
    of: {
      format: string;
      isPacked: boolean;
      limits: FormatLimits;
      file?: LocalFile | undefined;
      isRepeatable?: boolean;
      columns?: RowOptions;
    },
  ) {
    this.#bytes = bytes;
    this.#file = of.file;
    this.#isRepeatable = of.isRepeatable ?? false;
    this.#columns = of.columns ?? {};
    this.#limits = of.limits;
    this.format = of.format;
    this.isPacked = of.isPacked;
  }

  get form(): GeoJsonForm {
    return this.#form;
  }

  async *features(): AsyncGenerator<Feature, void, undefined> {
    const again = this.#isRepeatable ? this.#bytes : undefined;
    const late = await withLateCrs(this.#bytes(), { limits: this.#limits, file: this.#file, again });
    try {
      const source = readGeoJsonAreas(late.bytes, this.#limits, { ...this.#columns, lateCrs: late.crs });
      yield* source;
      this.#form = source.format;
    } finally {
      await late.close();
    }
  }

  /** Rows: the properties of a feature, the members of any other object. */
  async *rows(): AsyncGenerator<Row, void, undefined> {
    const splitter = createRowSplitter(this.#limits);
    for await (const chunk of this.#bytes()) yield* splitter.push(chunk);
    splitter.end();
    this.#form = splitter.format;
  }

  async close(): Promise<void> {}
}

/** The bytes as they are, once the columns of the rows that end in them are noted. Fails: as the rows do. */
async function* collectColumns(
  bytes: AsyncIterable<Uint8Array>,
  limits: FormatLimits,
  columns: Set<string>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const splitter = createRowSplitter(limits);
  for await (const chunk of bytes) {
    for (const { cells } of splitter.push(chunk)) for (const column of cells.keys()) columns.add(column);
    yield chunk;
  }
  splitter.end();
}

function createRowSplitter(limits: FormatLimits): FeatureSplitter<Row> {
  let row = 0;
  return new FeatureSplitter((piece) => {
    if (piece.part === "head" || piece.part === "tail") {
      checkNoFeaturesOmitted(piece.value as object, piece.place);
      return undefined;
    }
    row++;
    const { line, byte } = piece.place;
    return { place: { row, line, ...(byte !== undefined && { byte }) }, cells: toCells(piece) };
  }, limits);
}

function toCells(piece: SplitValue): ReadonlyMap<string, unknown> {
  const value = keepExactNumbers(piece.value as object, piece.text) as {
    type?: unknown;
    properties?: unknown;
    attributes?: unknown;
  };
  if (value.type === undefined && isObject(value.attributes))
    return new Map(Object.entries(value.attributes));
  if (value.type !== "Feature") return new Map(Object.entries(value));
  const properties = value.properties ?? {};
  if (!isObject(properties)) {
    const expected = "properties that are an object or null";
    const found = Array.isArray(properties) ? "an array" : `a ${typeof properties}`;
    throw createFormatError("GEOJSON_INVALID", found, expected, { place: piece.place });
  }
  return new Map(Object.entries(properties));
}
