/** Counts of a screening run, as plain values that can be added, sent and stored. */
export interface ScreenTally {
  /** Plots by verdict. */
  readonly counts: Readonly<Record<string, number>>;
  /** Plots without a verdict, by the code of their error. */
  readonly errors: Readonly<Record<string, number>>;
  /** Degraded verdicts by what they are at least. */
  readonly atLeast: Readonly<Record<string, number>>;
  /** Sources that failed, with the reason. */
  readonly failed: Readonly<Record<string, string>>;
  /** Warnings by code: the first, and how many there were. */
  readonly warnings: Readonly<Record<string, WarningCount>>;
}

export interface WarningCount {
  /** What the first is about, e.g. `plot 7`. */
  readonly first: string;
  readonly message: string;
  readonly count: number;
}

export const EMPTY_TALLY: ScreenTally = { counts: {}, errors: {}, atLeast: {}, failed: {}, warnings: {} };

/** The tally of two stretches of a run, the earlier one first. */
export function addTally(a: ScreenTally, b: ScreenTally): ScreenTally {
  return {
    counts: sum(a.counts, b.counts),
    errors: sum(a.errors, b.errors),
    atLeast: sum(a.atLeast, b.atLeast),
    failed: { ...b.failed, ...a.failed },
    warnings: addWarnings(a.warnings, b.warnings),
  };
}

export function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function sum(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const all = { ...a };
  for (const [name, count] of Object.entries(b)) all[name] = (all[name] ?? 0) + count;
  return all;
}

function addWarnings(
  a: ScreenTally["warnings"],
  b: ScreenTally["warnings"],
): Readonly<Record<string, WarningCount>> {
  const all = { ...a };
  for (const [code, warning] of Object.entries(b)) {
    const known = all[code];
    all[code] = known === undefined ? warning : { ...known, count: known.count + warning.count };
  }
  return all;
}
