import { parentPort, workerData } from "node:worker_threads";
import { READS } from "../operations/all.ts";
import type { StoreReads } from "../port.ts";
import { Connection } from "./connection.ts";

export interface Examination {
  readonly path: string;
  readonly question: Parameters<StoreReads["findViolations"]>[0];
  readonly nowMs: number;
}

const { path, question, nowMs } = workerData as Examination;
const connection = new Connection(path, { readOnly: true });
connection.exec("BEGIN");
const violations = connection.run(READS.findViolations(question), nowMs);
connection.close();
parentPort?.postMessage(violations);
