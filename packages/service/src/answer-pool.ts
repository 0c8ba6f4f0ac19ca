import { availableParallelism } from "node:os";
import {
  type EngineSettings,
  type PlainSettings,
  type PoolLimits,
  plainSettings,
  WorkerPool,
} from "@groundrule/node";
import type { BodyResult, BodyTask } from "./task/body-task.ts";

/** Most requests a worker is handed at once; a commit serves as many of a few workers. */
const LOT = 16;

/**
 * Worker threads that do what requests need their bodies for, over the same shared editions: each as
 * an {@link Answerer} in this thread would.
 */
export class AnswerPool {
  readonly #pool: WorkerPool<PlainSettings, BodyTask, BodyResult>;

  /**
   * @param settings a `DataView` is one
   * @param limits by default as many workers as the host has cores, 1,000 waiting, 1 s of CPU a request
   */
  constructor(settings: EngineSettings, limits: Partial<PoolLimits> = {}) {
    const script = import.meta.url.endsWith(".ts") ? "./answer-worker.ts" : "./answer-worker.js";
    this.#pool = new WorkerPool(new URL(script, import.meta.url), plainSettings(settings), {
      size: availableParallelism(),
      maxQueue: 1000,
      deadlineMs: 1000,
      lot: LOT,
      ...limits,
    });
  }

  /** Fails with a `PoolError`: `EVALUATION_ABORTED`, `OVERLOADED`, `POOL_CLOSED`. */
  answer(task: BodyTask): Promise<BodyResult> {
    return this.#pool.run(task, 1, task.organization);
  }

  /** Switches every worker to other editions; a request that is being answered finishes on its own. */
  use(settings: EngineSettings): void {
    this.#pool.configure(plainSettings(settings));
  }

  /** Answers what was asked, then ends the workers. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
