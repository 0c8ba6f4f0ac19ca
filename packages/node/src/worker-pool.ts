import { Worker } from "node:worker_threads";

export interface PoolLimits {
  /** Number of worker threads. */
  readonly size: number;
  /** Most tasks that wait for a free worker; one more is refused with `OVERLOADED`. */
  readonly maxQueue: number;
  /** Milliseconds a task may run before its worker is ended. Waiting and start-up do not count. */
  readonly deadlineMs: number;
}

export type PoolErrorCode = "EVALUATION_ABORTED" | "OVERLOADED" | "POOL_CLOSED";

/** Why a pool gave no answer. What a task itself throws is not that: it arrives as it was thrown. */
export class PoolError extends Error {
  override readonly name = "PoolError";
  readonly code: PoolErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: PoolErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** What a worker of a {@link WorkerPool} posts: `ready` when its settings stand, `done` for each task. */
export type WorkerMessage<Result> =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly result: Result };

/** What a worker is sent. Settings arrive between tasks, in the order they were made. */
export type PoolMessage<Settings, Task> =
  | { readonly type: "settings"; readonly settings: Settings }
  | { readonly type: "task"; readonly task: Task };

interface Job<Task, Result> {
  readonly task: Task;
  readonly deadlineMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

interface Slot<Task, Result> {
  readonly worker: Worker;
  /** Settings sent that it has not reported `ready` for; only at 0 may it get a task. */
  unsettled: number;
  started: boolean;
  ending: boolean;
  job: Job<Task, Result> | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Worker threads that answer tasks of plain values, one at a time each, first come, first served.
 *
 * A worker that runs past the deadline or dies is replaced, and only the task it held is lost. The
 * worker's module receives the settings as `workerData` and speaks {@link WorkerMessage}.
 */
export class WorkerPool<Settings, Task, Result> {
  readonly #script: URL;
  readonly #limits: PoolLimits;
  readonly #slots = new Set<Slot<Task, Result>>();
  readonly #queue: Job<Task, Result>[] = [];
  #settings: Settings;
  #closing: (() => void) | undefined;
  #closed: Promise<void> | undefined;
  /** Set when a worker cannot even start; another would fail the same way. */
  #broken: Error | undefined;

  constructor(script: URL, settings: Settings, limits: PoolLimits) {
    this.#script = script;
    this.#settings = settings;
    this.#limits = limits;
    for (let i = 0; i < limits.size; i++) this.#start();
  }

  /** Tasks that wait for a worker. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Tasks that workers hold. */
  get running(): number {
    return [...this.#slots].filter((slot) => slot.job !== undefined).length;
  }

  /**
   * Answers a task.
   *
   * @param weight how many deadlines the task may take, for tasks of several parts
   *
   * Fails: `OVERLOADED`, `EVALUATION_ABORTED` (deadline, or the worker died), `POOL_CLOSED`.
   */
  run(task: Task, weight = 1): Promise<Result> {
    if (this.#closed !== undefined) {
      return Promise.reject(new PoolError("POOL_CLOSED", "the worker pool is closed"));
    }
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    const { maxQueue } = this.#limits;
    if (![...this.#slots].some(isFree) && this.#queue.length >= maxQueue) {
      return Promise.reject(
        new PoolError("OVERLOADED", `${this.#queue.length} tasks wait already, ${maxQueue} may`, {
          maxQueue,
        }),
      );
    }
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ task, deadlineMs: this.#limits.deadlineMs * weight, resolve, reject });
      this.#dispatch();
    });
  }

  /** Hands new settings to every worker: a task that runs finishes on the old ones, later ones see the new. */
  configure(settings: Settings): void {
    this.#settings = settings;
    for (const slot of this.#slots) {
      slot.unsettled++;
      slot.worker.postMessage({ type: "settings", settings } satisfies PoolMessage<Settings, Task>);
    }
  }

  /** Takes no new task, lets those accepted finish, then ends the workers. */
  close(): Promise<void> {
    this.#closed ??= new Promise<void>((resolve) => {
      this.#closing = resolve;
      this.#finishClosing();
    });
    return this.#closed;
  }

  #start(): void {
    const worker = new Worker(this.#script, { workerData: this.#settings });
    const slot: Slot<Task, Result> = {
      worker,
      unsettled: 1,
      started: false,
      ending: false,
      job: undefined,
      timer: undefined,
    };
    this.#slots.add(slot);
    let failure: Error | undefined;
    worker.on("message", (message: WorkerMessage<Result>) => this.#receive(slot, message));
    worker.on("error", (error: Error) => {
      failure = error;
    });
    worker.on("exit", (code) => this.#replace(slot, failure ?? new Error(`exit code ${code}`)));
  }

  #receive(slot: Slot<Task, Result>, message: WorkerMessage<Result>): void {
    if (message.type === "ready") {
      slot.started = true;
      slot.unsettled--;
    } else {
      // Absent when the deadline passed while the answer was on its way.
      this.#take(slot)?.resolve(message.result);
      this.#finishClosing();
    }
    this.#dispatch();
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (this.#queue.length === 0) return;
      if (!isFree(slot)) continue;
      const job = this.#queue.shift()!;
      slot.job = job;
      slot.timer = setTimeout(() => this.#abort(slot), job.deadlineMs);
      slot.worker.postMessage({ type: "task", task: job.task } satisfies PoolMessage<Settings, Task>);
    }
  }

  #abort(slot: Slot<Task, Result>): void {
    slot.ending = true;
    const job = this.#take(slot)!;
    const { deadlineMs } = job;
    job.reject(
      new PoolError("EVALUATION_ABORTED", `the evaluation ran past ${deadlineMs} ms and was ended`, {
        deadlineMs,
      }),
    );
    void slot.worker.terminate();
  }

  #replace(slot: Slot<Task, Result>, cause: Error): void {
    this.#slots.delete(slot);
    this.#take(slot)?.reject(
      new PoolError("EVALUATION_ABORTED", `the evaluation's worker died: ${cause.message}`),
    );
    if (!slot.started) this.#break(cause);
    else if (this.#closing === undefined || this.#queue.length > 0) this.#start();
    this.#finishClosing();
  }

  /** Without a worker that starts, nothing that waits will ever be answered. */
  #break(cause: Error): void {
    this.#broken = cause;
    for (const job of this.#queue.splice(0)) job.reject(cause);
  }

  #take(slot: Slot<Task, Result>): Job<Task, Result> | undefined {
    const { job } = slot;
    clearTimeout(slot.timer);
    slot.job = undefined;
    return job;
  }

  #finishClosing(): void {
    if (this.#closing === undefined || this.#queue.length > 0 || this.running > 0) return;
    const resolve = this.#closing;
    const workers = [...this.#slots].map((slot) => slot.worker);
    void Promise.all(workers.map((worker) => worker.terminate())).then(() => resolve());
  }
}

function isFree(slot: Slot<unknown, never>): boolean {
  return slot.unsettled === 0 && slot.job === undefined && !slot.ending;
}
