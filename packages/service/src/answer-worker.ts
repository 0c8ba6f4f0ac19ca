import { openSettings, type PlainSettings, serveTasks } from "@groundrule/node";
import { Answerer } from "./answerer.ts";
import { NODE_HOST } from "./node-host.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";

serveTasks(async (settings: PlainSettings) => {
  const answerer = new Answerer(await openSettings(settings), NODE_HOST);
  return (task: BodyTask): BodyResult => answerer.answer(task);
});
