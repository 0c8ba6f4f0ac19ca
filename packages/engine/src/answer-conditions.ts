import { deepFreeze } from "./base/deep-freeze.ts";
import { WorkMeter } from "./base/work-meter.ts";
import type { Engine } from "./engine.ts";
import { getEngineParts } from "./engine-parts.ts";
import { compileRuleset } from "./ruleset/compile/compile.ts";
import type { EvaluationInput } from "./ruleset/compile/evaluation-input.ts";
import type { RulesetInput } from "./ruleset/compile/policy.ts";
import { answerConditions, type ConditionAnswers } from "./ruleset/evaluate/conditions.ts";
import { Facts } from "./ruleset/facts/facts.ts";

/**
 * Counts how each condition of a ruleset's filters answers for the areas that its set considers for an input: areas in
 * the relation to the plot, and in the countries, that the set selects. In the order of `filterConditions`;
 * nothing is counted for an input without a geometry. The counts show an author which conditions a test has exercised;
 * an evaluation does none of this work.
 *
 * Fails: as `Engine.compile`, and as `Policy.evaluate` does for a malformed input or one that is too complex; a
 * `TypeError` for an engine that this package did not open.
 */
export function answerFilterConditions(
  engine: Engine,
  ruleset: RulesetInput,
  input: EvaluationInput,
): readonly ConditionAnswers[] {
  const { table, kernel, readInput } = getEngineParts(engine);
  const plan = compileRuleset(table, ruleset);
  const { plot, facts } = readInput(input, new WorkMeter()).input;
  return deepFreeze(answerConditions(plan, kernel, plot, new Facts(plan.facts, facts ?? {}, 0)));
}
