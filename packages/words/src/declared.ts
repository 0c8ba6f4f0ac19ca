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
} from "./fact-text.ts";
export { FACT_WORDS } from "./fact-words.ts";
export { liftedText } from "./lifted.ts";
