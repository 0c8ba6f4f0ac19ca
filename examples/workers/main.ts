// Evaluates a file of plots on all cores: node main.ts SNAPSHOT RULESET PLOTS
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { readShared } from "@groundrule/node";
import type { Task } from "./worker.ts";

const [snapshotFile, rulesetFile, plotsFile] = process.argv.slice(2);

const bytes = readShared(snapshotFile!); // one copy in memory, whatever the number of workers
const ruleset = readFileSync(rulesetFile!, "utf8");
const plots = readFileSync(plotsFile!, "utf8").trimEnd().split("\n");

const verdicts: string[] = [];
let next = 0;
await Promise.all(Array.from({ length: Math.min(availableParallelism(), plots.length) }, work));
for (const [i, verdict] of verdicts.entries()) console.log(`${i + 1} ${verdict}`);

/** Keeps one worker busy until no plot is left. */
async function work(): Promise<void> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: { bytes, ruleset } });
  try {
    while (next < plots.length) {
      const index = next++;
      worker.postMessage({ plot: plots[index]!, now: new Date().toISOString() } satisfies Task);
      [verdicts[index]] = (await once(worker, "message")) as [string];
    }
  } finally {
    await worker.terminate();
  }
}
