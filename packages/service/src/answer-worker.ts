import { openSettings, type PlainSettings, serveTasks } from "@groundrule/node";
import { Answerer } from "./answerer.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";

serveTasks(async (settings: PlainSettings) => {
  const answerer = new Answerer(await openSettings(settings));
  return (task: BodyTask): BodyResult => answerer.answer(task);
});
