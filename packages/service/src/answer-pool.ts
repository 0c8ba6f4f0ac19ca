import { availableParallelism } from "node:os";
import {
  type EngineSettings,
  type PlainSettings,
  type PoolLimits,
  plainSettings,
  sharedBorders,
  WorkerPool,
} from "@groundrule/node";
import { JOBS_PATH } from "./jobs/read-job.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";

/** The plots of a job are read in one task: thousands of them, ten megabytes at most. */
const UPLOAD_WEIGHT = 10;

/** Most requests that a worker is sent at once; one commit then serves the requests of a few workers. */
const LOT = 16;

/**
 * Worker threads that handle the bodies of requests over the same shared editions, each as an
 * {@link Answerer} in this thread would.
 */
export class AnswerPool {
  readonly #pool: WorkerPool<PlainSettings, BodyTask, BodyResult>;

  /**
   * @param settings for example a `DataView`
   * @param limits by default as many workers as the host has cores, 1,000 waiting requests and 1 s of CPU per request
   */
  constructor(settings: EngineSettings, limits: Partial<PoolLimits> = {}) {
    const script = import.meta.url.endsWith(".ts") ? "./answer-worker.ts" : "./answer-worker.js";
    this.#pool = new WorkerPool(new URL(script, import.meta.url), plainSettings(settings, sharedBorders()), {
      size: availableParallelism(),
      maxQueue: 1000,
      deadlineMs: 1000,
      lot: LOT,
      ...limits,
    });
  }

  /** Fails with a `PoolError`: `EVALUATION_ABORTED`, `OVERLOADED`, `POOL_CLOSED`. */
  answer(task: BodyTask): Promise<BodyResult> {
    const { organization, inBackground = false, route } = task;
    const weight = route === JOBS_PATH ? UPLOAD_WEIGHT : 1;
    return this.#pool.run(task, { lane: organization, inBackground, weight });
  }

  /**
   * Switches every worker to other editions. A request that is being answered finishes on the editions it began with.
   *
   * Fails: never.
   */
  use(settings: EngineSettings): void {
    this.#pool.configure(plainSettings(settings, sharedBorders()));
  }

  /** Answers the requests that were accepted, then ends the workers. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
