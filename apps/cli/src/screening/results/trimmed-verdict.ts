import type { PortfolioVerdict } from "@groundrule/report";

/** What a portfolio shows of a verdict: no evidence, and of its sources those that have something to say. */
export function trimmedVerdict(whole: PortfolioVerdict): PortfolioVerdict {
  const { verdict, at_least, evaluated_at, digest, ruleset, reference_id, input, facts, checks } = whole;
  const sources = notableSources(whole);
  return {
    ...{ verdict, at_least, evaluated_at, digest },
    ...(ruleset !== undefined && { ruleset }),
    ...(reference_id !== undefined && { reference_id }),
    ...(input !== undefined && { input }),
    ...(sources.length > 0 && { sources }),
    ...(facts !== undefined && facts.length > 0 && { facts }),
    checks: checks.map(({ id, title, status, outcome, triggered, resolve_by }) => ({
      ...{ id, status, outcome, triggered },
      ...(title !== undefined && { title }),
      ...(resolve_by !== undefined && resolve_by.length > 0 && { resolve_by }),
    })),
  };
}

/** Most sources of most plots are not doubtful, and say nothing of their scope. */
function notableSources({ sources = [] }: PortfolioVerdict): NonNullable<PortfolioVerdict["sources"]> {
  return sources.flatMap(({ source_name, status, fictional, coverage_known, scope }) => {
    const isOmitted = status === "without";
    if (!fictional && coverage_known === undefined && scope === undefined && !isOmitted) return [];
    return {
      source_name,
      ...(isOmitted && { status }),
      ...(fictional && { fictional }),
      ...(coverage_known !== undefined && { coverage_known }),
      ...(scope !== undefined && { scope }),
    };
  });
}
