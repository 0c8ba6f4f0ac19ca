import type { ScreenTally } from "./tally.ts";

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
