import { describe, it } from "vitest";
import { seedOr, withSeed } from "../seed.ts";
import { onSqlite } from "../temporary-folder.ts";
import { servedByFork } from "./fork-target.ts";
import { KILL_POINTS, killAndRecover, killAtPoint, killUntilSeen } from "./kill.ts";

const seed = seedOr(1_007);

describe("a process that is killed while it charges", () => {
  it("T-07: loses no acknowledged charge and charges nothing twice, at 12 random instants", async () => {
    await killUntilSeen(seed, 12, (random) => onSqlite((url) => killAndRecover(servedByFork, url, random)));
  });

  it.each(Object.entries(KILL_POINTS))("T-08: recovers when it dies at %s", async (point, most) => {
    await withSeed(seed, (random) => killAtPoint(servedByFork, point, most, random));
  });
});
