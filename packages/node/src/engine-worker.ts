import { type EngineOptions, openEngine, type SourceInput } from "@groundrule/engine";
import { type EngineAnswers, type EngineTask, EngineTasks, type Settled } from "./engine-task.ts";
import { HOST } from "./host.ts";
import { serveTasks } from "./serve-tasks.ts";

/** What an engine is opened from, as it reaches a worker: plain values and shared buffers. */
export interface EngineSettings {
  readonly sources: readonly SourceInput[];
  readonly options: EngineOptions;
}

serveTasks(({ sources, options }: EngineSettings) => {
  const tasks = new EngineTasks(openEngine(sources, { ...options, ...HOST }));
  return (task: EngineTask): Settled<EngineAnswers[EngineTask["ask"]]> => tasks.answer(task);
});
