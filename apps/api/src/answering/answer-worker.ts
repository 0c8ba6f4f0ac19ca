import { crc32 } from "node:zlib";
import { openEngine } from "@groundrule/engine";
import { type EngineSettings, serveTasks } from "@groundrule/node";
import { Answerer } from "./answerer.ts";
import type { BodyResult, BodyTask } from "./body-task.ts";

serveTasks(({ sources, options }: EngineSettings) => {
  const answerer = new Answerer(openEngine(sources, { ...options, crc32 }));
  return (task: BodyTask): BodyResult => answerer.answer(task);
});
