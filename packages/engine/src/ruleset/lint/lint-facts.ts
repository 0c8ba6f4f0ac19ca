import type { LintFindings } from "../certain/findings.ts";
import { filterTree } from "../parse/cql2.ts";
import { factName } from "../parse/fact-types.ts";
import { comparisonsOf } from "../parse/parse.ts";
import type { Filter, FilterArgument, Ruleset } from "../parse/schema.ts";

/** Finds facts that nothing reads. */
export function lintFacts({ facts, sets, checks }: Ruleset, findings: LintFindings): void {
  if (facts === undefined) return;
  const used = new Set<string>();
  for (const set of Object.values(sets)) {
    if ("sources" in set && set.where !== undefined)
      for (const fact of factsIn(set.where)) used.add(factName(fact));
  }
  for (const { comparison } of checks.flatMap((check) => comparisonsOf(check).comparisons)) {
    const { value } = comparison;
    if (typeof value === "object" && "fact" in value) used.add(factName(value.fact));
    if ("fact" in comparison) used.add(factName(comparison.fact));
  }
  for (const name of Object.keys(facts)) {
    if (used.has(name)) continue;
    findings.warn(
      "FACT_UNUSED",
      `/facts/${name}`,
      `no check reads the fact "${name}"`,
      "use the fact or remove it",
    );
  }
}

function factsIn(where: Filter): string[] {
  const found = (argument: FilterArgument): string[] => {
    if (typeof argument !== "object" || Array.isArray(argument)) return [];
    if ("fact" in argument) return [argument.fact];
    return "op" in argument ? argument.args.flatMap(found) : [];
  };
  return found(filterTree(where));
}
