export { answerFilterConditions } from "./answer-conditions.ts";
export { type ExplainedInput, explainInput, explainQuestion } from "./explain-question.ts";
export { lintRuleset } from "./lint-ruleset.ts";
export type { Question } from "./questions.ts";
export { rulesetDigest } from "./ruleset/compile.ts";
export { type ConditionAnswers, type FilterCondition, filterConditions } from "./ruleset/conditions.ts";
export { type FormatOptions, filterText, formatRuleset } from "./ruleset/format-ruleset.ts";
export type { LintCode, LintFinding } from "./ruleset/lint/lint-findings.ts";
export {
  columnOf,
  findMeasure,
  type MeasureEntry,
  type TitleWords,
} from "./ruleset/measures/measures.ts";
export { DARK_BACKGROUND, type Palette, palette } from "./ruleset/palette.ts";
export type { RulesetFaultCode } from "./ruleset/parse/faults.ts";
export { rulesetJsonSchema } from "./ruleset/parse/json-schema.ts";
export { parseRuleset } from "./ruleset/parse/parse.ts";
export {
  CHECK_ID_PATTERN,
  CHECK_LIMIT,
  RULESET_BYTE_LIMIT,
  RULESET_NAME_PATTERN,
  SET_LIMIT,
  SET_NAME_PATTERN,
} from "./ruleset/parse/schema.ts";
export type {
  Explanation,
  Need,
  Plan,
  PlannedCheck,
  PlannedSet,
  PlannedSource,
  PlanStep,
} from "./ruleset/plan.ts";
