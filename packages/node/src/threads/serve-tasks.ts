import { parentPort, workerData } from "node:worker_threads";
import { BATCH_CPU, BEGUN, type PoolMessage, type WorkerData, type WorkerMessage } from "./worker-pool.ts";

/** Maximum time that answers wait in the worker for the rest of their batch, milliseconds. */
const POST_AFTER_MS = 1;

/**
 * The worker's side of a {@link WorkerPool}: answers the tasks of a batch one after the other. It claims each task
 * before it begins it, so that the pool can take back the tasks that are not yet claimed.
 *
 * Errors thrown by `open` or a task are not caught: they end the worker, and only the running task is lost.
 *
 * @param open turns the settings of the pool into a function that answers a task; called again when the settings
 *   change. No task is sent before its promise is fulfilled
 * @param workOf returns the units of work of the last answer; absent: none are counted
 */
export function serveTasks<Settings, Task, Result>(
  open: (settings: Settings) => ((task: Task) => Result) | Promise<(task: Task) => Result>,
  workOf?: (task: Task, result: Result) => number,
): void {
  const port = parentPort;
  if (port === null) throw new Error("serveTasks was called outside a worker thread");
  const { settings, progress } = workerData as WorkerData<Settings>;
  const post = (message: WorkerMessage<Result>) => port.postMessage(message);

  let answer: (task: Task) => Result;
  const configure = async (settings: Settings): Promise<void> => {
    answer = await open(settings);
    post({ type: "ready" });
  };
  let configured = configure(settings);
  port.on("message", (message: PoolMessage<Settings, Task>) => {
    if (message.type === "settings") {
      configured = configured.then(() => configure(message.settings));
      return;
    }
    if (message.type === "end") {
      port.close();
      return;
    }
    const { tasks } = message;
    let results: Result[] = [];
    let work: number[] = [];
    const tell = (isLast: boolean): void =>
      post({ type: "done", results, ...(workOf !== undefined && { work }), isLast });
    let postedMs = performance.now();
    Atomics.store(progress, BATCH_CPU, getThreadCpuMs());
    const claim = (): number => Atomics.add(progress, BEGUN, 1);
    for (let i = claim(); i < tasks.length; i = claim()) {
      if (results.length > 0 && performance.now() - postedMs > POST_AFTER_MS) {
        tell(false);
        results = [];
        work = [];
        postedMs = performance.now();
      }
      const task = tasks[i]!;
      const result = answer(task);
      results.push(result);
      if (workOf !== undefined) work.push(workOf(task, result));
    }
    tell(true);
  });
}

/** CPU time of this thread so far. Before Node 22.15 it is not available, and not requested. */
function getThreadCpuMs(): number {
  const threadCpuUsage = process.threadCpuUsage as typeof process.threadCpuUsage | undefined;
  if (threadCpuUsage === undefined) return 0;
  const { user, system } = threadCpuUsage();
  return (user + system) / 1_000;
}
