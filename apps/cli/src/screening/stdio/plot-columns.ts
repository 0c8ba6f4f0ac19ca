import { findNearestName } from "@groundrule/engine/internal/json";
import { AreaGeometry, FormatError, readEwkbSrid, readWkb, readWkt, WktFault } from "@groundrule/formats";
import type { UnreadPlot } from "@groundrule/plot-files";
import { propertyIn, readPlotText } from "@groundrule/plot-files";
import { type IdentifierColumn, type PlotFeature, withIdentifiers } from "@groundrule/plots";
import { DataType, type RecordBatch, type Schema, Type, type Vector } from "apache-arrow";

const isText = (type: DataType) => DataType.isUtf8(type) || DataType.isLargeUtf8(type);
const isBytes = (type: DataType) => DataType.isBinary(type) || DataType.isLargeBinary(type);
const isNumber = (type: DataType) => DataType.isFloat(type) || DataType.isInt(type);

interface ColumnSpec {
  readonly expected: string;
  readonly fits: (type: DataType) => boolean;
  readonly required?: true;
}

/** The known columns of plots, by name. */
const COLUMNS = {
  id: { expected: "utf8 or large_utf8", fits: isText, required: true },
  geometry: {
    expected: "utf8, large_utf8, binary or large_binary",
    fits: (type) => isText(type) || isBytes(type),
    required: true,
  },
  area_ha: { expected: "a number", fits: isNumber },
  country: { expected: "utf8 or large_utf8", fits: isText },
  crs: { expected: "utf8 or large_utf8", fits: isText },
  scheme: { expected: "utf8 or large_utf8, JSON", fits: isText },
  facts: { expected: "utf8 or large_utf8, JSON", fits: isText },
  property: { expected: "utf8 or large_utf8, WKT or GeoJSON", fits: isText },
} as const satisfies Readonly<Record<string, ColumnSpec>>;

/** The names of the known columns; programs that send plots read them from a file that is written from here. */
export const PLOT_COLUMN_NAMES: readonly string[] = Object.keys(COLUMNS);

/** A column of identifiers whose name is not in {@link COLUMNS}. */
const OF_IDENTIFIERS: ColumnSpec = {
  expected: "utf8, large_utf8 or a number",
  fits: (type) => isText(type) || isNumber(type),
  required: true,
};

function buildColumnSpecs(identifiers: readonly IdentifierColumn[]): ReadonlyMap<string, ColumnSpec> {
  const named = new Set(identifiers.map(({ column }) => column));
  return new Map([
    ...[...named].map((name) => [name, OF_IDENTIFIERS] as const),
    ...Object.entries<ColumnSpec>(COLUMNS).map(
      ([name, spec]) => [name, named.has(name) ? { ...spec, required: true as const } : spec] as const,
    ),
  ]);
}

/**
 * Checks that a stream has the columns of plots, those of identifiers named on the command line, and no other.
 *
 * Fails: `FORMAT_UNSUPPORTED` with the column at fault.
 */
export function checkPlotColumns(schema: Schema, identifiers: readonly IdentifierColumn[]): void {
  const columns = buildColumnSpecs(identifiers);
  const names = [...columns.keys()];
  const seen = new Set<string>();
  for (const { name: fieldName, type } of schema.fields) {
    const name = String(fieldName); // a damaged field has none
    const spec = columns.get(name);
    if (spec === undefined) {
      const nearest = findNearestName(name, names);
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      throw unsupportedFormatError(
        `the column ${JSON.stringify(name)}`,
        `columns among ${names.join(", ")}${hint}`,
      );
    }
    if (seen.has(name)) throw unsupportedFormatError(`the column ${name} twice`, "it once");
    seen.add(name);
    const { fits, expected } = spec;
    if (!fits(type))
      throw unsupportedFormatError(`${Type[type.typeId]} as the type of the column ${name}`, expected);
  }
  for (const [name, { required, expected }] of columns) {
    if (required === true && !seen.has(name))
      throw unsupportedFormatError(`no column ${name}`, `one of ${expected}`);
  }
}

/** The plots of one batch, by row; the columns are already checked. */
export class PlotRows {
  /** How many there are. */
  readonly count: number;
  readonly #columns: ReadonlyMap<string, Vector>;
  readonly #identifiers: readonly IdentifierColumn[];

  /** @param identifiers columns of identifiers in addition to `scheme` */
  constructor(batch: RecordBatch, identifiers: readonly IdentifierColumn[] = []) {
    this.count = batch.numRows;
    this.#identifiers = identifiers;
    this.#columns = new Map(
      [...buildColumnSpecs(identifiers).keys()].flatMap((name) => {
        const column = batch.getChild(name);
        return column === null ? [] : [[name, column]];
      }),
    );
  }

  /** The id of a plot; null if it has none. */
  id(row: number): string | null {
    return this.#value("id", row) as string | null;
  }

  /**
   * A plot as from a file of plots, or the reason why it cannot be read.
   *
   * @param number its number in errors
   */
  plot(row: number, number: number): PlotFeature | UnreadPlot {
    const id = this.id(row);
    if (id === null) {
      const message = "found null in the column id, expected a text that names the plot";
      return createUnreadPlot(number, "VALIDATION_FAILED", message, "/id");
    }
    const read = this.#geometry(row, number);
    if ("error" in read) return { ...read, id };
    const crs = (this.#value("crs", row) as string | null) ?? read.crs;
    const named = { ...read.properties, ...this.#properties(row, crs) };
    const properties = this.#withIdentifiers(named, row);
    return { ...read, id, number, properties, ...(crs !== undefined && { crs }) };
  }

  #geometry(row: number, number: number): PlotFeature | UnreadPlot {
    const value = this.#value("geometry", row) as string | Uint8Array | null;
    const none = { number, id: number, geometry: null, properties: {} };
    if (value === null) return none;
    if (typeof value !== "string") return value.length === 0 ? none : addWkbGeometry(value, none);
    const text = value.trim();
    if (text === "") return none;
    if (text.startsWith("{")) return readPlotText(Buffer.from(text), number, "column geometry");
    return addWktGeometry(text, none);
  }

  #properties(row: number, crs: string | undefined): Record<string, unknown> {
    const area = this.#value("area_ha", row) as number | bigint | null;
    const country = this.#value("country", row) as string | null;
    const scheme = this.#value("scheme", row) as string | null;
    const facts = this.#value("facts", row) as string | null;
    const property = this.#value("property", row) as string | null;
    return {
      ...(area !== null && { Area: Number(area) }),
      ...(country !== null && { country }),
      ...(scheme !== null && { scheme: parseJsonOrText(scheme) }),
      ...(facts !== null && toFactColumns(parseJsonOrText(facts))),
      ...(property !== null && { property: propertyIn(property, crs) }),
    };
  }

  #withIdentifiers(properties: Record<string, unknown>, row: number): Record<string, unknown> {
    if (this.#identifiers.length === 0) return properties;
    const cells = Object.fromEntries(
      this.#identifiers.map(({ column }) => [column, this.#value(column, row)]),
    );
    const scheme = withIdentifiers(properties.scheme, cells, this.#identifiers);
    return scheme === undefined ? properties : { ...properties, scheme };
  }

  #value(name: string, row: number): unknown {
    return this.#columns.get(name)?.get(row) ?? null;
  }
}

/** A map has one type, so it holds texts for all facts: they are parsed like those of columns. */
function toFactColumns(facts: unknown): Record<string, unknown> {
  if (typeof facts !== "object" || facts === null || Array.isArray(facts)) return { facts };
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`fact:${name}`, value]));
}

function addWkbGeometry(bytes: Uint8Array, plot: PlotFeature): PlotFeature | UnreadPlot {
  try {
    const geometry = toPlainGeometry(readWkb(bytes));
    const srid = readEwkbSrid(bytes) ?? 0;
    // Longitude and latitude are sent as no CRS, like those of WKB without a SRID.
    return { ...plot, geometry, ...(srid > 0 && srid !== 4326 && { crs: `EPSG:${srid}` }) };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return createUnreadPlot(plot.number, "GEOMETRY_INVALID", `column geometry, WKB: ${error.message}`);
  }
}

function addWktGeometry(text: string, plot: PlotFeature): PlotFeature | UnreadPlot {
  try {
    const { geometry, srid } = readWkt(text);
    return {
      ...plot,
      geometry: toPlainGeometry(geometry),
      ...(srid !== undefined && srid > 0 && { crs: `EPSG:${srid}` }),
    };
  } catch (error) {
    if (!(error instanceof WktFault)) throw error;
    return createUnreadPlot(plot.number, "GEOMETRY_INVALID", `column geometry: ${error.message}`);
  }
}

function toPlainGeometry(geometry: unknown): unknown {
  return geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
}

/** Parses JSON; any other text is returned unchanged, and rejected by its reader. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function createUnreadPlot(number: number, code: string, message: string, pointer = "/geometry"): UnreadPlot {
  return { number, id: number, error: { code, message, faults: [{ pointer, code, message }] } };
}

function unsupportedFormatError(found: string, expected: string): FormatError {
  return new FormatError("FORMAT_UNSUPPORTED", `found ${found}, expected ${expected}`, { found, expected });
}
