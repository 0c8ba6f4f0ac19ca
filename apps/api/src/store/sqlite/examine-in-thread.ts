import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Violation } from "../port/port.ts";
import { errorOf } from "../port/write-call.ts";
import type { Examination, Examined } from "./examine-worker.ts";

/**
 * Examines a state file in a thread of its own: reading a month's charges would hold up all else.
 *
 * Fails: `STORAGE_UNAVAILABLE`.
 */
export async function examineInThread(examination: Examination): Promise<readonly Violation[]> {
  const script = import.meta.url.endsWith(".ts") ? "./examine-worker.ts" : "./examine-worker.js";
  const worker = new Worker(new URL(script, import.meta.url), { workerData: examination });
  const ended = once(worker, "exit");
  const [examined] = (await once(worker, "message")) as [Examined];
  await ended;
  if ("failed" in examined) throw errorOf(examined.failed);
  return examined.violations;
}
