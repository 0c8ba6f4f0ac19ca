import { formatJobKey } from "../src/ledger/job-key.ts";
import type { Scope } from "../src/ledger/scope.ts";
import type { NewJob } from "../src/store/port/jobs.ts";
import { fillLedger } from "./fill-ledger.ts";
import { chargeJobPlot, makeJob, makePlots } from "./jobs.ts";
import { createLiveScope, makeSettlement } from "./settlement.ts";
import type { StorePlace } from "./store-places.ts";

const PLOTS = 10_000;
/** So that the upload is 10 MiB. */
const INPUT_CHARACTERS = 1_030;

/**
 * The cost of a job of 10,000 plots and 10 MiB, and how long charges of others wait for it, in milliseconds.
 *
 * @param decisions that the job's organization has from before
 */
export async function measureJobLoad(place: StorePlace, decisions: number): Promise<object> {
  const scope = await createFilledScope(place, decisions);
  let store = await place.openIfThere({ role: "serve" });
  const other = await createLiveScope(store, 1_000_000_000);
  const chargeDuring = async (work: () => Promise<unknown>): Promise<object> => {
    const over = new AbortController();
    const waits: number[] = [];
    const charging = (async () => {
      while (!over.signal.aborted)
        waits.push(await measureMilliseconds(() => store.settle(makeSettlement(other))));
    })();
    const took = await measureMilliseconds(work);
    over.abort();
    await charging;
    waits.sort((a, b) => a - b);
    return { took, "charge beside it, median": waits[waits.length >> 1], longest: waits.at(-1) };
  };
  const job: NewJob = makeJob(scope, {
    plots: makePlots(PLOTS).map(({ id }) => ({ id, input: JSON.stringify("x".repeat(INPUT_CHARACTERS)) })),
  });
  const report: Record<string, unknown> = {
    "charges alone": await chargeDuring(() => new Promise((resolve) => setTimeout(resolve, 1_000))),
    createJob: await chargeDuring(() => store.createJob(job)),
    "createJob, met again": await measureMilliseconds(() => store.createJob(job)),
  };
  const before = performance.now();
  await Promise.all(
    Array.from({ length: 16 }, async (_, lane) => {
      for (let number = lane; number < PLOTS - 1; number += 16) await chargeJobPlot(store, job, number);
    }),
  );
  report["charges of plots, 16 at once"] = roundToTenth((performance.now() - before) / PLOTS);
  const jobId = job.id;
  const times: Readonly<Record<string, () => Promise<unknown>>> = {
    "openGate of a plot": () => store.openGate({ scope, key: formatJobKey(jobId, 5_000) }),
    findJob: () => store.findJob({ scope, jobId }),
    "pendingJobPlots, one left at the end": () => store.pendingJobPlots({ jobId, after: -1, limit: 100 }),
    "listJobResults, 1,000 lines in the middle": () =>
      store.listJobResults({ scope, jobId, from: 5_000, limit: 1_000 }),
    "claimJob and releaseJob": async () => {
      await store.claimJob({ owner: "me", leaseMs: 1_000 });
      await store.releaseJob({ jobId, owner: "me", state: "queued" });
    },
    "findViolations, open": () => store.findViolations({ extent: "open", organization: scope.organization }),
  };
  for (const [name, action] of Object.entries(times)) {
    await action();
    report[name] = await measureMilliseconds(action);
  }
  await store.cancelJob({ scope, jobId });
  await store.close();
  await place.meddle("UPDATE job SET expires_at_ms = 1");
  store = await place.openIfThere({ role: "serve" });
  report.expireJobs = await chargeDuring(async () => {
    while ((await store.expireJobs({})).remains);
  });
  await store.close();
  return report;
}

/** Fills the ledger with earlier charges under keys of callers. */
async function createFilledScope(place: StorePlace, decisions: number): Promise<Scope> {
  const store = await place.openIfThere({ absent: "make" });
  const scope = await createLiveScope(store, 1_000_000_000);
  await store.close();
  await fillLedger(place, scope, decisions);
  return scope;
}

async function measureMilliseconds(action: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await action();
  return roundToTenth(performance.now() - before);
}

function roundToTenth(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
