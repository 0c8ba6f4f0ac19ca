import { parentPort, threadId, workerData } from "node:worker_threads";
import type { PoolMessage, WorkerMessage } from "../src/worker-pool.ts";

export type MoodyTask =
  | { readonly do: "echo"; readonly value: unknown }
  | { readonly do: "spin"; readonly ms: number }
  | { readonly do: "exit" }
  | { readonly do: "throw" };

export interface MoodyResult {
  readonly value: unknown;
  readonly settings: string;
  readonly threadId: number;
}

// A worker that does what it is told, well or badly.
const port = parentPort!;
const post = (message: WorkerMessage<MoodyResult>) => port.postMessage(message);
let settings = workerData as string;
if (settings === "refuse to start") throw new Error("no engine here");
post({ type: "ready" });

port.on("message", (message: PoolMessage<string, MoodyTask>) => {
  if (message.type === "settings") {
    settings = message.settings;
    post({ type: "ready" });
    return;
  }
  const { task } = message;
  if (task.do === "exit") process.exit(7);
  if (task.do === "throw") throw new Error("a bug");
  if (task.do === "spin") for (const end = performance.now() + task.ms; performance.now() < end; );
  post({ type: "done", result: { value: task.do === "echo" ? task.value : null, settings, threadId } });
});
