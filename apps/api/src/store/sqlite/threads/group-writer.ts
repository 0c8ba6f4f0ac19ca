import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type CallResult, fromPlainError, type WriteCall } from "../../port/calls.ts";
import { StoreError } from "../../port/store-error.ts";
import type { Connection } from "../connection.ts";
import { OpenFiles } from "../open-files.ts";
import { runWriteGroup, type WriterStep } from "../writer.ts";
import type { ServedFile, WriterMessage, WriterRequest } from "./writer-worker.ts";

/** Commits groups of writes, one group at a time. */
export interface GroupWriter {
  /** Identifies the files it has open; undefined if none is served. */
  readonly files: string | undefined;
  /** Rejects with `OUTCOME_UNKNOWN` if the group may or may not have been committed. */
  write(calls: readonly WriteCall[], nowMs: number): Promise<readonly CallResult[]>;
  close(): Promise<void>;
}

/**
 * Writes in this thread: for commands, for databases in memory, for tests that watch each step.
 *
 * @param served absent if no file is served
 */
export function createInProcessWriter(
  connection: Connection,
  served: ServedFile | undefined,
  onStep?: (step: WriterStep) => void,
): GroupWriter {
  const files = served === undefined ? undefined : new OpenFiles(served.path, served.name);
  files?.noteContents();
  return {
    files: files?.identity,
    write: async (calls, nowMs) => runWriteGroup(connection, calls, nowMs, onStep, files),
    close: async () => connection.close(),
  };
}

/** Writes in a thread of its own, so that a flush to disk never holds up the event loop. */
export async function startThreadWriter(served: ServedFile): Promise<GroupWriter> {
  const script = import.meta.url.endsWith(".ts") ? "./writer-worker.ts" : "./writer-worker.js";
  const worker = new Worker(new URL(script, import.meta.url), { workerData: served, name: "writer" });
  let pending:
    | { resolve: (results: readonly CallResult[]) => void; reject: (error: Error) => void }
    | undefined;
  let isClosed = false;
  const end = (error: Error): void => {
    pending?.reject(error);
    pending = undefined;
  };
  const [ready] = (await once(worker, "message")) as [Extract<WriterMessage, { type: "ready" }>];
  worker.on("message", (message: WriterMessage) => {
    if (message.type === "written") {
      pending?.resolve(message.results);
      pending = undefined;
    } else if (message.type === "lost") {
      end(fromPlainError(message.error));
    }
  });
  worker.on("error", end);
  const exited = new Promise<void>((resolve) => {
    worker.on("exit", () => {
      isClosed = true;
      end(new StoreError("OUTCOME_UNKNOWN", "the thread that writes ended during a commit"));
      resolve();
    });
  });
  return {
    files: ready.files,
    write: (calls, nowMs) =>
      new Promise((resolve, reject) => {
        if (pending !== undefined) throw new Error("a writer makes one group at a time");
        if (isClosed) throw new StoreError("STORAGE_UNAVAILABLE", "the store is closed");
        pending = { resolve, reject };
        worker.postMessage({ calls, nowMs } satisfies WriterRequest);
      }),
    close: async () => {
      // Later calls are not started; a write in progress still ends and reports its result.
      isClosed = true;
      worker.postMessage("close");
      await exited;
    },
  };
}
