import assert from "node:assert/strict";
import { computePeriodAt } from "../src/ledger/period.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/port/port.ts";
import {
  type Allowance,
  sendDeepBodies,
  sendMillionVertices,
  sendOversizedBodies,
} from "./attacks/bodies.ts";
import { requireNothingOver } from "./attacks/figures.ts";
import { fillStorage } from "./attacks/fill-storage.ts";
import { abuseHeaders } from "./attacks/headers.ts";
import { queryAmongHeavySenders } from "./attacks/heavy-neighbour.ts";
import { measureEventLoop, sendHostileGeometry } from "./attacks/hostile-geometry.ts";
import { readWithoutEnd } from "./attacks/ledger-reads.ts";
import { announceUnsentBodies } from "./attacks/silent-bodies.ts";
import { starveLiveSource } from "./attacks/starved-source.ts";
import { tryUnknownKeys } from "./attacks/unknown-keys.ts";
import { leaveAnswersUnread } from "./attacks/unread.ts";
import { requestVerdictsForNothing } from "./attacks/verdicts-for-nothing.ts";
import { checkEveryDay, checkPeriodFunction } from "./billing-periods.ts";
import { measureLedgerReads } from "./brief-reads.ts";
import { chargeExactlyOnce } from "./client/exactly-once.ts";
import { FAULTS } from "./client/faulty-proxy.ts";
import { jumpClocks } from "./clock-jumps.ts";
import { damageStateFiles } from "./damage.ts";
import { tryEachOther } from "./isolation/isolation.ts";
import { measureJobLoad } from "./job-load.ts";
import { rotateUnderLoad } from "./key-lifecycle.ts";
import { timeKeyChecks } from "./key-timing.ts";
import { runOverload } from "./overload/overload.ts";
import { polluteBodies } from "./pollution.ts";
import { type PostgresCluster, startPostgres } from "./postgres-cluster.ts";
import { backUpUnderLoad } from "./processes/backup-under-load.ts";
import { crashUnderLoad, FORGETFUL } from "./processes/database-crashes.ts";
import { failDiskOnce, runWithSlowDisk } from "./processes/disk-faults.ts";
import { fillIdleDisk, settleUntilDiskFull } from "./processes/disk-full.ts";
import { endServingEarly, endWhileLoading } from "./processes/endings.ts";
import { failOverUnderLoad } from "./processes/failover.ts";
import { servedByFork } from "./processes/fork-target.ts";
import { stopUnderLoad } from "./processes/graceful-stop.ts";
import { killWhileJobsRun } from "./processes/job-kills.ts";
import {
  KILL_CALLS,
  KILL_POINTS,
  killAndRecover,
  killAtPoint,
  killUntilSeen,
  pickKillTurn,
} from "./processes/kill.ts";
import { loseLastUnit } from "./processes/last-unit.ts";
import { meddleWithCharges } from "./processes/meddling.ts";
import { runDatabaseOutage } from "./processes/outage.ts";
import {
  cutLinkAtCommits,
  raceForKey,
  raceForQuota,
  terminateBackends,
  withProcesses,
} from "./processes/postgres.ts";
import {
  createCommandServer,
  createDeployment,
  type Deployment,
  hasStrace,
  NEEDS_STRACE,
} from "./processes/serve-target.ts";
import type { Targets } from "./processes/target.ts";
import { raceOverHttp } from "./races.ts";
import { attackExpressions } from "./regular-expressions.ts";
import { withSeed } from "./seed.ts";
import { createLiveScope, makeSettlement } from "./settlement.ts";
import { asBuilt, simulateSchedules } from "./simulation/simulate.ts";
import { toStorePlace } from "./store-places.ts";
import { withSqliteUrl, withTemporaryFolder } from "./temporary-folder.ts";

/** A program that shows what the pages say of charging, faults and attacks. */
export interface Experiment {
  /** Title of its test. */
  readonly shows: string;
  /** Its turns: at full length; as a slice, where the long tests have one; as their slice with `GROUNDRULE_FULL=1`. */
  readonly sizes: readonly [long: number, slice?: number, fullSlice?: number];
  /**
   * @param isBusy true if other tests run meanwhile: what is required of times and of memory then tells little
   *
   * @returns figures, or why it was not run
   */
  readonly run: (size: number, seed: number, isBusy: boolean) => Promise<unknown>;
}

/** True if the long tests leave nothing out. */
export const IS_FULL: boolean = process.env.GROUNDRULE_FULL !== undefined;

const ANY = Number.POSITIVE_INFINITY;
const MIB = 1024 * 1024;
/** CPU is counted here, and of memory what is far off. */
const GENEROUS: Allowance = { refusalMs: ANY, depthMs: ANY, depthCpuMs: 1_000, memoryBytes: 200_000_000 };

export const EXPERIMENTS: Readonly<Record<string, Experiment>> = {
  simulation: {
    shows: "charging keeps every invariant on schedules of who goes next and when the process dies",
    sizes: [50_000, 4_000, 10_000],
    run: (runs, seed) => simulateSchedules(asBuilt, { runs, seed }),
  },
  client: {
    shows:
      "through a network that loses, delays, repeats and cuts, the client gets an answer to each call, charged once",
    sizes: [10_000, 500, 10_000],
    run: async (calls, seed) => {
      const { faults, ...report } = await chargeExactlyOnce(calls, seed);
      requireFiguresReached(faults, Object.fromEntries(FAULTS.map((fault) => [fault, 1])));
      return { faults, ...requireFiguresReached(report, { requests: 1.3 * calls, replayed: calls / 10 }) };
    },
  },
  "for-nothing": {
    shows: "verdicts are given for nothing so often as is stated, however a source is made to fail",
    sizes: [1_000, 60, 120],
    run: (questions) => requestVerdictsForNothing(questions),
  },
  "starved-source": {
    shows: "a live source is left to others, whoever crowds before it, and its database's words are kept",
    sizes: [500],
    run: (questions) => starveLiveSource(40, questions, 20),
  },
  "unknown-keys": {
    shows: "the store is queried for unknown keys so often as is stated",
    sizes: [100_000],
    run: (tried) => tryUnknownKeys(tried),
  },
  storage: {
    shows: "an organization holds so much for nothing as is stated, on either database",
    sizes: [1_024, 48, 1_024],
    run: (mebibytes) =>
      withBothStores((url) =>
        fillStorage(url, mebibytes * MIB, { job_bytes: 32 * MIB, ruleset_bytes: 4 * MIB }),
      ),
  },
  "T-48": {
    shows:
      "a damaged state file is refused or served without an internal error, and shows only what was stored",
    sizes: [200, 4],
    run: async (rounds, seed) =>
      requireFiguresReached(await damageStateFiles(rounds, seed), { served: 1, replayed: 1 }),
  },
  throughput: {
    shows: "how many are charged in a second",
    sizes: [3],
    run: (seconds) =>
      withBothStores(
        async (url) => measureThroughput(await openStore(url, { role: "serve", absent: "make" }), seconds),
        "flushing",
      ),
  },
  "job-load": {
    shows: "what a job costs beside many decisions",
    sizes: [1_000_000],
    run: (decisions) => withBothStores((url) => measureJobLoad(toStorePlace(url), decisions), "flushing"),
  },
  "job-kills": {
    shows:
      "jobs whose processes are killed are answered once and charged once, on PostgreSQL with two replicas",
    sizes: [200, 2, 200],
    run: (kills, seed) =>
      withDeployment(({ deployment }) =>
        withBothStores((url) =>
          withSeed(seed, async (random) => {
            const replicas = url.startsWith("sqlite:") ? 1 : 2;
            const report = await killWhileJobsRun(deployment, url, { kills, replicas, random });
            return requireFiguresReached(report, { atWork: kills / 4 });
          }),
        ),
      ),
  },
  "brief-reads": {
    shows: "whatever is read of a ledger touches a few rows in the thread of HTTP",
    sizes: [1_000_000, 150_000, 1_000_000],
    run: (decisions) =>
      withSqliteUrl(async (url) => {
        const { dear, refused, ...report } = await measureLedgerReads(toStorePlace(url), decisions);
        return requireNothingOver(report, [...Object.keys(dear), ...refused]);
      }),
  },
  overload: {
    shows: "greedy callers do not keep others waiting",
    sizes: [10],
    run: (seconds) => runOverload({ connections: [64, 256, 1_024, 4_096], seconds }),
  },
  "heavy-neighbour": {
    shows: "another organization is answered beside the worst accepted plots of one, and of four",
    sizes: [30, 1, 5],
    run: async (seconds, seed, isBusy) => {
      const figures: Record<string, object> = {};
      for (const organizations of [1, 4]) {
        const senders = { senders: 4, organizations, seconds, otherP99Ms: isBusy ? ANY : 300 };
        figures[`of ${organizations} organizations`] = await queryAmongHeavySenders(100, seed, senders);
      }
      return figures;
    },
  },
  "silent-bodies": {
    shows: "bodies that are announced and never sent keep nobody waiting",
    sizes: [100],
    run: (connections) => announceUnsentBodies(connections),
  },
  unread: {
    shows: "one answer a connection is held where many are requested and none is read",
    sizes: [1_000, 60],
    // Without a limit 60 of these answers take 600 MB, and as much again on the way.
    run: (sockets, _, isBusy) =>
      leaveAnswersUnread(sockets, isBusy ? { grownBytes: 560_000_000, otherSlower: 100 } : undefined),
  },
  "T-01": {
    shows: "a quota lets through exactly itself, and a key one answer and one body, of a serving process",
    sizes: [20, 2],
    run: (rounds) => raceOverHttp(rounds),
  },
  "T-02": {
    shows: "four processes on one PostgreSQL never overrun a quota",
    sizes: [20],
    run: (rounds, seed) =>
      withNewDatabase((url) =>
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
    shows: "the answer that took the last unit is replayed, though its process died with it",
    sizes: [50, 1],
    run: async (rounds) => {
      const lost = { "at the commit": 0, "over HTTP": 0 };
      await withDeployment(async ({ targets }) => {
        for (let i = 0; i < rounds; i++) {
          const isLost = await withSqliteUrl((url) => loseLastUnit(servedByFork, url, "committed"));
          lost["at the commit"] += Number(isLost);
          lost["over HTTP"] += Number(await withSqliteUrl((url) => loseLastUnit(targets, url)));
        }
      });
      return { rounds, "answers lost": lost };
    },
  },
  "T-07": {
    shows: "a process killed at random loses no acknowledged charge and charges nothing twice",
    sizes: [1_000, 12],
    run: (times, seed) => killAtRandom(times, seed, withSqliteUrl, servedByFork),
  },
  "T-07-postgres": {
    shows: "the same on PostgreSQL",
    sizes: [1_000],
    run: (times, seed) => withCluster(({ anew }) => killAtRandom(times, seed, anew, servedByFork)),
  },
  "T-07-http": {
    shows: "the same of groundrule serve",
    sizes: [200, 2],
    run: (times, seed) => withDeployment(({ targets }) => killAtRandom(times, seed, withSqliteUrl, targets)),
  },
  "T-07-http-postgres": {
    shows: "the same of groundrule serve on PostgreSQL",
    sizes: [100, 2],
    run: (times, seed) =>
      withCluster(({ anew }) => withDeployment(({ targets }) => killAtRandom(times, seed, anew, targets))),
  },
  "T-08": {
    shows: "a process that dies at a named point recovers, at each of them",
    sizes: [50, 1],
    run: async (times, seed) => {
      for (const [point, most] of Object.entries(KILL_POINTS)) {
        for (let i = 0; i < times; i++)
          await withSeed(seed + i, (random) => killAtPoint(servedByFork, point, most, random));
      }
    },
  },
  "T-08-http": {
    shows: "groundrule serve recovers when the system ends it at a call: each of them in turn",
    sizes: [150, 1, 3],
    run: (times, seed) =>
      withTracedDeployment(async ({ targets }) => {
        const sums: Record<string, object> = {};
        for (const [i, [call, [from, to]]] of Object.entries(KILL_CALLS).entries()) {
          const turns = Math.ceil((times - i) / 3);
          if (turns < 1) continue;
          sums[call] = await killUntilSeen(seed, turns, (random) => {
            const killAt = pickKillTurn(call, from, to, random);
            return withSqliteUrl((url) => killAndRecover(targets, url, random, { killAt }));
          });
        }
        return sums;
      }),
  },
  "T-11": {
    shows: "a full disk refuses charges whole, makes the service unready, and ends when there is room",
    sizes: [3_000, 1_500],
    run: async (settlements) => {
      const report = await withTemporaryFolder((dir) => settleUntilDiskFull(dir, settlements));
      const idle = await withTemporaryFolder(fillIdleDisk);
      if (report === undefined || idle === undefined) return "needs root, to mount a small disk";
      for (const trouble of [report.trouble, idle]) assert.match(trouble, /full/);
      return requireFiguresReached(report, { charged: 1, refused: 1, chargedAfterwards: 30 });
    },
  },
  "T-12": {
    shows: "a disk that fails ends the service with 70 and loses nothing; a slow one makes groups larger",
    sizes: [40, 1, 2],
    run: (rounds, _, isBusy) =>
      withTracedDeployment(async ({ targets }) => {
        const failed = { rounds, acknowledged: 0, unknown: 0, stood: 0 };
        for (let i = 0; i < rounds; i++) {
          // A group is flushed once, and written in some dozens of pages.
          const [call, turn] =
            i % 2 === 0 ? (["fsync", 20 + 3 * i] as const) : (["pwrite64", 900 * i] as const);
          addFigures(
            failed,
            await withSqliteUrl(async (url) => {
              const report = await failDiskOnce(await targets(url, 100_000), url, call, turn);
              return requireFiguresReached(report, { acknowledged: 1, unknown: 1 });
            }),
          );
        }
        const slow: object[] = [];
        for (const flushMs of [100, 20, 50, 150, 200].slice(0, rounds)) {
          const report = await withSqliteUrl(async (url) =>
            runWithSlowDisk(await targets(url, 100_000), flushMs, isBusy ? 300 : 3_000),
          );
          // One group after the other would be ten charges a second at 100 ms. Flushes that are not slow would show nothing.
          slow.push(requireFiguresReached(report, { charged: 100, p50Ms: flushMs }));
        }
        return { failed, slow };
      }),
  },
  "T-13": {
    shows: "what is charged is acknowledged while back ends of PostgreSQL are terminated",
    sizes: [3_000],
    run: (settlements) => withNewDatabase((url) => terminateBackends(url, settlements)),
  },
  "T-14": {
    shows: "each commit whose connection was cut is resolved",
    sizes: [1_700],
    run: (settlements, seed) =>
      withNewDatabase((url) => withSeed(seed, (random) => cutLinkAtCommits(url, settlements, random))),
  },
  "T-15": {
    shows: "charges are refused at once while PostgreSQL is down, and made once it is back",
    sizes: [150, 10],
    run: (rounds, _, isBusy) =>
      withCluster(({ cluster, anew }) =>
        withDeployment(({ targets }) =>
          anew(async (url) => {
            const limits = isBusy ? {} : { refusalMs: 1_000, recoveryMs: 5_000 };
            const report = await runDatabaseOutage(cluster, await targets(url, 100_000), url, {
              rounds,
              ...limits,
            });
            requireFiguresReached(report.refused, { count: 5 * rounds });
            return requireFiguresReached(report, { acknowledged: 25 });
          }),
        ),
      ),
  },
  "T-15-crash": {
    shows: "no acknowledged charge is lost when PostgreSQL crashes under three processes",
    sizes: [200, 4],
    run: (crashes, seed, isBusy) =>
      withCluster(
        ({ cluster, anew }) =>
          withDeployment(({ targets }) =>
            anew((url) =>
              withSeed(seed, async (random) => {
                const served = await targets(url, 10_000_000);
                return requireFiguresReached(await crashUnderLoad(cluster, served, url, crashes, random), {
                  acknowledged: 60,
                });
              }),
            ),
          ),
        isBusy ? "lazy" : "flushing",
        FORGETFUL,
      ),
  },
  "T-16": {
    shows: "every acknowledged charge is on the synchronous standby that takes over",
    sizes: [10],
    run: async (rounds, seed) => {
      const sum = { rounds, acknowledged: 0, refused: 0, unknown: 0 };
      for (let i = 0; i < rounds; i++) addFigures(sum, await withSeed(seed + i, failOverUnderLoad));
      return sum;
    },
  },
  "T-18": {
    shows: "a clock that is set opens no period anew and expires no answer early",
    sizes: [5_000, 40],
    // A step that shares no factor with the numbers of zones, edges and jumps meets each of them.
    run: (walks, seed, isBusy) =>
      jumpClocks(walks, seed, (turn) => !isBusy || IS_FULL || turn % 7 === seed % 7),
  },
  "T-19": {
    shows: "periods tile time and begin on their day",
    sizes: [1_000_000],
    run: async (anchors, seed) => {
      checkPeriodFunction(computePeriodAt, anchors, seed);
      return { anchors, ...checkEveryDay() };
    },
  },
  "T-23": {
    shows: "organizations in both modes find nothing of each other, nor by how long a refusal takes",
    sizes: [50, 3],
    // Other tests that run meanwhile leave only large differences of time to be measured.
    run: (organizations, seed, isBusy) =>
      tryEachOther(
        organizations,
        seed,
        isBusy ? { triers: 1, oneOf: IS_FULL ? 1 : 4, timingRatio: 3, timedPairs: 100 } : {},
      ),
  },
  "T-24": {
    shows: "bodies that are too large are refused, however their length is stated, and none is kept",
    sizes: [10, 1],
    run: (rounds, _, isBusy) => sendOversizedBodies(rounds, isBusy ? GENEROUS : undefined),
  },
  "T-25": {
    shows: "a body one level too deep, or a million, is refused, wherever they are",
    sizes: [20, 1],
    run: (rounds, _, isBusy) => sendDeepBodies(rounds, isBusy ? GENEROUS : undefined),
  },
  "T-26": {
    shows: "too many vertices are refused before anyone looks for crossings",
    sizes: [5, 1],
    run: (rounds, _, isBusy) =>
      isBusy ? sendMillionVertices(rounds, GENEROUS, 150_000) : sendMillionVertices(rounds),
  },
  "T-27": {
    shows: "the worst plots are answered or refused, and others meanwhile",
    sizes: [100, 2, 5],
    run: (percent, seed, isBusy) =>
      sendHostileGeometry(percent, seed, isBusy ? { answerMs: ANY, otherP99Ms: ANY } : undefined),
  },
  "T-30": {
    shows: "abused headers are refused, and the service is left as it was",
    sizes: [5_000, 150, 500],
    run: (heads, seed) => abuseHeaders(heads, seed),
  },
  "T-33": {
    shows: "groundrule serve stops at 200 requests a second without breaking one off",
    sizes: [50, 1],
    run: (cycles, seed, isBusy) =>
      withDeployment(({ targets }) =>
        withSqliteUrl(async (url) => {
          const served = await targets(url, 1_000_000);
          const sum = { cycles, acknowledged: 0, overloaded: 0, slowestExitMs: 0, worstP99Ms: 0 };
          for (let cycle = 0; cycle < cycles; cycle++) {
            const { exitMs, p99Ms, ...counts } = await withSeed(seed + cycle, (random) =>
              stopUnderLoad(served, url, 200, random, isBusy ? ANY : 10_000),
            );
            addFigures(sum, counts);
            sum.slowestExitMs = Math.max(sum.slowestExitMs, exitMs);
            sum.worstP99Ms = Math.max(sum.worstP99Ms, p99Ms);
          }
          return requireFiguresReached(sum, { acknowledged: 100 * cycles });
        }),
      ),
  },
  "T-33-start": {
    shows: "processes that end while their workers load, or while they start, end as they are to",
    sizes: [200, 3],
    run: (ends, seed) =>
      withDeployment(({ deployment }) =>
        withSeed(seed, async (random) => {
          await endWhileLoading(ends, random);
          await withBothStores((url) => endServingEarly(deployment, url, Math.max(2, ends / 4), random));
        }),
      ),
  },
  reads: {
    shows: "another organization does not wait for one that reads without a pause",
    sizes: [1_000_000],
    run: (decisions) => readWithoutEnd(undefined, decisions),
  },
  "reads-postgres": {
    shows: "the same on PostgreSQL",
    sizes: [1_000_000],
    run: (decisions) => withNewDatabase((url) => readWithoutEnd(url, decisions)),
  },
  "T-36": {
    shows: "the thread of HTTP is not held up for long by the worst plots and the largest bodies",
    sizes: [100, 2, 5],
    run: (percent, seed, isBusy) => measureEventLoop(percent, seed, isBusy ? 200 : undefined),
  },
  "T-40": {
    shows: "no valid key is refused on two replicas, and no ended one let in",
    sizes: [120, 4],
    run: (seconds) => withNewDatabase((url) => rotateUnderLoad(url, seconds)),
  },
  "T-41": {
    shows: "refusing a key takes the same time whether or not it resembles a stored one",
    sizes: [100_000],
    run: (presentations, seed) => timeKeyChecks(presentations, seed),
  },
  "T-42": {
    shows: "members that name prototypes change none, and every regular expression takes linear time",
    sizes: [5, 60, 200],
    // In a text of a third, a quadratic one takes a ninth: a good half of a second.
    run: async (ms, _, isBusy) => ({
      ...(await polluteBodies()),
      ...(await attackExpressions(ms, isBusy ? { pairs: false, length: 500 * ms } : {})),
    }),
  },
  "T-45": {
    shows: "a backup under load has every answer acknowledged before, restored on either database",
    sizes: [12, 1, 2],
    run: (rounds) =>
      withCluster(({ anew }) =>
        withDeployment(async ({ targets, deployment }) => {
          const on = { sqlite: withSqliteUrl, postgres: anew };
          const reports: object[] = [];
          for (let i = 0; i < rounds; i++) {
            const [from, to] = WAYS[i % WAYS.length]!;
            const report = await withTemporaryFolder((dir) =>
              on[from]((url) =>
                on[to](async (restoredUrl) =>
                  backUpUnderLoad(deployment, await targets(url, 100_000), url, restoredUrl, dir),
                ),
              ),
            );
            reports.push({ from, to, ...report });
          }
          return reports;
        }),
      ),
  },
  "T-46": {
    shows: "use, a decision and an answer edited by hand freeze their ledgers",
    sizes: [2, 1],
    run: (ways) =>
      withDeployment(async ({ targets }) => {
        const reports: object[] = [];
        for (const finding of (["starting", "running"] as const).slice(0, ways))
          reports.push(
            await withBothStores((url) => meddleWithCharges(() => targets(url, 1_000), url, finding)),
          );
        return reports;
      }),
  },
};

/** From which database to which. */
const WAYS = [
  ["postgres", "sqlite"],
  ["sqlite", "postgres"],
  ["sqlite", "sqlite"],
  ["postgres", "postgres"],
] as const;

/** A report with these figures at least. Fails: an `Error` where one is lower, for then nothing was seen. */
function requireFiguresReached<Report extends object>(
  report: Report,
  least: Partial<Readonly<Record<keyof Report, number>>>,
): Report {
  const low = Object.entries(least).filter(
    ([name, figure]) => !(Number(report[name as keyof Report]) >= Number(figure)),
  );
  return requireNothingOver(
    report,
    low.map(([name, figure]) => `${name}: expected at least ${figure}`),
  );
}

/** Adds to each figure of a sum. */
function addFigures(sum: Record<string, number>, report: object): void {
  for (const [name, figure] of Object.entries(report)) sum[name] = (sum[name] ?? 0) + figure;
}

function killAtRandom(times: number, seed: number, on: OnStore, targets: Targets): Promise<object> {
  return killUntilSeen(seed, times, (random) => on((url) => killAndRecover(targets, url, random)));
}

/** Charges a second by how many are asked for at once, and look-ups of an answer to replay. */
async function measureThroughput(store: Store, seconds: number): Promise<object> {
  const scope = await createLiveScope(store, 1_000_000_000);
  const rates: Record<string, number> = {};
  let keys = 0;
  for (const atOnce of [1, 16, 64, 256]) {
    rates[`charges/s, ${atOnce} at once`] = await measureRate(seconds, atOnce, () =>
      store.settle(makeSettlement(scope, { key: `key-${10_000 + keys++}` })),
    );
  }
  rates["look-ups/s"] = await measureRate(seconds, 16, () => store.openGate({ scope, key: "key-10000" }));
  await store.close();
  return rates;
}

async function measureRate(seconds: number, atOnce: number, action: () => Promise<unknown>): Promise<number> {
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

/** On a state file, then on a new database of PostgreSQL. */
async function withBothStores<Result>(action: (url: string) => Promise<Result>, disk?: "flushing" | "lazy") {
  return { sqlite: await withSqliteUrl(action), postgres: await withNewDatabase(action, disk) };
}

async function withNewDatabase<Result>(
  action: (url: string) => Promise<Result>,
  disk: "flushing" | "lazy" = "lazy",
): Promise<Result> {
  return withCluster(({ anew }) => anew(action), disk);
}

interface OnCluster {
  readonly cluster: PostgresCluster;
  /** On a new database. */
  readonly anew: OnStore;
}

async function withCluster<Result>(
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
async function withDeployment<Result>(action: (on: OverHttp) => Promise<Result>): Promise<Result> {
  return withTemporaryFolder(async (dir) => {
    const deployment = await createDeployment(dir);
    return action({ deployment, targets: createCommandServer(deployment) });
  });
}

/** The same where system calls can be made to fail. */
async function withTracedDeployment<Result>(
  action: (on: OverHttp) => Promise<Result>,
): Promise<Result | string> {
  return (await hasStrace()) ? withDeployment(action) : NEEDS_STRACE;
}

interface OverHttp {
  readonly deployment: Deployment;
  readonly targets: ReturnType<typeof createCommandServer>;
}
