import { FormatError } from "../format-error.ts";
import type { Feature, OpenTable, ReadOptions, Row, TableReading } from "../format-reader.ts";
import { hasDecimalComma } from "./angle.ts";
import { ACCURACY_PROPERTY, type CellGeometry } from "./cell.ts";
import { chooseGeometryColumns, type GeometryChoice } from "./choose-geometry.ts";
import { buildPlotsFromCorners, type CornerColumns, type CornerRow, findCornerColumns } from "./corners.ts";
import { createUniqueColumns, isBlank, isDeclared, type TableColumn } from "./header.ts";
import { createRowReader } from "./row-geometry.ts";
import { formatCell, type TableRow, type TableSource } from "./table-source.ts";

/** Rows that are looked at before anything is decided. */
export const LOOKED_AT = 100;

/** A table of rows, as CSV and workbooks have it: one reader for the geometries in both. */
export class RowsTable implements OpenTable {
  readonly format: string;
  readonly layer: string | undefined;
  readonly crs: undefined;
  readonly isPacked: boolean;
  readonly isText: boolean;
  readonly columns: readonly string[];
  readonly #columns: readonly TableColumn[];
  readonly #source: TableSource;
  readonly #first: Peeked;
  readonly #options: ReadOptions;
  #reading: TableReading | undefined;

  private constructor(source: TableSource, first: Peeked, options: ReadOptions) {
    this.format = source.format;
    this.layer = source.layer;
    this.isPacked = source.isPacked;
    this.isText = source.isText;
    this.#source = source;
    this.#first = first;
    this.#options = options;
    this.#columns = createUniqueColumns(
      source.header,
      first.rows.map(({ cells }) => cells),
    );
    this.columns = this.#columns.map(({ name }) => name);
  }

  /** Reads the first rows. */
  static async open(source: TableSource, options: ReadOptions): Promise<RowsTable> {
    const first = await peekFirstRows(source.rows, LOOKED_AT);
    return new RowsTable(withRowNumbers(source, first.rows), first, options);
  }

  get reading(): TableReading | undefined {
    return this.#reading;
  }

  /** Fails: as {@link chooseGeometryColumns}, {@link findCornerColumns} and {@link buildPlotsFromCorners}. */
  async *features(): AsyncGenerator<Feature, void, undefined> {
    const cells = this.#first.rows.map((row) => row.cells);
    const notGeometry = new Set(this.#options.otherColumns);
    const candidates = this.#columns.filter(({ name }) => !notGeometry.has(name) && !isDeclared(name));
    const choice = chooseGeometryColumns(candidates, cells, this.#options);
    const corners = this.#corners(choice, cells);
    this.#reading = this.#describeReading(choice, corners);
    const properties = this.#properties(choice);
    const toFeature = this.#featureReader(choice, properties);
    if (corners !== undefined) {
      yield* buildPlotsFromCorners(pairRowsWithFeatures(this.#first.all(), toFeature), corners, properties);
      return;
    }
    for await (const row of this.#first.all()) if (!isBlankRow(row)) yield toFeature(row);
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    for await (const { place, cells, fault } of this.#first.all()) {
      const byColumn = new Map<string, unknown>();
      for (const { name, index } of this.#columns) if (index < cells.length) byColumn.set(name, cells[index]);
      yield { place, cells: byColumn, fault: fault ?? this.#raggedness(cells) };
    }
  }

  async close(): Promise<void> {
    await this.#source.rows.return();
    await this.#source.close();
  }

  /** Rows whose geometry is a position may be corners of plots. */
  #corners(choice: GeometryChoice, cells: readonly (readonly unknown[])[]): CornerColumns | undefined {
    const { cornersOf, cornerOrder } = this.#options;
    const isNamed = cornersOf !== undefined || cornerOrder !== undefined;
    const { cell, position } = choice;
    const isPoints = cell === undefined || (cell.notation === "pair" && position === undefined);
    return isPoints || isNamed ? findCornerColumns(this.#columns, cells, this.#options) : undefined;
  }

  #describeReading(
    { cell, position, note }: GeometryChoice,
    corners: CornerColumns | undefined,
  ): TableReading {
    const ofCorners =
      corners === undefined
        ? []
        : [
            `rows are the corners of plots: one plot for each ${corners.id.name}${corners.order === undefined ? "" : `, its corners by ${corners.order.name}`}; to read each row as a plot, use --corners-of none`,
          ];
    return {
      notes: [...this.#source.notes, ...(note === undefined ? [] : [note]), ...ofCorners],
      options: {
        ...(this.layer !== undefined && { layer: this.layer }),
        ...(cell !== undefined && { wkt: cell.column.name }),
        ...(position !== undefined && { longitude: position.x.name, latitude: position.y.name }),
        ...(corners !== undefined && { cornersOf: corners.id.name }),
        ...(corners?.order !== undefined && { cornerOrder: corners.order.name }),
      },
    };
  }

  #properties({ cell, position }: GeometryChoice): readonly TableColumn[] {
    const ofGeometry = new Set([cell?.column, position?.x, position?.y]);
    return this.#columns.filter((column) => !ofGeometry.has(column));
  }

  /** Makes the function that makes a feature of a row. */
  #featureReader(choice: GeometryChoice, properties: readonly TableColumn[]): (row: TableRow) => Feature {
    const read = createRowReader(choice, this.#options);
    const hint = choice.position === undefined ? "" : describeCommaHint(this.#first.rows, choice.position);
    const nothing = this.isText ? "" : null;
    return ({ place, cells, fault: unread }) => {
      const ragged = unread ?? this.#raggedness(cells);
      const { geometry, crs, fault, accuracyMeters }: CellGeometry =
        ragged === undefined ? read(cells) : { geometry: null, fault: ragged };
      const values = new Map<string, unknown>();
      for (const { name, index } of properties) values.set(name, cells[index] ?? nothing);
      if (accuracyMeters !== undefined && !values.has(ACCURACY_PROPERTY))
        values.set(ACCURACY_PROPERTY, accuracyMeters);
      return {
        place: { feature: place.row, line: place.line },
        id: undefined,
        geometry,
        fault:
          hint === "" || fault?.code !== "GEOMETRY_INVALID"
            ? fault
            : { ...fault, message: `${fault.message}${hint}` },
        properties: values,
        crs,
      };
    };
  }

  /** A row may have more empty cells than the header, and fewer of columns without a name. */
  #raggedness(cells: readonly unknown[]): Row["fault"] {
    const { header } = this.#source;
    if (cells.length === header.length) return undefined;
    const more = cells.slice(header.length);
    const missing = header.slice(cells.length);
    if (!this.isText || (more.every(isBlank) && missing.every(isBlank))) return undefined;
    const message = `found ${cells.length} cells, expected ${header.length}, as in the header`;
    return { code: "ROW_RAGGED", message };
  }
}

/** A table in which each row begins with its number, for which the header has no cell, as R writes it. */
function withRowNumbers(source: TableSource, first: readonly TableRow[]): TableSource {
  const { header, isText } = source;
  const isNumbered =
    isText &&
    first.length > 0 &&
    first.every(
      ({ cells }, i) =>
        cells.length === header.length + 1 && cells[0] === String(i + 1) && !isBlank(cells.at(-1)),
    );
  if (!isNumbered) return source;
  const note = "the header has a name too few: rows begin with their numbers, which have none";
  return { ...source, header: ["", ...header], notes: [...source.notes, note] };
}

/** True if a table has a geometry that is found. */
export function hasGeometry(
  header: readonly string[],
  rows: readonly { readonly cells: readonly unknown[] }[],
  options: ReadOptions,
): boolean {
  const cells = rows.slice(0, LOOKED_AT).map((row) => row.cells);
  try {
    chooseGeometryColumns(createUniqueColumns(header, cells), cells, options);
    return true;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    // Several are too many for one table, and make it one with a geometry.
    return error.details.found?.startsWith("text with") !== true && error.code === "FORMAT_UNKNOWN";
  }
}

async function* pairRowsWithFeatures(
  rows: AsyncIterable<TableRow>,
  toFeature: (row: TableRow) => Feature,
): AsyncGenerator<CornerRow, void, undefined> {
  for await (const row of rows) if (!isBlankRow(row)) yield { row, feature: toFeature(row) };
}

/** True if a row has nothing but spaces, as spreadsheets write below their last. */
function isBlankRow({ cells, fault }: TableRow): boolean {
  return fault === undefined && cells.every(isBlank);
}

interface Peeked {
  readonly rows: readonly TableRow[];
  /** The rows from the first. What fails while the first are read fails once they were read. */
  readonly all: () => AsyncGenerator<TableRow, void, undefined>;
}

async function peekFirstRows(rows: TableSource["rows"], count: number): Promise<Peeked> {
  const first: TableRow[] = [];
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
  async function* all(): AsyncGenerator<TableRow, void, undefined> {
    yield* first;
    if (failure !== undefined) throw failure.error;
    yield* rows;
  }
  return { rows: first, all };
}

/** The advice about decimal commas, where the first rows agree that there are. */
function describeCommaHint(
  first: readonly TableRow[],
  { x, y }: NonNullable<GeometryChoice["position"]>,
): string {
  const texts = first.flatMap(({ cells }) => [x, y].map(({ index }) => formatCell(cells[index]).trim()));
  const numbers = texts.filter((text) => text !== "");
  const commas = numbers.filter(hasDecimalComma).length;
  // A whole number has no decimal sign.
  const isAgreed = commas > 0 && numbers.every((text) => hasDecimalComma(text) || /^[-+]?\d+$/.test(text));
  if (!isAgreed) return "";
  const rows = first.length === 1 ? "the first row has" : `the first ${first.length} rows have`;
  return `; ${rows} decimal commas: read the file with --decimal comma`;
}
