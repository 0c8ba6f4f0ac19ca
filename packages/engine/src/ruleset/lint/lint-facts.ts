import { factName, factNumber, referencedType } from "../facts/fact-types.ts";
import { Facts } from "../facts/facts.ts";
import { decide, exactly } from "../measures/possible.ts";
import { filterTree } from "../parse/cql2.ts";
import { comparisonsOf } from "../parse/parse.ts";
import type { Filter, FilterArgument, Ruleset } from "../parse/schema.ts";
import type { LintFindings } from "./lint-findings.ts";

/** Finds facts that nothing reads, and comparisons that their bounds decide. */
export function lintFacts({ facts, sets, checks }: Ruleset, findings: LintFindings): void {
  if (facts === undefined) return;
  const used = new Set<string>();
  for (const set of Object.values(sets)) {
    if ("sources" in set && set.where !== undefined)
      for (const fact of factsIn(set.where)) used.add(factName(fact));
  }
  const bounds = new Facts(facts, {}, 0);
  for (const [i, check] of checks.entries()) {
    for (const { comparison, pointer } of comparisonsOf(check).comparisons) {
      const { op = "=", value = true } = comparison;
      if (typeof value === "object" && "fact" in value) used.add(factName(value.fact));
      if (!("fact" in comparison)) continue;
      const { fact } = comparison;
      used.add(factName(fact));
      const type = referencedType(facts, fact)!;
      const number = typeof value === "object" ? undefined : factNumber(type, value, facts[fact]?.values);
      if (number === undefined || op === "valid" || op === "not_valid") continue;
      const { canHold, canFail } = decide(bounds.range({ fact, type }), op, exactly(number));
      const said = `${fact} ${op} ${JSON.stringify(value)}`;
      const at = `/checks/${i}${pointer}`;
      if (!canHold)
        findings.warn("COMPARISON_NEVER", at, `${said} never holds, within the bounds of the fact`);
      else if (!canFail)
        findings.warn("COMPARISON_ALWAYS", at, `${said} always holds, within the bounds of the fact`);
    }
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
