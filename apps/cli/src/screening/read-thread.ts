import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { FormatError, type FormatErrorCode, type FormatErrorDetails } from "@groundrule/formats";
import { PLAIN_COLUMNS, type PlotColumns, type PlotReadOptions } from "@groundrule/plot-files";
import { InputFileError } from "../files/input-file.ts";
import type { PlotChunk } from "./plot-chunks.ts";

/** Maximum chunks that the reading thread may be ahead. */
export const READ_AHEAD = 4;

/** The start data of the reading thread. */
export interface ReaderData {
  /** The file; absent: its bytes are sent. */
  readonly path?: string;
  readonly options: PlotReadOptions;
}

export type ToReader =
  | { readonly type: "more" }
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly type: "end" };

export type FromReader =
  | { readonly type: "want" }
  | { readonly type: "told"; readonly columns: PlotColumns }
  | { readonly type: "chunk"; readonly chunk: PlotChunk }
  | { readonly type: "end" }
  | { readonly type: "failed"; readonly failure: PlainFailure };

/** The reason why an input cannot be read, as plain values. */
export type PlainFailure =
  | { readonly kind: "file"; readonly message: string }
  | {
      readonly kind: "format";
      readonly code: FormatErrorCode;
      readonly message: string;
      readonly details: FormatErrorDetails;
    };

/**
 * Reads plots of a format other than lines in a separate thread, so that the calling thread stays free.
 *
 * @param source path of a file, or the bytes of a stream
 *
 * @returns once the columns are known from the first plots
 *
 * Fails: as `readPlotFile`, here or as chunks are read.
 */
export async function readInThread(
  source: string | AsyncIterable<Uint8Array>,
  options: PlotReadOptions,
  signal: AbortSignal,
): Promise<{ readonly columns: PlotColumns; readonly chunks: AsyncGenerator<PlotChunk, void, undefined> }> {
  let columns = PLAIN_COLUMNS;
  const messages = readThreadMessages(source, options, signal);
  const first = await messages.next();
  if (first.done !== true && first.value.type === "told") columns = first.value.columns;
  async function* chunks(): AsyncGenerator<PlotChunk, void, undefined> {
    for await (const message of messages) if (message.type === "chunk") yield message.chunk;
  }
  return { columns, chunks: releaseSourceOnReturn(chunks(), messages) };
}

/** Chunks whose source is released even if none was requested. */
function releaseSourceOnReturn<Chunk>(
  chunks: AsyncGenerator<Chunk, void, undefined>,
  source: AsyncGenerator<unknown, void, undefined>,
): AsyncGenerator<Chunk, void, undefined> {
  const end = chunks.return.bind(chunks);
  return Object.assign(chunks, {
    async return() {
      const ended = await end();
      await source.return();
      return ended;
    },
  });
}

async function* readThreadMessages(
  source: string | AsyncIterable<Uint8Array>,
  options: PlotReadOptions,
  signal: AbortSignal,
): AsyncGenerator<Extract<FromReader, { readonly type: "told" | "chunk" }>, void, undefined> {
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
      const messages = message as FromReader;
      if (messages.type === "want") void feed();
      else if (messages.type === "told") yield messages;
      else if (messages.type === "chunk") {
        yield messages;
        post({ type: "more" });
      } else {
        if (failure !== undefined) throw failure.error;
        if (messages.type === "failed") throw restorePlainError(messages.failure);
        return;
      }
    }
    throw new Error("the reading thread ended before the input did");
  } finally {
    await worker.terminate();
  }
}

function restorePlainError(failure: PlainFailure): Error {
  if (failure.kind === "file") return new InputFileError(failure.message);
  return new FormatError(failure.code, failure.message, failure.details);
}
