import type { ResultChunk } from "../screening/results/result-chunk.ts";
import type { ResultFormat } from "../screening/results/result-format.ts";
import type { RunIdentity } from "./run-identity.ts";
import type { RunPosition } from "./run-position.ts";

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
  /** Stops, and keeps what was written for `--resume`; after {@link finish}, or where it failed, too. Throws nothing. */
  abandon(): Promise<void>;
}
