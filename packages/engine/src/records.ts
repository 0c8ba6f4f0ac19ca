export { evaluateWritten } from "./engine-parts.ts";
export {
  parseRecord,
  type RecordedEvaluation,
  type RecordedOptions,
  type SubmittedAs,
  type VerdictRecord,
  verdictRecord,
} from "./records/record.ts";
export {
  CHANGES_SHOWN,
  type Replay,
  type ReplayChange,
  type ReplayPart,
  replayRecord,
} from "./records/replay.ts";
export { canonicalJson, type WrittenJson } from "./verdict/canonical-json.ts";
export { inputDigest, jsonDigest, textDigest, verdictDigest } from "./verdict/digest.ts";
export { isAreaEvidence, verdictOf } from "./verdict/verdict.ts";
