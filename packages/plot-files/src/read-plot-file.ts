import {
  AreaGeometry,
  type Feature,
  FeatureSplitter,
  FormatError,
  type LocalFile,
  type OpenTable,
  openStream,
  openTable,
  type ReadOptions,
  type SplitValue,
  tellFormat,
  unpack,
} from "@groundrule/formats";
import type { PlotFeature } from "@groundrule/plots";
import {
  crsName,
  type GeoJsonObject,
  PLOT_LIMITS,
  swapped,
  toPlot,
  type UnreadPlot,
} from "./geojson-plot.ts";
import { joined } from "./joined.ts";
import { isOnePlotALine, readLines } from "./plot-lines.ts";

/** How much of the beginning is looked at to tell lines from one document. */
const SNIFFED_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * Reads the plots of a file that was opened, or of a stream, in every format. Memory is bounded by the largest plot.
 *
 * A plot's id is `feature.id`, else `properties.id`, else its line number (in one document, its number). In formats
 * that number their features `properties.id` goes first. One that cannot be read is an error of its own, and the next
 * is read; a document that is broken ends there.
 *
 * @param input a file, which stays open, or a stream, which is read once
 * @param options what the file itself does not tell
 *
 * Fails: `FormatError` for a file that cannot be read; what the stream throws.
 */
export async function* readPlotFile(
  input: LocalFile | AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  const { form, bytes, file } = await tellPlots(input, options);
  if (form !== "table") {
    const plots = form === "lines" ? readLines(bytes) : readDocument(bytes);
    for await (const plot of plots) yield options.swapAxes === true ? swapped(plot) : plot;
    return;
  }
  const of = { ...options, limits: { ...options.limits, ...PLOT_LIMITS } };
  if (file !== undefined) await bytes.return();
  const table = file !== undefined ? await openTable(file, of) : await openStream(bytes, of);
  try {
    for await (const feature of table.features()) yield ofFeature(feature, table);
  } finally {
    await table.close();
  }
}

/** Plots that were not read yet, but for their beginning. */
export interface ToldPlots {
  /** A plot a line, one GeoJSON document, or a table of another format. */
  readonly form: "lines" | "document" | "table";
  /** All their bytes, unpacked. */
  readonly bytes: AsyncGenerator<Uint8Array, void, undefined>;
  /** The file, where these are its bytes as they stand. */
  readonly file?: LocalFile;
}

/**
 * Tells the form of plots by how they begin.
 *
 * Fails: `FormatError` for what cannot be unpacked; what reading the input throws.
 */
export async function tellPlots(
  input: LocalFile | AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<ToldPlots> {
  const file = Symbol.asyncIterator in input ? undefined : input;
  const iterator = (file?.stream() ?? (input as AsyncIterable<Uint8Array>))[Symbol.asyncIterator]();
  const first = await readFirstLine(iterator);
  const bytes = resume(first, iterator);
  const told = tellFormat(first.subarray(0, SNIFFED_BYTES)).kind;
  if (told === "gzip") return tellPlots((await unpack(bytes, undefined)).bytes, options);
  const of = file === undefined ? {} : { file };
  if ((told !== "json" && told !== "empty") || !isPlainJson(first, options)) {
    return { form: "table", bytes, ...of };
  }
  const isLines = isOnePlotALine(first, first.length < SNIFFED_BYTES);
  return { form: isLines ? "lines" : "document", bytes, ...of };
}

/** Plots up to where their document is broken, which is told as the last of them; one that is no document fails. */
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

function ofFeature(feature: Feature, { format, isText }: OpenTable): PlotFeature | UnreadPlot {
  const isGeoJson = format === "geojson";
  const { place, fault, crs } = feature;
  // An empty cell of CSV is none.
  const members = [...feature.properties].map(([name, value]) => [
    name,
    isText === true && value === "" ? null : value,
  ]);
  const properties = Object.fromEntries(members) as Record<string, unknown>;
  const own = [feature.id, labelOf(properties.id)];
  const number = place.feature;
  const id = (isGeoJson ? own : own.reverse()).find((known) => known !== undefined) ?? number;
  const line = place.line === undefined ? {} : { line: place.line };
  if (fault !== undefined) return { number, id, ...line, error: fault };
  const { geometry } = feature;
  return {
    number,
    id,
    ...line,
    geometry: geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry,
    properties: isGeoJson ? properties : withNumbers(properties),
    ...(crs !== undefined && { crs }),
  };
}

function labelOf(id: unknown): string | number | undefined {
  return (typeof id === "string" && id !== "") || typeof id === "number" ? id : undefined;
}

/** CSV has text only, and most formats hold what is nested as text: the members that are looked at, as GeoJSON has them. */
function withNumbers(properties: Record<string, unknown>): Record<string, unknown> {
  const { Area: area, scheme } = properties;
  const isNumber = typeof area === "string" && /^[0-9]+(?:\.[0-9]+)?$/.test(area);
  const isNested = typeof scheme === "string" && /^\s*[{[]/.test(scheme);
  return {
    ...properties,
    ...(isNumber && { Area: Number(area) }),
    ...(isNested && { scheme: parsed(scheme) }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** No more than what came with the first line: the next may be long in coming. */
async function readFirstLine(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let begun = false;
  while (length < SNIFFED_BYTES) {
    const next = await iterator.next();
    if (next.done === true) break;
    const chunk = next.value;
    chunks.push(chunk);
    length += chunk.length;
    const from: number = begun ? 0 : chunk.findIndex((byte) => byte > SPACE);
    begun ||= from !== -1;
    if (begun && chunk.indexOf(NEWLINE, from) !== -1) break;
  }
  return joined(chunks);
}

async function* resume(
  first: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}

async function* readDocument(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<PlotFeature, void, undefined> {
  let crs: string | undefined;
  const read = (piece: SplitValue): PlotFeature | undefined => {
    if (piece.part === "head") crs = crsName(piece.value as GeoJsonObject);
    if (piece.part === "feature") return toPlot(piece, piece.place.feature!, crs);
    if (piece.part === "text")
      return { ...toPlot(piece, piece.place.line, undefined), line: piece.place.line };
    return undefined;
  };
  const splitter = new FeatureSplitter(read, PLOT_LIMITS);
  for await (const chunk of bytes) yield* splitter.push(chunk);
  splitter.end();
}
