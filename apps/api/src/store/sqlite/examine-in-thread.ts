import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Violation } from "../port.ts";
import type { Examination } from "./examine-worker.ts";

/** Examines a state file in a thread of its own: reading a month's charges would hold up all else. */
export async function examineInThread(examination: Examination): Promise<readonly Violation[]> {
  const script = import.meta.url.endsWith(".ts") ? "./examine-worker.ts" : "./examine-worker.js";
  const worker = new Worker(new URL(script, import.meta.url), { workerData: examination });
  const ended = once(worker, "exit");
  const [violations] = (await once(worker, "message")) as [readonly Violation[]];
  await ended;
  return violations;
}
