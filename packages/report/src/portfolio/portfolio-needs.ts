import { createRulesetTongue, describeNeeds } from "@groundrule/words";
import type { ReportTongue } from "@groundrule/words/languages";
import type { PortfolioEntry } from "./portfolio-rows.ts";

/** Things to supply for a plot, and facts that would change its checks: each of them once. */
export function listNeedTexts({ row, verdict }: PortfolioEntry, tongue: ReportTongue): readonly string[] {
  const facts = createRulesetTongue(tongue, verdict?.ruleset?.name, row.record?.request.ruleset);
  const texts = (verdict?.checks ?? []).flatMap((check) => {
    const { toBring, wouldChange } = describeNeeds(facts, check, verdict?.facts ?? []);
    return [...toBring, ...wouldChange].map(({ text }) => text);
  });
  return [...new Set(texts)];
}
