export {
  type ComparedBeside,
  comparedBeside,
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
  signOf,
  subjectText,
} from "./facts/fact-text.ts";
export { FACT_WORDS } from "./facts/fact-words.ts";
export { liftedText } from "./facts/lifted.ts";
