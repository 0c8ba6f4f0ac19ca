import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { describePlace, FormatError, type LocalFile, openPath, type ReadOptions } from "@groundrule/formats";
import { type PlotColumns, readPlotFile } from "@groundrule/plot-files";
import { InputFileError, toReadError } from "../files/input-file.ts";
import { PlotPacker } from "./plot-chunks.ts";
import {
  type FromReader,
  type PlainFailure,
  READ_AHEAD,
  type ReaderData,
  type ToReader,
} from "./read-thread.ts";

if (parentPort === null) throw new Error("read-worker was started outside a worker thread");
const port: MessagePort = parentPort;
const { path, options } = workerData as ReaderData;

const packer = new PlotPacker();

/** Maximum time that a plot waits for others to fill a chunk, milliseconds. */
const FLUSH_MS = 50;
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

/** The bytes sent by the other thread. */
async function* receiveInputBytes(): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const piece = await new Promise<Uint8Array | undefined>((resolve) => {
      receive = resolve;
      post({ type: "want" });
    });
    if (piece === undefined) return;
    yield piece;
  }
}

async function openInputInWorker(from: string, of: ReadOptions) {
  try {
    return await openPath(from, of.layer);
  } catch (error) {
    throw toReadError(error, from);
  }
}

/** Sends the plots read so far. Waits while the other thread lags behind. */
async function sendPackedPlots(): Promise<void> {
  while (left === 0) {
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
  }
  const chunk = packer.take();
  if (chunk === undefined) return;
  left--;
  post({ type: "chunk", chunk });
}

/** Reads the input to its end. Not at the top of the module: ending a thread there would end the process. */
async function readInputToEnd(): Promise<void> {
  // A slow source does not hold back the plots read so far.
  const flush = setInterval(() => {
    if (left > 0) void sendPackedPlots();
  }, FLUSH_MS);
  let file: LocalFile | undefined;
  try {
    const tell = (columns: PlotColumns): void => post({ type: "told", columns });
    file = path === undefined ? undefined : await openInputInWorker(path, options);
    for await (const plot of readPlotFile(file ?? receiveInputBytes(), options, tell)) {
      packer.add(plot);
      if (packer.isFull) await sendPackedPlots();
    }
    await sendPackedPlots();
    post({ type: "end" });
  } catch (error) {
    const failure = toPlainFailure(error);
    if (failure === undefined) throw error;
    // Plots before the fault are answered.
    await sendPackedPlots();
    post({ type: "failed", failure });
  } finally {
    clearInterval(flush);
    await file?.close();
    port.close();
  }
}

/** Undefined for a bug, which ends the thread. */
function toPlainFailure(error: unknown): PlainFailure | undefined {
  if (error instanceof FormatError) {
    const { code, message, details } = error;
    // The error built from this puts its place in front.
    const place = details.place === undefined ? "" : `${describePlace(details.place)}: `;
    return { kind: "format", code, message: message.slice(place.length), details };
  }
  return error instanceof InputFileError ? { kind: "file", message: error.message } : undefined;
}

void readInputToEnd();
