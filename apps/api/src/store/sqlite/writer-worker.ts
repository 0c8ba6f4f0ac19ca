import { parentPort, workerData } from "node:worker_threads";
import { type PlainError, plainError, type WriteCall, type WriteResult } from "../write-call.ts";
import { Connection } from "./connection.ts";
import { writeGroup } from "./writer.ts";

export interface WriterSettings {
  readonly path: string;
}

export interface WriterRequest {
  readonly calls: readonly WriteCall[];
  readonly nowMs: number;
}

export type WriterMessage =
  | { readonly type: "ready" }
  | { readonly type: "written"; readonly results: readonly WriteResult[] }
  /** The outcome of the group is unknown; this thread writes no more. */
  | { readonly type: "lost"; readonly error: PlainError };

const port = parentPort;
if (port === null) throw new Error("writer-worker runs as a worker thread");
const post = (message: WriterMessage): void => port.postMessage(message);

const connection = new Connection((workerData as WriterSettings).path);
let isLost = false;
port.on("message", (request: WriterRequest | "close") => {
  if (request === "close") {
    connection.close();
    port.close();
    return;
  }
  if (isLost) return;
  try {
    post({ type: "written", results: writeGroup(connection, request.calls, request.nowMs) });
  } catch (error) {
    isLost = true;
    post({ type: "lost", error: plainError(error) });
  }
});
post({ type: "ready" });
