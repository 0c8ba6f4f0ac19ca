import { Worker } from "node:worker_threads";
import { FairQueue } from "./fair-queue.ts";
import type { LaneWork } from "./lane-work.ts";

/** How much work a pool accepts, and how long a task may take. */
export interface PoolLimits {
  /** Number of worker threads. */
  readonly size: number;
  /** Maximum tasks that wait for a free worker; the next one is refused with `OVERLOADED`. */
  readonly maxQueue: number;
  /**
   * CPU time of a task after which its worker is ended, milliseconds. Waiting and start-up do not count. Before Node
   * 24.6 the CPU time of a worker is not available, and elapsed time counts instead.
   */
  readonly deadlineMs: number;
  /** Maximum elapsed time of a task on a busy machine, in multiples of `deadlineMs`. Default 20. */
  readonly patience?: number;
  /** Maximum tasks sent to a worker at once, if so many wait: sending costs as much as a small task. Default 1. */
  readonly lot?: number;
  /**
   * True to start a worker only when a task waits for it, so that few tasks start few workers. Default false: all start
   * at once.
   */
  readonly asNeeded?: boolean;
}

/** Every code that a {@link PoolError} can carry. */
export type PoolErrorCode = "EVALUATION_ABORTED" | "OVERLOADED" | "POOL_CLOSED" | "WORKER_UNAVAILABLE";

/** The reason why a pool returned no answer. An error thrown by a task itself is passed on unchanged. */
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

/** Scheduling options of a task. */
export interface TaskTerms {
  /** Multiple of `deadlineMs` that the task may take, for a task of several parts. Default 1. */
  readonly weight?: number;
  /** The task's lane: tasks of one lane wait for each other, and lanes take turns. */
  readonly lane?: string;
  /**
   * True to wait behind every other task. Such tasks leave one worker free for the others, if there are several. The
   * caller limits how many wait: `maxQueue` does not count them. Default false.
   */
  readonly inBackground?: boolean;
  /** Units of work known before it begins. Default 0. */
  readonly work?: number;
}

/** The start data of a worker of a {@link WorkerPool}. */
export interface WorkerData<Settings> {
  readonly settings: Settings;
  /** Shared memory with the indices {@link BEGUN} and {@link BATCH_CPU}. */
  readonly progress: Int32Array;
}

/** Number of tasks of its batch that the worker has begun, incremented when one is claimed. */
export const BEGUN = 0;

/** CPU milliseconds of the worker at the start of its batch. */
export const BATCH_CPU = 1;

/** A message of a worker of a {@link WorkerPool}: `ready` when its settings are applied, `done` for tasks in order. */
export type WorkerMessage<Result> =
  | { readonly type: "ready" }
  | {
      readonly type: "done";
      readonly results: readonly Result[];
      /** Units of work of each result; absent: the worker counts none. */
      readonly work?: readonly number[];
      readonly isLast: boolean;
    };

/** A message to a worker. Settings arrive between batches, in the order they were made. */
export type PoolMessage<Settings, Task> =
  | { readonly type: "settings"; readonly settings: Settings }
  | { readonly type: "end" }
  | { readonly type: "tasks"; readonly tasks: readonly Task[] };

interface Job<Task, Result> {
  readonly task: Task;
  readonly lane: string;
  readonly inBackground: boolean;
  readonly deadlineMs: number;
  /** Units of work known in advance. */
  readonly work: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
  /** True once answered or refused: a second answer, of a task that was sent again, is ignored. */
  isSettled: boolean;
}

interface Slot<Task, Result> {
  readonly worker: Worker;
  readonly progress: Int32Array;
  /** Settings sent without a `ready` so far; only at 0 may it get tasks. */
  unsettled: number;
  started: boolean;
  ending: boolean;
  /** Tasks sent to it and not answered. */
  batch: Job<Task, Result>[];
  /** True if its batch is of the background, or one heavy task. */
  isReserved: boolean;
  /** Number of answered tasks of its batch. */
  answered: number;
  /** Set when its batch was recalled: the task that was running then, if any. */
  left: { readonly job: Job<Task, Result> | undefined } | undefined;
  /** Timer until its batch is recalled. */
  recall: NodeJS.Timeout | undefined;
  /** Watches the one task left to it. */
  watch: Watch<Task, Result> | undefined;
}

interface Watch<Task, Result> {
  readonly job: Job<Task, Result>;
  readonly sinceMs: number;
  timer: NodeJS.Timeout | undefined;
}

/** Time after which the waiting tasks of a batch are given to other workers, milliseconds. */
const RECALL_MS = 10;

/** Maximum background tasks sent to a worker at once: others wait for the running ones. */
const BACKGROUND_BATCH = 4;

/** Maximum time for an idle worker to end by itself, milliseconds. */
const END_MS = 10_000;

/** More than any batch begins: a worker that finds it claims nothing more. */
const RECALLED = 1 << 30;

/**
 * Worker threads that answer tasks of plain values. Each worker runs one task at a time, first come, first served; if
 * tasks have lanes, the lanes take turns.
 *
 * If the pool counts the work of its lanes, heavy tasks leave one worker free for the others, if there are several:
 * tasks with much work known in advance, and those of lanes whose answers took much.
 *
 * Under load, tasks are sent in batches, heavy ones alone. A batch that takes long keeps only its running task; the
 * others go to a free worker, for tasks have no effect except their answer and may be run twice.
 *
 * A worker that exceeds the deadline or dies is replaced, and only the task that it ran is lost. The module of the
 * worker calls {@link serveTasks}.
 */
export class WorkerPool<Settings, Task, Result> {
  readonly #script: URL;
  readonly #limits: PoolLimits;
  readonly #work: LaneWork | undefined;
  readonly #slots = new Set<Slot<Task, Result>>();
  readonly #queue = new FairQueue<Job<Task, Result>>();
  /** Tasks that wait behind everything in the queue. */
  readonly #background = new FairQueue<Job<Task, Result>>();
  #settings: Settings;
  #closing: (() => void) | undefined;
  /** Set when its workers are being ended. */
  #isEnding = false;
  #closed: Promise<void> | undefined;
  /** Set when a worker cannot even start; another would fail the same way. */
  #broken: Error | undefined;
  #dueDispatch: NodeJS.Immediate | undefined;

  /** @param work counts the work of lanes; absent: no task is heavy */
  constructor(script: URL, settings: Settings, limits: PoolLimits, work?: LaneWork) {
    this.#script = script;
    this.#settings = settings;
    this.#limits = limits;
    this.#work = work;
    if (!limits.asNeeded) for (let i = 0; i < limits.size; i++) this.#start();
  }

  /** Number of tasks that wait for a worker. */
  get queued(): number {
    return this.#queue.size + this.#background.size;
  }

  /** Number of tasks sent to workers and not answered. */
  get running(): number {
    return [...this.#slots].reduce((sum, { batch }) => sum + batch.length, 0);
  }

  /**
   * Answers a task.
   *
   * Fails: `OVERLOADED`, `EVALUATION_ABORTED` (deadline, or the worker died), `POOL_CLOSED`.
   */
  run(
    task: Task,
    { weight = 1, lane = "", inBackground = false, work = 0 }: TaskTerms = {},
  ): Promise<Result> {
    if (this.#closed !== undefined) {
      return Promise.reject(new PoolError("POOL_CLOSED", "the worker pool is closed"));
    }
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    const { maxQueue, deadlineMs } = this.#limits;
    if (!inBackground && ![...this.#slots].some(isFree) && this.#queue.size >= maxQueue) {
      return Promise.reject(
        new PoolError(
          "OVERLOADED",
          `${this.#queue.size} tasks are waiting and at most ${maxQueue} may wait; wait and retry`,
          {
            maxQueue,
          },
        ),
      );
    }
    return new Promise<Result>((resolve, reject) => {
      const deadline = deadlineMs * weight;
      const job = { task, lane, inBackground, deadlineMs: deadline, work, resolve, reject, isSettled: false };
      this.#queueOf(job).push(lane, job);
      this.#startNeeded();
      this.#dispatchSoon();
    });
  }

  /** Sends new settings to every worker. A task that runs finishes on the old settings; later tasks use the new ones. */
  configure(settings: Settings): void {
    this.#settings = settings;
    for (const slot of this.#slots) {
      slot.unsettled++;
      slot.worker.postMessage({ type: "settings", settings } satisfies PoolMessage<Settings, Task>);
    }
  }

  /** Accepts no new task, lets the accepted ones finish, then ends the workers. */
  close(): Promise<void> {
    this.#closed ??= new Promise<void>((resolve) => {
      this.#closing = resolve;
      this.#finishClosing();
    });
    return this.#closed;
  }

  #startNeeded(): void {
    if (!this.#limits.asNeeded || this.#slots.size >= this.#limits.size) return;
    const ready = [...this.#slots].filter((slot) => !slot.started || isFree(slot));
    if (this.queued > ready.length) this.#start();
  }

  #start(): void {
    const progress = new Int32Array(new SharedArrayBuffer(8));
    const workerData: WorkerData<Settings> = { settings: this.#settings, progress };
    const worker = new Worker(this.#script, { workerData, name: "answers" });
    const slot: Slot<Task, Result> = {
      worker,
      progress,
      unsettled: 1,
      started: false,
      ending: false,
      batch: [],
      isReserved: false,
      answered: 0,
      left: undefined,
      recall: undefined,
      watch: undefined,
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
      for (const [i, result] of message.results.entries()) {
        slot.answered++;
        // Absent if the deadline passed while the answer was on its way.
        const job = slot.batch.shift();
        if (job === undefined) continue;
        if (message.work !== undefined) this.#count(job, message.work[i]!);
        settleJob(job, () => job.resolve(result));
      }
      if (message.isLast) this.#empty(slot);
      this.#finishClosing();
    }
    this.#dispatch();
  }

  /** Dispatches together with other tasks of the same turn of the event loop, if workers take several at once. */
  #dispatchSoon(): void {
    if (this.#limits.lot === undefined) {
      this.#dispatch();
    } else {
      this.#dueDispatch ??= setImmediate(() => {
        this.#dueDispatch = undefined;
        this.#dispatch();
      });
    }
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (this.queued === 0) return;
      if (!isFree(slot)) continue;
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      slot.batch = batch;
      slot.isReserved = batch[0]!.inBackground || this.#isHeavy(batch[0]!);
      slot.answered = 0;
      Atomics.store(slot.progress, BEGUN, 0);
      if (batch.length === 1) this.#watch(slot, batch[0]!);
      else slot.recall = setTimeout(() => this.#recall(slot), RECALL_MS);
      const tasks = batch.map(({ task }) => task);
      slot.worker.postMessage({ type: "tasks", tasks } satisfies PoolMessage<Settings, Task>);
    }
  }

  /** The next batch of a free worker: background tasks only if no other may begin. */
  #nextBatch(): Job<Task, Result>[] {
    const { size, lot: most = 1 } = this.#limits;
    // One worker stays free of long tasks, if there are several.
    const mayHold = [...this.#slots].filter(({ isReserved }) => isReserved).length < Math.max(1, size - 1);
    const batch = this.#takeWaiting(Math.min(most, Math.ceil(this.#queue.size / size)), mayHold);
    if (batch.length > 0 || !mayHold) return batch;
    return takeWaitingJobs(this.#background, Math.min(most, BACKGROUND_BATCH));
  }

  /** The next tasks of the queue: several light ones, or one heavy one if that may begin. */
  #takeWaiting(count: number, mayHold: boolean): Job<Task, Result>[] {
    const taken: Job<Task, Result>[] = [];
    const mayPass = (_: string, job: Job<Task, Result>): boolean =>
      (mayHold && taken.length === 0) || !this.#isHeavy(job);
    while (taken.length < count) {
      const job = this.#queue.shift(mayPass);
      if (job === undefined) break;
      if (job.isSettled) continue;
      taken.push(job);
      if (this.#isHeavy(job)) break;
    }
    return taken;
  }

  /** Background tasks already leave a worker to others, and do not predict the others' work. */
  #count({ lane, inBackground }: Job<Task, Result>, units: number): void {
    if (!inBackground) this.#work?.count(lane, units);
  }

  #isHeavy({ lane, work }: Job<Task, Result>): boolean {
    return this.#work?.isHeavy(lane, work) ?? false;
  }

  #queueOf({ inBackground }: Pick<Job<Task, Result>, "inBackground">): FairQueue<Job<Task, Result>> {
    return inBackground ? this.#background : this.#queue;
  }

  #putBack(jobs: readonly Job<Task, Result>[]): void {
    for (const queue of [this.#queue, this.#background]) {
      queue.putBack(jobs.filter((job) => this.#queueOf(job) === queue).map((job) => [job.lane, job]));
    }
  }

  /**
   * Takes tasks that have not begun back from a batch that takes long. The running task keeps its worker and its
   * deadline.
   */
  #recall(slot: Slot<Task, Result>): void {
    const { batch, answered } = slot;
    const job = batch[Atomics.exchange(slot.progress, BEGUN, RECALLED) - 1 - answered];
    slot.left = { job };
    slot.isReserved = true;
    this.#putBack(batch.filter((other) => other !== job));
    if (job !== undefined) this.#watch(slot, job);
    this.#dispatch();
  }

  /**
   * Ends a task that exceeds its CPU time. The first check comes after that much time: the task cannot have used more
   * earlier.
   */
  #watch(slot: Slot<Task, Result>, job: Job<Task, Result>): void {
    const { deadlineMs } = job;
    const wallMs = deadlineMs * (this.#limits.patience ?? 20);
    const watch: Watch<Task, Result> = { job, sinceMs: performance.now(), timer: undefined };
    slot.watch = watch;
    const look = async (): Promise<void> => {
      const leftMs = watch.sinceMs + wallMs - performance.now();
      if (leftMs <= 0) return this.#abort(slot, job, `was not finished after ${wallMs} ms`);
      // Requested from the worker in the middle of its work; inside a long call of the host it does not respond.
      watch.timer = setTimeout(look, leftMs);
      const spentMs = await measureSpentMs(slot);
      if (slot.watch !== watch || slot.ending) return;
      clearTimeout(watch.timer);
      if (spentMs === undefined) return this.#abort(slot, job, `was not finished after ${deadlineMs} ms`);
      if (spentMs >= deadlineMs) return this.#abort(slot, job, `used more than ${deadlineMs} ms of CPU`);
      watch.timer = setTimeout(look, Math.max(1, Math.min(deadlineMs - spentMs, leftMs)));
    };
    watch.timer = setTimeout(look, deadlineMs);
  }

  #abort(slot: Slot<Task, Result>, job: Job<Task, Result>, why: string): void {
    slot.ending = true;
    this.#empty(slot);
    const { deadlineMs } = job;
    this.#count(job, this.#work?.unitsIn(deadlineMs) ?? 0);
    const message = `the evaluation ${why} and was stopped`;
    settleJob(job, () => job.reject(new PoolError("EVALUATION_ABORTED", message, { deadlineMs })));
    void slot.worker.terminate();
  }

  #replace(slot: Slot<Task, Result>, cause: Error): void {
    this.#slots.delete(slot);
    const lost = listLostTasks(slot);
    const others = slot.left === undefined ? slot.batch.filter((job) => !lost.includes(job)) : [];
    this.#empty(slot);
    const message = `the worker ended during the evaluation: ${cause.message}`;
    for (const job of lost) {
      this.#count(job, this.#work?.unitsIn(job.deadlineMs) ?? 0);
      settleJob(job, () => job.reject(new PoolError("EVALUATION_ABORTED", message)));
    }
    this.#putBack(others);
    if (!slot.started) this.#break(cause);
    else if (this.#closing === undefined || this.queued > 0) this.#start();
    this.#finishClosing();
    this.#dispatch();
  }

  /** If no worker starts, no waiting task will ever be answered. */
  #break(cause: Error): void {
    this.#broken = cause;
    for (const queue of [this.#queue, this.#background]) {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        const { reject } = job;
        settleJob(job, () => reject(cause));
      }
    }
  }

  #empty(slot: Slot<Task, Result>): void {
    clearTimeout(slot.recall);
    clearTimeout(slot.watch?.timer);
    slot.watch = undefined;
    slot.batch = [];
    slot.isReserved = false;
    slot.left = undefined;
  }

  #finishClosing(): void {
    if (this.#closing === undefined || this.#isEnding || this.queued > 0 || this.running > 0) return;
    this.#isEnding = true;
    const resolve = this.#closing;
    const ended = [...this.#slots].map(
      (slot) =>
        new Promise<void>((exited) => {
          const giveUp = setTimeout(() => {
            // A worker that is still loading its modules ends when it has finished.
            if (slot.started) void slot.worker.terminate();
          }, END_MS);
          slot.worker.once("exit", () => {
            clearTimeout(giveUp);
            exited();
          });
          slot.worker.postMessage({ type: "end" } satisfies PoolMessage<Settings, Task>);
        }),
    );
    void Promise.all(ended).then(() => resolve());
  }
}

function takeWaitingJobs<Task, Result>(
  queue: FairQueue<Job<Task, Result>>,
  count: number,
): Job<Task, Result>[] {
  const taken: Job<Task, Result>[] = [];
  while (taken.length < count && queue.size > 0) {
    const job = queue.shift()!;
    if (!job.isSettled) taken.push(job);
  }
  return taken;
}

function isFree(slot: Slot<unknown, never>): boolean {
  return slot.unsettled === 0 && slot.batch.length === 0 && !slot.ending;
}

/** CPU milliseconds of a worker since it began its batch; undefined if the host cannot measure them. */
async function measureSpentMs<Task, Result>({
  worker,
  progress,
}: Slot<Task, Result>): Promise<number | undefined> {
  // Before Node 24.6 there is none.
  const cpuUsage = worker.cpuUsage as Worker["cpuUsage"] | undefined;
  if (cpuUsage === undefined) return undefined;
  try {
    const { user, system } = await cpuUsage.call(worker);
    if (Atomics.load(progress, BEGUN) === 0) return 0;
    return (user + system) / 1_000 - Atomics.load(progress, BATCH_CPU);
  } catch {
    // It died meanwhile, which is reported elsewhere.
    return 0;
  }
}

/** The tasks lost with a worker: the running one, or all that it had if the running one is unknown. */
function listLostTasks<Task, Result>({
  progress,
  batch,
  answered,
  left,
}: Slot<Task, Result>): Job<Task, Result>[] {
  if (left !== undefined) return left.job === undefined ? [] : [left.job];
  const running = Atomics.load(progress, BEGUN) - 1;
  const job = batch[running - answered];
  return job === undefined ? batch : [job];
}

function settleJob<Task, Result>(job: Job<Task, Result>, end: () => void): void {
  if (job.isSettled) return;
  job.isSettled = true;
  end();
}
