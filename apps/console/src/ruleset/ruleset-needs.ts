import type { Answerer, RulesetChoice } from "../answering/answerer.ts";

/** What there is to know of a ruleset before it is used. */
export interface RulesetFacts {
  readonly checks: number;
  /** How many sources and groups it names. */
  readonly sources: number;
  /** Those of them that nobody has here, ascending. */
  readonly missing: readonly string[];
}

/**
 * What a ruleset asks for.
 *
 * Fails: as {@link Answerer.ruleset} and {@link Answerer.sources} do.
 */
export async function rulesetFacts(answerer: Answerer, chosen: RulesetChoice): Promise<RulesetFacts> {
  const body = "body" in chosen ? chosen.body : (await answerer.ruleset(chosen.id)).body;
  const { sets, checks } = body as { readonly sets?: unknown; readonly checks?: unknown };
  const all = typeof sets === "object" && sets !== null ? sets : {};
  const known = new Set((await answerer.sources()).map(({ source_name }) => source_name));
  const named = new Set(
    Object.values(all as Record<string, { sources?: unknown; registers?: unknown } | null>)
      .flatMap((set) => [set?.sources, set?.registers].flat())
      .filter((name) => typeof name === "string"),
  );
  return {
    checks: Array.isArray(checks) ? checks.length : 0,
    sources: named.size,
    missing: [...named].filter((name) => !known.has(name)).sort(),
  };
}

/** The command that tells what brings what a ruleset misses; of one that is no preset, once it is in a file. */
export function neededBy(chosen: RulesetChoice | undefined): string {
  const id = chosen !== undefined && "id" in chosen ? chosen.id : "";
  const ruleset = id.startsWith("preset.") ? id : "FILE";
  return `groundrule sources list --needed-by ${ruleset}`;
}
