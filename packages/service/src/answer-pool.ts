import { availableParallelism } from "node:os";
import { ANSWER_WORK } from "@groundrule/engine/internal";
import type { EngineSettings, PoolLimits } from "@groundrule/node";
import {
  getSharedBorders,
  LaneWork,
  type PlainSettings,
  toPlainSettings,
  WorkerPool,
  type WorkLimits,
} from "@groundrule/node/internal";
import { JOBS_PATH } from "./jobs/read-job.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";
import { computeBodyWork } from "./task/counted-work.ts";

/** Deadline multiple for reading all plots of a job in one task: thousands of them, ten megabytes at most. */
const UPLOAD_WEIGHT = 10;

/** Maximum requests sent to a worker at once; one commit then serves the requests of a few workers. */
const BATCH = 16;

/** Units of the engine's work per millisecond of CPU, at some 3 ns each. */
const UNITS_PER_MILLISECOND = 330_000;

/**
 * A task of 10 ms is heavy. One organization may have as much heavy work at once as the largest count of one answer,
 * and continuously a hundredth of a worker: beyond it, its tasks leave a worker to the others.
 */
const WORK_LIMITS: WorkLimits = {
  heavyTask: 10 * UNITS_PER_MILLISECOND,
  burst: ANSWER_WORK,
  perSecond: 10 * UNITS_PER_MILLISECOND,
  perMillisecond: UNITS_PER_MILLISECOND,
};

/**
 * Worker threads that handle the bodies of requests over the same shared editions, each as an
 * {@link Answerer} in this thread would.
 */
export class AnswerPool {
  readonly #pool: WorkerPool<PlainSettings, BodyTask, BodyResult>;
  readonly #work = new LaneWork(WORK_LIMITS);
  readonly #size: number;

  /**
   * @param settings for example a `DataView`
   * @param limits by default as many workers as the host has cores, 1,000 waiting requests and 1 s of CPU per request
   */
  constructor(settings: EngineSettings, limits: Partial<PoolLimits> = {}) {
    const script = import.meta.url.endsWith(".ts") ? "./answer-worker.ts" : "./answer-worker.js";
    const { size = availableParallelism() } = limits;
    this.#size = size;
    this.#pool = new WorkerPool(
      new URL(script, import.meta.url),
      toPlainSettings(settings, getSharedBorders()),
      { maxQueue: 1000, deadlineMs: 1000, lot: BATCH, ...limits, size },
      this.#work,
    );
  }

  /** Fails with a `PoolError`: `EVALUATION_ABORTED`, `OVERLOADED`, `POOL_CLOSED`. */
  answer(task: BodyTask): Promise<BodyResult> {
    const { organization, inBackground = false, route } = task;
    const weight = route === JOBS_PATH ? UPLOAD_WEIGHT : 1;
    return this.#pool.run(task, { lane: organization, inBackground, weight, work: computeBodyWork(task) });
  }

  /**
   * Expected milliseconds by which a request of an organization delays its next one, from the work of its last ones; 0
   * if that was negligible.
   *
   * @param organization its id
   */
  expectedMs(organization: string): number {
    return this.#work.expectedMs(organization) / Math.max(1, this.#size - 1);
  }

  /**
   * Switches every worker to other editions. A request that is being answered finishes on the editions it began with.
   *
   * Fails: `VALIDATION_FAILED` for what is no settings.
   */
  use(settings: EngineSettings): void {
    this.#pool.configure(toPlainSettings(settings, getSharedBorders()));
  }

  /** Answers the requests that were accepted, then ends the workers. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
