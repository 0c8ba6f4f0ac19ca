import { describe, expect, it } from "vitest";
import { readSeed, withSeed } from "../seed.ts";
import { withSqliteUrl } from "../temporary-folder.ts";
import { servedByFork } from "./fork-target.ts";
import { KILL_POINTS, killAndRecover, killAtPoint, killUntilSeen } from "./kill.ts";
import { loseLastUnit } from "./last-unit.ts";

// `kills.long.test.ts` kills at more instants, and at every point.

const seed = readSeed(7);

describe("a process that is killed while it charges", () => {
  it("T-07: loses no acknowledged charge and charges nothing twice, at random instants", async () => {
    await killUntilSeen(seed, 2, (random) =>
      withSqliteUrl((url) => killAndRecover(servedByFork, url, random)),
    );
  });

  it.each(["begun", "committed", "run rotateApiKey", "migrate"] as const)(
    "T-08: recovers when it dies at %s",
    async (point) => {
      await withSeed(seed, (random) => killAtPoint(servedByFork, point, KILL_POINTS[point], random));
    },
  );

  it("T-06: replays the answer that took the last unit, though it died with it", async () => {
    expect(await withSqliteUrl((url) => loseLastUnit(servedByFork, url, "committed"))).toBe(true);
  });
});
