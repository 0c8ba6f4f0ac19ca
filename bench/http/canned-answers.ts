import { serveTasks } from "../../packages/node/src/serve-tasks.ts";
import type { AnsweredBody, BodyTask } from "../../packages/service/src/task/body-task.ts";

// A worker that answers every request as the first was answered, at once.
serveTasks(
  (answer: AnsweredBody) =>
    (_task: BodyTask): AnsweredBody =>
      answer,
);
