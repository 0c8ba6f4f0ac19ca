import { type Engine, EngineError, type Policy, type Ruleset } from "@groundrule/engine";
import {
  answerFilterConditions,
  type FilterCondition,
  listFilterConditions,
} from "@groundrule/engine/internal";
import type { CaseResult } from "./run-case.ts";

/** Outcomes of a check in the cases, counted. */
export interface ExercisedCheck {
  readonly id: string;
  triggered: number;
  not_triggered: number;
  /** Cases in which neither the sources nor the applicant supplied enough to answer it. */
  open: number;
  /** True if it can be open. */
  readonly can_be_open: boolean;
}

/** Numbers of areas for which a condition of a filter was true, false or neither, in all cases together. */
export interface ExercisedCondition {
  readonly set: string;
  /** JSON pointer in the ruleset. */
  readonly pointer: string;
  /** The condition in CQL2-Text. */
  readonly text: string;
  true: number;
  false: number;
  unknown: number;
  /** True if it can have no answer. */
  readonly can_be_unknown: boolean;
}

/** Outcomes of a check, or answers of a filter's condition, that the cases of a policy never showed. */
export type Gap =
  | { readonly check: string; readonly never: readonly ("triggered" | "not triggered" | "open")[] }
  | {
      /** JSON pointer in the ruleset. */
      readonly condition: string;
      /** In CQL2-Text. */
      readonly text: string;
      readonly never: readonly ("true" | "false" | "unknown")[];
    };

/** Counts which parts of a policy its tests exercise. */
export class ExercisedPolicy {
  readonly ruleset: string;
  readonly checks: readonly ExercisedCheck[];
  readonly conditions: readonly ExercisedCondition[];
  /** Cases whose conditions could not be evaluated. */
  uncounted = 0;
  readonly #policy: Policy;

  /** @param ruleset what to call it */
  constructor(ruleset: string, policy: Policy) {
    this.ruleset = ruleset;
    this.#policy = policy;
    this.checks = policy.ruleset.checks.map(({ id }) => ({
      id,
      triggered: 0,
      not_triggered: 0,
      open: 0,
      can_be_open: canBeOpen(id, policy.ruleset),
    }));
    this.conditions = listFilterConditions(policy.ruleset).map((each: FilterCondition) => ({
      set: each.set,
      pointer: each.pointer,
      text: each.text,
      true: 0,
      false: 0,
      unknown: 0,
      can_be_unknown: each.canBeUnknown,
    }));
  }

  /** Counts a case; one whose input was refused shows nothing. */
  add({ evaluation, test }: CaseResult, engine: Engine): void {
    if (evaluation === undefined) return;
    for (const [i, { triggered, status }] of evaluation.checks.entries()) {
      const check = this.checks[i]!;
      if (status !== "ok" && status !== "failed") check.open++;
      else if (status === "ok") check[triggered ? "triggered" : "not_triggered"]++;
    }
    if (this.conditions.length === 0) return;
    try {
      const answers = answerFilterConditions(engine, this.#policy.ruleset, test.input);
      for (const [i, answer] of answers.entries()) {
        const condition = this.conditions[i]!;
        condition.true += answer.true;
        condition.false += answer.false;
        condition.unknown += answer.unknown;
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.uncounted++;
    }
  }

  /** In the order of the ruleset, checks first. */
  gaps(): Gap[] {
    const checks = this.checks.map((each): Gap => {
      const never = [
        ...(each.triggered === 0 ? (["triggered"] as const) : []),
        ...(each.not_triggered === 0 ? (["not triggered"] as const) : []),
        ...(each.open === 0 && each.can_be_open ? (["open"] as const) : []),
      ];
      return { check: each.id, never };
    });
    const conditions = this.conditions.map((each): Gap => {
      const never = (["true", "false", "unknown"] as const).filter(
        (answer) => each[answer] === 0 && (answer !== "unknown" || each.can_be_unknown),
      );
      return { condition: each.pointer, text: each.text, never };
    });
    return [...checks, ...conditions].filter(({ never }) => never.length > 0);
  }
}

/**
 * A check can be open where it depends on areas, which may not be covered, on records, which may be too old, or on facts,
 * which may not be declared. A document that was not brought is not valid, and the day of the evaluation is known.
 */
function canBeOpen(id: string, { sets, checks }: Ruleset): boolean {
  const check = checks.find((each) => each.id === id)!;
  const comparisons = "all" in check ? check.all : "any" in check ? check.any : [check];
  return comparisons.some((comparison) => {
    if (typeof comparison.value === "object") return true;
    if ("fact" in comparison) return comparison.op !== "not_valid" && comparison.fact !== "evaluated_on";
    const selected = sets[comparison.set]!;
    return !("registers" in selected) || "max_age_days" in selected;
  });
}
