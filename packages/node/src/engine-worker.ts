import { isMainThread } from "node:worker_threads";
import { EngineError, type EvaluationInput, type Policy, type Provided } from "@groundrule/engine";
import type { EvaluationResult, EvaluationTask, Settled } from "./engine-pool.ts";
import { RecentlyUsed } from "./recently-used.ts";
import { openEngineFromSettings, type PlainSettings } from "./threads/engine-settings.ts";
import { serveTasks } from "./threads/serve-tasks.ts";

const POLICIES_KEPT = 32;

// A bundler that looks at this entry loads it outside of a worker.
if (!isMainThread) serveTasks(openTaskEvaluator);

/** Evaluates the tasks of a pool on one engine, and keeps the rulesets that it compiled lately. */
async function openTaskEvaluator(
  settings: PlainSettings,
): Promise<(task: EvaluationTask) => EvaluationResult> {
  const engine = await openEngineFromSettings(settings);
  const policies = new RecentlyUsed<string, Policy>(POLICIES_KEPT);
  return ({ ruleset, origin, inputs, options, provided }: EvaluationTask): EvaluationResult =>
    settleAnswer(() => {
      const key = origin === undefined ? ruleset : `${origin.name}@${origin.version} ${ruleset}`;
      const policy = policies.getOrMake(key, () => engine.compile(JSON.parse(ruleset), origin));
      const areas: readonly (Provided | null)[] = provided === undefined ? [] : JSON.parse(provided);
      return (JSON.parse(inputs) as readonly EvaluationInput[]).map((input, i) =>
        settleAnswer(() =>
          policy.evaluate(input, areas[i] == null ? options : { ...options, provided: areas[i] }),
        ),
      );
    });
}

/** A bug is not an answer: it is thrown again and ends the worker. */
function settleAnswer<T>(answer: () => T): Settled<T> {
  try {
    return { value: answer() };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, details } = error;
    return { error: { code, message, details } };
  }
}
