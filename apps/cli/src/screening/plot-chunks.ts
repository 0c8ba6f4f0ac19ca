import {
  isBlank,
  PLOT_LIMITS,
  type PlotColumns,
  plotOfLine,
  swapped,
  tooLongLine,
  type UnreadPlot,
} from "@groundrule/plot-files";
import type { PlotFeature } from "@groundrule/plots";
import type { Shard } from "../runs/run.ts";
import { RunError } from "../runs/run-error.ts";

/** Consecutive plots of the input, as lines. */
export interface PlotChunk {
  /** Lines of the input, or parsed plots: JSON of a `PlotFeature` or an {@link UnreadPlot} per line. */
  readonly form: "lines" | "plots";
  /** Every line ends with a newline; lines of an input may be blank. */
  readonly bytes: Uint8Array;
  /** Number of plots read for it: the lines that are not blank. */
  readonly count: number;
  /** Number of its first plot in the input, from 0. */
  readonly firstPlot: number;
  /** Number of lines of the input before it. */
  readonly firstLine: number;
  /** The plots whose lines it contains, if not all. */
  readonly kept?: { readonly numbers: readonly number[]; readonly lineNumbers: readonly number[] };
  /** The input's position after it; only for lines. */
  readonly end?: { readonly bytes: number; readonly lines: number };
}

/** The position in an input to start from. */
export interface ChunkStart {
  readonly bytes: number;
  readonly lines: number;
  readonly plots: number;
}

export const INPUT_START: ChunkStart = { bytes: 0, lines: 0, plots: 0 };

/** The shard of a run that screens every plot. */
export const WHOLE: Shard = { index: 0, of: 1 };

const NEWLINE = 0x0a;
const SPACE = 0x20;

/** Maximum bytes of a line, with its end. */
const LINE_BYTES = PLOT_LIMITS.featureBytes + 1;

/** Bytes sent to a worker at once, if so many are available. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Splits an input of lines at line ends. No line waits for the next: a chunk contains the available lines, up to 256
 * KiB or one line. A line above the limit yields an unreadable plot, and is not kept in memory.
 *
 * @param bytes the input from the start position
 * @param start the position
 * @param shard the plots to keep: the lines of others are left out of chunks
 */
export async function* splitLinesIntoChunks(
  bytes: AsyncIterable<Uint8Array>,
  start: ChunkStart = INPUT_START,
  { index, of }: Shard = WHOLE,
): AsyncGenerator<PlotChunk, void, undefined> {
  let at = start;
  let buffered: Uint8Array[] = [];
  let bufferedBytes = 0;
  const hold = (piece: Uint8Array): void => {
    bufferedBytes += piece.length;
    if (bufferedBytes > LINE_BYTES) buffered = [];
    else if (piece.length > 0) buffered.push(piece);
  };
  const take = (isEnded: boolean): PlotChunk | undefined => {
    const isTooLong = bufferedBytes > LINE_BYTES;
    const chunk = isTooLong
      ? createLongLineChunk(at, bufferedBytes)
      : createLineChunk(buffered, bufferedBytes, at, isEnded);
    buffered = [];
    bufferedBytes = 0;
    if (chunk?.end !== undefined) at = { ...chunk.end, plots: at.plots + chunk.count };
    return chunk === undefined || of === 1
      ? chunk
      : selectChunkPlots(chunk, (number) => number % of === index);
  };

  for await (const piece of bytes) {
    let from = 0;
    while (from < piece.length) {
      // A long pending line is taken alone, so that it can be rejected if it is too long.
      const end =
        bufferedBytes >= CHUNK_BYTES
          ? piece.indexOf(NEWLINE, from)
          : piece.lastIndexOf(NEWLINE, Math.min(piece.length, from + CHUNK_BYTES) - 1);
      if (end < from) {
        const next = piece.indexOf(NEWLINE, from);
        if (next === -1) {
          hold(piece.subarray(from));
          break;
        }
        hold(piece.subarray(from, next + 1));
        from = next + 1;
      } else {
        hold(piece.subarray(from, end + 1));
        from = end + 1;
      }
      const chunk = take(false);
      if (chunk !== undefined) yield chunk;
    }
  }
  if (bufferedBytes > 0) {
    const chunk = take(true);
    if (chunk !== undefined) yield chunk;
  }
}

/** A chunk of whole lines; it has no plot if all are blank. */
function createLineChunk(
  buffered: readonly Uint8Array[],
  length: number,
  start: ChunkStart,
  isEnded: boolean,
): PlotChunk | undefined {
  // The last line of an input may lack its end.
  const bytes = new Uint8Array(length + (isEnded ? 1 : 0));
  let to = 0;
  for (const piece of buffered) {
    bytes.set(piece, to);
    to += piece.length;
  }
  if (isEnded) bytes[length] = NEWLINE;
  let lines = 0;
  let count = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    if (bytes[from]! > SPACE || !isBlank(bytes.subarray(from, end))) count++;
    lines++;
    from = end + 1;
  }
  const end = { bytes: start.bytes + length, lines: start.lines + lines };
  return { form: "lines", bytes, count, firstPlot: start.plots, firstLine: start.lines, end };
}

function createLongLineChunk(start: ChunkStart, length: number): PlotChunk {
  return {
    form: "plots",
    bytes: encodePlotLine(tooLongLine(start.lines + 1)),
    count: 1,
    firstPlot: start.plots,
    firstLine: start.lines,
    end: { bytes: start.bytes + length, lines: start.lines + 1 },
  };
}

/** Packs parsed plots into chunks. */
export class PlotPacker {
  #lines: Uint8Array[] = [];
  #length = 0;
  #firstPlot = 0;

  /** True if the chunk has reached its size. */
  get isFull(): boolean {
    return this.#length >= CHUNK_BYTES || this.#lines.length >= CHUNK_PLOTS;
  }

  add(plot: PlotFeature | UnreadPlot): void {
    const line = encodePlotLine(plot);
    this.#lines.push(line);
    this.#length += line.length;
  }

  /** The plots since the last chunk; undefined if there are none. */
  take(): PlotChunk | undefined {
    const count = this.#lines.length;
    if (count === 0) return undefined;
    const bytes = Buffer.concat(this.#lines);
    const chunk: PlotChunk = { form: "plots", bytes, count, firstPlot: this.#firstPlot, firstLine: 0 };
    this.#firstPlot += count;
    this.#lines = [];
    this.#length = 0;
    return chunk;
  }
}

const CHUNK_PLOTS = 256;
const encoder = new TextEncoder();

function encodePlotLine(plot: PlotFeature | UnreadPlot): Uint8Array {
  return encoder.encode(`${JSON.stringify(plot)}\n`);
}

/** A plot of a chunk, by its number in the input. */
export interface NumberedPlot {
  readonly number: number;
  readonly plot: PlotFeature | UnreadPlot;
}

/**
 * The plots of a chunk.
 *
 * @param isWanted selects plots by number; others are not parsed
 * @param isSwapped true if positions in lines are latitude first
 * @param columns the columns of lines
 */
export function* parseChunkPlots(
  chunk: PlotChunk,
  isWanted: (number: number) => boolean,
  isSwapped: boolean,
  columns: PlotColumns,
): Generator<NumberedPlot, void, undefined> {
  const { form } = chunk;
  for (const { number, lineNumber, line } of splitChunkLines(chunk)) {
    if (!isWanted(number)) continue;
    if (form === "plots") yield { number, plot: JSON.parse(decoder.decode(line)) };
    else {
      const plot = plotOfLine(line, lineNumber, columns);
      yield { number, plot: isSwapped ? swapped(plot) : plot };
    }
  }
}

const decoder = new TextDecoder();

/** Chunks of one plot each. */
export function* splitChunkByPlot(chunk: PlotChunk): Generator<PlotChunk, void, undefined> {
  for (const { number, lineNumber, line } of splitChunkLines(chunk)) {
    const bytes = new Uint8Array(line.length + 1);
    bytes.set(line);
    bytes[line.length] = NEWLINE;
    yield { form: chunk.form, bytes, count: 1, firstPlot: number, firstLine: lineNumber - 1 };
  }
}

/** A chunk with only the lines of selected plots. */
function selectChunkPlots(chunk: PlotChunk, isWanted: (number: number) => boolean): PlotChunk {
  const lines = [...splitChunkLines(chunk)].filter(({ number }) => isWanted(number));
  const bytes = new Uint8Array(lines.reduce((sum, { line }) => sum + line.length + 1, 0));
  let to = 0;
  for (const { line } of lines) {
    bytes.set(line, to);
    to += line.length + 1;
    bytes[to - 1] = NEWLINE;
  }
  const kept = {
    numbers: lines.map(({ number }) => number),
    lineNumbers: lines.map(({ lineNumber }) => lineNumber),
  };
  return { ...chunk, bytes, kept };
}

function* splitChunkLines({ bytes, firstPlot, firstLine, kept }: PlotChunk): Generator<{
  readonly number: number;
  /** Number of the line, from 1. */
  readonly lineNumber: number;
  readonly line: Uint8Array;
}> {
  let number = firstPlot;
  let lineNumber = firstLine;
  let i = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    const line = bytes.subarray(from, end);
    const first = bytes[from]!;
    from = end + 1;
    if (kept !== undefined) {
      yield { number: kept.numbers[i]!, lineNumber: kept.lineNumbers[i]!, line };
      i++;
      continue;
    }
    lineNumber++;
    if (first > SPACE || !isBlank(line)) yield { number: number++, lineNumber, line };
  }
}

/**
 * Drops plots at the start of a stream of chunks, for a resumed run.
 *
 * @param count number of plots to drop
 *
 * Fails: `RUN_DIFFERS` if there are fewer: this is a different input.
 */
export async function* skipPlots(
  chunks: AsyncIterable<PlotChunk>,
  count: number,
): AsyncGenerator<PlotChunk, void, undefined> {
  let found = 0;
  for await (const chunk of chunks) {
    found = chunk.firstPlot + chunk.count;
    if (chunk.firstPlot >= count) yield chunk;
    else if (found > count) yield dropPlotsBefore(chunk, count);
  }
  if (found >= count) return;
  throw new RunError(
    "RUN_DIFFERS",
    `the input ends after ${found} plots, expected the ${count} that the run read before: repeat the run with the same input`,
  );
}

/** The plots of a chunk from a number on. */
function dropPlotsBefore(chunk: PlotChunk, firstPlot: number): PlotChunk {
  const rest = selectChunkPlots(chunk, (number) => number >= firstPlot);
  return { ...rest, firstPlot, count: chunk.count - (firstPlot - chunk.firstPlot) };
}
