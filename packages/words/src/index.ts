export type { PageWords } from "./en/page.ts";
export type { ReportWords } from "./en/report.ts";
export type { VerdictWords } from "./en/verdict.ts";
export {
  type DocumentPart,
  declaredHolds,
  describeNeeds,
  documentParts,
  factValueText,
  findQuestion,
  findQuestionLanguage,
  formatOperator,
  type Need,
  type Needs,
  type OtherComparisons,
  otherComparisons,
  subjectText,
} from "./fact-text.ts";
export { englishFigures, Figures, findMeasureUnit, listThresholdsInUnit } from "./figures.ts";
export { Formats, formatCountWithNoun } from "./formats.ts";
export type { Compass, Forms, NumberForms } from "./forms.ts";
export { findGap, gapPhrase, gapWord, type OpenCheck } from "./gap.ts";
export { holds } from "./holds.ts";
export { liftedText } from "./lifted.ts";
export { type LimitRuler, limitRuler } from "./limit-ruler.ts";
export { formatMeasuredValue, formatMeasureTitle, formatThresholdSource } from "./measure.ts";
export { openTexts, type SourceTitle } from "./open-reason.ts";
export { describeReason, describeReasons, type Reasoned } from "./reason.ts";
export {
  createRulesetTongue,
  type RulesetTongue,
  translateText,
  translateVerdict,
} from "./ruleset-tongue.ts";
export { shortenText } from "./shortened.ts";
export { findSourceTitle } from "./source-title.ts";
export { LANGUAGES, type Language } from "./tags.ts";
export type { Tongue } from "./tongue.ts";
export { type Shown, VERDICT_COLORS } from "./verdict-colors.ts";
