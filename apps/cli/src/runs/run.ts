import type { ResultFormatName } from "../screening/format-names.ts";
import type { ResultFormat } from "../screening/results/result-format.ts";
import { addTallies, EMPTY_TALLY, type ScreenTally, VERDICTS } from "../screening/results/tally.ts";

/** Options for writing a run's output. */
export interface RunOptions {
  /** Path of the output, which exists only when it is complete. */
  readonly output: string;
  /** Path of the file of error lines; absent: they are among the results. */
  readonly errors?: string | undefined;
  /** True to continue where an earlier run of this output stopped. */
  readonly resume: boolean;
  readonly format: ResultFormat;
  readonly identity: RunIdentity;
  /** Files that the run reads: its output must be none of them. */
  readonly inputs?: readonly string[];
  /** Prints a line for people apart from the results, e.g. on standard error. */
  readonly note: (line: string) => void;
  /** Aborted when the command is to stop. */
  readonly signal: AbortSignal;
  /**
   * Minimum interval between two journals, milliseconds; a kill loses about as much work (default 1,000, more on a slow
   * disk).
   */
  readonly journalMs?: number;
}

/** The output of a screening run: complete under its name, or temporary files with a journal. */
export interface RunOutput {
  /** The position to continue from; absent: the first plot. */
  readonly resumeAt?: RunPosition;
  /** True if an earlier run finished it: there is nothing left to do. */
  readonly isDone: boolean;
  /** Plots by verdict, if it is done. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Writes the next results, in order; waits while they are made durable. Fails: `OUTPUT_UNWRITABLE`. */
  write(chunk: ResultChunk): Promise<void>;
  /**
   * Renames the files to their final names, and writes the description next to them. Call once, after the last chunk.
   *
   * Fails: `OUTPUT_UNWRITABLE`.
   */
  finish(): Promise<void>;
  /** Closes the files; before {@link finish}, it keeps what was written for `--resume`. Never rejects. */
  close(): Promise<void>;
}

/** The identity of a run's input, as far as it can be known without reading the input. */
export interface InputIdentity {
  /** The file's name without folders; `-` for standard input. */
  readonly name: string;
  /** Its size; absent for standard input. */
  readonly bytes?: number;
  /** Its modification time, ISO 8601 UTC; absent for standard input. */
  readonly modified?: string;
}

/** The shard of a run: plots whose number has this remainder. */
export interface Shard {
  /** 0 to `of` − 1. */
  readonly index: number;
  readonly of: number;
}

/** An edition on which a run's answers are based. */
export interface RunEdition {
  readonly source_name: string;
  /** Its digest; null if the source has none: it is live, or failed. */
  readonly edition: string | null;
}

/**
 * The parameters that determine every byte of a run's output. A run is resumed, and shards are merged, only if they are
 * equal.
 */
export interface RunIdentity {
  readonly format: ResultFormatName;
  /** The checks whose evidence is in the results. */
  readonly evidence: "none" | "triggered" | "all";
  readonly ruleset: {
    readonly name: string | null;
    readonly digest: string;
    /** Ids of its checks, in order: each has a column. */
    readonly checks: readonly string[];
  };
  readonly semantics: number;
  readonly engine_version: string;
  /** ISO 8601 UTC: the instant as of which plots are evaluated. */
  readonly now: string;
  readonly editions: readonly RunEdition[];
  /**
   * Options of the command that change results, by name: the CRS, strict coverage, a point's area, the reading of the
   * input.
   */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly input: InputIdentity;
  readonly shard: Shard;
}

/** Progress of a run: the position to continue from. */
export interface RunPosition {
  /** Number of plots read from the input, including those of other shards. */
  readonly read: number;
  /** Number of plots of this shard that were answered or refused. */
  readonly plots: number;
  /** Byte position, for plain lines of a file. */
  readonly inputBytes?: number;
  /** Number of lines before that position. */
  readonly inputLines?: number;
  readonly tally: ScreenTally;
}

/** The position before the first plot. */
export const FIRST_POSITION: RunPosition = { read: 0, plots: 0, tally: EMPTY_TALLY };

/** The position after more results. */
export function advancePosition(before: RunPosition, chunk: ResultChunk): RunPosition {
  const { inputBytes, inputLines } = chunk;
  return {
    read: before.read + chunk.read,
    plots: before.plots + chunk.plots,
    ...(inputBytes !== undefined && { inputBytes }),
    ...(inputLines !== undefined && { inputLines }),
    tally: addTallies(before.tally, chunk.tally),
  };
}

/** Plots by verdict, for the verdicts that occurred. */
export function getVerdictCounts({ counts }: ScreenTally): Record<string, number> {
  return Object.fromEntries(VERDICTS.flatMap((name) => (counts[name] ? [[name, counts[name]]] : [])));
}

/** Results of consecutive plots of a run, in order. */
export interface ResultChunk {
  /** Number of plots read from the input for it, including those of other shards. */
  readonly read: number;
  /** Number of results and errors in it. */
  readonly plots: number;
  /** The input's byte position after it, and the number of lines before that. Only for plain lines of a file. */
  readonly inputBytes?: number;
  readonly inputLines?: number;
  /** Result lines. */
  readonly lines: Uint8Array;
  /** Error lines, if they have a file of their own. */
  readonly errors: Uint8Array;
  readonly tally: ScreenTally;
}
