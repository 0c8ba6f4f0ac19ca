import { parentPort, workerData } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { type EngineOptions, openEngine, type SourceInput } from "@groundrule/engine";
import { type EngineAnswers, type EngineTask, EngineTasks, type Settled } from "./engine-task.ts";
import type { PoolMessage, WorkerMessage } from "./worker-pool.ts";

/** What an engine is opened from, as it reaches a worker: plain values and shared buffers. */
export interface EngineSettings {
  readonly sources: readonly SourceInput[];
  readonly options: EngineOptions;
}

const port = parentPort;
if (port === null) throw new Error("engine-worker runs as a worker thread");
const post = (message: WorkerMessage<Settled<EngineAnswers[EngineTask["ask"]]>>) => port.postMessage(message);
const open = ({ sources, options }: EngineSettings) =>
  new EngineTasks(openEngine(sources, { ...options, crc32 }));

let tasks = open(workerData as EngineSettings);
post({ type: "ready" });
port.on("message", (message: PoolMessage<EngineSettings, EngineTask>) => {
  if (message.type === "settings") {
    tasks = open(message.settings);
    post({ type: "ready" });
  } else {
    post({ type: "done", result: tasks.answer(message.task) });
  }
});
