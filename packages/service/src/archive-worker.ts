import { EditionArchive, serveTasks } from "@groundrule/node/internal";
import { Answerer } from "./answerer.ts";
import type { ArchiveSettings } from "./archive-pool.ts";
import { NODE_HOST } from "./node-host.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";

serveTasks(async ({ dir, question }: ArchiveSettings) => {
  const answerer = new Answerer(new EditionArchive(dir).open(question), NODE_HOST);
  return (task: BodyTask): BodyResult => answerer.answer(task);
});
