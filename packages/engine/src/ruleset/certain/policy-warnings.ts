import type { Warning } from "../../geometry/plot/plot.ts";
import type { RulesetPlan } from "../compile/compile.ts";
import { listCertainFindings } from "./certain-findings.ts";
import { toFindingWarning } from "./findings.ts";

/** Found once: a plan and its editions never change. */
const WARNINGS = new WeakMap<RulesetPlan, readonly Warning[]>();

/** The certain findings about a policy, as warnings of each of its evaluations. */
export function listPolicyWarnings(plan: RulesetPlan): readonly Warning[] {
  let warnings = WARNINGS.get(plan);
  if (warnings === undefined) {
    warnings = listCertainFindings(plan).map((finding) => toFindingWarning(finding, "/ruleset"));
    WARNINGS.set(plan, warnings);
  }
  return warnings;
}
