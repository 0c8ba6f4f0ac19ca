import type { Engine } from "@groundrule/engine";
import { type EnginePool, PoolError } from "@groundrule/node";
import { type EngineHost, engineWithin } from "./engine-host.ts";
import { Refusal } from "./refusal.ts";

/**
 * Answers in worker threads: a question that hangs or crashes takes its worker with it and nothing
 * else, and the thread that speaks HTTP stays free.
 *
 * @param current the engine over the current editions, for the catalog; the pool is kept on the same
 *   editions by whoever switches them
 */
export function hostInWorkers(current: () => Engine, pool: EnginePool): EngineHost {
  return partInWorkers(current, pool, undefined);
}

function partInWorkers(
  current: () => Engine,
  pool: EnginePool,
  patterns: readonly string[] | undefined,
): EngineHost {
  const engine = () => (patterns === undefined ? current() : engineWithin(current(), patterns));
  return {
    sources: () => engine().sources(),
    groups: () => engine().groups(),
    failures: () => engine().failures(),
    within: (others) => partInWorkers(current, pool, others),
    intersections: (geometry, options) => pool.intersections(geometry, options, patterns).catch(refuse),
    distance: (geometry, options) => pool.distance(geometry, options, patterns).catch(refuse),
    subjects: (scheme, options) => pool.subjects(scheme, options, patterns).catch(refuse),
    evaluate: (ruleset, input, options, origin) =>
      pool.evaluate(ruleset, input, options, origin, patterns).catch(refuse),
    explain: (question) => pool.explain(question, patterns).catch(refuse),
    lint: (ruleset) => pool.lint(ruleset, patterns).catch(refuse),
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof PoolError)) throw error;
  // A closed pool means that the service is stopping: another replica answers.
  const code = error.code === "POOL_CLOSED" ? "OVERLOADED" : error.code;
  throw new Refusal(code, REASONS[code], { details: error.details });
}

const REASONS = {
  EVALUATION_ABORTED: "The question ran longer than is allowed and was ended; nothing was charged.",
  OVERLOADED: "More questions wait than can be answered in time; nothing was executed.",
};
