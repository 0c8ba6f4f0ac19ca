import type { Feature, OpenTable, ReadOptions, Row } from "../format-reader.ts";
import { type CsvRow, type CsvSource, readCsv } from "./csv.ts";
import { geometryColumns } from "./geometry-columns.ts";
import { RowCells } from "./row-cells.ts";

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
    for await (const { place, cells } of this.#csv.rows) {
      const fault = this.#raggedness(cells);
      const read =
        fault === undefined
          ? geometries.read((column) => cells[indexOf.get(column)!]!)
          : { geometry: null, fault };
      yield {
        place: { feature: place.row, line: place.line },
        id: undefined,
        geometry: read.geometry,
        fault: read.fault,
        properties: new Map(properties.map(([column, index]) => [column, cells[index] ?? ""])),
        crs: read.crs,
      };
    }
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    const indexOf = indexes(this.columns);
    for await (const { place, cells } of this.#csv.rows) {
      yield { place, cells: new RowCells(indexOf, cells), fault: this.#raggedness(cells) };
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

function indexes(columns: readonly string[]): ReadonlyMap<string, number> {
  return new Map(columns.map((column, index) => [column, index]));
}
