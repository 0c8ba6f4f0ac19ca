import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresCluster, startPostgres } from "../postgres-cluster.ts";
import { seedOr, withSeed } from "../seed.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { backUpUnderLoad } from "./backup-under-load.ts";
import { crashUnderLoad, FORGETFUL } from "./database-crashes.ts";
import { failDisk, slowDisk } from "./disk-faults.ts";
import { servedByFork } from "./fork-target.ts";
import { stopUnderLoad } from "./graceful-stop.ts";
import { KILL_CALLS, killAndRecover, turnOf } from "./kill.ts";
import { loseLastUnit } from "./last-unit.ts";
import { meddle } from "./meddling.ts";
import { outage } from "./outage.ts";
import { type Deployment, deploy, hasStrace, servedByCommand } from "./serve-target.ts";

// The command, over sockets. Each is a slice of `node apps/api/test/experiment.ts`.

const seed = seedOr(33);
const isTraced = await hasStrace();
let deployment: Deployment;
let targets: ReturnType<typeof servedByCommand>;
let end: () => void;
let ended: Promise<void>;

beforeAll(async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  end = resolve;
  await new Promise<void>((ready) => {
    ended = withTemporaryFolder(async (dir) => {
      deployment = await deploy(dir);
      targets = servedByCommand(deployment);
      ready();
      await promise;
    });
  });
});

afterAll(() => {
  end();
  return ended;
});

function onSqlite<Result>(action: (url: string, dir: string) => Promise<Result>): Promise<Result> {
  return withTemporaryFolder((dir) => action(`sqlite:${join(dir, "state.db")}`, dir));
}

describe("groundrule serve on SQLite", () => {
  it("T-07: killed at random, loses no acknowledged charge and charges nothing twice", async () => {
    let acknowledged = 0;
    let died = 0;
    for (let i = 0; i < 3; i++) {
      const report = await onSqlite((url) =>
        withSeed(seed + i, (random) => killAndRecover(targets, url, random, { withinMs: 1_500 })),
      );
      acknowledged += report.acknowledged;
      died += Number(report.diedAtWork);
    }
    expect(acknowledged).toBeGreaterThan(0);
    expect(died).toBeGreaterThan(0);
  }, 120_000);

  it.each(Object.entries(KILL_CALLS))(
    "T-08: recovers when the system ends it at %s",
    async (call, [from, to]) => {
      if (!isTraced) return console.warn("T-08 at system calls was NOT run: it needs strace");
      const report = await onSqlite((url) =>
        withSeed(seed, (random) => {
          return killAndRecover(targets, url, random, { killAt: turnOf(call, from, to, random) });
        }),
      );
      expect(report.diedAtWork, `${call} was not reached`).toBe(true);
    },
    120_000,
  );

  it("T-06: replays the answer that took the last unit, though it died with it", async () => {
    expect(await onSqlite((url) => loseLastUnit(servedByFork, url, "committed"))).toBe(true);
    await onSqlite((url) => loseLastUnit(targets, url));
  }, 120_000);

  it("T-33: stops at 200 requests a second without breaking one off", async () => {
    await onSqlite(async (url) => {
      const served = await targets(url, 100_000);
      const report = await withSeed(seed, (random) => stopUnderLoad(served, url, 200, random));
      expect(report.acknowledged).toBeGreaterThan(100);
    });
  }, 120_000);

  it.each([
    ["fsync", 20],
    ["pwrite64", 400],
  ] as const)(
    "T-12: ends with 70 when %s fails, and loses nothing",
    async (call, turn) => {
      if (!isTraced) return console.warn("T-12 was NOT run: it needs strace");
      const report = await onSqlite(async (url) => failDisk(await targets(url, 100_000), url, call, turn));
      expect(report.acknowledged).toBeGreaterThan(0);
      expect(report.unknown).toBeGreaterThan(0);
    },
    120_000,
  );

  it("T-12: charges in larger groups when every flush takes 100 ms more", async () => {
    if (!isTraced) return console.warn("T-12 was NOT run: it needs strace");
    const report = await onSqlite(async (url) => slowDisk(await targets(url, 100_000), 100, 3));
    // One group after the other would be ten charges a second.
    expect(report.charged).toBeGreaterThan(100);
    // The test would be blind if the flushes were not slow.
    expect(report.p50Ms).toBeGreaterThan(100);
  }, 120_000);

  it("T-46: finds use, decision and answer edited by hand, as it starts", async () => {
    await onSqlite((url) => meddle(() => targets(url, 1_000), url, "starting"));
  }, 120_000);
});

describe("groundrule serve on PostgreSQL", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres();
  }, 120_000);
  afterAll(() => cluster.stop(), 120_000);

  it("T-07: killed at random, loses no acknowledged charge and charges nothing twice", async () => {
    const url = await cluster.createDatabase();
    await withSeed(seed, (random) => killAndRecover(targets, url, random, { withinMs: 1_500 }));
  }, 120_000);

  it("T-15: refuses while the database is down, at once, and charges once it is back", async () => {
    const url = await cluster.createDatabase();
    const report = await outage(cluster, await targets(url, 100_000), url, { seconds: 2 });
    expect(report.acknowledged).toBeGreaterThan(50);
    expect(report.refused.count).toBeGreaterThan(50);
  }, 120_000);

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
  }, 120_000);

  it("T-45: is backed up under load, and restored to a state file and back", async () => {
    await onSqlite(async (file, dir) => {
      const url = await cluster.createDatabase();
      await backUpUnderLoad(deployment, await targets(url, 100_000), url, file, dir);
    });
    await onSqlite(async (file, dir) => {
      const url = await cluster.createDatabase();
      await backUpUnderLoad(deployment, await targets(file, 100_000), file, url, dir);
    });
  }, 120_000);

  it("T-46: finds use, decision and answer edited by hand, as it starts", async () => {
    const url = await cluster.createDatabase();
    await meddle(() => targets(url, 1_000), url, "starting");
  }, 120_000);
});
