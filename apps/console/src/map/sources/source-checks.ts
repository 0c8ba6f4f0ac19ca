import { createRulesetTongue, translateText } from "@groundrule/words";
import { tongue } from "../../languages/language.ts";
import { factParts } from "../../state/facts.ts";
import { ruleset } from "../../state/store.ts";
import { listSetsOfSource, rulesetPlan } from "../ruleset-plan.ts";

/** The parts of a ruleset that say how it uses sources. */
interface Body {
  readonly sets?: Readonly<Record<string, { readonly max_age_days?: number } | undefined>>;
  readonly checks?: readonly { readonly id: string; readonly title?: string }[];
}

/** The chosen ruleset; empty until it is loaded. */
function getBody(): Body {
  return factParts.value?.rulesetFacts.value?.body ?? {};
}

/** The titles of the checks of the chosen ruleset that use a source; of a check without a title, its id. */
export function listChecksOfSource(name: string): readonly string[] {
  const { sets = [], checks = [] } = rulesetPlan.value ?? {};
  const using = new Set(listSetsOfSource(name).map((set) => set.name));
  // A set is selected after those that it is made of.
  for (const { name, operands } of sets) if (operands?.sets.some((of) => using.has(of))) using.add(name);
  const body = getBody();
  const texts = createRulesetTongue(tongue.value, ruleset.value?.name, body);
  const titles = new Map(body.checks?.map(({ id, title }) => [id, title && translateText(texts, title)]));
  return checks
    .filter((check) => check.sets.some((set) => using.has(set)))
    .map(({ id }) => texts.titles.get(id) ?? titles.get(id) ?? id);
}

/** The days after which the silence of a source proves nothing, by the strictest set of the chosen ruleset. */
export function findAgeLimit(name: string): number | undefined {
  const limits = listSetsOfSource(name).flatMap((set) => getBody().sets?.[set.name]?.max_age_days ?? []);
  return limits.sort((a, b) => a - b)[0];
}
