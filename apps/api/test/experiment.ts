/**
 * The long forms of the experiments, one by name:
 *
 *     node apps/api/test/experiment.ts T-07 [SIZE] [SEED]
 */
import { join } from "node:path";
import { periodAt } from "../src/ledger/period.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/port/port.ts";
import { sendDeepBodies, sendMillionVertices, sendOversizedBodies } from "./attacks/bodies.ts";
import { quantile, rounded } from "./attacks/figures.ts";
import { fillStorage } from "./attacks/fill-storage.ts";
import { abuseHeaders } from "./attacks/headers.ts";
import { queryAmongHeavySenders } from "./attacks/heavy-neighbour.ts";
import { measureEventLoop, sendHostileGeometry } from "./attacks/hostile-geometry.ts";
import { readWithoutEnd } from "./attacks/ledger-reads.ts";
import { announceBodies } from "./attacks/silent-bodies.ts";
import { starveLiveSource } from "./attacks/starved-source.ts";
import { tryKeys } from "./attacks/unknown-keys.ts";
import { leaveUnread } from "./attacks/unread.ts";
import { askForNothing } from "./attacks/verdicts-for-nothing.ts";
import { checkEveryDay, checkPeriods } from "./billing-periods.ts";
import { chargeExactlyOnce } from "./client/exactly-once.ts";
import { jumpClocks } from "./clock-jumps.ts";
import { damageFiles } from "./damage.ts";
import { tryEachOther } from "./isolation/isolation.ts";
import { measureJob } from "./job-load.ts";
import { rotateUnderLoad } from "./key-lifecycle.ts";
import { timeKeyChecks } from "./key-timing.ts";
import { overload } from "./overload/overload.ts";
import { polluteBodies } from "./pollution.ts";
import { type PostgresCluster, startPostgres } from "./postgres-cluster.ts";
import { backUpUnderLoad } from "./processes/backup-under-load.ts";
import { crashUnderLoad, FORGETFUL } from "./processes/database-crashes.ts";
import { failDisk, slowDisk } from "./processes/disk-faults.ts";
import { fillDisk } from "./processes/disk-full.ts";
import { endServing, endWhileLoading } from "./processes/endings.ts";
import { failOver } from "./processes/failover.ts";
import { servedByFork } from "./processes/fork-target.ts";
import { type StopReport, stopUnderLoad } from "./processes/graceful-stop.ts";
import { KILL_CALLS, KILL_POINTS, killAndRecover, turnOf } from "./processes/kill.ts";
import { loseLastUnit } from "./processes/last-unit.ts";
import { meddle } from "./processes/meddling.ts";
import { outage } from "./processes/outage.ts";
import {
  cutCommits,
  raceForKey,
  raceForQuota,
  terminateBackends,
  withProcesses,
} from "./processes/postgres.ts";
import {
  type Deployment,
  deploy,
  hasStrace,
  NEEDS_STRACE,
  servedByCommand,
} from "./processes/serve-target.ts";
import type { Targets } from "./processes/target.ts";
import { raceOverHttp } from "./races.ts";
import { attackExpressions } from "./regular-expressions.ts";
import { withSeed } from "./seed.ts";
import { newScope, settlementOf } from "./settlement.ts";
import { asBuilt, simulate } from "./simulation/simulate.ts";
import { newPostgresPlace, newSqlitePlace } from "./store-places.ts";
import { onSqlite, withTemporaryFolder } from "./temporary-folder.ts";

type Experiment = (size: number, seed: number) => Promise<unknown>;

const EXPERIMENTS: Readonly<Record<string, { readonly size: number; readonly run: Experiment }>> = {
  simulation: { size: 50_000, run: (runs, seed) => simulate(asBuilt, { runs, seed }) },
  client: { size: 10_000, run: (calls, seed) => chargeExactlyOnce(calls, seed) },
  "for-nothing": { size: 1_000, run: (questions) => askForNothing(questions) },
  "starved-source": { size: 500, run: (questions) => starveLiveSource(40, questions, 20) },
  "unknown-keys": { size: 100_000, run: (tried) => tryKeys(tried) },
  storage: {
    size: 1_024,
    run: async (mebibytes) => {
      const limits = { job_bytes: 64 * 1024 * 1024, ruleset_bytes: 8 * 1024 * 1024 };
      const fill = (url: string) => fillStorage(url, mebibytes * 1024 * 1024, limits);
      return { sqlite: await onSqlite(fill), postgres: await onPostgres(fill) };
    },
  },
  "T-48": { size: 200, run: (rounds, seed) => damageFiles(rounds, seed) },
  throughput: {
    size: 3,
    run: async (seconds) => ({
      sqlite: await withTemporaryFolder(async (dir) => {
        return throughput(
          await openStore(`sqlite:${join(dir, "state.db")}`, { role: "serve", absent: "make" }),
          seconds,
        );
      }),
      postgres: await onPostgres(
        async (url) => throughput(await openStore(url, { role: "serve", absent: "make" }), seconds),
        "flushing",
      ),
    }),
  },
  "job-load": {
    size: 1_000_000,
    run: async (decisions) => ({
      sqlite: await withTemporaryFolder(async (dir) => measureJob(await newSqlitePlace(dir), decisions)),
      postgres: await onCluster(
        async ({ cluster }) => measureJob(await newPostgresPlace(cluster), decisions),
        "flushing",
      ),
    }),
  },
  overload: {
    size: 10,
    run: (seconds) => overload({ connections: [64, 256, 1_024, 4_096], seconds }),
  },
  "heavy-neighbour": {
    size: 30,
    run: async (seconds, seed) => {
      const figures: Record<string, object> = {};
      for (const organizations of [1, 4]) {
        const neighbours = { senders: 4, organizations, seconds, otherP99Ms: 300 };
        figures[`of ${organizations} organizations`] = await queryAmongHeavySenders(100, seed, neighbours);
      }
      return figures;
    },
  },
  "silent-bodies": { size: 100, run: (connections) => announceBodies(connections) },
  unread: { size: 1_000, run: (sockets) => leaveUnread(sockets) },
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
  "T-06": {
    size: 50,
    run: async (rounds) => {
      const lost = { "at the commit": 0, "over HTTP": 0 };
      await overHttp(async ({ targets }) => {
        for (let i = 0; i < rounds; i++) {
          const isLost = await onSqlite((url) => loseLastUnit(servedByFork, url, "committed"));
          lost["at the commit"] += Number(isLost);
          lost["over HTTP"] += Number(await onSqlite((url) => loseLastUnit(targets, url)));
        }
      });
      return { rounds, "answers lost": lost };
    },
  },
  "T-07": {
    size: 1_000,
    run: (seeds, seed) => kills(seeds, seed, onSqlite, servedByFork),
  },
  "T-07-postgres": {
    size: 1_000,
    run: (seeds, seed) => onCluster(({ anew }) => kills(seeds, seed, anew, servedByFork)),
  },
  "T-07-http": {
    size: 200,
    run: (seeds, seed) => overHttp(({ targets }) => kills(seeds, seed, onSqlite, targets)),
  },
  "T-07-http-postgres": {
    size: 100,
    run: (seeds, seed) =>
      onCluster(({ anew }) => overHttp(({ targets }) => kills(seeds, seed, anew, targets))),
  },
  "T-08": {
    size: 50,
    run: async (seeds, seed) => {
      for (const [point, most] of Object.entries(KILL_POINTS)) {
        const killAt = (random: () => number) => turnOf(point, 1, most, random);
        console.log(point, await kills(seeds, seed, onSqlite, servedByFork, killAt));
      }
    },
  },
  "T-08-http": {
    size: 50,
    run: async (seeds, seed) => {
      if (!(await hasStrace())) return `NOT RUN: ${NEEDS_STRACE}`;
      return overHttp(async ({ targets }) => {
        for (const [call, [from, to]] of Object.entries(KILL_CALLS)) {
          const killAt = (random: () => number) => turnOf(call, from, to, random);
          console.log(call, await kills(seeds, seed, onSqlite, targets, killAt));
        }
      });
    },
  },
  "T-11": {
    size: 3_000,
    run: (settlements) =>
      withTemporaryFolder(async (dir) => (await fillDisk(dir, settlements)) ?? "NOT RUN: needs root"),
  },
  "T-12": {
    size: 20,
    run: async (rounds) => {
      if (!(await hasStrace())) return `NOT RUN: ${NEEDS_STRACE}`;
      return overHttp(async ({ targets }) => {
        const failed: Record<string, object> = {};
        // A group is flushed once, and written in some dozens of pages.
        for (const [call, apart] of [
          ["fsync", 3],
          ["pwrite64", 900],
        ] as const) {
          const sum = { rounds, acknowledged: 0, unknown: 0, stood: 0 };
          for (let i = 0; i < rounds; i++) {
            const report = await onSqlite(async (url) => {
              return failDisk(await targets(url, 100_000), url, call, apart * i);
            });
            sum.acknowledged += report.acknowledged;
            sum.unknown += report.unknown;
            sum.stood += report.stood;
          }
          failed[call] = sum;
        }
        const slow: object[] = [];
        for (const flushMs of [20, 50, 100, 150, 200]) {
          slow.push(await onSqlite(async (url) => slowDisk(await targets(url, 100_000), flushMs, 3_000)));
        }
        return { failed, slow };
      });
    },
  },
  "T-13": { size: 3_000, run: (settlements) => onPostgres((url) => terminateBackends(url, settlements)) },
  "T-14": {
    size: 1_700,
    run: (settlements, seed) =>
      onPostgres((url) => withSeed(seed, (random) => cutCommits(url, settlements, random))),
  },
  "T-15": {
    size: 150,
    run: (rounds) =>
      onCluster(({ cluster, anew }) =>
        overHttp(({ targets }) =>
          anew(async (url) => {
            const limits = { rounds, refusalMs: 1_000, recoveryMs: 5_000 };
            return outage(cluster, await targets(url, 100_000), url, limits);
          }),
        ),
      ),
  },
  "T-15-crash": {
    size: 200,
    run: (crashes, seed) =>
      onCluster(
        ({ cluster, anew }) =>
          overHttp(({ targets }) =>
            anew(async (url) =>
              withSeed(seed, async (random) =>
                crashUnderLoad(cluster, await targets(url, 10_000_000), url, crashes, random),
              ),
            ),
          ),
        "flushing",
        FORGETFUL,
      ),
  },
  "T-16": {
    size: 10,
    run: async (rounds, seed) => {
      const sum = { rounds, acknowledged: 0, refused: 0, unknown: 0 };
      for (let i = 0; i < rounds; i++) {
        const report = await withSeed(seed + i, failOver);
        sum.acknowledged += report.acknowledged;
        sum.refused += report.refused;
        sum.unknown += report.unknown;
      }
      return sum;
    },
  },
  "T-18": { size: 5_000, run: (walks, seed) => jumpClocks(walks, seed) },
  "T-19": { size: 1_000_000, run: tilePeriods },
  "T-23": { size: 50, run: (organizations, seed) => tryEachOther(organizations, seed) },
  "T-24": { size: 10, run: (rounds) => sendOversizedBodies(rounds) },
  "T-25": { size: 20, run: (rounds) => sendDeepBodies(rounds) },
  "T-26": { size: 5, run: (rounds) => sendMillionVertices(rounds) },
  "T-27": { size: 100, run: (percent, seed) => sendHostileGeometry(percent, seed) },
  "T-30": { size: 5_000, run: (heads, seed) => abuseHeaders(heads, seed) },
  "T-33": {
    size: 50,
    run: (cycles, seed) =>
      overHttp(({ targets }) =>
        onSqlite(async (url) => {
          const served = await targets(url, 1_000_000);
          const all: StopReport[] = [];
          for (let cycle = 0; cycle < cycles; cycle++) {
            all.push(
              await withSeed(seed + cycle, (random) => stopUnderLoad(served, url, 200, random, 10_000)),
            );
          }
          return {
            cycles,
            acknowledged: all.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
            overloaded: all.reduce((sum, { overloaded }) => sum + overloaded, 0),
            slowestExitMs: Math.max(...all.map(({ exitMs }) => exitMs)),
            worstP99Ms: Math.max(...all.map(({ p99Ms }) => p99Ms)),
          };
        }),
      ),
  },
  "T-33-start": {
    size: 200,
    run: (ends, seed) =>
      onCluster(({ anew }) =>
        overHttp(({ deployment }) =>
          withSeed(seed, async (random) => {
            await endWhileLoading(ends, random);
            await onSqlite((url) => endServing(deployment, url, ends / 4, random));
            await anew((url) => endServing(deployment, url, ends / 4, random));
          }),
        ),
      ),
  },
  reads: { size: 1_000_000, run: (decisions) => readWithoutEnd(undefined, decisions) },
  "reads-postgres": {
    size: 1_000_000,
    run: (decisions) => onPostgres((url) => readWithoutEnd(url, decisions)),
  },
  "T-36": { size: 100, run: (percent, seed) => measureEventLoop(percent, seed) },
  "T-40": { size: 120, run: (seconds) => onPostgres((url) => rotateUnderLoad(url, seconds)) },
  "T-41": { size: 100_000, run: (presentations, seed) => timeKeyChecks(presentations, seed) },
  "T-42": { size: 5, run: async (ms) => ({ ...(await polluteBodies()), ...(await attackExpressions(ms)) }) },
  "T-45": {
    size: 3,
    run: (rounds) =>
      onCluster(({ anew }) =>
        overHttp(async ({ targets, deployment }) => {
          const reports: Record<string, object[]> = {};
          for (let i = 0; i < rounds; i++) {
            for (const [from, to] of [
              ["sqlite", "sqlite"],
              ["sqlite", "postgres"],
              ["postgres", "sqlite"],
              ["postgres", "postgres"],
            ] as const) {
              const on = { sqlite: onSqlite, postgres: anew };
              const report = await withTemporaryFolder((dir) =>
                on[from]((url) =>
                  on[to](async (restoredUrl) =>
                    backUpUnderLoad(deployment, await targets(url, 100_000), url, restoredUrl, dir),
                  ),
                ),
              );
              const way = `${from} to ${to}`;
              reports[way] = [...(reports[way] ?? []), report];
            }
          }
          return reports;
        }),
      ),
  },
  "T-46": {
    size: 1,
    run: (rounds) =>
      onCluster(({ anew }) =>
        overHttp(async ({ targets }) => {
          for (let i = 0; i < rounds; i++) {
            for (const [name, on] of Object.entries({ sqlite: onSqlite, postgres: anew })) {
              for (const finding of ["running", "starting"] as const) {
                const report = await on((url) => meddle(() => targets(url, 1_000), url, finding));
                console.log(name, report);
              }
            }
          }
        }),
      ),
  },
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

type OnStore = <Result>(action: (url: string) => Promise<Result>) => Promise<Result>;

async function onPostgres<Result>(
  action: (url: string) => Promise<Result>,
  disk: "flushing" | "lazy" = "lazy",
): Promise<Result> {
  return onCluster(({ anew }) => anew(action), disk);
}

interface OnCluster {
  readonly cluster: PostgresCluster;
  /** On a new database. */
  readonly anew: OnStore;
}

async function onCluster<Result>(
  action: (on: OnCluster) => Promise<Result>,
  disk: "flushing" | "lazy" = "lazy",
  settings: readonly string[] = [],
): Promise<Result> {
  const cluster = await startPostgres(disk, settings);
  try {
    return await action({ cluster, anew: async (inner) => inner(await cluster.createDatabase()) });
  } finally {
    await cluster.stop();
  }
}

/** The command over one data folder, which is built once. */
async function overHttp<Result>(action: (on: OverHttp) => Promise<Result>): Promise<Result> {
  return withTemporaryFolder(async (dir) => {
    const deployment = await deploy(dir);
    return action({ deployment, targets: servedByCommand(deployment) });
  });
}

interface OverHttp {
  readonly deployment: Deployment;
  readonly targets: ReturnType<typeof servedByCommand>;
}

async function kills(
  seeds: number,
  seed: number,
  on: OnStore,
  targets: Targets,
  killAt?: (random: () => number) => string,
): Promise<object> {
  const sum = { kills: 0, acknowledged: 0, recovered: 0 };
  const recoveries: number[] = [];
  for (let i = 0; i < seeds; i++) {
    const report = await on((url) =>
      withSeed(seed + i, (random) =>
        killAndRecover(targets, url, random, killAt === undefined ? {} : { killAt: killAt(random) }),
      ),
    );
    sum.kills += report.diedAtWork ? 1 : 0;
    sum.acknowledged += report.acknowledged;
    sum.recovered += report.recovered;
    recoveries.push(report.recoveryMs);
  }
  return { seeds, ...sum, slowestRecoveryMs: rounded(quantile(recoveries, 1)) };
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
