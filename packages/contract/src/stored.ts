// The part of the contract that a store needs. It has no schemas, so that a thread which only stores loads neither them
// nor the engine.
export { JOB_RETENTION_MS, JOB_UNFINISHED_MS, JOBS_UNFINISHED_MAX } from "./jobs/job-limits.ts";
export { type UnstorableText, unstorableTexts } from "./reading/storable-text.ts";
