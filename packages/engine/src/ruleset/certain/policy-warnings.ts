import type { Warning } from "../../geometry/plot/plot.ts";
import type { RulesetPlan } from "../compile/compile.ts";
import { certainFindings } from "./certain-findings.ts";
import { findingWarning } from "./findings.ts";

/** Found once: a plan and its editions never change. */
const WARNINGS = new WeakMap<RulesetPlan, readonly Warning[]>();

/** The certain findings about a policy, as warnings of each of its evaluations. */
export function policyWarnings(plan: RulesetPlan): readonly Warning[] {
  let warnings = WARNINGS.get(plan);
  if (warnings === undefined) {
    warnings = certainFindings(plan).map((finding) => findingWarning(finding, "/ruleset"));
    WARNINGS.set(plan, warnings);
  }
  return warnings;
}
