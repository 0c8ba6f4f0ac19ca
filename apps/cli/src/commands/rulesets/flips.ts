import type { CheckResult, OpenReason, Outcome, Verdict } from "@groundrule/engine";
import { openTexts } from "@groundrule/words";
import { getTongue } from "@groundrule/words/languages";
import type { Refusal } from "../../files/record-file.ts";

/** The answer to a plot, as in its result line: a verdict, or the reason why there is none. */
export type PlotAnswer = { readonly id: string | number; readonly verdict: Verdict } | Refusal;

/** A plot whose answer changed. */
export interface Flip {
  readonly id: string | number;
  /** A verdict, or `error CODE`. */
  readonly old: string;
  readonly new: string;
  /** The checks that caused it, in the order of the new ruleset, with removed checks last. */
  readonly checks: readonly CheckChange[];
}

export interface CheckChange {
  readonly id: string;
  readonly old: CheckState;
  readonly new: CheckState;
  /** The comparisons, as `set measure value op threshold`; absent if the ruleset lacks the check. */
  readonly old_comparisons?: readonly string[];
  readonly new_comparisons?: readonly string[];
  /** The reasons why the check is open, in words; absent if it is not. */
  readonly old_open?: readonly string[];
  readonly new_open?: readonly string[];
}

/** A change, with the data for the counts of its check. */
interface CountedChange {
  readonly change: CheckChange;
  readonly wasOpen: boolean;
  /** The first reason of a check that is open now. */
  readonly because?: OpenReason["because"];
}

/** The outcome of a check; `undecided` if failed sources leave it open, `absent` in a ruleset without it. */
export type CheckState = Outcome | "not triggered" | "undecided" | "absent";

/** Counts the changes of plots. Its size is bounded by kinds of answers and by checks. */
export class BacktestTally {
  plots = 0;
  flipped = 0;
  withoutVerdict = 0;
  readonly #flips = new Map<string, { readonly old: string; readonly new: string; count: number }>();
  readonly #checks = new Map<string, CheckCount>();

  /**
   * Returns a flip if the answers are of different kinds; a refusal if neither side has a verdict, for the same reason.
   */
  add(before: PlotAnswer, after: PlotAnswer): Flip | Refusal | undefined {
    if ("error" in before && "error" in after && before.error.code === after.error.code) {
      this.plots++;
      this.withoutVerdict++;
      return after;
    }
    const { id } = after;
    const changes = listCheckChanges(before, after);
    const checks = changes.map(({ change }) => change);
    const flip = { id, old: getAnswerKind(before), new: getAnswerKind(after), checks };
    this.plots++;
    const isFlip = flip.old !== flip.new;
    for (const change of changes) this.#countCheck(change, isFlip);
    if (!isFlip) return undefined;
    this.flipped++;
    const key = `${flip.old} ${flip.new}`;
    const known = this.#flips.get(key);
    if (known === undefined) this.#flips.set(key, { old: flip.old, new: flip.new, count: 1 });
    else known.count++;
    return flip;
  }

  /** The counts, most frequent first, then by name. */
  summary(): BacktestSummary {
    const flips = [...this.#flips.values()].map((each) => ({ ...each }));
    const checks = [...this.#checks.values()].map((each) => ({ ...each, now_open: { ...each.now_open } }));
    return {
      plots: this.plots,
      unchanged: this.plots - this.flipped - this.withoutVerdict,
      without_verdict: this.withoutVerdict,
      flipped: this.flipped,
      flips: flips.sort((a, b) => b.count - a.count || (`${a.old} ${a.new}` < `${b.old} ${b.new}` ? -1 : 1)),
      checks: checks.sort((a, b) => b.changed - a.changed || (a.id < b.id ? -1 : 1)),
    };
  }

  #countCheck({ change, wasOpen, because }: CountedChange, isFlip: boolean): void {
    const { id, old, new: now } = change;
    let count = this.#checks.get(id);
    if (count === undefined) {
      count = { id, changed: 0, in_flips: 0, now_triggered: 0, no_longer_triggered: 0, now_open: {} };
      this.#checks.set(id, count);
    }
    count.changed++;
    if (isFlip) count.in_flips++;
    const [wasTriggered, isNow] = [isTriggered(old) && !wasOpen, isTriggered(now) && because === undefined];
    if (isNow && !wasTriggered) count.now_triggered++;
    if (wasTriggered && !isNow) count.no_longer_triggered++;
    if (because !== undefined && !wasOpen) count.now_open[because] = (count.now_open[because] ?? 0) + 1;
  }
}

export interface BacktestSummary {
  readonly plots: number;
  /** Plots with the same verdict on both sides. */
  readonly unchanged: number;
  /** Plots that could not be read, or have no verdict on either side. */
  readonly without_verdict: number;
  readonly flipped: number;
  readonly flips: readonly { readonly old: string; readonly new: string; readonly count: number }[];
  /** Checks whose outcome changed, counted over plots that flipped and plots that did not. */
  readonly checks: readonly Readonly<CheckCount>[];
}

interface CheckCount {
  readonly id: string;
  changed: number;
  in_flips: number;
  now_triggered: number;
  no_longer_triggered: number;
  /** How often it became open, by the first reason. */
  now_open: Partial<Record<OpenReason["because"], number>>;
}

function getAnswerKind(answer: PlotAnswer): string {
  return "error" in answer ? `error ${answer.error.code}` : answer.verdict.verdict;
}

function isTriggered(state: CheckState): boolean {
  return state === "NON_COMPLIANT" || state === "WARNING" || state === "NOTICE";
}

/** Checks whose outcome changed; empty if either answer is an error. */
function listCheckChanges(before: PlotAnswer, after: PlotAnswer): CountedChange[] {
  if ("error" in before || "error" in after) return [];
  const old = new Map(before.verdict.checks.map((check) => [check.id, check]));
  const now = new Map(after.verdict.checks.map((check) => [check.id, check]));
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((id): CountedChange[] => {
    const [was, is] = [old.get(id), now.get(id)];
    const [oldState, newState] = [getCheckState(was), getCheckState(is)];
    if (oldState === newState || !(hasEffect(oldState) || hasEffect(newState))) return [];
    const change = {
      id,
      old: oldState,
      new: newState,
      ...(was !== undefined && { old_comparisons: formatComparisons(was) }),
      ...(is !== undefined && { new_comparisons: formatComparisons(is) }),
      ...(isOpen(was) && { old_open: openTexts(was, getTongue("en")) }),
      ...(isOpen(is) && { new_open: openTexts(is, getTongue("en")) }),
    };
    const because = isOpen(is) ? is.open?.[0]?.because : undefined;
    return [{ change, wasOpen: isOpen(was), ...(because !== undefined && { because }) }];
  });
}

/** False for an absent check and one that does not trigger: both have no effect on a verdict. */
function hasEffect(state: CheckState): boolean {
  return state !== "absent" && state !== "not triggered";
}

function getCheckState(check: CheckResult | undefined): CheckState {
  if (check === undefined) return "absent";
  return check.status === "failed" ? "undecided" : (check.outcome ?? "not triggered");
}

function isOpen(check: CheckResult | undefined): check is CheckResult {
  return check !== undefined && check.status !== "ok";
}

function formatComparisons({ comparisons }: CheckResult): string[] {
  return comparisons.map(({ set, measure, op, value, threshold }) => {
    const name = typeof measure === "string" ? measure : JSON.stringify(measure);
    return `${set} ${name} ${value ?? "unknown"} ${op} ${threshold}`;
  });
}
