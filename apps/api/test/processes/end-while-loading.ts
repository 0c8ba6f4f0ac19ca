import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

// A process that ends, in one of the ways there are, so many milliseconds after its workers have
// started, or as soon as the first of them says that it is ready.

/** Ways to end a process while its worker threads load. */
export type Ending = "exit" | "throw" | "terminate";

const [ending, after] = process.argv.slice(2) as [Ending, string];
const workers = Array.from({ length: 2 }, () => {
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const settings = { sources: [], options: {} };
  return new Worker(new URL("../../../../packages/service/src/answer-worker.ts", import.meta.url), {
    workerData: { settings, progress },
  });
});
const end = (): void => {
  if (ending === "exit") process.exit(0);
  if (ending === "throw") throw new Error("on purpose");
  void Promise.all(workers.map((worker) => worker.terminate()));
};
if (after === "ready") for (const worker of workers) worker.once("message", end);
else void sleep(Number(after)).then(end);
