import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresCluster, startPostgres } from "../postgres-cluster.ts";
import { seedOr, withSeed } from "../seed.ts";
import { onSqlite } from "../temporary-folder.ts";
import { backUpUnderLoad } from "./backup-under-load.ts";
import { crashUnderLoad, FORGETFUL } from "./database-crashes.ts";
import { deployForTests } from "./deployed.ts";
import { failDisk, slowDisk } from "./disk-faults.ts";
import { stopUnderLoad } from "./graceful-stop.ts";
import { KILL_CALLS, killAndRecover, killUntilSeen, turnOf } from "./kill.ts";
import { loseLastUnit } from "./last-unit.ts";
import { meddle } from "./meddling.ts";
import { outage } from "./outage.ts";
import { hasStrace, NEEDS_STRACE } from "./serve-target.ts";

// The command, over sockets. Each is a slice of `node apps/api/test/experiment.ts`.

const FULL = process.env.GROUNDRULE_FULL !== undefined;
/** The first of some; all with GROUNDRULE_FULL. */
const slice = <Each>(all: readonly Each[]): readonly Each[] => (FULL ? all : all.slice(0, 1));
const seed = seedOr(1_033);
const isTraced = await hasStrace();
const deployed = deployForTests();
const { targets } = deployed;

describe("groundrule serve on SQLite", () => {
  it("T-07: killed at random, loses no acknowledged charge and charges nothing twice", async () => {
    await killUntilSeen(seed, 2, (random) => onSqlite((url) => killAndRecover(targets, url, random)));
  });

  it.for(slice(Object.entries(KILL_CALLS)))(
    "T-08: recovers when the system ends it at %s",
    async ([call, [from, to]], { skip }) => {
      skip(!isTraced, NEEDS_STRACE);
      const report = await onSqlite((url) =>
        withSeed(seed, (random) => {
          return killAndRecover(targets, url, random, { killAt: turnOf(call, from, to, random) });
        }),
      );
      expect(report.diedAtWork, `${call} was not reached`).toBe(true);
    },
  );

  it("T-06: replays the answer that took the last unit, though it died with it", async () => {
    await onSqlite((url) => loseLastUnit(targets, url));
  });

  it("T-33: stops at 200 requests a second without breaking one off", async () => {
    await onSqlite(async (url) => {
      const served = await targets(url, 100_000);
      const report = await withSeed(seed, (random) => stopUnderLoad(served, url, 200, random));
      expect(report.acknowledged).toBeGreaterThan(100);
    });
  });

  it.for(
    slice([
      ["fsync", 20],
      ["pwrite64", 900],
    ] as const),
  )("T-12: ends with 70 when %s fails, and loses nothing", async ([call, turn], { skip }) => {
    skip(!isTraced, NEEDS_STRACE);
    const report = await onSqlite(async (url) => failDisk(await targets(url, 100_000), url, call, turn));
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.unknown).toBeGreaterThan(0);
  });

  it("T-12: charges in larger groups when every flush takes 100 ms more", async ({ skip }) => {
    skip(!isTraced, NEEDS_STRACE);
    const report = await onSqlite(async (url) => slowDisk(await targets(url, 100_000), 100, 300));
    // One group after the other would be ten charges a second.
    expect(report.charged).toBeGreaterThan(100);
    // The test would be blind if the flushes were not slow.
    expect(report.p50Ms).toBeGreaterThan(100);
  });

  it("T-46: finds use, decision and answer edited by hand, as it starts", async () => {
    await onSqlite((url) => meddle(() => targets(url, 1_000), url, "starting"));
  });
});

describe("groundrule serve on PostgreSQL", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster.stop());

  it("T-07: killed at random, loses no acknowledged charge and charges nothing twice", async () => {
    await killUntilSeen(seed, 2, async (random) => {
      return killAndRecover(targets, await cluster.createDatabase(), random);
    });
  });

  it("T-15: refuses while the database is down, at once, and charges once it is back", async () => {
    const url = await cluster.createDatabase();
    const report = await outage(cluster, await targets(url, 100_000), url, { rounds: 10 });
    expect(report.acknowledged).toBeGreaterThan(25);
    expect(report.refused.count).toBeGreaterThan(50);
  });

  it("T-15-crash: loses no acknowledged charge when the database crashes under three processes", async () => {
    const forgetful = await startPostgres("lazy", FORGETFUL);
    try {
      const url = await forgetful.createDatabase();
      const report = await withSeed(seed, async (random) =>
        crashUnderLoad(forgetful, await targets(url, 100_000), url, 4, random),
      );
      expect(report.acknowledged).toBeGreaterThan(60);
    } finally {
      await forgetful.stop();
    }
  });

  it("T-45: is backed up under load, and restored to a state file and back", async () => {
    await onSqlite(async (file, dir) => {
      const url = await cluster.createDatabase();
      await backUpUnderLoad(deployed.deployment, await targets(url, 100_000), url, file, dir);
    });
    if (!FULL) return;
    await onSqlite(async (file, dir) => {
      const url = await cluster.createDatabase();
      await backUpUnderLoad(deployed.deployment, await targets(file, 100_000), file, url, dir);
    });
  });

  it("T-46: finds use, decision and answer edited by hand, as it starts", async () => {
    const url = await cluster.createDatabase();
    await meddle(() => targets(url, 1_000), url, "starting");
  });
});
