export { AnswerPool } from "./answer-pool.ts";
export { NO_SOURCES } from "./answerer.ts";
export type { ArchiveSettings } from "./archive-pool.ts";
export {
  type AnswerOptions,
  type ArchivedHost,
  type EngineHost,
  hostInProcess,
  hostInWorkers,
  hostOverArchive,
} from "./engine-host.ts";
export { JOBS_PATH, type JobQuery } from "./jobs/read-job.ts";
export { CHECK_RULESET_PATH } from "./questions/check-ruleset.ts";
export type { AnyQuery, AnyQuestion, AnyRequest, Question } from "./questions/question.ts";
export { listQuestions } from "./questions/questions.ts";
export { VALIDATE_PATH } from "./questions/validate.ts";
export type * from "./task/body-task.ts";
export { Refusal, type RefusalExtras, refuseFaults } from "./task/refusal.ts";
export { TILES_PATH, type TileQuery } from "./tiles/cut-source-tile.ts";
