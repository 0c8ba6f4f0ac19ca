import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresCluster, startPostgres } from "../postgres-cluster.ts";
import { seedOr } from "../seed.ts";
import { onSqlite } from "../temporary-folder.ts";
import { deployForTests } from "./deployed.ts";
import { failDisk } from "./disk-faults.ts";
import { killAndRecover, killUntilSeen } from "./kill.ts";
import { meddle } from "./meddling.ts";
import { outage } from "./outage.ts";
import { hasStrace, NEEDS_STRACE } from "./serve-target.ts";

// The command, over sockets. `serve.long.test.ts` asks more of it.

const isTraced = await hasStrace();
const { targets } = deployForTests();

describe("groundrule serve on SQLite", () => {
  it("T-07: killed at random, loses no acknowledged charge and charges nothing twice", async () => {
    await killUntilSeen(seedOr(33), 1, (random) => onSqlite((url) => killAndRecover(targets, url, random)));
  });

  it("T-12: ends with 70 when fsync fails, and loses nothing", async ({ skip }) => {
    skip(!isTraced, NEEDS_STRACE);
    const report = await onSqlite(async (url) => {
      return failDisk(await targets(url, 100_000), url, "fsync", 20);
    });
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.unknown).toBeGreaterThan(0);
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

  it("T-15: refuses while the database is down, and charges once it is back", async () => {
    const url = await cluster.createDatabase();
    const report = await outage(cluster, await targets(url, 100_000), url);
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.refused.count).toBeGreaterThan(0);
  });
});
