import { openSettings, type PlainSettings } from "./threads/engine-settings.ts";
import { type EvaluationResult, type EvaluationTask, EvaluationTasks } from "./threads/evaluation-task.ts";
import { serveTasks } from "./threads/serve-tasks.ts";

serveTasks(async (settings: PlainSettings) => {
  const tasks = new EvaluationTasks(await openSettings(settings));
  return (task: EvaluationTask): EvaluationResult => tasks.answer(task);
});
