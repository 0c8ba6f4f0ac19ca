import type { PortfolioVerdict } from "@groundrule/report";

/** The parts of a verdict that a portfolio shows: no evidence, and only sources with notes. */
export function trimPortfolioVerdict(whole: PortfolioVerdict): PortfolioVerdict {
  const { verdict, at_least, evaluated_at, digest, ruleset, reference_id, input, facts, checks } = whole;
  const sources = selectNotableSources(whole);
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

/** For most plots, most sources are without doubt and without a stated scope. */
function selectNotableSources({ sources = [] }: PortfolioVerdict): NonNullable<PortfolioVerdict["sources"]> {
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
