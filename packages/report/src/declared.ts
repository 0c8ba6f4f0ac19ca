export {
  type DocumentPart,
  declaredHolds,
  describeNeeds,
  documentParts,
  type FactTongue,
  factValueText,
  findQuestion,
  formatOperator,
  measuredOn,
  type Need,
  type Needs,
  type OtherComparisons,
  otherComparisons,
  readDeclarations,
  subjectText,
} from "./facts/fact-text.ts";
export { FACT_WORDS } from "./facts/fact-words.ts";
export { liftedText } from "./facts/lifted.ts";
