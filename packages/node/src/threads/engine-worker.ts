import { openSettings, type PlainSettings } from "./engine-settings.ts";
import { type EvaluationResult, type EvaluationTask, EvaluationTasks } from "./evaluation-task.ts";
import { serveTasks } from "./serve-tasks.ts";

serveTasks(async (settings: PlainSettings) => {
  const tasks = new EvaluationTasks(await openSettings(settings));
  return (task: EvaluationTask): EvaluationResult => tasks.answer(task);
});
