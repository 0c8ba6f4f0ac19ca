import { iso3Of } from "@groundrule/borders";
import type { EvaluationInput, RoleScheme } from "@groundrule/engine";
import { FeatureSplitter, FormatError, type SplitterLimits, type SplitValue } from "@groundrule/formats";
import type { LineError } from "./line-error.ts";

/** A plot as it was read, or why it could not be. */
export type PlotLine =
  | {
      readonly id: string | number;
      readonly input: EvaluationInput;
      /** `Area` of its properties, as found: of a point, its hectares. */
      readonly area?: unknown;
      /** ISO 3166-1 alpha-3 of the country that its properties tell, where they tell one. */
      readonly country?: string;
    }
  | { readonly id: string | number; readonly error: LineError };

/** One plot at most; a geometry may hold 100,000 positions, which is some 4 MB. */
const PLOT_LIMITS: SplitterLimits = { featureBytes: 64 * 1024 * 1024, depth: 64 };

/** How much of the beginning is looked at to tell lines from one document. */
const SNIFFED_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * Reads plots as a stream: a FeatureCollection, Features, geometries, one a line or a text sequence
 * (RFC 8142). Memory is bounded by the largest plot.
 *
 * A plot's id is `feature.id`, else `properties.id`, else its line number (in a FeatureCollection,
 * its number). Where each plot has a line, one that cannot be read is an error of its own and the
 * next is read; a FeatureCollection that is broken as a document ends there.
 *
 * Fails: {@link FormatError} for a document that is no JSON.
 */
export async function* readPlots(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<PlotLine, void, undefined> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await readFirstLine(iterator);
  const all = resume(first, iterator);
  yield* isOnePlotALine(first) ? readLines(all) : readDocument(all);
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

async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<PlotLine, void, undefined> {
  let number = 0;
  for await (const line of splitLines(bytes)) {
    number++;
    if (line === undefined) {
      const message = `found more than ${PLOT_LIMITS.featureBytes} bytes in line ${number}, expected one plot`;
      yield { id: number, error: { code: "MALFORMED_JSON", message } };
    } else if (line.some((byte) => byte > SPACE)) {
      yield readLine(line, number);
    }
  }
}

function readLine(line: Uint8Array, number: number): PlotLine {
  const collection = `found a FeatureCollection in line ${number}, expected one Feature or geometry`;
  const read = (piece: SplitValue) =>
    piece.part === "text" ? toPlot(piece, number, undefined) : invalid(number, "", collection);
  try {
    const splitter = new FeatureSplitter(read, PLOT_LIMITS);
    const [plot] = [...splitter.push(line)];
    splitter.end();
    return plot!;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { found, expected } = error.details;
    const fault = found === undefined ? error.message : `found ${found}, expected ${expected}`;
    return { id: number, error: { code: "MALFORMED_JSON", message: `line ${number}: ${fault}` } };
  }
}

async function* readDocument(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<PlotLine, void, undefined> {
  let crs: string | undefined;
  const read = (piece: SplitValue): PlotLine | undefined => {
    if (piece.part === "head") crs = crsName(piece.value as GeoJsonObject);
    if (piece.part === "feature") return toPlot(piece, piece.place.feature!, crs);
    if (piece.part === "text") return toPlot(piece, piece.place.line, undefined);
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

function toPlot(piece: SplitValue, number: number, collectionCrs: string | undefined): PlotLine {
  const object = piece.value as GeoJsonObject;
  const crs = crsName(object) ?? collectionCrs;
  const inCrs = { ...(crs !== undefined && { crs }) };
  if (object.type !== "Feature") return { id: number, input: { geometry: object, ...inCrs } };
  const exact = () => JSON.parse(piece.text, keepLargeNumbers) as GeoJsonObject;
  const id =
    idOf(object.id, () => exact().id) ?? idOf(object.properties?.id, () => exact().properties?.id) ?? number;
  const { geometry } = object;
  const area = object.properties?.Area;
  const country = countryOf(object.properties ?? {});
  const scheme = object.properties?.scheme ?? undefined;
  if (scheme !== undefined && !isSchemes(scheme)) {
    const message = `found ${JSON.stringify(scheme).slice(0, 80)} in properties.scheme, expected {"type": …, "value": …} or an array of such objects`;
    return invalid(id, "/properties/scheme", message);
  }
  return {
    id,
    input: {
      ...(geometry !== undefined && geometry !== null && { geometry }),
      ...inCrs,
      ...(scheme !== undefined && { scheme }),
    },
    ...(area !== undefined && { area }),
    ...(country !== undefined && { country }),
  };
}

/** Properties in which files tell the country of a plot; `ProducerCountry` is the EU's. */
const COUNTRY_PROPERTIES = ["country_iso3", "iso3", "country", "ProducerCountry"] as const;

/** The first of these that is an ISO 3166-1 code, of two letters or three. A name of a country is none. */
function countryOf(properties: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of COUNTRY_PROPERTIES) {
    const value = properties[name];
    const code = typeof value === "string" ? iso3Of(value) : undefined;
    if (code !== undefined) return code;
  }
  return undefined;
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

function isSchemes(value: unknown): value is RoleScheme | RoleScheme[] {
  return Array.isArray(value) ? value.every(isScheme) : isScheme(value);
}

function isScheme(value: unknown): value is RoleScheme {
  if (typeof value !== "object" || value === null) return false;
  const { type, value: text, role } = value as Record<string, unknown>;
  return (
    typeof type === "string" && typeof text === "string" && (role === undefined || typeof role === "string")
  );
}

function invalid(id: string | number, pointer: string, message: string): PlotLine {
  const code = "VALIDATION_FAILED";
  return { id, error: { code, message, faults: [{ pointer, code, message }] } };
}
