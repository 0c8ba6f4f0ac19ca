import { parentPort, workerData } from "node:worker_threads";
import { type CallResult, type PlainError, toPlainError, type WriteCall } from "../../port/calls.ts";
import { Connection } from "../connection.ts";
import { OpenFiles } from "../open-files.ts";
import { runWriteGroup } from "../writer.ts";

/** A served file. */
export interface ServedFile {
  readonly path: string;
  /** The name by which it was requested. */
  readonly name: string;
}

export interface WriterRequest {
  readonly calls: readonly WriteCall[];
  readonly nowMs: number;
}

export type WriterMessage =
  /** The writer is ready; `files` identifies the files it has open. */
  | { readonly type: "ready"; readonly files: string }
  | { readonly type: "written"; readonly results: readonly CallResult[] }
  /** The outcome of the group is unknown; this thread writes no more. */
  | { readonly type: "lost"; readonly error: PlainError };

const port = parentPort;
if (port === null) throw new Error("writer-worker runs as a worker thread");
const post = (message: WriterMessage): void => port.postMessage(message);

const { path, name } = workerData as ServedFile;
const connection = new Connection(path);
const files = new OpenFiles(path, name);
files.noteContents();
let isLost = false;
port.on("message", (request: WriterRequest | "close") => {
  if (request === "close") {
    connection.close();
    port.close();
    return;
  }
  if (isLost) return;
  try {
    post({
      type: "written",
      results: runWriteGroup(connection, request.calls, request.nowMs, undefined, files),
    });
  } catch (error) {
    isLost = true;
    post({ type: "lost", error: toPlainError(error) });
  }
});
post({ type: "ready", files: files.identity });
