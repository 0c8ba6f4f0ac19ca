export { AnswerPool } from "./answer-pool.ts";
export { type AnswerOptions, type EngineHost, hostInProcess, hostInWorkers } from "./engine-host.ts";
export { CHECK_RULESET_PATH } from "./questions/check-ruleset.ts";
export type { AnyQuery, AnyQuestion, AnyRequest, Question } from "./questions/question.ts";
export { questionsOf } from "./questions/questions.ts";
export { VALIDATE_PATH } from "./questions/validate.ts";
export type * from "./task/body-task.ts";
export { Refusal, type RefusalExtras } from "./task/refusal.ts";
export { refuseFaults } from "./task/refuse-faults.ts";
