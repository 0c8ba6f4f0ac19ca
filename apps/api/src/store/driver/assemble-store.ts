import { unstorableTexts } from "@groundrule/contract/stored";
import { formatJsonPointer } from "@groundrule/engine/internal/json";
import { PLOT_LINE_BYTES, ROW_BYTES } from "../../ledger/holdings.ts";
import { READS, WRITES } from "../operations/all.ts";
import type { ReadCall, WriteCall } from "../port/calls.ts";
import type { CreatedJob, JobWrites, NewJob, NewJobPlot } from "../port/jobs.ts";
import type { Store, StoreReads, StoreWrites } from "../port/port.ts";
import { StoreError } from "../port/store-error.ts";
import type { Operation } from "../sql/operation.ts";
import type { Driver } from "./driver.ts";
import { createBatchedOpenGate } from "./gates-in-turns.ts";

/** Reads of a single statement, which every request makes. */
const SINGLE_READS: ReadonlySet<string> = new Set<keyof StoreReads>(["openGate", "findAnswer", "findApiKey"]);

/**
 * Reads that touch only a few rows, however much is stored, so they run in the HTTP thread if the database is not
 * another process. A test counts their steps.
 */
const BRIEF_READS: ReadonlySet<string> = new Set<keyof StoreReads>([
  "openGate",
  "findAnswer",
  "findApiKey",
  "findHolder",
  "findDecision",
  "findDecisionSeq",
  "areDecisionsIndexed",
  "findRuleset",
  "findJob",
  "findJobByKey",
  "findStoreState",
]);

/** Every method fails with `VALUE_INVALID` for a text that one of the databases cannot store, whichever is in use. */
export function assembleStore(driver: Driver): Store {
  const reads = Object.entries(READS).map(([name, operation]) => {
    const read = operation as (input: unknown) => Operation<unknown>;
    const { readApart } = driver;
    if (readApart !== undefined && !BRIEF_READS.has(name)) {
      return [
        name,
        async (input: unknown) => readApart({ name, input: requireStorable(name, input) } as ReadCall),
      ];
    }
    const view = SINGLE_READS.has(name) ? "latest" : "snapshot";
    return [name, async (input: unknown) => driver.read(() => read(requireStorable(name, input)), view)];
  });
  const writes = Object.keys(WRITES).map((name) => {
    return [
      name,
      async (input: unknown) => driver.write({ name, input: requireStorable(name, input) } as WriteCall),
    ];
  });
  const port = Object.fromEntries([...reads, ...writes]) as StoreReads & StoreWrites;
  const gatesOfTurn = createBatchedOpenGate(driver.read);
  return {
    ...port,
    ...(driver.opensGatesInTurns && {
      openGate: async (question) => gatesOfTurn(requireStorable("openGate", question)),
    }),
    kind: driver.kind,
    createJob: (job) => createJob(port, job),
    settle: async (settlement, company) => driver.settle(requireStorable("settle", settlement), company),
    backup: (path) => driver.backup(path),
    trouble: () => driver.trouble(),
    close: () => driver.close(),
  };
}

function requireStorable<Input>(method: string, input: Input): Input {
  const [first] = unstorableTexts(input);
  if (first === undefined) return input;
  const at = formatJsonPointer(first.path);
  throw new StoreError("VALUE_INVALID", `${method} at ${at}: ${first.message}`, { method, at });
}

/** A lot of plots is one transaction: so much that charges wait a few milliseconds for it. */
const BATCH_PLOTS = 250;
const BATCH_CHARACTERS = 256 * 1024;

/** See {@link JobStore.createJob}. What is staged and not opened is deleted after a while. */
async function createJob(writes: JobWrites, { plots, ...job }: NewJob): Promise<CreatedJob> {
  const begun = await writes.beginJob({ ...job, bytes: countJobBytes({ plots, ...job }) });
  if (begun.kind !== "begun") return begun;
  let from = 0;
  for (const batch of splitPlotsIntoBatches(plots)) {
    await writes.addJobPlots({ jobId: job.id, from, batch });
    from += batch.length;
  }
  return writes.openJob({ ...job, plots: plots.length });
}

function* splitPlotsIntoBatches(plots: readonly NewJobPlot[]): Iterable<readonly NewJobPlot[]> {
  let from = 0;
  let characters = 0;
  for (const [i, plot] of plots.entries()) {
    characters += "error" in plot ? plot.error.length : plot.input.length;
    if (i + 1 - from < BATCH_PLOTS && characters < BATCH_CHARACTERS) continue;
    yield plots.slice(from, i + 1);
    from = i + 1;
    characters = 0;
  }
  if (from < plots.length) yield plots.slice(from);
}

/** The bytes that a job counts for until it ends, as `heldBytes` counts it in the store. */
function countJobBytes({ plots, ruleset, options, editions, groups, live }: NewJob): number {
  let bytes = ROW_BYTES.job;
  for (const text of [ruleset, options, editions, groups, live]) bytes += Buffer.byteLength(text);
  for (const plot of plots) {
    bytes += ROW_BYTES.plot + Buffer.byteLength(JSON.stringify(plot.id));
    bytes +=
      "error" in plot ? Buffer.byteLength(plot.error) : Buffer.byteLength(plot.input) + PLOT_LINE_BYTES;
  }
  return bytes;
}
