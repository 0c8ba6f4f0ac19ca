import type { Warning } from "../../geometry/plot/plot.ts";
import type { RulesetPlan } from "../compile/compile.ts";
import { getFilterTree } from "../parse/cql2.ts";
import { findInCheck, toItems } from "./check-findings.ts";
import { createPropertyLookUp, isOpenAreas } from "./column-values.ts";
import { findInFacts } from "./fact-findings.ts";
import { findInFilter } from "./filter-findings.ts";
import { type LintFinding, LintFindings, toFindingWarning } from "./findings.ts";
import { SetRegions } from "./set-regions.ts";

/** The certain findings about a plan, as warnings of each of its evaluations. */
export function listPolicyWarnings(plan: RulesetPlan): readonly Warning[] {
  return listCertainFindings(plan).map((finding) => toFindingWarning(finding, "/ruleset"));
}

/**
 * Finds mistakes that the ruleset of a plan and the editions in use leave no doubt about: conditions and checks that
 * never hold, texts that only case or wildcards keep from matching. Lint has the same findings, and others.
 */
function listCertainFindings(plan: RulesetPlan): readonly LintFinding[] {
  // A filter in text is read again only where a finding names a place in it.
  return findPlanFindings(plan, false).length === 0 ? [] : findPlanFindings(plan, true);
}

function findPlanFindings({ ruleset, sets }: RulesetPlan, hasPlaces: boolean): readonly LintFinding[] {
  const findings = new LintFindings();
  const unmatched = new Set<string>();
  for (const plan of sets) {
    const set = ruleset.sets[plan.name]!;
    if (plan.kind !== "area" || plan.where === undefined || !("sources" in set)) continue;
    const sources = plan.sources.map(({ source }) => source);
    const open = sources.filter(isOpenAreas);
    const at = `/sets/${plan.name}/where`;
    const tree = hasPlaces ? getFilterTree(set.where!, at, findings.texts) : plan.where.tree;
    const isNever = findInFilter(
      tree,
      at,
      createPropertyLookUp(open),
      open.length === sources.length,
      findings,
    );
    if (isNever && set.unknown !== "include") unmatched.add(plan.name);
  }
  const regions = new SetRegions(ruleset.sets, unmatched);
  for (const [i, check] of ruleset.checks.entries()) {
    const pointer = `/checks/${i}`;
    findInCheck(check, toItems(check, pointer, ruleset.sets, regions), pointer, findings);
  }
  findInFacts(ruleset, findings);
  return findings.list.filter(({ certain }) => certain);
}
