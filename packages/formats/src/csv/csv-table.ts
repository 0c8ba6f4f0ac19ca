import type { Feature, OpenTable, ReadOptions, Row } from "../format-reader.ts";
import { type CsvRow, type CsvSource, readCsv } from "./csv.ts";
import { geometryColumns, hasDecimalComma } from "./geometry-columns.ts";

/** A table of CSV or TSV whose header was read. */
export class CsvTable implements OpenTable {
  readonly format: "csv" | "tsv";
  readonly layer: undefined;
  readonly crs: undefined;
  readonly isPacked: boolean;
  readonly isText = true;
  readonly columns: readonly string[];
  readonly #csv: CsvSource;
  readonly #options: ReadOptions;

  private constructor(csv: CsvSource, isPacked: boolean, options: ReadOptions) {
    this.format = csv.delimiter === "\t" ? "tsv" : "csv";
    this.isPacked = isPacked;
    this.columns = csv.columns;
    this.#csv = csv;
    this.#options = options;
  }

  /** Reads the header. Fails: as `readCsv`. */
  static async open(
    bytes: AsyncIterable<Uint8Array>,
    isPacked: boolean,
    options: ReadOptions,
  ): Promise<CsvTable> {
    const csv = await readCsv(bytes, { delimiter: options.format === "tsv" ? "\t" : undefined });
    return new CsvTable(csv, isPacked, options);
  }

  /** Fails: `FORMAT_UNKNOWN` where no column has a geometry. */
  async *features(): AsyncGenerator<Feature, void, undefined> {
    const geometries = geometryColumns(this.columns, this.#options);
    const ofGeometry = new Set(geometries.columns);
    const indexOf = indexes(this.columns);
    const properties = this.columns.flatMap((column, index) =>
      ofGeometry.has(column) ? [] : [[column, index] as const],
    );
    const { first, all } = await peekRows(this.#csv.rows, LOOKED_AT);
    const hint = geometries.numbers.length > 0 ? commaHint(first, geometries.numbers, indexOf) : "";
    for await (const { place, cells } of all) {
      const fault = this.#raggedness(cells);
      const read =
        fault === undefined
          ? geometries.read((column) => cells[indexOf.get(column)!]!)
          : { geometry: null, fault };
      yield {
        place: { feature: place.row, line: place.line },
        id: undefined,
        geometry: read.geometry,
        fault:
          hint === "" || read.fault?.code !== "GEOMETRY_INVALID"
            ? read.fault
            : { ...read.fault, message: `${read.fault.message}${hint}` },
        properties: new Map(properties.map(([column, index]) => [column, cells[index] ?? ""])),
        crs: read.crs,
      };
    }
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    for await (const { place, cells } of this.#csv.rows) {
      yield { place, cells: cellsOf(this.columns, cells), fault: this.#raggedness(cells) };
    }
  }

  async close(): Promise<void> {
    await this.#csv.rows.return();
  }

  #raggedness(cells: CsvRow["cells"]): Row["fault"] {
    if (cells.length === this.columns.length) return undefined;
    const message = `found ${cells.length} cells, expected ${this.columns.length}, as in the header`;
    return { code: "ROW_RAGGED", message };
  }
}

/** Rows by which it is told whether a table has decimal commas. */
const LOOKED_AT = 100;

/** The first rows, and all. What fails while they are read fails once they were given. */
async function peekRows(
  rows: AsyncGenerator<CsvRow, void, undefined>,
  count: number,
): Promise<{ readonly first: readonly CsvRow[]; readonly all: AsyncGenerator<CsvRow, void, undefined> }> {
  const first: CsvRow[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    while (first.length < count) {
      const next = await rows.next();
      if (next.done === true) break;
      first.push(next.value);
    }
  } catch (error) {
    failure = { error };
  }
  async function* all(): AsyncGenerator<CsvRow, void, undefined> {
    yield* first;
    if (failure !== undefined) throw failure.error;
    yield* rows;
  }
  return { first, all: all() };
}

/** What to do about decimal commas, where the first rows agree that there are. */
function commaHint(
  first: readonly CsvRow[],
  columns: readonly string[],
  indexOf: ReadonlyMap<string, number>,
): string {
  const texts = first.flatMap(({ cells }) => columns.map((column) => cells[indexOf.get(column)!] ?? ""));
  const numbers = texts.filter((text) => text.trim() !== "");
  const commas = numbers.filter(hasDecimalComma).length;
  // A whole number has no decimal sign.
  const isAgreed =
    commas > 0 && numbers.every((text) => hasDecimalComma(text) || /^[-+]?\d+$/.test(text.trim()));
  if (!isAgreed) return "";
  const rows = first.length === 1 ? "the first row has" : `the first ${first.length} rows have`;
  return `; ${rows} decimal commas: read the file with --decimal comma`;
}

function indexes(columns: readonly string[]): ReadonlyMap<string, number> {
  return new Map(columns.map((column, index) => [column, index]));
}

/** The cells of a row by their columns, as far as it has them. */
function cellsOf(columns: readonly string[], cells: readonly string[]): ReadonlyMap<string, string> {
  const byColumn = new Map<string, string>();
  for (let i = 0; i < columns.length && i < cells.length; i++) byColumn.set(columns[i]!, cells[i]!);
  return byColumn;
}
