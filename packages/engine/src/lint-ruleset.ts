import { deepFreeze } from "./base/deep-freeze.ts";
import type { Engine } from "./engine.ts";
import { getEngineParts } from "./engine-parts.ts";
import type { LintFinding } from "./ruleset/certain/findings.ts";
import { lintOnSources } from "./ruleset/lint/lint.ts";
import type { RulesetInput } from "./ruleset/policy.ts";

/**
 * What an author should look at in a ruleset, given what the sources of an engine hold now: faults that
 * keep it from compiling, then what is unlikely to mean what was meant. At most 100 findings: faults,
 * sets, checks, colours, each in its order.
 *
 * @param ruleset JSON text or value; what cannot be read is a finding, never an exception
 *
 * Fails: never for the ruleset; a `TypeError` for an engine that this package did not open.
 */
export function lintRuleset(engine: Engine, ruleset: RulesetInput): readonly LintFinding[] {
  return deepFreeze(lintOnSources(getEngineParts(engine).table, ruleset));
}
