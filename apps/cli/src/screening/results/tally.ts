import type { SourceOutcome, Verdict, VerdictStatus, Warning } from "@groundrule/engine";

/** Verdicts in the order in which their counts are printed. */
export const VERDICTS: readonly VerdictStatus[] = ["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"];

/** Counts of a screening run, as plain values that can be added, sent and stored. */
export interface ScreenTally {
  /** Plots by verdict. */
  readonly counts: Readonly<Record<string, number>>;
  /** Plots without a verdict, by the code of their error. */
  readonly errors: Readonly<Record<string, number>>;
  /** Degraded verdicts by the verdict that they are at least. */
  readonly atLeast: Readonly<Record<string, number>>;
  /** Failed sources with their reasons. */
  readonly failed: Readonly<Record<string, string>>;
  /** Warnings by code: the first, and their number. */
  readonly warnings: Readonly<Record<string, WarningCount>>;
}

export interface WarningCount {
  /** The subject of the first one, e.g. `plot 7`. */
  readonly first: string;
  readonly message: string;
  readonly count: number;
}

export const EMPTY_TALLY: ScreenTally = { counts: {}, errors: {}, atLeast: {}, failed: {}, warnings: {} };

/** Counts results one by one. */
export class TallyCounter {
  #counts: Record<string, number> = {};
  #errors: Record<string, number> = {};
  #atLeast: Record<string, number> = {};
  #failed: Record<string, string> = {};
  #warnings: Record<string, WarningCount> = {};

  verdict({ verdict, status, at_least }: Pick<Verdict, "verdict" | "status" | "at_least">): void {
    incrementCount(this.#counts, verdict);
    if (status === "degraded") incrementCount(this.#atLeast, at_least);
  }

  error(code: string): void {
    incrementCount(this.#errors, code);
  }

  sources(sources: readonly SourceOutcome[]): void {
    for (const { source_name, status, reason } of sources) {
      if (status === "failed") this.#failed[source_name] ??= reason ?? "";
    }
  }

  /**
   * Counts all but the direction of rings: it changes no land, Shapefiles prescribe the other one, and `plots check` reports it
   * where the format does not.
   *
   * @param subject the subject of the warnings, e.g. `plot 7`
   */
  warnings(subject: string, warnings: readonly Warning[]): void {
    for (const { code, message } of warnings) {
      if (code === "WINDING_REVERSED") continue;
      const known = this.#warnings[code] ?? { first: subject, message, count: 0 };
      this.#warnings[code] = { ...known, count: known.count + 1 };
    }
  }

  /** Returns everything counted since the last call. */
  take(): ScreenTally {
    const taken = {
      counts: this.#counts,
      errors: this.#errors,
      atLeast: this.#atLeast,
      failed: this.#failed,
      warnings: this.#warnings,
    };
    this.#counts = {};
    this.#errors = {};
    this.#atLeast = {};
    this.#failed = {};
    this.#warnings = {};
    return taken;
  }
}

/** The sum of the tallies of two parts of a run, the earlier one first. */
export function addTallies(a: ScreenTally, b: ScreenTally): ScreenTally {
  return {
    counts: addCountsByName(a.counts, b.counts),
    errors: addCountsByName(a.errors, b.errors),
    atLeast: addCountsByName(a.atLeast, b.atLeast),
    failed: { ...b.failed, ...a.failed },
    warnings: addWarningCounts(a.warnings, b.warnings),
  };
}

export function sumCounts(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function addCountsByName(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const all = { ...a };
  for (const [name, count] of Object.entries(b)) all[name] = (all[name] ?? 0) + count;
  return all;
}

function incrementCount(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function addWarningCounts(
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
