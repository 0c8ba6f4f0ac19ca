import type { Engine, SourceEntry, SourceFailure } from "@groundrule/engine";
import { PoolError } from "@groundrule/node";
import type { AnswerPool } from "./answer-pool.ts";
import { Answerer } from "./answerer.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";

/** What the service is built around: the sources, and answers from them. */
export interface EngineHost {
  /**
   * The catalog of sources.
   *
   * @param within patterns of the sources that are available to the caller; absent: all
   */
  sources(within?: readonly string[]): readonly SourceEntry[];
  /** Sources that cannot be queried now, and why. */
  failures(): readonly SourceFailure[];
  /**
   * Handles the body of a request. A refusal by the engine, a check or the pool is a result.
   *
   * Fails: only where the service has a bug.
   */
  answer(task: BodyTask): Promise<BodyResult>;
}

/**
 * Answers in this thread, one request at a time.
 *
 * @param current the engine over the current editions; called once for each request, which so finishes on
 *   the editions it began with
 */
export function hostInProcess(current: () => Engine): EngineHost {
  const answerer = answererOf(current);
  return { ...catalogOf(current, answerer), answer: async (task) => answerer().answer(task) };
}

/**
 * Answers in worker threads: a request that hangs or crashes ends its worker and nothing else, and the
 * thread that speaks HTTP stays free.
 *
 * @param current the engine over the current editions, for the catalog; the caller keeps the pool on the same
 *   editions
 */
export function hostInWorkers(current: () => Engine, pool: Pick<AnswerPool, "answer">): EngineHost {
  return { ...catalogOf(current, answererOf(current)), answer: (task) => pool.answer(task).catch(refusedBy) };
}

/** The answerer on the current engine. It is kept as long as the engine, and so are the scoped engines it made. */
function answererOf(current: () => Engine): () => Answerer {
  const kept = new WeakMap<Engine, Answerer>();
  return () => {
    const engine = current();
    const answerer = kept.get(engine) ?? new Answerer(engine);
    kept.set(engine, answerer);
    return answerer;
  };
}

function catalogOf(
  current: () => Engine,
  answerer: () => Answerer,
): Pick<EngineHost, "sources" | "failures"> {
  return {
    sources: (within) => answerer().sources(within),
    failures: () => current().failures(),
  };
}

function refusedBy(error: unknown): BodyResult {
  if (!(error instanceof PoolError)) throw error;
  // A closed pool means that the service is stopping: another replica answers.
  const code = error.code === "POOL_CLOSED" ? "OVERLOADED" : error.code;
  return { kind: "refused", refusal: { code, message: REASONS[code], details: error.details } };
}

const REASONS = {
  EVALUATION_ABORTED:
    "The request needed more computing time than allowed and was stopped; nothing was charged.",
  OVERLOADED: "Too many requests are waiting, so this one was not executed; wait and retry.",
};
