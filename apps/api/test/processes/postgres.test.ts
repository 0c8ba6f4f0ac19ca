import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { restore } from "../../src/admin/backups.ts";
import { openStore } from "../../src/store/open-store.ts";
import { readSeed, withSeed } from "../seed.ts";
import { createLiveScope, makeSettlement } from "../settlement.ts";
import { sharedPostgres } from "../shared-postgres.ts";
import { createTestFolder } from "../temporary-folder.ts";
import { failOverUnderLoad } from "./failover.ts";
import { cutLinkAtCommits, raceForKey, raceForQuota, terminateBackends, withProcesses } from "./postgres.ts";

const seed = readSeed(2);

describe("charging on PostgreSQL", () => {
  it("T-02, T-03: is exact over four processes, for a quota and for a key", async () => {
    const url = await sharedPostgres.createDatabase();
    await withSeed(seed, (random) =>
      withProcesses(url, 4, async (targets) => {
        await raceForQuota(url, targets, { requests: 200, quota: 100, greatestUnits: 1 }, random);
        await raceForQuota(url, targets, { requests: 400, quota: 137, greatestUnits: 7 }, random);
        await raceForKey(url, targets, 64);
      }),
    );
  });

  it("T-13: acknowledges what it charges while backends are terminated", async () => {
    const report = await terminateBackends(await sharedPostgres.createDatabase(), 500);
    expect(report.terminated).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(0);
  });

  it("T-14: resolves every commit whose answer was cut off", async () => {
    const url = await sharedPostgres.createDatabase();
    const report = await withSeed(seed, (random) => cutLinkAtCommits(url, 40, random));
    expect(report.acknowledged).toBe(40);
    expect(report.before).toBeGreaterThan(5);
    expect(report.after).toBeGreaterThan(5);
  });

  it("T-16: has every acknowledged charge on the synchronous standby that takes over", async () => {
    const report = await withSeed(seed, failOverUnderLoad);
    expect(report.acknowledged).toBeGreaterThan(200);
  });

  it("T-45: backs up to a state file, and is restored from one, in either direction", async () => {
    const dir = await createTestFolder();
    const url = await sharedPostgres.createDatabase();
    const store = await openStore(url, { absent: "make" });
    const scope = await createLiveScope(store, 1_000);
    for (let i = 0; i < 5; i++) {
      await Promise.all(
        Array.from({ length: 64 }, (_, j) =>
          store.settle(makeSettlement(scope, { key: `key-${1_000 + i * 64 + j}` })),
        ),
      );
    }
    await store.createRuleset({ scope, name: "plots", version: "next", body: "{}", digest: "d" });
    await store.backup(join(dir, "backup.db"));
    await store.close();
    for (const target of [`sqlite:${join(dir, "restored.db")}`, await sharedPostgres.createDatabase()]) {
      await restore(join(dir, "backup.db"), target);
      const restored = await openStore(target);
      expect((await restored.usage({ scope }))?.period.used).toBe(320);
      expect(await restored.settle(makeSettlement(scope, { key: "key-1000" }))).toEqual({ kind: "taken" });
      expect(await restored.settle(makeSettlement(scope))).toMatchObject({ charge: { seq: 321 } });
      expect(await restored.findViolations({ extent: "all" })).toEqual([]);
      await restored.close();
      await expect(restore(join(dir, "backup.db"), target)).rejects.toMatchObject({
        code: "STORE_NOT_EMPTY",
      });
    }
  });
});
