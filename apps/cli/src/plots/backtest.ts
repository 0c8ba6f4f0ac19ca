import type { CheckResult, Outcome, Verdict } from "@groundrule/engine";
import type { Refusal } from "../files/record-file.ts";

/** What a plot is answered with, as its result line has it: a verdict, or why there is none. */
export type PlotAnswer = { readonly id: string | number; readonly verdict: Verdict } | Refusal;

/** A plot whose answer is another one than before. */
export interface Flip {
  readonly id: string | number;
  /** A verdict, or `error CODE`. */
  readonly old: string;
  readonly new: string;
  /** The checks that caused it, in the order of the new ruleset, those it lacks last. */
  readonly checks: readonly CheckChange[];
}

export interface CheckChange {
  readonly id: string;
  readonly old: CheckState;
  readonly new: CheckState;
  /** What was measured, as `set measure value op threshold`; absent where the ruleset lacks the check. */
  readonly old_comparisons?: readonly string[];
  readonly new_comparisons?: readonly string[];
}

/** The outcome of a check; `undecided` where failed sources leave it open, `absent` in a ruleset without it. */
export type CheckState = Outcome | "not triggered" | "undecided" | "absent";

/** Counts what became of plots. Its size is bounded by kinds of answers and by checks. */
export class BacktestTally {
  plots = 0;
  flipped = 0;
  withoutVerdict = 0;
  readonly #flips = new Map<string, { readonly old: string; readonly new: string; count: number }>();
  readonly #checks = new Map<string, CheckCount>();

  /** The flip, where the answers are of different kinds; the refusal, where neither side gives a verdict for one reason. */
  add(before: PlotAnswer, after: PlotAnswer): Flip | Refusal | undefined {
    if ("error" in before && "error" in after && before.error.code === after.error.code) {
      this.plots++;
      this.withoutVerdict++;
      return after;
    }
    const { id } = after;
    const flip = { id, old: kindOf(before), new: kindOf(after), checks: checkChanges(before, after) };
    this.plots++;
    const isFlip = flip.old !== flip.new;
    for (const change of flip.checks) this.#countCheck(change, isFlip);
    if (!isFlip) return undefined;
    this.flipped++;
    const key = `${flip.old} ${flip.new}`;
    const known = this.#flips.get(key);
    if (known === undefined) this.#flips.set(key, { old: flip.old, new: flip.new, count: 1 });
    else known.count++;
    return flip;
  }

  /** The most frequent first, then by name. */
  summary(): BacktestSummary {
    const flips = [...this.#flips.values()].map((each) => ({ ...each }));
    const checks = [...this.#checks.values()].map((each) => ({ ...each }));
    return {
      plots: this.plots,
      unchanged: this.plots - this.flipped - this.withoutVerdict,
      without_verdict: this.withoutVerdict,
      flipped: this.flipped,
      flips: flips.sort((a, b) => b.count - a.count || (`${a.old} ${a.new}` < `${b.old} ${b.new}` ? -1 : 1)),
      checks: checks.sort((a, b) => b.changed - a.changed || (a.id < b.id ? -1 : 1)),
    };
  }

  #countCheck({ id, old, new: now }: CheckChange, isFlip: boolean): void {
    let count = this.#checks.get(id);
    if (count === undefined) {
      count = { id, changed: 0, in_flips: 0, now_triggered: 0, no_longer_triggered: 0 };
      this.#checks.set(id, count);
    }
    count.changed++;
    if (isFlip) count.in_flips++;
    if (isTriggered(now) && !isTriggered(old)) count.now_triggered++;
    if (isTriggered(old) && !isTriggered(now)) count.no_longer_triggered++;
  }
}

export interface BacktestSummary {
  readonly plots: number;
  /** Plots with the same verdict on both sides. */
  readonly unchanged: number;
  /** Plots that could not be read, or that neither side gives a verdict. */
  readonly without_verdict: number;
  readonly flipped: number;
  readonly flips: readonly { readonly old: string; readonly new: string; readonly count: number }[];
  /** Checks with another outcome than before, for plots that flipped and plots that did not. */
  readonly checks: readonly Readonly<CheckCount>[];
}

interface CheckCount {
  readonly id: string;
  changed: number;
  in_flips: number;
  now_triggered: number;
  no_longer_triggered: number;
}

function kindOf(answer: PlotAnswer): string {
  return "error" in answer ? `error ${answer.error.code}` : answer.verdict.verdict;
}

function isTriggered(state: CheckState): boolean {
  return state === "NON_COMPLIANT" || state === "WARNING" || state === "NOTICE";
}

/** Checks by id whose outcome is another one; none where either answer is an error. */
function checkChanges(before: PlotAnswer, after: PlotAnswer): CheckChange[] {
  if ("error" in before || "error" in after) return [];
  const old = new Map(before.verdict.checks.map((check) => [check.id, check]));
  const now = new Map(after.verdict.checks.map((check) => [check.id, check]));
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((id): CheckChange[] => {
    const [was, is] = [old.get(id), now.get(id)];
    const [oldState, newState] = [stateOf(was), stateOf(is)];
    if (oldState === newState || !(matters(oldState) || matters(newState))) return [];
    return [
      {
        id,
        old: oldState,
        new: newState,
        ...(was !== undefined && { old_comparisons: comparisonsOf(was) }),
        ...(is !== undefined && { new_comparisons: comparisonsOf(is) }),
      },
    ];
  });
}

/** A check that is absent and one that does not trigger mean the same for a verdict. */
function matters(state: CheckState): boolean {
  return state !== "absent" && state !== "not triggered";
}

function stateOf(check: CheckResult | undefined): CheckState {
  if (check === undefined) return "absent";
  return check.status === "failed" ? "undecided" : (check.outcome ?? "not triggered");
}

function comparisonsOf({ comparisons }: CheckResult): string[] {
  return comparisons.map(({ set, measure, op, value, threshold }) => {
    const name = typeof measure === "string" ? measure : JSON.stringify(measure);
    return `${set} ${name} ${value ?? "unknown"} ${op} ${threshold}`;
  });
}
