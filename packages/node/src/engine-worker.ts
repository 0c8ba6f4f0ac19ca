import { openEngine } from "@groundrule/engine";
import type { EngineSettings } from "./engine-settings.ts";
import { type EngineAnswers, type EngineTask, EngineTasks, type Settled } from "./engine-task.ts";
import { HOST } from "./host.ts";
import { serveTasks } from "./serve-tasks.ts";

serveTasks(({ sources, options }: EngineSettings) => {
  const tasks = new EngineTasks(openEngine(sources, { ...options, ...HOST }));
  return (task: EngineTask): Settled<EngineAnswers[EngineTask["ask"]]> => tasks.answer(task);
});
