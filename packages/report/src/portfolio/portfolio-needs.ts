import { describeNeeds, type FactTongue, readDeclarations } from "@groundrule/words/fact-text";
import type { Tongue } from "@groundrule/words/languages";
import type { PortfolioEntry } from "./portfolio-rows.ts";

/** Things to supply for a plot, and facts that would change its checks: each of them once. */
export function listNeedTexts(
  { row, verdict }: PortfolioEntry,
  { language, formats }: Tongue,
): readonly string[] {
  const facts: FactTongue = {
    language,
    day: (day) => formats.day(day),
    declarations: readDeclarations(row.record?.request.ruleset),
  };
  const texts = (verdict?.checks ?? []).flatMap((check) => {
    const { toBring, wouldChange } = describeNeeds(facts, check, verdict?.facts ?? []);
    return [...toBring, ...wouldChange].map(({ text }) => text);
  });
  return [...new Set(texts)];
}
