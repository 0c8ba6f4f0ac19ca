import { openEngine } from "@groundrule/engine";
import { type EngineSettings, HOST, serveTasks } from "@groundrule/node";
import { Answerer } from "./answerer.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";

serveTasks(({ sources, options }: EngineSettings) => {
  const answerer = new Answerer(openEngine(sources, { ...options, ...HOST }));
  return (task: BodyTask): BodyResult => answerer.answer(task);
});
