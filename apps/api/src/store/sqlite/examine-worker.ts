import { parentPort, workerData } from "node:worker_threads";
import { READS } from "../operations/all.ts";
import type { StoreReads, Violation } from "../port/port.ts";
import { StoreError } from "../port/store-error.ts";
import { type PlainError, plainError } from "../port/write-call.ts";
import { Connection, storageTrouble } from "./connection.ts";

export interface Examination {
  readonly path: string;
  readonly question: Parameters<StoreReads["findViolations"]>[0];
  readonly nowMs: number;
}

export type Examined =
  | { readonly violations: readonly Violation[] }
  /** The file or the disk is in trouble. */
  | { readonly failed: PlainError };

const { path, question, nowMs } = workerData as Examination;
parentPort?.postMessage(examine());

function examine(): Examined {
  try {
    const connection = new Connection(path, "read");
    try {
      connection.exec("BEGIN");
      return { violations: connection.run(READS.findViolations(question), nowMs) };
    } finally {
      connection.close();
    }
  } catch (error) {
    const trouble = error instanceof StoreError ? error : storageTrouble(error);
    if (trouble === undefined) throw error;
    return { failed: plainError(trouble) };
  }
}
