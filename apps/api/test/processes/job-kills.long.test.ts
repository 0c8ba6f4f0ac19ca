import { describe, expect, it } from "vitest";
import { seedOr, withSeed } from "../seed.ts";
import { sharedPostgres } from "../shared-postgres.ts";
import { onSqlite } from "../temporary-folder.ts";
import { deployForTests } from "./deployed.ts";
import { killWhileJobsRun } from "./job-kills.ts";

// Jobs of `groundrule serve`, killed at random. `GROUNDRULE_FULL=1` kills 200 times on each store.

const KILLS = process.env.GROUNDRULE_FULL === undefined ? 2 : 200;
const seed = seedOr(20_261_122);
const deployed = deployForTests();

describe("jobs whose processes are killed", () => {
  it("are answered once and charged once, on SQLite", async () => {
    const report = await onSqlite((url) =>
      withSeed(seed, (random) =>
        killWhileJobsRun(deployed.deployment, url, { kills: KILLS, replicas: 1, random }),
      ),
    );
    console.log("SQLite:", report);
    expect(report.atWork).toBeGreaterThan(KILLS / 4);
  });

  it("are answered once and charged once, on PostgreSQL with two replicas", async () => {
    const url = await sharedPostgres.createDatabase();
    const report = await withSeed(seed, (random) =>
      killWhileJobsRun(deployed.deployment, url, { kills: KILLS, replicas: 2, random }),
    );
    console.log("PostgreSQL:", report);
    expect(report.atWork).toBeGreaterThan(KILLS / 4);
  });
});
