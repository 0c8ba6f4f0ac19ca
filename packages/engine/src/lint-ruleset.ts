import { deepFreeze } from "./base/deep-freeze.ts";
import type { Engine } from "./engine.ts";
import { lintOnSources } from "./ruleset/lint/lint.ts";
import type { LintFinding } from "./ruleset/lint/lint-findings.ts";
import { sourceTableOf } from "./sources/source-table-of.ts";

/**
 * What an author should look at in a ruleset, given what the sources of an engine hold now: faults that
 * keep it from compiling, then what is unlikely to mean what was meant. At most 100 findings: faults,
 * sets, checks, colours, each in its order.
 *
 * @param ruleset JSON text or value; what cannot be read is a finding, never an exception
 *
 * Fails: never for the ruleset; a `TypeError` for an engine that this package did not open.
 */
export function lintRuleset(engine: Engine, ruleset: unknown): readonly LintFinding[] {
  // An engine that hands on to another one, as that of a data folder does, hands on its parts too.
  const table = sourceTableOf(engine) ?? sourceTableOf(engine.within(["*"]));
  if (table === undefined) throw new TypeError("expected an engine that openEngine of this package opened");
  return deepFreeze(lintOnSources(table, ruleset));
}
