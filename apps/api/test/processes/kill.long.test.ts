import { describe, expect, it } from "vitest";
import { seedOr, withSeed } from "../seed.ts";
import { onSqlite } from "../temporary-folder.ts";
import { servedByFork } from "./fork-target.ts";
import { KILL_POINTS, killAndRecover, killUntilSeen, turnOf } from "./kill.ts";

const seed = seedOr(1_007);

describe("a process that is killed while it charges", () => {
  it("T-07: loses no acknowledged charge and charges nothing twice, at 12 random instants", async () => {
    await killUntilSeen(seed, 12, (random) => onSqlite((url) => killAndRecover(servedByFork, url, random)));
  });

  it.each(Object.entries(KILL_POINTS))("T-08: recovers when it dies at %s", async (point, most) => {
    const report = await onSqlite((url) =>
      withSeed(seed, (random) => {
        const killAt = turnOf(point, 1, most, random);
        return killAndRecover(servedByFork, url, random, { killAt });
      }),
    );
    expect(report.diedAtWork, `${point} was not reached`).toBe(true);
  });
});
