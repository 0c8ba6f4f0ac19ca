export {
  parseRecord,
  type RecordedEvaluation,
  type RecordedOptions,
  type SubmittedAs,
  type VerdictRecord,
  verdictRecord,
} from "./records/record.ts";
export { type Replay, type ReplayChange, type ReplayPart, replayRecord } from "./records/replay.ts";
export { canonicalJson, type WrittenJson } from "./verdict/canonical-json.ts";
export { jsonDigest, verdictDigest } from "./verdict/digest.ts";
export { isAreaEvidence, verdictOf } from "./verdict/verdict.ts";
