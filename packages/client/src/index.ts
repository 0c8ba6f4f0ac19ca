export type {
  Client,
  Decisions,
  Rulesets,
  Sources,
} from "./client.ts";
export { createClient } from "./client.ts";
export { ApiError, type CallFacts, JobPausedError, NetworkError, type NetworkFailure } from "./errors.ts";
export type { Jobs, ResultsOptions, WaitOptions } from "./jobs.ts";
export type {
  CallOptions,
  ClientOptions,
  Fetch,
  KeyedOptions,
  KeyRefusal,
  QuestionOptions,
} from "./options.ts";
export type { Keyed, QuestionBodies, Questions } from "./questions.ts";
export type { Screened, ScreenOptions, ScreenPlot } from "./screen.ts";
export type * from "./wire/answers.ts";
export type * from "./wire/problem.ts";
export type * from "./wire/requests.ts";
