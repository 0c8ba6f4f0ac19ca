import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job, JobResult } from "@groundrule/contract";
import { parseRecord, replayRecord } from "@groundrule/engine/records";
import { EditionArchive } from "@groundrule/node/internal";
import { isFinal, JobCaller, makePlotFeatures, readJobResponse } from "../jobs-over-http.ts";
import { withStore } from "../store-places.ts";
import {
  createCommandServer,
  type Deployment,
  type ServedByCommand,
  type ServeTarget,
} from "./serve-target.ts";

export interface JobKillReport {
  readonly kills: number;
  /** Kills that met a job unfinished. */
  readonly atWork: number;
  readonly jobs: number;
  readonly plots: number;
}

/** Plots of one job; every hundredth is no plot. */
const PLOTS = 1_000;
const INVALID_EVERY = 100;
/** Decisions of each job that are replayed besides the first and the last. */
const REPLAYED = 40;

/**
 * Kills processes that run jobs, at random instants, again and again, until the jobs are done: every plot is answered
 * once and charged once, and the results are in order.
 *
 * @param replicas processes that serve the store at once; one of them is killed at a time
 */
export async function killWhileJobsRun(
  deployment: Deployment,
  storeUrl: string,
  {
    kills,
    replicas,
    random,
  }: { readonly kills: number; readonly replicas: number; readonly random: () => number },
): Promise<JobKillReport> {
  const served = await createCommandServer(deployment)(storeUrl, 100_000_000);
  const targets = await Promise.all(Array.from({ length: replicas }, () => served.start()));
  const ids: string[] = [];
  let [killed, atWork] = [0, 0];
  try {
    while (killed < kills) {
      const unfinished = await countUnfinishedJobs(targets, served, ids);
      if (unfinished < 2) ids.push((await sendPlotsJob(targets, served, ids.length)).id);
      await sleep(random() * 700);
      const victim = Math.floor(random() * targets.length);
      if ((await countUnfinishedJobs(targets, served, ids)) > 0) atWork++;
      await targets[victim]!.kill();
      killed++;
      targets[victim] = await served.start();
    }
    let plots = 0;
    for (const id of ids) {
      const caller = createJobCaller(targets[0]!, served);
      const job = await caller.until(id, isFinal, 120_000);
      const results = await caller.results(id);
      plots += checkFinishedJob(job, results);
      await checkDecisionReplays(deployment, caller, results);
    }
    await checkLedgerCharges(storeUrl, served, plots);
    return { kills: killed, atWork, jobs: ids.length, plots };
  } finally {
    for (const target of targets) await target.kill();
  }
}

function createJobCaller({ url }: ServeTarget, { key }: ServedByCommand): JobCaller {
  return new JobCaller({ url, key });
}

async function sendPlotsJob(
  targets: readonly ServeTarget[],
  served: ServedByCommand,
  count: number,
): Promise<Job> {
  const features = makePlotFeatures(PLOTS).map((feature, i) => (i % INVALID_EVERY === 7 ? i : feature));
  return readJobResponse(await createJobCaller(targets[0]!, served).send(features, `job-number-${count}`));
}

async function countUnfinishedJobs(
  targets: readonly ServeTarget[],
  served: ServedByCommand,
  ids: readonly string[],
): Promise<number> {
  const caller = createJobCaller(targets[0]!, served);
  const jobs = await Promise.all(ids.slice(-4).map((id) => caller.find(id)));
  return jobs.filter((job) => !isFinal(job)).length;
}

/** @returns how many plots are answered */
function checkFinishedJob(job: Job, results: readonly JobResult[]): number {
  const invalid = Math.floor((PLOTS - 8) / INVALID_EVERY) + 1;
  assert.equal(job.status, "done");
  assert.deepEqual([job.plots, job.invalid, job.degraded], [PLOTS, invalid, 0]);
  assert.deepEqual([job.answered, job.charged], [PLOTS - invalid, PLOTS - invalid]);
  assert.deepEqual(
    results.map(({ number }) => number),
    Array.from({ length: PLOTS }, (_, i) => i),
  );
  for (const { number, id, status } of results) {
    const isInvalid = number % INVALID_EVERY === 7;
    assert.deepEqual([id, status], isInvalid ? [number + 1, "invalid"] : [`plot ${number}`, "answered"]);
  }
  return job.answered;
}

/** Asserts that the store has as many charges as answers, and no invariant is broken. */
async function checkLedgerCharges(
  storeUrl: string,
  { scope }: ServedByCommand,
  answered: number,
): Promise<void> {
  await withStore(storeUrl, async (store) => {
    assert.equal((await store.usage({ scope }))!.period.used, answered);
    assert.deepEqual(await store.findViolations({ extent: "all" }), []);
  });
}

/** Decisions of a job are evaluated again from their records. */
async function checkDecisionReplays(
  { dataFolder }: Deployment,
  caller: JobCaller,
  results: readonly JobResult[],
): Promise<void> {
  const archive = new EditionArchive(dataFolder);
  const decisions = results.flatMap((line) => (line.status === "answered" ? [line.decision_id] : []));
  assert.equal(new Set(decisions).size, decisions.length);
  for (let i = 0; i < decisions.length; i += Math.ceil(decisions.length / REPLAYED)) {
    const response = await caller.get(`/v1/decisions/${decisions[i]}`);
    const { data } = (await response.json()) as { readonly data: { readonly record: unknown } };
    const record = parseRecord(data.record);
    const { sources } = record.response.data;
    const replay = replayRecord(archive.open({ sources, groups: record.groups }), record);
    assert.equal(replay.result, "identical", JSON.stringify(replay));
  }
}
