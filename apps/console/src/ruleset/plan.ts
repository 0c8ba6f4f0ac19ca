import type { Plan } from "@groundrule/engine/rulesets";

/** The plan of an evaluation, as `explain` of an answerer gives it. */
export type RulesetPlan = Plan;
