import { deepFreeze } from "./base/deep-freeze.ts";
import type { Engine } from "./engine.ts";
import { getEngineParts } from "./engine-parts.ts";
import { compileOptionsShape } from "./questions/options.ts";
import type { LintFinding } from "./ruleset/certain/findings.ts";
import type { CompileOptions, RulesetInput } from "./ruleset/compile/policy.ts";
import { lintOnSources } from "./ruleset/lint/lint.ts";
import { readShape } from "./shape/read-shape.ts";

/** How a ruleset is linted: as evaluations compile it. */
export type LintOptions = Pick<CompileOptions, "without">;

/**
 * Findings for the author of a ruleset, given what the sources of an engine hold now: faults that keep it from
 * compiling, then parts that probably do not mean what the author meant. At most 100 findings: faults, sets, checks,
 * colours, each in its order.
 *
 * @param ruleset JSON text or value; what cannot be read is a finding, never an exception
 * @param options names of what evaluations do without: those that the ruleset does not use are a finding
 *
 * Fails: never for the ruleset; `VALIDATION_FAILED` for malformed options; a `TypeError` for an engine that this package did not open.
 */
export function lintRuleset(
  engine: Engine,
  ruleset: RulesetInput,
  options: LintOptions = {},
): readonly LintFinding[] {
  const { without } = readShape(compileOptionsShape, options);
  return deepFreeze(lintOnSources(getEngineParts(engine).table, ruleset, without));
}
