export { explainQuestion } from "./explain-question.ts";
export { type LintOptions, lintRuleset } from "./lint-ruleset.ts";
export type { Question } from "./questions/questions.ts";
export type { LintCode, LintFinding } from "./ruleset/certain/findings.ts";
export { rulesetDigest } from "./ruleset/compile/compile.ts";
export { type FormatOptions, filterText, formatRuleset } from "./ruleset/compile/format-ruleset.ts";
export { type Palette, palette } from "./ruleset/compile/palette.ts";
export type { RulesetFaultCode } from "./ruleset/parse/faults.ts";
export { rulesetJsonSchema } from "./ruleset/parse/json-schema.ts";
export { parseRuleset } from "./ruleset/parse/parse.ts";
export type {
  Explanation,
  Need,
  Plan,
  PlannedCheck,
  PlannedSet,
  PlannedSource,
  PlanStep,
} from "./ruleset/plan/plan.ts";
