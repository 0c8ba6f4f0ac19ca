import {
  AreaGeometry,
  crsOfCollection,
  detectFormat,
  type Feature,
  FeatureSplitter,
  FormatError,
  type LocalFile,
  type OpenTable,
  openStream,
  openTable,
  type ReadOptions,
  type SplitValue,
  unpack,
  withLateCrs,
  withNeeded,
} from "@groundrule/formats";
import type { PlotFeature } from "@groundrule/plots";
import { PLOT_LIMITS, swapped, toPlot } from "./geojson-plot.ts";
import { joinChunks } from "./joined.ts";
import {
  assignPlotIds,
  type ColumnOptions,
  type NamelessPlot,
  type PlotColumns,
  parseNestedProperties,
  withSwappedProperty,
} from "./plot-columns.ts";
import { chooseLineColumns, isOnePlotALine, readPlotLines } from "./plot-lines.ts";
import type { UnreadPlot } from "./unread-plot.ts";

/** Bytes of the beginning that are examined to distinguish lines from one document. */
const SNIFFED_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * Reads the plots of a file that was opened, or of a stream, in every format. Memory is bounded by the largest plot.
 *
 * A plot's id is `feature.id` of GeoJSON, else what its column of ids has, which is told by its name and the first
 * plots, else its line number (in one document, its number). One that cannot be read is an error of its own, and the
 * next is read; a document that is broken ends there.
 *
 * @param input a file, which stays open, or a stream, which is read once
 * @param options what the file itself does not tell
 * @param tell is handed what the columns of the file are, before the first plot
 *
 * Fails: `FormatError` for a file that cannot be read; what the stream throws.
 */
export async function* readPlotFile(
  input: LocalFile | AsyncIterable<Uint8Array>,
  options: PlotReadOptions = {},
  tell: (columns: PlotColumns) => void = () => {},
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  const { form, bytes, file, columns } = await detectPlots(input, options);
  if (form !== "table") {
    if (columns !== undefined) tell(columns);
    const plots =
      columns !== undefined
        ? readPlotLines(bytes, columns)
        : assignPlotIds(readDocumentPlots(bytes, file, options), options, tell);
    for await (const plot of plots) yield options.swapAxes === true ? swapped(plot) : plot;
    return;
  }
  const { columns: chosen = {}, identifiers = [] } = options;
  const otherColumns = [...Object.values(chosen), ...identifiers.map(({ column }) => column)];
  const of = { ...options, otherColumns, limits: { ...options.limits, ...PLOT_LIMITS } };
  if (file !== undefined) await bytes.return();
  const table = file !== undefined ? await openTable(file, of) : await openStream(bytes, of);
  try {
    const reportColumns = (columns: PlotColumns): void =>
      tell(table.reading === undefined ? columns : { ...columns, table: table.reading });
    yield* assignPlotIds(readTablePlots(table, options), options, reportColumns);
  } finally {
    await table.close();
  }
}

/** Options that describe a file of plots beyond its bytes; absent: found in the file. */
export type PlotReadOptions = ReadOptions & ColumnOptions;

/** Plots that were not read yet, but for their beginning. */
export interface DetectedPlots {
  /** A plot a line, one GeoJSON document, or a table of another format. */
  readonly form: "lines" | "document" | "table";
  /** Columns of the lines, for lines. */
  readonly columns?: PlotColumns;
  /** All their bytes, unpacked. */
  readonly bytes: AsyncGenerator<Uint8Array, void, undefined>;
  /** The file, where these are its bytes as they stand. */
  readonly file?: LocalFile;
}

/**
 * Detects the form of plots by how they begin.
 *
 * Fails: `FormatError` for what cannot be unpacked, and `COLUMN_UNKNOWN` of lines; what reading the input throws.
 */
export async function detectPlots(
  input: LocalFile | AsyncIterable<Uint8Array>,
  options: PlotReadOptions,
): Promise<DetectedPlots> {
  const file = Symbol.asyncIterator in input ? undefined : input;
  const iterator = (file?.stream() ?? (input as AsyncIterable<Uint8Array>))[Symbol.asyncIterator]();
  const first = await readFirstLine(iterator, SNIFFED_BYTES);
  const bytes = streamFromStart(first, iterator);
  const kind = detectFormat(first.subarray(0, SNIFFED_BYTES)).kind;
  if (kind === "gzip") return detectPlots((await unpack(bytes, undefined)).bytes, options);
  const of = file === undefined ? {} : { file };
  if ((kind !== "json" && kind !== "empty") || !isPlainJson(first, options)) {
    return { form: "table", bytes, ...of };
  }
  if (!isOnePlotALine(first, first.length < SNIFFED_BYTES)) return { form: "document", bytes, ...of };
  const line = await readFirstLine(iterator, PLOT_LIMITS.featureBytes, first);
  const columns = await withNeeded(() => chooseLineColumns(line, options));
  return { form: "lines", columns, bytes: streamFromStart(line, iterator), ...of };
}

/**
 * Plots up to where their document is broken, which is reported as the last of them; a text that is not a document
 * fails.
 */
export async function* untilBroken(
  plots: AsyncIterable<PlotFeature | UnreadPlot>,
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  let count = 0;
  try {
    for await (const plot of plots) {
      count++;
      yield plot;
    }
  } catch (error) {
    if (!(error instanceof FormatError) || count === 0) throw error;
    yield { number: count + 1, id: count + 1, error: { code: error.code, message: error.message } };
  }
}

/** GeoJSON in UTF-8, whose plots may have a line each. */
function isPlainJson(first: Uint8Array, { format, encoding = "utf-8" }: ReadOptions): boolean {
  const isUtf16 = first[0] === 0xff || first[0] === 0xfe;
  return !isUtf16 && (format === undefined || format === "geojson") && /^utf-?8$/i.test(encoding);
}

async function* readTablePlots(
  table: OpenTable,
  options: PlotReadOptions,
): AsyncGenerator<NamelessPlot, void, undefined> {
  for await (const feature of table.features()) yield toNamelessPlot(feature, table, options);
}

function toNamelessPlot(
  feature: Feature,
  { format, isText }: OpenTable,
  options: PlotReadOptions,
): NamelessPlot {
  const isGeoJson = format === "geojson";
  const { place, fault, crs, notes } = feature;
  // An empty cell of CSV is none.
  const members = [...feature.properties].map(([name, value]) => [
    name,
    isText === true && value === "" ? null : value,
  ]);
  const properties = Object.fromEntries(members) as Record<string, unknown>;
  const number = place.feature;
  const line = place.line === undefined ? {} : { line: place.line };
  const of = { own: feature.id, properties, isGeoJson, ...(format === "kml" && { isOfKml: true }) };
  if (fault !== undefined) return { ...of, plot: { number, ...line, error: fault } };
  const { geometry } = feature;
  const { columns = {}, decimal } = options;
  const typed = isGeoJson ? properties : parseNestedProperties(properties, columns, decimal, crs);
  return {
    ...of,
    plot: {
      number,
      ...line,
      geometry: geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry,
      properties: options.swapAxes === true ? withSwappedProperty(typed, columns.property) : typed,
      ...(crs !== undefined && { crs }),
      ...(notes !== undefined && { notes }),
      ...(format === "shapefile" && { isClockwise: true }),
    },
  };
}

/**
 * No more than what came with the first line: the next may be long in coming.
 *
 * @param most bytes after which no more are read
 * @param read what was read of it before
 */
async function readFirstLine(
  iterator: AsyncIterator<Uint8Array>,
  most: number,
  read?: Uint8Array,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let begun = false;
  const take = (chunk: Uint8Array): boolean => {
    chunks.push(chunk);
    length += chunk.length;
    const from: number = begun ? 0 : chunk.findIndex((byte) => byte > SPACE);
    begun ||= from !== -1;
    return begun && chunk.indexOf(NEWLINE, from) !== -1;
  };
  let isWhole = read !== undefined && take(read);
  while (!isWhole && length < most) {
    const next = await iterator.next();
    if (next.done === true) break;
    isWhole = take(next.value);
  }
  return joinChunks(chunks);
}

async function* streamFromStart(
  first: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}

/** @param file the file that has just these bytes */
async function* readDocumentPlots(
  bytes: AsyncIterable<Uint8Array>,
  file: LocalFile | undefined,
  options: PlotReadOptions,
): AsyncGenerator<NamelessPlot, void, undefined> {
  const late = await withLateCrs(bytes, { limits: { ...options.limits, ...PLOT_LIMITS }, file });
  let crs = late.crs;
  const read = (piece: SplitValue): NamelessPlot | undefined => {
    const { part, value, place } = piece;
    const isNull = part === "head" && (value as { readonly crs?: unknown }).crs === null;
    if (part === "head" && !isNull) crs = crsOfCollection(value, place) ?? crs;
    if (part === "feature") return toPlot(piece, place.feature!, crs, options);
    if (part === "text") {
      const { line } = place;
      const alone = toPlot(piece, line, undefined, options);
      return { ...alone, plot: { ...alone.plot, line }, isAlone: true };
    }
    return undefined;
  };
  try {
    const splitter = new FeatureSplitter((piece) => withNeeded(() => read(piece)), PLOT_LIMITS);
    for await (const chunk of late.bytes) {
      for (const reading of splitter.push(chunk)) {
        const plot = reading instanceof Promise ? await reading : reading;
        if (plot !== undefined) yield plot;
      }
    }
    splitter.end();
  } finally {
    await late.close();
  }
}
