/**
 * Measures the cost of a job, and its effect on other requests.
 *
 *   node bench/jobs.ts [--plots N] [--seconds N] [--no-postgres]
 *
 * `groundrule serve` with one worker on the small world, in a process of its own, on SQLite and on PostgreSQL
 * (flushing): single    plots asked one by one by /v1/evaluate over 16 connections, each under a key of its own: CPU a
 * plot job       the same plots as one job: CPU a plot, plots a second beside    one caller after the other asks single
 * requests, alone and beside two jobs: median and p99
 *
 * CPU is of the server's process; PostgreSQL's own is not in it. Rates and latencies share the cores with everything
 * else.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  isFinal,
  JobCaller,
  makePlotFeatures,
  PARKS_RULESET,
  readJobResponse,
} from "../apps/api/test/jobs-over-http.ts";
import { startPostgres } from "../apps/api/test/postgres-cluster.ts";
import {
  createCommandServer,
  createDeployment,
  type Deployment,
} from "../apps/api/test/processes/serve-target.ts";
import { withSqliteUrl, withTemporaryFolder } from "../apps/api/test/temporary-folder.ts";
import { describeMachine, quantile } from "./measure.ts";

const { values } = parseArgs({
  options: {
    plots: { type: "string", default: "2000" },
    seconds: { type: "string", default: "4" },
    "no-postgres": { type: "boolean", default: false },
  },
});
const [plots, seconds] = [Number(values.plots), Number(values.seconds)];
const CONNECTIONS = 16;
/** A tick of a process's CPU time on Linux, milliseconds. */
const TICK_MS = 10;

console.log(describeMachine());
await withTemporaryFolder(async (dir) => {
  const deployment = await createDeployment(dir);
  await withSqliteUrl((url) => measureDeployment("sqlite", deployment, url));
  if (values["no-postgres"]) return;
  const cluster = await startPostgres("flushing");
  try {
    await measureDeployment("postgres", deployment, await cluster.createDatabase());
  } finally {
    await cluster.stop();
  }
});

async function measureDeployment(name: string, deployment: Deployment, url: string): Promise<void> {
  const served = await createCommandServer(deployment)(url, 100_000_000);
  const target = await served.start();
  try {
    const caller = new JobCaller({ url: target.url, key: served.key });
    const pid = target.child.pid!;
    await requestOneByOne(caller, makePlotFeatures(200), "warm");
    const single = await measureProcessCost(pid, () =>
      requestOneByOne(caller, makePlotFeatures(plots), "single"),
    );
    const job = await measureProcessCost(pid, () => runJob(caller, "measured-job"));
    const alone = await measureLatencies(caller);
    const running = Promise.all([runJob(caller, "beside-first"), runJob(caller, "beside-second")]);
    const withJobs = await measureLatencies(caller);
    await running;
    const per = (cost: Cost): string => `${((cost.cpuMs / plots) * 1_000).toFixed(0)} µs of CPU a plot`;
    console.log(
      `${name}: single ${per(single)}; job ${per(job)}, ${(plots / (job.wallMs / 1_000)).toFixed(0)} plots/s`,
    );
    console.log(
      `${name}: single requests alone ${formatLatencies(alone)}; beside two jobs ${formatLatencies(withJobs)}`,
    );
  } finally {
    await target.stop();
  }
}

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

async function measureProcessCost(pid: number, work: () => Promise<void>): Promise<Cost> {
  const [before, sinceMs] = [readCpuMs(pid), performance.now()];
  await work();
  return { cpuMs: readCpuMs(pid) - before, wallMs: performance.now() - sinceMs };
}

function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function requestOneByOne(
  caller: JobCaller,
  features: readonly object[],
  prefix: string,
): Promise<void> {
  let next = 0;
  const ask = async (): Promise<void> => {
    for (let i = next++; i < features.length; i = next++) {
      await (await postEvaluation(caller, features[i]!, `${prefix}-request-${i}`)).text();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
}

function postEvaluation(caller: JobCaller, feature: object, key: string): Promise<Response> {
  const { geometry } = feature as { readonly geometry: object };
  return caller.post(
    "/v1/evaluate",
    { input: { geometry }, ruleset: PARKS_RULESET },
    { "Idempotency-Key": key },
  );
}

async function runJob(caller: JobCaller, key: string): Promise<void> {
  const { id } = await readJobResponse(await caller.send(makePlotFeatures(plots), key));
  const job = await caller.until(id, isFinal, 600_000);
  if (job.answered !== plots) throw new Error(`found ${job.answered} answers, expected ${plots}`);
}

/** One caller, one request after the other. */
async function measureLatencies(caller: JobCaller): Promise<number[]> {
  const [feature] = makePlotFeatures(1);
  const taken: number[] = [];
  const untilMs = performance.now() + seconds * 1_000;
  while (performance.now() < untilMs) {
    const sinceMs = performance.now();
    await (await postEvaluation(caller, feature!, `latency-${performance.now()}`)).text();
    taken.push(performance.now() - sinceMs);
  }
  return taken;
}

function formatLatencies(taken: readonly number[]): string {
  const at = (share: number): string => quantile(taken, share).toFixed(1);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms (${taken.length})`;
}
