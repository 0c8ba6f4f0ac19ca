import type { AnsweredBody, BodyTask } from "../../apps/api/src/answering/body-task.ts";
import { serveTasks } from "../../packages/node/src/serve-tasks.ts";

// A worker that answers every request as the first was answered, at once.
serveTasks(
  (answer: AnsweredBody) =>
    (_task: BodyTask): AnsweredBody =>
      answer,
);
