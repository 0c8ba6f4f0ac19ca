import { formatSuggestion } from "@groundrule/engine/internal";
import {
  AreaGeometry,
  FormatError,
  type RowOptions,
  readWkt,
  swapAxes,
  type TableReading,
  WktFault,
} from "@groundrule/formats";
import {
  columnNamed,
  countryColumns,
  detectAreaUnit,
  type IdentifierColumn,
  idColumns,
  idIn,
  isFactColumn,
  type MisnamedPlot,
  type PlotFeature,
  readFactColumns,
  statedAccuracy,
  statedArea,
  withIdentifiers,
} from "@groundrule/plots";
import type { UnreadPlot } from "./unread-plot.ts";

/** Columns of a file as the caller states them; absent: found by their names. */
export interface ColumnOptions {
  /** The column of the plots' ids. */
  readonly id?: string | undefined;
  /** Metres: plots whose receiver states a worse accuracy are errors; absent: none is. */
  readonly maxAccuracyMeters?: number | undefined;
  /** Columns by the name that they are to be read as: `Area`, `ProducerName`. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Columns of identifiers, besides those in `scheme`. */
  readonly identifiers?: readonly IdentifierColumn[] | undefined;
}

/** Columns of a file, for all of its plots: plain values, so that every worker and shard reads the same. */
export interface PlotColumns {
  /**
   * Origin of the ids: a column; the features themselves, else their property `id`; or the place in the file, if no
   * column distinguishes plots.
   */
  readonly id: NamedColumn | "feature" | "number";
  /** Columns by the name that they are read as. */
  readonly columns: Readonly<Record<string, string>>;
  /** Columns of identifiers, besides those in `scheme`; absent: none. */
  readonly identifiers?: readonly IdentifierColumn[];
  /** The column in which areas were found first, and its unit. */
  readonly area?: NamedColumn & {
    /** As people read it: ha, m². */
    readonly unit: string;
  };
  /** The column in which a country was found first. */
  readonly country?: NamedColumn & {
    /**
     * Example of its content if that has not the form of a code, such as the name of a country: then no code is read
     * from it.
     */
    readonly unread?: string;
  };
  /** The facts, and the members of documents, that the first plots declare; absent: none. */
  readonly facts?: readonly string[];
  /** A column that distinguishes plots as well, if the features' own ids count, as GeoPandas numbers them. */
  readonly otherId?: string;
  /** The format of the plots, if it differs from the file's ending: `Esri JSON`. */
  readonly readAs?: string;
  /** Where lines that are no features have their geometry, as the caller names it. */
  readonly row?: RowOptions;
  /** Where a table has its geometries; absent: the file is none. */
  readonly table?: TableReading;
  /** Metres: plots whose receiver states a worse accuracy are errors; absent: none is. */
  readonly maxAccuracyMeters?: number;
}

/** A column of a file. */
export interface NamedColumn {
  /** Its name, as the file writes it. */
  readonly column: string;
}

/** A plot as it was read, before it has its id. */
export interface NamelessPlot {
  readonly plot: Omit<PlotFeature, "id"> | Omit<UnreadPlot, "id">;
  /** The id of the feature itself. */
  readonly own: string | number | undefined;
  /** Its properties as found, also of a plot that cannot be read. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** True if people chose the id of the feature itself, and its values have types. */
  readonly isGeoJson: boolean;
  /** True for a placemark of KML, whose id is mostly a program's. */
  readonly isOfKml?: boolean;
  /** The format of the plot, where that is to be told: `Esri JSON`. */
  readonly readAs?: string;
  /** True if it must be answered alone, without waiting for later plots. */
  readonly isAlone?: boolean;
}

/** Plots that are examined to choose the columns of a file. */
const LOOKED_AT = 100;

/** Ids that are remembered, to detect repetitions: memory must not grow with the file. */
const REMEMBERED = 1_000_000;

/** The columns of plots that stand in no file, or of which nothing is known. */
export const PLAIN_COLUMNS: PlotColumns = { id: "feature", columns: {} };

/**
 * Plots with their ids. The first hundred plots determine the columns; if each is answered alone, as a line, the first
 * does. An id that comes again ends in `#` and the line of the plot, or its number.
 *
 * @param tell is handed the columns before the first plot
 *
 * Fails: `COLUMN_UNKNOWN` for a column that was asked for and is not there; as the plots.
 */
export async function* assignPlotIds(
  plots: AsyncIterable<NamelessPlot>,
  options: ColumnOptions,
  tell: (columns: PlotColumns) => void,
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  const seen = new Map<string, number>();
  let waiting: NamelessPlot[] | undefined = [];
  let columns = PLAIN_COLUMNS;
  const take = function* (): Generator<PlotFeature | UnreadPlot, void, undefined> {
    if (waiting === undefined) return;
    columns = chooseColumns(waiting, options);
    tell(columns);
    const ready = waiting;
    waiting = undefined;
    for (const plot of ready) yield ensureUniqueId(assignPlotId(plot, columns), seen, columns);
  };
  try {
    for await (const plot of plots) {
      if (waiting === undefined) {
        yield plot.isAlone === true
          ? assignPlotId(plot, columns)
          : ensureUniqueId(assignPlotId(plot, columns), seen, columns);
        continue;
      }
      waiting.push(plot);
      if (waiting.length === LOOKED_AT || isSettled(plot, options)) yield* take();
    }
  } catch (error) {
    // Plots before the fault are read.
    if (waiting !== undefined && waiting.length > 0) yield* take();
    throw error;
  }
  yield* take();
}

/** True if no later plot can change the choice of columns, so that it need not wait for them. */
function isSettled({ own, properties, isGeoJson, isAlone }: NamelessPlot, options: ColumnOptions): boolean {
  if (isAlone === true) return true;
  const { id, columns = {}, identifiers = [] } = options;
  const named = [
    ...(id === undefined ? [] : [id]),
    ...Object.values(columns),
    ...identifiers.map(({ column }) => column),
  ];
  if (!named.every((column) => Object.hasOwn(properties, column))) return false;
  if (id !== undefined || !isGeoJson) return id !== undefined;
  // A text under `id`, without a surer name, is an id that people chose: a number may be a row's.
  const [surest] = idColumns(Object.keys(properties));
  return own !== undefined || (surest?.column === "id" && typeof properties.id === "string");
}

/**
 * Chooses the columns of plots by the first of them. A column of ids is one whose name suggests it and whose values
 * distinguish these plots, or most of them; among several, the one whose name is surest.
 *
 * Fails: `COLUMN_UNKNOWN`.
 */
export function chooseColumns(first: readonly NamelessPlot[], options: ColumnOptions): PlotColumns {
  const names = new Set(first.flatMap(({ properties }) => Object.keys(properties)));
  const columns = Object.fromEntries(
    Object.entries(options.columns ?? {}).map(([name, column]) => [name, resolveColumnName(names, column)]),
  );
  const identifiers = (options.identifiers ?? []).map((each) => ({
    ...each,
    column: resolveColumnName(names, each.column),
  }));
  const id =
    options.id === undefined
      ? findPlotIdColumn(first, names)
      : { column: resolveColumnName(names, options.id) };
  const rows = first.map(({ properties }) => renameProperties(properties, columns));
  const own = (column: string): string => columns[column] ?? column;
  const area = findFirstResult(rows, statedArea);
  const country = findCountryColumn(rows);
  const facts = new Set(rows.flatMap(listFactColumns));
  const otherId = id === "feature" && areNumbered(first) ? findIdColumn(first, names) : undefined;
  const readAs = findFirstResult(first, (plot) => plot.readAs);
  return {
    id,
    columns,
    ...(identifiers.length > 0 && { identifiers }),
    ...(area !== undefined && { area: { column: own(area.column), unit: area.unit.name } }),
    ...(country !== undefined && { country: { ...country, column: own(country.column) } }),
    ...(facts.size > 0 && { facts: [...facts] }),
    ...(readAs !== undefined && { readAs }),
    ...(otherId !== undefined && { otherId }),
    ...(options.maxAccuracyMeters !== undefined && { maxAccuracyMeters: options.maxAccuracyMeters }),
  };
}

function listFactColumns(row: Readonly<Record<string, unknown>>): string[] {
  const { facts } = row;
  const named = typeof facts === "object" && facts !== null && !Array.isArray(facts) ? facts : {};
  return [...Object.keys(named), ...Object.keys(readFactColumns(row) ?? {})];
}

function findFirstResult<Row, Found>(
  rows: readonly Row[],
  find: (row: Row) => Found | undefined,
): Found | undefined {
  for (const row of rows) {
    const found = find(row);
    if (found !== undefined) return found;
  }
  return undefined;
}

const UNREAD_LENGTH = 40;

/** The first column with the form of a code in it, else the first with any text. */
function findCountryColumn(rows: readonly Readonly<Record<string, unknown>>[]): PlotColumns["country"] {
  const cells = rows.flatMap((row) =>
    countryColumns(Object.keys(row)).map((column) => ({ column, value: row[column] })),
  );
  const texts = cells.flatMap(({ column, value }) =>
    typeof value === "string" && value.trim() !== "" ? [{ column, unread: value.trim() }] : [],
  );
  const code = texts.find(({ unread }) => /^[a-z]{2,3}$/i.test(unread));
  if (code !== undefined) return { column: code.column };
  const [first] = texts;
  return first && { ...first, unread: first.unread.slice(0, UNREAD_LENGTH) };
}

/** A column of these by its name; the name itself if there are no rows to look at. */
function resolveColumnName(names: ReadonlySet<string>, options: string): string {
  const column = names.size === 0 ? options : columnNamed(names, options);
  if (column !== undefined) return column;
  const found = `no column "${options}"`;
  const columns = [...names];
  const expected = `one of ${columns.slice(0, 20).join(", ")}${formatSuggestion(options, columns)}`;
  throw new FormatError("COLUMN_UNKNOWN", `found ${found}, expected ${expected}`, {
    found,
    expected,
    columns,
  });
}

/** True if features are called by their place in the file, from 0 or 1, which nobody gave them. */
function areNumbered(first: readonly NamelessPlot[]): boolean {
  return [0, 1].some((from) => first.every(({ own }, i) => String(own) === String(i + from)));
}

/** The surest column whose values distinguish all of these plots. */
function findIdColumn(first: readonly NamelessPlot[], names: ReadonlySet<string>): string | undefined {
  return idColumns(names).find(({ column, isName }) => {
    const values = first.map(({ properties }) => idIn(properties[column]));
    return !isName && values.every((value) => value !== undefined) && new Set(values).size === first.length;
  })?.column;
}

/** Ids that programs give placemarks: `27` of simplekml, `0D9B27C8…` of Google Earth, `plots.1` of GDAL, `ID_00001` of ArcGIS. */
const MADE_ID = /^(?:[0-9a-f]{16,}|(?:id[_-]?)?\d+|\w+\.\d+)$/i;

function findPlotIdColumn(first: readonly NamelessPlot[], names: ReadonlySet<string>): PlotColumns["id"] {
  if (first.some(({ own, isGeoJson }) => isGeoJson && own !== undefined)) return "feature";
  const isNamed = first.some(
    ({ own, isOfKml, isAlone }) =>
      (typeof own === "string" && !(isOfKml === true && MADE_ID.test(own))) || isAlone === true,
  );
  const candidates = idColumns(names).filter(({ isName }) => !isName || !isNamed);
  let best: { readonly column: string; readonly faults: number } | undefined;
  for (const { column, isName } of candidates) {
    const values = first.map(({ properties }) => idIn(properties[column]));
    const distinct = new Set(values.filter((value) => value !== undefined).map(String)).size;
    const faults = first.length - distinct;
    if (faults === 0) return { column };
    if (!isName && faults <= first.length / 2 && faults < (best?.faults ?? Number.POSITIVE_INFINITY)) {
      best = { column, faults };
    }
  }
  if (best !== undefined) return { column: best.column };
  return candidates.some(({ isName }) => !isName) ? "number" : "feature";
}

/** A plot with its id and its properties by the names that they are read as. */
export function assignPlotId(
  nameless: NamelessPlot,
  { id: from, columns, identifiers, maxAccuracyMeters }: PlotColumns,
): PlotFeature | UnreadPlot {
  const { plot, own, properties, isGeoJson } = nameless;
  const { number, line } = plot;
  let id: string | number | undefined;
  let misnamed: MisnamedPlot | undefined;
  if (typeof from === "object") {
    id = idIn(properties[from.column]) ?? (isGeoJson ? own : undefined);
    if (id === undefined) {
      id = `#${line ?? number}`;
      misnamed = { column: from.column };
    }
  } else {
    id = own ?? (isGeoJson && from === "feature" ? idIn(properties.id) : undefined) ?? number;
  }
  if ("error" in plot) return { ...plot, id };
  if (maxAccuracyMeters !== undefined) {
    const error = findAccuracyError(plot.properties, maxAccuracyMeters);
    if (error !== undefined) return { number, id, ...(line !== undefined && { line }), error };
  }
  const named = renameProperties(plot.properties, columns);
  const scheme = identifiers && withIdentifiers(named.scheme, properties, identifiers);
  return {
    ...plot,
    id,
    ...(misnamed !== undefined && { misnamed }),
    properties: scheme === undefined ? named : { ...named, scheme },
  };
}

/** The error of a plot whose position is less accurate than is allowed. */
function findAccuracyError(
  properties: PlotFeature["properties"],
  most: number,
): UnreadPlot["error"] | undefined {
  const stated = statedAccuracy(properties);
  if (stated === undefined || stated.meters <= most) return undefined;
  const message = `column "${stated.column}": found an accuracy of ${stated.meters} m, expected at most ${most} m (--max-accuracy-m)`;
  return { code: "ACCURACY_TOO_LOW", message };
}

function renameProperties(
  properties: Readonly<Record<string, unknown>>,
  columns: PlotColumns["columns"],
): Readonly<Record<string, unknown>> {
  const options = Object.entries(columns);
  if (options.length === 0) return properties;
  const taken = new Set(options.flat());
  return Object.fromEntries([
    ...options.flatMap(([name, column]) =>
      Object.hasOwn(properties, column) ? [[name, properties[column]] as const] : [],
    ),
    ...Object.entries(properties).filter(([name]) => !taken.has(name)),
  ]);
}

/** A plot whose id no earlier one has. */
function ensureUniqueId(
  plot: PlotFeature | UnreadPlot,
  seen: Map<string, number>,
  { id: from }: PlotColumns,
): PlotFeature | UnreadPlot {
  const { id, number, line } = plot;
  const first = seen.get(String(id));
  if (first === undefined) {
    if (seen.size < REMEMBERED) seen.set(String(id), number);
    return plot;
  }
  const own = `${id}#${line ?? number}`;
  if ("error" in plot) return { ...plot, id: own };
  const column = typeof from === "object" ? from.column : "id";
  return { ...plot, id: own, misnamed: { column, value: id, first } };
}

/**
 * CSV has text only, and most formats hold what is nested as text: the members that are looked at, as GeoJSON has them.
 *
 * @param crs of the plot; undefined: longitude and latitude
 */
export function parseNestedProperties(
  properties: Record<string, unknown>,
  columns: Readonly<Record<string, string>>,
  decimal: "comma" | undefined,
  crs?: string,
): Record<string, unknown> {
  const typed = { ...properties };
  const options = new Map(Object.entries(columns).map(([name, column]) => [column, name]));
  for (const [column, value] of Object.entries(properties)) {
    if (typeof value !== "string") continue;
    const name = options.get(column) ?? column;
    const isNumber = detectAreaUnit(name) !== undefined || detectAreaUnit(column) !== undefined;
    const isFact = decimal !== undefined && isFactColumn(name);
    const number = isNumber || isFact ? parsePlainOrCommaNumber(value.trim(), decimal) : undefined;
    if (number !== undefined) typed[column] = number;
    if ((name === "scheme" || name === "facts") && /^\s*[{[]/.test(value))
      typed[column] = parseJsonOrText(value);
    if (name === "property") typed[column] = propertyIn(value, crs);
  }
  return typed;
}

const WKT = /^(?:SRID=\d+;\s*)?(?:MULTI)?POLYGON/i;

/**
 * The text of a property as GeoJSON, of GeoJSON or WKT; one that is none, or in another CRS than the plot, stays as it is,
 * and is refused where it is read.
 *
 * @param text one geometry
 * @param crs of the plot; undefined: longitude and latitude
 */
export function propertyIn(text: string, crs?: string): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) return parseJsonOrText(trimmed);
  if (!WKT.test(trimmed)) return text;
  try {
    const { geometry, srid } = readWkt(trimmed);
    if (srid !== undefined && srid !== 0 && `EPSG:${srid}` !== (crs ?? "EPSG:4326")) return text;
    return geometry instanceof AreaGeometry ? geometry.toGeoJson() : (geometry ?? text);
  } catch (error) {
    if (error instanceof WktFault) return text;
    throw error;
  }
}

/** Properties whose property, under the name that its column has, stands latitude first, the other way about. */
export function withSwappedProperty(
  properties: Readonly<Record<string, unknown>>,
  column = "property",
): Readonly<Record<string, unknown>> {
  const property = properties[column];
  return typeof property === "object" && property !== null
    ? { ...properties, [column]: swapAxes(property) }
    : properties;
}

function parsePlainOrCommaNumber(text: string, decimal: "comma" | undefined): number | undefined {
  if (/^[0-9]+(?:\.[0-9]+)?$/.test(text) && decimal === undefined) return Number(text);
  if (decimal === undefined || !/^(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+)(?:,[0-9]+)?$/.test(text))
    return undefined;
  return Number(text.replaceAll(".", "").replace(",", "."));
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
