import { isObject, MalformedJson, parseStrictJson } from "@groundrule/engine/internal/json";
import {
  FeatureSplitter,
  FormatError,
  type RowOptions,
  type SplitValue,
  withNeeded,
} from "@groundrule/formats";
import type { PlotFeature } from "@groundrule/plots";
import { createUnreadPlot, PLOT_LIMITS, toPlot } from "./geojson-plot.ts";
import { joinChunks } from "./joined.ts";
import {
  assignPlotId,
  type ColumnOptions,
  chooseColumns,
  type NamelessPlot,
  PLAIN_COLUMNS,
  type PlotColumns,
} from "./plot-columns.ts";
import type { UnreadPlot } from "./unread-plot.ts";

const NEWLINE = 0x0a;
const SPACE = 0x20;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The host's own decoder is the fastest. */
const decode = (bytes: Uint8Array): string => decoder.decode(bytes);

/**
 * One plot a line: the first line is closed where it ends, and is no FeatureCollection. A first line
 * too long to be seen whole is a plot, unless it begins as a FeatureCollection.
 *
 * @param isWhole whether that is all there is, or all that came of it so far
 */
export function isOnePlotALine(first: Uint8Array, isWhole: boolean): boolean {
  const text = new TextDecoder().decode(first).replace(/^[\u{feff}\s]+/u, "");
  const end = text.search(/[\r\n]/);
  const line = (end === -1 ? text : text.slice(0, end)).trimEnd();
  const collection = /"type"\s*:\s*"FeatureCollection"|"features"\s*:\s*\[/.test(line);
  const whole = end !== -1 || isWhole;
  return line.startsWith("{") && !collection && (!whole || line.endsWith("}"));
}

/** The plots of lines. */
export async function* readPlotLines(
  bytes: AsyncIterable<Uint8Array>,
  columns: PlotColumns,
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  let number = 0;
  for await (const line of splitBytesIntoLines(bytes)) {
    number++;
    if (line === undefined) {
      yield tooLongLine(number);
    } else if (!isBlank(line)) {
      yield withNeeded(() => plotOfLine(line, number, columns));
    }
  }
}

/**
 * Chooses the columns of lines: the first line that is not blank decides, because each line is answered before the
 * next has come.
 *
 * @param first its bytes, and those of what follows
 *
 * Fails: `COLUMN_UNKNOWN`.
 */
export function chooseLineColumns(first: Uint8Array, options: ColumnOptions & RowOptions): PlotColumns {
  let from = 0;
  while (from < first.length && first[from]! <= SPACE) from++;
  const end = first.indexOf(NEWLINE, from);
  const line = first.subarray(from, end === -1 ? first.length : end);
  const { wkt, longitude, latitude } = options;
  const row = { wkt, longitude, latitude };
  const plot = isBlank(line) ? undefined : readNamelessPlot(line, 1, "line 1", row);
  const columns = chooseColumns(plot === undefined ? [] : [{ ...plot, isAlone: true }], options);
  return [wkt, longitude, latitude].some((name) => name !== undefined) ? { ...columns, row } : columns;
}

/**
 * True if a line is blank, and so is not a plot.
 *
 * @param line its bytes, in UTF-8
 */
export function isBlank(line: Uint8Array): boolean {
  for (let i = 0; i < line.length; i++) if (line[i]! > SPACE) return false;
  return true;
}

/**
 * Entry in place of a line that is too long to be a plot.
 *
 * @param number of the line, from 1
 */
export function tooLongLine(number: number): UnreadPlot {
  const message = `found more than ${PLOT_LIMITS.featureBytes} bytes in line ${number}, expected one plot`;
  return { number, id: number, error: { code: "MALFORMED_JSON", message } };
}

/**
 * The plot of a line.
 *
 * @param line its bytes, in UTF-8, not blank
 * @param number of the line, from 1
 * @param columns what the columns of all lines are
 */
export function plotOfLine(line: Uint8Array, number: number, columns: PlotColumns): PlotFeature | UnreadPlot {
  const plot = assignPlotId(readNamelessPlot(line, number, `line ${number}`, columns.row), columns);
  return "error" in plot ? plot : { ...plot, line: number };
}

/**
 * A plot from the text of one Feature or geometry, which is not blank.
 *
 * @param text in UTF-8
 * @param number of the plot, from 1
 * @param place what errors call the place of the text
 */
export function readPlotText(text: Uint8Array, number: number, place: string): PlotFeature | UnreadPlot {
  return assignPlotId(readNamelessPlot(text, number, place), PLAIN_COLUMNS);
}

function readNamelessPlot(text: Uint8Array, number: number, place: string, row?: RowOptions): NamelessPlot {
  return readCleanText(text, number, row) ?? readDoubtfulText(text, number, place, row);
}

/** As most texts are: one object, strict JSON beyond doubt. Undefined for all others, with which the splitter deals. */
function readCleanText(
  text: Uint8Array,
  number: number,
  row: RowOptions | undefined,
): NamelessPlot | undefined {
  try {
    const value = parseStrictJson(text, { maxDepth: PLOT_LIMITS.depth, decode });
    if (!isObject(value) || "features" in value) {
      return undefined;
    }
    if ("type" in value && value.type === "FeatureCollection") return undefined;
    return toPlot({ value, text: "" }, number, undefined, row);
  } catch (error) {
    if (error instanceof MalformedJson) return undefined;
    throw error;
  }
}

function readDoubtfulText(
  text: Uint8Array,
  number: number,
  place: string,
  row: RowOptions | undefined,
): NamelessPlot {
  const collection = `found a FeatureCollection in ${place}, expected one Feature or geometry`;
  const read = (piece: SplitValue) =>
    piece.part === "text"
      ? toPlot(piece, number, undefined, row)
      : createUnreadPlot(number, "VALIDATION_FAILED", collection, "");
  try {
    const splitter = new FeatureSplitter<NamelessPlot>(read, PLOT_LIMITS);
    const [plot] = [...splitter.push(text)];
    splitter.end();
    return plot!;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { found, expected } = error.details;
    const fault = found === undefined ? error.message : `found ${found}, expected ${expected}`;
    return createUnreadPlot(number, "MALFORMED_JSON", `${place}: ${fault}`);
  }
}

/** Lines without their ends; undefined for one past the limit, which is skipped, not kept. */
async function* splitBytesIntoLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array | undefined, void, undefined> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  const take = () => {
    const line = length > PLOT_LIMITS.featureBytes ? undefined : joinChunks(chunks);
    chunks = [];
    length = 0;
    return line;
  };
  const hold = (piece: Uint8Array) => {
    length += piece.length;
    if (length > PLOT_LIMITS.featureBytes) chunks = [];
    else chunks.push(piece);
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
