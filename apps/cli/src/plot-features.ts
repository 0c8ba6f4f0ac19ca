import {
  AreaGeometry,
  type Feature,
  FeatureSplitter,
  FormatError,
  type OpenTable,
  openStream,
  openTable,
  type ReadOptions,
  type SplitterLimits,
  type SplitValue,
  swapAxes,
  tellFormat,
  unpack,
} from "@groundrule/formats";
import type { PlotFeature } from "@groundrule/plots";
import type { Arguments } from "./arguments.ts";
import type { LineError } from "./line-error.ts";
import { type Input, isFile, openInput } from "./open-input.ts";
import { readOptions } from "./read-options.ts";
import type { Terminal } from "./terminal.ts";

/** A plot that cannot be read, in its place among the others. */
export interface UnreadPlot {
  readonly number: number;
  readonly id: string | number;
  readonly line?: number;
  readonly error: LineError;
}

/** One plot at most; a geometry may hold 100,000 positions, which is some 4 MB. */
const PLOT_LIMITS: SplitterLimits = { featureBytes: 64 * 1024 * 1024, depth: 64 };

/** How much of the beginning is looked at to tell lines from one document. */
const SNIFFED_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * Reads the plots of the file that the command line names, or of standard input, in every format. Memory is bounded by
 * the largest plot.
 *
 * A plot's id is `feature.id`, else `properties.id`, else its line number (in one document, its number). In formats
 * that number their features `properties.id` goes first. One that cannot be read is an error of its own, and the next
 * is read; a document that is broken ends there.
 *
 * Fails: {@link FormatError} for a file that cannot be read; as {@link openInput}.
 */
export async function* readPlotFeatures(
  args: Arguments,
  terminal: Terminal,
  path: string | undefined = args.operands[0],
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  const options = readOptions(args);
  const input = await openInput(path, terminal, options.layer);
  try {
    yield* readPlotFile(input, options);
  } finally {
    if (isFile(input)) await input.close();
  }
}

/** As {@link readPlotFeatures}, of a file that was opened already or a stream. */
export async function* readPlotFile(
  input: Input | AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  const limits = { ...options.limits, ...PLOT_LIMITS };
  const isNamed = Symbol.asyncIterator in input === false;
  const bytes = isNamed ? input.stream() : (input as AsyncIterable<Uint8Array>);
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await readFirstLine(iterator);
  const all = resume(first, iterator);
  const told = tellFormat(first.subarray(0, SNIFFED_BYTES)).kind;
  if (told === "gzip") {
    yield* readPlotFile((await unpack(all, undefined)).bytes, options);
  } else if ((told === "json" || told === "empty") && isPlainJson(first, options)) {
    const plots = isOnePlotALine(first) ? readLines(all) : readDocument(all);
    yield* options.swapAxes === true ? swapped(plots) : plots;
  } else {
    const of = { ...options, limits };
    if (isNamed) await iterator.return?.();
    const table = isNamed ? await openTable(input, of) : await openStream(all, of);
    try {
      for await (const feature of table.features()) yield ofFeature(feature, table);
    } finally {
      await table.close();
    }
  }
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

async function* swapped(
  plots: AsyncIterable<PlotFeature | UnreadPlot>,
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  for await (const plot of plots)
    yield "error" in plot ? plot : { ...plot, geometry: swapAxes(plot.geometry) };
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
  return Buffer.concat(chunks);
}

async function* resume(
  first: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}

/**
 * One plot a line: the first line is closed where it ends, and is no FeatureCollection. A first line
 * too long to be seen whole is a plot, unless it begins as a FeatureCollection.
 */
function isOnePlotALine(first: Uint8Array): boolean {
  const text = new TextDecoder().decode(first).replace(/^[\u{feff}\s]+/u, "");
  const end = text.search(/[\r\n]/);
  const line = (end === -1 ? text : text.slice(0, end)).trimEnd();
  const collection = /"type"\s*:\s*"FeatureCollection"|"features"\s*:\s*\[/.test(line);
  const whole = end !== -1 || first.length < SNIFFED_BYTES;
  return line.startsWith("{") && !collection && (!whole || line.endsWith("}"));
}

async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  let number = 0;
  for await (const line of splitLines(bytes)) {
    number++;
    if (line === undefined) {
      const message = `found more than ${PLOT_LIMITS.featureBytes} bytes in line ${number}, expected one plot`;
      yield unread(number, "MALFORMED_JSON", message);
    } else if (line.some((byte) => byte > SPACE)) {
      yield readLine(line, number);
    }
  }
}

function readLine(line: Uint8Array, number: number): PlotFeature | UnreadPlot {
  const plot = readPlotText(line, number, `line ${number}`);
  return "error" in plot ? plot : { ...plot, line: number };
}

/**
 * A plot from the text of one Feature or geometry, which is not blank.
 *
 * @param place what errors call the place of the text
 */
export function readPlotText(text: Uint8Array, number: number, place: string): PlotFeature | UnreadPlot {
  const collection = `found a FeatureCollection in ${place}, expected one Feature or geometry`;
  const read = (piece: SplitValue) =>
    piece.part === "text"
      ? toPlot(piece, number, undefined)
      : unread(number, "VALIDATION_FAILED", collection, "");
  try {
    const splitter = new FeatureSplitter<PlotFeature | UnreadPlot>(read, PLOT_LIMITS);
    const [plot] = [...splitter.push(text)];
    splitter.end();
    return plot!;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { found, expected } = error.details;
    const fault = found === undefined ? error.message : `found ${found}, expected ${expected}`;
    return unread(number, "MALFORMED_JSON", `${place}: ${fault}`);
  }
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

/** Lines without their ends; undefined for one past the limit, which is skipped, not held. */
async function* splitLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array | undefined, void, undefined> {
  let held: Uint8Array[] = [];
  let length = 0;
  const take = () => {
    const line = length > PLOT_LIMITS.featureBytes ? undefined : Buffer.concat(held);
    held = [];
    length = 0;
    return line;
  };
  const hold = (piece: Uint8Array) => {
    length += piece.length;
    if (length > PLOT_LIMITS.featureBytes) held = [];
    else held.push(piece);
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      hold(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    hold(chunk.subarray(start));
  }
  yield take();
}

/** The members of an object that are looked at, as found. */
interface GeoJsonObject {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly crs?: { readonly properties?: { readonly name?: unknown } | null } | null;
}

function toPlot(piece: SplitValue, number: number, collectionCrs: string | undefined): PlotFeature {
  const object = piece.value as GeoJsonObject;
  const crs = crsName(object) ?? collectionCrs;
  const inCrs = { ...(crs !== undefined && { crs }) };
  if (object.type !== "Feature") return { number, id: number, geometry: object, properties: {}, ...inCrs };
  const exact = () => JSON.parse(piece.text, keepLargeNumbers) as GeoJsonObject;
  const id =
    idOf(object.id, () => exact().id) ?? idOf(object.properties?.id, () => exact().properties?.id) ?? number;
  return { number, id, geometry: object.geometry, properties: object.properties ?? {}, ...inCrs };
}

/** A number that a double cannot hold keeps its digits, as a string. */
function idOf(value: unknown, exact: () => unknown): string | number | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(exact()) : value;
}

function keepLargeNumbers(
  this: unknown,
  _name: string,
  value: unknown,
  context?: { source?: string },
): unknown {
  return typeof value === "number" && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
}

/** The name in a `crs` member of GeoJSON before RFC 7946; the engine knows it or refuses it. */
function crsName(object: GeoJsonObject): string | undefined {
  const name = object.crs?.properties?.name;
  return typeof name === "string" ? name : undefined;
}

function unread(number: number, code: string, message: string, pointer?: string): UnreadPlot {
  const faults = pointer === undefined ? {} : { faults: [{ pointer, code, message }] };
  return { number, id: number, error: { code, message, ...faults } };
}
