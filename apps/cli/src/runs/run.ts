import type { ResultFormatName } from "../screening/format-names.ts";
import type { ResultFormat } from "../screening/results/result-format.ts";
import { addTally, EMPTY_TALLY, type ScreenTally, VERDICTS } from "../screening/results/tally.ts";

/** How a run's output is written. */
export interface RunOptions {
  /** Path of the file that is there when all of it is. */
  readonly output: string;
  /** Path of the file of error lines; absent: they stand among the results. */
  readonly errors?: string | undefined;
  /** Whether to go on where an earlier run of this output stopped. */
  readonly resume: boolean;
  readonly format: ResultFormat;
  readonly identity: RunIdentity;
  /** Files that the run reads: its output is none of them. */
  readonly inputs?: readonly string[];
  /** Tells a person beside the results, e.g. on standard error. */
  readonly note: (line: string) => void;
  /** Set when the command is told to stop. */
  readonly signal: AbortSignal;
  /** Least milliseconds between two journals; a kill costs about as much work (default 1,000, more on a slow disk). */
  readonly journalMs?: number;
}

/** The output of a screening run: whole under its name, or aside with a journal to go on from. */
export interface RunOutput {
  /** Where to go on; absent: at the first plot. */
  readonly resumeAt?: RunPosition;
  /** Whether an earlier run finished it: there is nothing left to do. */
  readonly isDone: boolean;
  /** Plots by verdict, where it is done. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Takes the next results, in order; waits while they are made durable. Fails: `OUTPUT_UNWRITABLE`. */
  write(chunk: ResultChunk): Promise<void>;
  /**
   * Puts the files in their places, and the description beside them. To be called once, after the last chunk.
   *
   * Fails: `OUTPUT_UNWRITABLE`.
   */
  finish(): Promise<void>;
  /** Closes the files; before {@link finish}, it keeps what was written for `--resume`. Never rejects. */
  close(): Promise<void>;
}

/** The input of a run, as far as it is told from others without reading it. */
export interface InputIdentity {
  /** Its file's name without folders; `-` for standard input. */
  readonly name: string;
  /** Its size; absent of standard input. */
  readonly bytes?: number;
  /** When it was changed last, ISO 8601 UTC; absent of standard input. */
  readonly modified?: string;
}

/** The shard of a run: the plots whose number leaves this remainder. */
export interface Shard {
  /** 0 to `of` − 1. */
  readonly index: number;
  readonly of: number;
}

/** An edition that a run's answers rest on. */
export interface RunEdition {
  readonly source_name: string;
  /** Its digest; null where the source has none: it is live, or failed. */
  readonly edition: string | null;
}

/** What settles every byte of a run's output. A run goes on, and shards are merged, only where it is the same. */
export interface RunIdentity {
  readonly format: ResultFormatName;
  /** Of which checks there is evidence. */
  readonly evidence: "none" | "triggered" | "all";
  readonly ruleset: {
    readonly name: string | null;
    readonly digest: string;
    /** Ids of its checks, in its order: each has a column. */
    readonly checks: readonly string[];
  };
  readonly semantics: number;
  readonly engine_version: string;
  /** ISO 8601 UTC: the instant as of which plots are answered. */
  readonly now: string;
  readonly editions: readonly RunEdition[];
  /** Options of the command that change results, by name: the CRS, strict coverage, a point's area, how the input is read. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly input: InputIdentity;
  readonly shard: Shard;
}

/** How far a run came: where it goes on. */
export interface RunPosition {
  /** Plots read of the input, other shards' included. */
  readonly read: number;
  /** Plots of this shard that were answered or refused. */
  readonly plots: number;
  /** Where plain lines of a file go on. */
  readonly inputBytes?: number;
  /** Lines before that place. */
  readonly inputLines?: number;
  readonly tally: ScreenTally;
}

/** Before the first plot. */
export const FIRST_POSITION: RunPosition = { read: 0, plots: 0, tally: EMPTY_TALLY };

/** Where a run goes on after more results. */
export function positionAfter(before: RunPosition, chunk: ResultChunk): RunPosition {
  const { inputBytes, inputLines } = chunk;
  return {
    read: before.read + chunk.read,
    plots: before.plots + chunk.plots,
    ...(inputBytes !== undefined && { inputBytes }),
    ...(inputLines !== undefined && { inputLines }),
    tally: addTally(before.tally, chunk.tally),
  };
}

/** Plots by verdict, of those verdicts that were given. */
export function countsOf({ counts }: ScreenTally): Record<string, number> {
  return Object.fromEntries(VERDICTS.flatMap((name) => (counts[name] ? [[name, counts[name]]] : [])));
}

/** Results of consecutive plots of a run, in order. */
export interface ResultChunk {
  /** Plots read of the input for it, those of other shards included. */
  readonly read: number;
  /** Results and errors in it. */
  readonly plots: number;
  /** Where the input goes on after it: the next byte, and the lines before that. Of plain lines of a file only. */
  readonly inputBytes?: number;
  readonly inputLines?: number;
  /** Result lines. */
  readonly lines: Uint8Array;
  /** Error lines, where they go to a file of their own. */
  readonly errors: Uint8Array;
  readonly tally: ScreenTally;
}
