import { openEngineFromSettings, type PlainSettings, serveTasks } from "@groundrule/node/internal";
import { Answerer } from "./answerer.ts";
import { explainMisplacedBody } from "./body/misplaced.ts";
import { NODE_HOST } from "./node-host.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";
import { CountedWork } from "./task/counted-work.ts";

const work = new CountedWork();

serveTasks(
  async (settings: PlainSettings) => {
    const engine = await openEngineFromSettings(settings, work.hear);
    const answerer = new Answerer(engine, { ...NODE_HOST, onMeter: work.hear });
    return (task: BodyTask): BodyResult => explainMisplacedBody(answerer.answer(task), task);
  },
  (task, result) => work.of(task, result),
);
