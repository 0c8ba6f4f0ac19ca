import { DataError, type DataErrorCode } from "@groundrule/node";
import { type ArchiveQuestion, sharedBorders, WorkerPool } from "@groundrule/node/internal";
import type { BodyResult, BodyTask } from "./task/body-task.ts";

/** Editions as the worker opens them: reading and verifying a large one takes seconds, which no other thread has. */
export interface ArchiveSettings {
  /** The data folder. */
  readonly dir: string;
  /** The editions. */
  readonly question: Omit<ArchiveQuestion, "kernel">;
}

/** A worker thread that handles the bodies of requests over editions that a data folder keeps, current or not. */
export class ArchivePool {
  readonly #pool: WorkerPool<ArchiveSettings, BodyTask, BodyResult>;

  /**
   * @param dir the data folder
   * @param question the editions
   * @param deadlineMs CPU that a request may take, milliseconds
   */
  constructor(dir: string, question: ArchiveSettings["question"], deadlineMs = 1000) {
    const script = import.meta.url.endsWith(".ts") ? "./archive-worker.ts" : "./archive-worker.js";
    this.#pool = new WorkerPool(
      new URL(script, import.meta.url),
      { dir, question: { ...question, borders: sharedBorders() } },
      { size: 1, maxQueue: 1000, deadlineMs },
    );
  }

  /**
   * Fails with a `PoolError` as {@link AnswerPool.answer} does; with a `DataError`, `EDITION_MISSING`,
   * `EDITION_DAMAGED`, where the editions cannot be opened.
   */
  async answer(task: BodyTask): Promise<BodyResult> {
    try {
      return await this.#pool.run(task, { lane: task.organization });
    } catch (error) {
      // An error that ended the worker has lost its class on the way.
      const { name, code, message } = error as DataError;
      throw name === "DataError" ? new DataError(code as DataErrorCode, message) : error;
    }
  }

  /** Answers the requests that were accepted, then ends the worker. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
