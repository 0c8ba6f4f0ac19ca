import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seedOr, withSeed } from "../seed.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { servedByFork } from "./fork-target.ts";
import { KILL_POINTS, killAndRecover, turnOf } from "./kill.ts";

const seed = seedOr(7);

describe("a process that is killed while it charges", () => {
  it("T-07: loses no acknowledged charge and charges nothing twice, at 12 random instants", {
    timeout: 120_000,
  }, async () => {
    let acknowledged = 0;
    let died = 0;
    for (let i = 0; i < 12; i++) {
      const report = await withTemporaryFolder((dir) =>
        withSeed(seed + i, (random) =>
          killAndRecover(servedByFork, `sqlite:${join(dir, "state.db")}`, random),
        ),
      );
      acknowledged += report.acknowledged;
      died += report.diedAtWork ? 1 : 0;
    }
    // The test would be blind if every process died before or after all of its work.
    expect(acknowledged).toBeGreaterThan(0);
    expect(died).toBeGreaterThan(0);
  });

  it.each(Object.entries(KILL_POINTS))(
    "T-08: recovers when it dies at %s",
    { timeout: 60_000 },
    async (point, most) => {
      const report = await withTemporaryFolder((dir) =>
        withSeed(seed, (random) => {
          const killAt = turnOf(point, 1, most, random);
          return killAndRecover(servedByFork, `sqlite:${join(dir, "state.db")}`, random, { killAt });
        }),
      );
      expect(report.diedAtWork, `${point} was not reached`).toBe(true);
    },
  );
});
