import { openSettings, type PlainSettings } from "./engine-settings.ts";
import { type EngineAnswers, type EngineTask, EngineTasks, type Settled } from "./engine-task.ts";
import { serveTasks } from "./serve-tasks.ts";

serveTasks(async (settings: PlainSettings) => {
  const tasks = new EngineTasks(await openSettings(settings));
  return (task: EngineTask): Settled<EngineAnswers[EngineTask["ask"]]> => tasks.answer(task);
});
