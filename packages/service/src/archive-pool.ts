import { DataError, type DataErrorCode } from "@groundrule/node";
import { type ArchiveQuestion, getSharedBorders, WorkerPool } from "@groundrule/node/internal";
import type { BodyResult, BodyTask } from "./task/body-task.ts";

/**
 * Editions for the worker to open: reading and verifying a large one takes seconds, which other threads cannot spare.
 */
export interface ArchiveSettings {
  /** The data folder. */
  readonly dir: string;
  /** The editions. */
  readonly question: Omit<ArchiveQuestion, "kernel">;
}

/** A worker thread that handles request bodies over editions that a data folder stores, current or not. */
export class ArchivePool {
  readonly #pool: WorkerPool<ArchiveSettings, BodyTask, BodyResult>;

  /**
   * @param dir the data folder
   * @param question the editions
   * @param deadlineMs maximum CPU time of a request, milliseconds
   */
  constructor(dir: string, question: ArchiveSettings["question"], deadlineMs = 1000) {
    const script = import.meta.url.endsWith(".ts") ? "./archive-worker.ts" : "./archive-worker.js";
    this.#pool = new WorkerPool(
      new URL(script, import.meta.url),
      { dir, question: { ...question, borders: getSharedBorders() } },
      { size: 1, maxQueue: 1000, deadlineMs },
    );
  }

  /**
   * Fails with a `PoolError` as {@link AnswerPool.answer} does; with a `DataError`, `EDITION_MISSING`,
   * `EDITION_DAMAGED`, if the editions cannot be opened.
   */
  async answer(task: BodyTask): Promise<BodyResult> {
    try {
      return await this.#pool.run(task, { lane: task.organization });
    } catch (error) {
      // An error that ended the worker has lost its class in transit.
      const { name, code, message } = error as DataError;
      throw name === "DataError" ? new DataError(code as DataErrorCode, message) : error;
    }
  }

  /** Answers the requests that were accepted, then ends the worker. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
