export {
  type DocumentPart,
  declarationsOf,
  declaredHolds,
  documentParts,
  type FactTongue,
  factValueText,
  measuredOn,
  type Need,
  type Needs,
  needsOf,
  questionOf,
  subjectText,
} from "./facts/fact-text.ts";
export { FACT_WORDS } from "./facts/fact-words.ts";
