export { suggestion } from "./base/nearest-name.ts";
export { planMembers } from "./ruleset/plan.ts";
export { type Checked, type CheckOptions, checkShape } from "./shape/check-shape.ts";
export { describeValue } from "./shape/describe-value.ts";
export { type JsonSchema, jsonSchema, type Schemas } from "./shape/json-schema.ts";
export { readShape } from "./shape/read-shape.ts";
export {
  type AnyShape,
  anything,
  array,
  boolean,
  choice,
  type Described,
  describedAs,
  type Form,
  fitting,
  type MembersOf,
  named,
  nullable,
  number,
  type Optional,
  object,
  objectOf,
  openObjectOf,
  optional,
  record,
  type Shape,
  text,
  union,
  type ValueOf,
} from "./shape/shape.ts";
export {
  instantShape,
  schemeTypeShape,
  sourceManifestShape,
  sourceNameShape,
  storedManifestShape,
} from "./snapshot/manifest.ts";
export { editionShape, snapshotMetaShape } from "./snapshot/meta-shape.ts";
export { sourceEntryMembers } from "./sources/source-entry.ts";
export {
  areaEvidenceMembers,
  areaEvidenceShape,
  bboxShape,
  checkResultShape,
  distanceMatchShape,
  intersectionMatchShape,
  outcomeShape,
  sourceOutcomeShape,
  subjectEvidenceMembers,
  subjectEvidenceShape,
  subjectMatchMembers,
  verdictMembers,
  warningShape,
} from "./verdict/schema.ts";
