import { Facts } from "../facts/facts.ts";
import { decideComparison, toExactValues } from "../measures/possible.ts";
import { findReferencedType, toFactNumber } from "../parse/fact-types.ts";
import { listComparisons } from "../parse/parse.ts";
import type { Ruleset } from "../parse/schema.ts";
import type { LintFindings } from "./findings.ts";

/** Finds comparisons of facts that the bounds of the facts decide. */
export function findInFacts({ facts, checks }: Ruleset, findings: LintFindings): void {
  if (facts === undefined) return;
  const bounds = new Facts(facts, {}, 0);
  for (const [i, check] of checks.entries()) {
    for (const { comparison, pointer } of listComparisons(check).comparisons) {
      if (!("fact" in comparison)) continue;
      const { fact, op = "=", value = true } = comparison;
      const type = findReferencedType(facts, fact)!;
      const number = typeof value === "object" ? undefined : toFactNumber(type, value, facts[fact]?.values);
      if (number === undefined || op === "valid" || op === "not_valid") continue;
      const { canHold, canFail } = decideComparison(bounds.range({ fact, type }), op, toExactValues(number));
      const shown = `${fact} ${op} ${JSON.stringify(value)}`;
      const at = `/checks/${i}${pointer}`;
      if (!canHold)
        findings.warn("COMPARISON_NEVER", at, `${shown} never holds, within the bounds of the fact`);
      else if (!canFail)
        findings.warn("COMPARISON_ALWAYS", at, `${shown} always holds, within the bounds of the fact`);
    }
  }
}
