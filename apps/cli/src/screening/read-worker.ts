import { parentPort, workerData } from "node:worker_threads";
import { FormatError, type LocalFile, openPath, type ReadOptions } from "@groundrule/formats";
import { InputFileError, unreadable } from "../input-file.ts";
import { readPlotFile } from "../plot-features.ts";
import { packPlots } from "./plot-chunks.ts";
import {
  type FromReader,
  type PlainFailure,
  READ_AHEAD,
  type ReaderData,
  type ToReader,
} from "./read-thread.ts";

const port = parentPort;
if (port === null) throw new Error("read-worker was started outside a worker thread");
const { path, options, firstPlot } = workerData as ReaderData;
const post = (message: FromReader): void => port.postMessage(message);

let left = READ_AHEAD;
let resume: (() => void) | undefined;
let receive: ((piece: Uint8Array | undefined) => void) | undefined;
port.on("message", (message: ToReader) => {
  if (message.type === "more") {
    left++;
    resume?.();
  } else {
    receive?.(message.type === "bytes" ? message.bytes : undefined);
  }
});

/** The bytes that the other thread reads. */
async function* sentBytes(): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const piece = await new Promise<Uint8Array | undefined>((resolve) => {
      receive = resolve;
      post({ type: "want" });
    });
    if (piece === undefined) return;
    yield piece;
  }
}

async function open(from: string, of: ReadOptions) {
  try {
    return await openPath(from, of.layer);
  } catch (error) {
    throw unreadable(error, from);
  }
}

let file: LocalFile | undefined;
try {
  file = path === undefined ? undefined : await open(path, options);
  const input = file ?? sentBytes();
  for await (const chunk of packPlots(readPlotFile(input, options), firstPlot)) {
    while (left === 0) {
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
    left--;
    post({ type: "chunk", chunk });
  }
  await file?.close();
  post({ type: "end" });
} catch (error) {
  await file?.close();
  const failure = plainFailure(error);
  if (failure === undefined) throw error;
  post({ type: "failed", failure });
}
port.close();

/** Undefined for a bug, which ends the thread. */
function plainFailure(error: unknown): PlainFailure | undefined {
  if (error instanceof FormatError) {
    return { kind: "format", code: error.code, message: error.message, details: error.details };
  }
  return error instanceof InputFileError ? { kind: "file", message: error.message } : undefined;
}
