import { parentPort, workerData } from "node:worker_threads";
import { EngineError, openEngine } from "@groundrule/engine";

/** A plot as its line of the file, and the instant to evaluate it for. */
export interface Task {
  readonly plot: string;
  readonly now: string;
}

const { bytes, ruleset }: { bytes: SharedArrayBuffer; ruleset: string } = workerData;
const policy = openEngine([bytes]).compile(ruleset); // opened in place: nothing is copied

parentPort!.on("message", ({ plot, now }: Task) => {
  parentPort!.postMessage(verdictOf(plot, now));
});

function verdictOf(plot: string, now: string): string {
  try {
    return policy.evaluate({ geometry: JSON.parse(plot) }, { now }).verdict;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}
