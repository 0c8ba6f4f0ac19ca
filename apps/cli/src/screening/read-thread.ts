import { on } from "node:events";
import { Worker } from "node:worker_threads";
import {
  FormatError,
  type FormatErrorCode,
  type FormatErrorDetails,
  type ReadOptions,
} from "@groundrule/formats";
import { InputFileError } from "../input-file.ts";
import type { PlotChunk } from "./plot-chunks.ts";

/** Chunks that the reading thread may be ahead of those that were taken from it. */
export const READ_AHEAD = 4;

/** What the reading thread starts with. */
export interface ReaderData {
  /** The file; absent: its bytes are sent. */
  readonly path?: string;
  readonly options: ReadOptions;
}

export type ToReader =
  | { readonly type: "more" }
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly type: "end" };

export type FromReader =
  | { readonly type: "want" }
  | { readonly type: "chunk"; readonly chunk: PlotChunk }
  | { readonly type: "end" }
  | { readonly type: "failed"; readonly failure: PlainFailure };

/** Why an input cannot be read, as plain values. */
export type PlainFailure =
  | { readonly kind: "file"; readonly message: string }
  | {
      readonly kind: "format";
      readonly code: FormatErrorCode;
      readonly message: string;
      readonly details: FormatErrorDetails;
    };

/**
 * Reads plots of a format that is no lines in a thread of its own: the thread that calls this is free for the rest.
 *
 * @param source path of a file, or the bytes of a stream
 *
 * Fails: as `readPlotFile`.
 */
export async function* readInThread(
  source: string | AsyncIterable<Uint8Array>,
  options: ReadOptions,
  signal: AbortSignal,
): AsyncGenerator<PlotChunk, void, undefined> {
  const script = import.meta.url.endsWith(".ts") ? "./read-worker.ts" : "./read-worker.js";
  const path = typeof source === "string" ? { path: source } : {};
  const workerData: ReaderData = { ...path, options };
  const worker = new Worker(new URL(script, import.meta.url), { workerData, name: "reader" });
  const post = (message: ToReader): void => worker.postMessage(message);
  const pieces = typeof source === "string" ? undefined : source[Symbol.asyncIterator]();
  let failure: { readonly error: unknown } | undefined;
  const feed = async (): Promise<void> => {
    try {
      const next = await pieces!.next();
      post(next.done === true ? { type: "end" } : { type: "bytes", bytes: next.value });
    } catch (error) {
      failure = { error };
      post({ type: "end" });
    }
  };
  try {
    for await (const [message] of on(worker, "message", { signal, close: ["exit"] })) {
      const told = message as FromReader;
      if (told.type === "want") void feed();
      else if (told.type === "chunk") {
        yield told.chunk;
        post({ type: "more" });
      } else {
        if (failure !== undefined) throw failure.error;
        if (told.type === "failed") throw revived(told.failure);
        return;
      }
    }
    throw new Error("the reading thread ended before the input did");
  } finally {
    await worker.terminate();
  }
}

function revived(failure: PlainFailure): Error {
  if (failure.kind === "file") return new InputFileError(failure.message);
  return new FormatError(failure.code, failure.message, failure.details);
}
