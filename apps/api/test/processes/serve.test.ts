import { it } from "vitest";
import { readSeed } from "../seed.ts";
import { withSqliteUrl } from "../temporary-folder.ts";
import { deployForTests } from "./deployed.ts";
import { killAndRecover, killUntilSeen } from "./kill.ts";

// The command, over sockets. The long tests have more: disks, databases and hands that fail.

const { targets } = deployForTests();

it("T-07: groundrule serve on SQLite, killed at random, loses no acknowledged charge and charges nothing twice", async () => {
  await killUntilSeen(readSeed(33), 1, (random) =>
    withSqliteUrl((url) => killAndRecover(targets, url, random)),
  );
});
