import { Worker } from "node:worker_threads";
import { type CallResult, fromPlainError, type ReadCall } from "../../port/calls.ts";
import { StoreError } from "../../port/store-error.ts";
import type { ReadRequest } from "./read-worker.ts";

/** Maximum concurrent reads; each keeps a core busy. */
const READ_THREADS = 2;

/**
 * Runs reads whose duration grows with the stored data in threads of their own: SQLite reads in the calling thread, and
 * the HTTP thread would be blocked meanwhile. A thread is started when a read finds none idle.
 */
export class ReadThreads {
  readonly #path: string;
  readonly #threads: ReadThread[] = [];
  readonly #waiting: WaitingRead[] = [];
  #isClosed: boolean = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Fails: as the read does; `STORAGE_UNAVAILABLE` if the store is closed or the thread ended. */
  read(call: ReadCall, nowMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request: { call, nowMs }, resolve, reject });
      this.#begin();
    });
  }

  /** Passes waiting reads to idle threads. */
  #begin(): void {
    if (this.#isClosed) {
      const closed = new StoreError("STORAGE_UNAVAILABLE", "the store is closed");
      for (const { reject } of this.#waiting.splice(0)) reject(closed);
    }
    while (this.#waiting.length > 0) {
      const thread = this.#idle();
      if (thread === undefined) return;
      const { request, resolve, reject } = this.#waiting.shift()!;
      void thread
        .read(request)
        .then(resolve, reject)
        .finally(() => this.#begin());
    }
  }

  #idle(): ReadThread | undefined {
    const idle = this.#threads.find(({ isBusy, hasEnded }) => !isBusy && !hasEnded);
    if (idle !== undefined) return idle;
    const ended = this.#threads.findIndex(({ hasEnded }) => hasEnded);
    if (ended !== -1) this.#threads.splice(ended, 1);
    if (this.#threads.length === READ_THREADS) return undefined;
    const started = new ReadThread(this.#path);
    this.#threads.push(started);
    return started;
  }

  /** Running reads end first; waiting ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#begin();
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

interface WaitingRead {
  readonly request: ReadRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs one read in a thread that ends with it. */
export async function readInOwnThread(path: string, call: ReadCall, nowMs: number): Promise<unknown> {
  const thread = new ReadThread(path);
  try {
    return await thread.read({ call, nowMs });
  } finally {
    await thread.close();
  }
}

class ReadThread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #pending: { resolve: (value: unknown) => void; reject: (error: Error) => void } | undefined;
  hasEnded: boolean = false;

  constructor(path: string) {
    const script = import.meta.url.endsWith(".ts") ? "./read-worker.ts" : "./read-worker.js";
    this.#worker = new Worker(new URL(script, import.meta.url), { workerData: path, name: "reader" });
    this.#worker.on("message", (result: CallResult) => {
      if ("failed" in result) this.#pending?.reject(fromPlainError(result.failed));
      else this.#pending?.resolve(result.value);
      this.#rest();
    });
    // For example an exhausted heap: this read fails, the process goes on.
    this.#worker.on("error", (error) => {
      this.hasEnded = true;
      this.#pending?.reject(error as Error);
      this.#rest();
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        this.hasEnded = true;
        this.#pending?.reject(
          new StoreError("STORAGE_UNAVAILABLE", "the thread that reads the state file ended"),
        );
        this.#rest();
        resolve();
      });
    });
  }

  get isBusy(): boolean {
    return this.#pending !== undefined;
  }

  read(request: ReadRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.isBusy) throw new Error("a thread makes one read at a time");
      this.#pending = { resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage(request);
    });
  }

  /** An idle thread does not keep the process alive. */
  #rest(): void {
    this.#pending = undefined;
    this.#worker.unref();
  }

  async close(): Promise<void> {
    if (this.hasEnded) return;
    this.#worker.ref();
    this.#worker.postMessage("close");
    await this.#ended;
  }
}
