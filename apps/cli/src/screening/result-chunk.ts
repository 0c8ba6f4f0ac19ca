/** What there is to tell of results as a whole: plain numbers, addable by {@link addTally}. */
export interface ScreenTally {
  /** Plots by verdict. */
  readonly counts: Readonly<Record<string, number>>;
  /** Refused plots by code. */
  readonly errors: Readonly<Record<string, number>>;
}

/** Of no results. */
export const EMPTY_TALLY: ScreenTally = { counts: {}, errors: {} };

/** The tally of the results of both. */
export function addTally(a: ScreenTally, b: ScreenTally): ScreenTally {
  return { counts: sum(a.counts, b.counts), errors: sum(a.errors, b.errors) };
}

function sum(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const all: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) all[name] = (all[name] ?? 0) + count;
  return all;
}

/** Results of consecutive plots of a run, in order. */
export interface ResultChunk {
  /** Plots of this shard answered or refused in it. */
  readonly plots: number;
  /** Plots read of the input for it, other shards' included. */
  readonly read: number;
  /** Where the input, plain lines of a file, goes on after it. */
  readonly inputBytes?: number;
  /** Lines before that place. */
  readonly inputLines?: number;
  /** Result lines. */
  readonly lines: Uint8Array;
  /** Error lines that have a file of their own. */
  readonly errors: Uint8Array;
  readonly tally: ScreenTally;
}
