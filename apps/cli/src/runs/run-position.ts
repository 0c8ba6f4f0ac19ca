import type { ResultChunk } from "../screening/results/result-chunk.ts";
import { addTally, EMPTY_TALLY, type ScreenTally } from "../screening/results/tally.ts";

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

const VERDICTS = ["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"] as const;

/** Plots by verdict, of those verdicts that were given. */
export function countsOf({ counts }: ScreenTally): Record<string, number> {
  return Object.fromEntries(VERDICTS.flatMap((name) => (counts[name] ? [[name, counts[name]]] : [])));
}
