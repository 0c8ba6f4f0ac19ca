import { parentPort, workerData } from "node:worker_threads";
import { READS } from "../../operations/all.ts";
import { type CallResult, type ReadCall, toPlainError } from "../../port/calls.ts";
import type { Operation } from "../../sql/operation.ts";
import { Connection, toStorageError } from "../connection.ts";
import { Reader } from "../reader.ts";

export interface ReadRequest {
  readonly call: ReadCall;
  readonly nowMs: number;
}

const port = parentPort;
if (port === null) throw new Error("read-worker runs as a worker thread");

const path = workerData as string;
let reader: Reader | undefined;
port.on("message", (request: ReadRequest | "close") => {
  if (request === "close") {
    reader?.close();
    port.close();
    return;
  }
  port.postMessage(runReadRequest(request));
});

/** Every error is returned: an exception would end this thread. */
function runReadRequest({ call, nowMs }: ReadRequest): CallResult {
  try {
    reader ??= new Reader(new Connection(path, "read"), { sharesTurns: false });
    return { value: reader.snapshot(createReadOperation(call), nowMs) };
  } catch (error) {
    return { failed: toPlainError(toStorageError(error) ?? error) };
  }
}

function createReadOperation({ name, input }: ReadCall): Operation<unknown> {
  return (READS[name] as (input: ReadCall["input"]) => Operation<unknown>)(input);
}
