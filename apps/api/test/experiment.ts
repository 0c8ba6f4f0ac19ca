/**
 * The long forms of the experiments, one by name:
 *
 *     node apps/api/test/experiment.ts T-07 [SIZE] [SEED]
 */
import { join } from "node:path";
import { periodAt } from "../src/charging/period.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/port.ts";
import { sendDeepBodies, sendMillionVertices, sendOversizedBodies } from "./attacks/bodies.ts";
import { abuseHeaders } from "./attacks/headers.ts";
import { measureEventLoop, sendHostileGeometry } from "./attacks/hostile-geometry.ts";
import { checkEveryDay, checkPeriods } from "./billing-periods.ts";
import { jumpClocks } from "./clock-jumps.ts";
import { tryEachOther } from "./isolation/isolation.ts";
import { rotateUnderLoad } from "./key-lifecycle.ts";
import { timeKeyChecks } from "./key-timing.ts";
import { polluteBodies } from "./pollution.ts";
import { startPostgres } from "./postgres-cluster.ts";
import { fillDisk } from "./processes/disk-full.ts";
import { KILL_POINTS, killAndRecover } from "./processes/kill.ts";
import {
  cutCommits,
  raceForKey,
  raceForQuota,
  terminateBackends,
  withProcesses,
} from "./processes/postgres.ts";
import { raceOverHttp } from "./races.ts";
import { attackExpressions } from "./regular-expressions.ts";
import { withSeed } from "./seed.ts";
import { newScope, settlementOf } from "./settlement.ts";
import { asBuilt, simulate } from "./simulation/simulate.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

type Experiment = (size: number, seed: number) => Promise<unknown>;

const EXPERIMENTS: Readonly<Record<string, { readonly size: number; readonly run: Experiment }>> = {
  simulation: { size: 50_000, run: (runs, seed) => simulate(asBuilt, { runs, seed }) },
  throughput: {
    size: 3,
    run: async (seconds) => ({
      sqlite: await withTemporaryFolder(async (dir) => {
        return throughput(
          await openStore(`sqlite:${join(dir, "state.db")}`, { sqlite: { role: "serve" } }),
          seconds,
        );
      }),
      postgres: await onPostgres(async (url) => throughput(await openStore(url), seconds), "flushing"),
    }),
  },
  "T-01": { size: 20, run: (rounds) => raceOverHttp(rounds) },
  "T-02": {
    size: 20,
    run: (rounds, seed) =>
      onPostgres((url) =>
        withSeed(seed, (random) =>
          withProcesses(url, 4, async (targets) => {
            for (let round = 0; round < rounds; round++) {
              await raceForQuota(url, targets, { requests: 200, quota: 100, greatestUnits: 1 }, random);
              await raceForQuota(url, targets, { requests: 1_000, quota: 137, greatestUnits: 7 }, random);
              await raceForKey(url, targets, 64);
            }
          }),
        ),
      ),
  },
  "T-07": { size: 1_000, run: (seeds, seed) => killing(seeds, seed, () => undefined) },
  "T-08": {
    size: 50,
    run: async (seeds, seed) => {
      for (const [point, most] of Object.entries(KILL_POINTS)) {
        const report = await killing(seeds, seed, (random) => `${point}:${1 + Math.floor(random() * most)}`);
        console.log(point, report);
      }
    },
  },
  "T-11": {
    size: 3_000,
    run: (settlements) =>
      withTemporaryFolder(async (dir) => (await fillDisk(dir, settlements)) ?? "NOT RUN: needs root"),
  },
  "T-13": { size: 3_000, run: (settlements) => onPostgres((url) => terminateBackends(url, settlements)) },
  "T-14": {
    size: 1_700,
    run: (settlements, seed) =>
      onPostgres((url) => withSeed(seed, (random) => cutCommits(url, settlements, random))),
  },
  "T-18": { size: 5_000, run: (walks, seed) => jumpClocks(walks, seed) },
  "T-19": { size: 1_000_000, run: tilePeriods },
  "T-23": { size: 50, run: (organizations, seed) => tryEachOther(organizations, seed) },
  "T-24": { size: 10, run: (rounds) => sendOversizedBodies(rounds) },
  "T-25": { size: 20, run: (rounds) => sendDeepBodies(rounds) },
  "T-26": { size: 5, run: (rounds) => sendMillionVertices(rounds) },
  "T-27": { size: 100, run: (percent, seed) => sendHostileGeometry(percent, seed) },
  "T-30": { size: 5_000, run: (heads, seed) => abuseHeaders(heads, seed) },
  "T-36": { size: 100, run: (percent, seed) => measureEventLoop(percent, seed) },
  "T-40": { size: 120, run: (seconds) => onPostgres((url) => rotateUnderLoad(url, seconds)) },
  "T-41": { size: 100_000, run: (presentations, seed) => timeKeyChecks(presentations, seed) },
  "T-42": { size: 5, run: async (ms) => ({ ...(await polluteBodies()), ...(await attackExpressions(ms)) }) },
};

async function tilePeriods(anchors: number, seed: number): Promise<object> {
  checkPeriods(periodAt, anchors, seed);
  return { anchors, ...checkEveryDay() };
}

/** Charges a second by how many are asked for at once, and look-ups of an answer to replay. */
async function throughput(store: Store, seconds: number): Promise<object> {
  const scope = await newScope(store, 1_000_000_000);
  const rates: Record<string, number> = {};
  let keys = 0;
  for (const atOnce of [1, 16, 64, 256]) {
    rates[`charges/s, ${atOnce} at once`] = await rateOf(seconds, atOnce, () =>
      store.settle(settlementOf(scope, { key: `key-${10_000 + keys++}` })),
    );
  }
  rates["look-ups/s"] = await rateOf(seconds, 16, () => store.openGate({ scope, key: "key-10000" }));
  await store.close();
  return rates;
}

async function rateOf(seconds: number, atOnce: number, action: () => Promise<unknown>): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000;
  let done = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (; performance.now() < endsAt; done++) await action();
    }),
  );
  return Math.round(done / seconds);
}

async function onPostgres<Result>(
  action: (url: string) => Promise<Result>,
  disk: "flushing" | "lazy" = "lazy",
): Promise<Result> {
  const cluster = await startPostgres(disk);
  try {
    return await action(await cluster.createDatabase());
  } finally {
    await cluster.stop();
  }
}

async function killing(
  seeds: number,
  seed: number,
  pointOf: (random: () => number) => string | undefined,
): Promise<object> {
  const sum = { kills: 0, acknowledged: 0, recovered: 0 };
  for (let i = 0; i < seeds; i++) {
    const report = await withTemporaryFolder((dir) =>
      withSeed(seed + i, (random) => killAndRecover(join(dir, "state.db"), random, pointOf(random))),
    );
    sum.kills += report.diedAtWork ? 1 : 0;
    sum.acknowledged += report.acknowledged;
    sum.recovered += report.recovered;
  }
  return { seeds, ...sum };
}

const [name = "", size, seed] = process.argv.slice(2);
const experiment = EXPERIMENTS[name];
if (experiment === undefined) {
  console.error(`experiments: ${Object.keys(EXPERIMENTS).join(", ")}`);
  process.exitCode = 2;
} else {
  const began = performance.now();
  const report = await experiment.run(Number(size ?? experiment.size), Number(seed ?? 1));
  console.log(name, report ?? "holds", `${((performance.now() - began) / 1_000).toFixed(1)} s`);
}
