import { serveTasks } from "../../packages/node/src/threads/serve-tasks.ts";
import type { BodyResult, BodyTask } from "../../packages/service/src/task/body-task.ts";

/** What was said of the first request, by what was asked. */
export type CannedAnswers = Readonly<Record<BodyTask["step"], BodyResult>>;

// A worker that says of every request what was said of the first, at once.
serveTasks(
  (answers: CannedAnswers) =>
    ({ step }: BodyTask): BodyResult =>
      answers[step],
);
