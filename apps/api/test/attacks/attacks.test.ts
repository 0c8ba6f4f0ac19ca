import { describe, it } from "vitest";
import { damageStateFiles } from "../damage.ts";
import { readSeed } from "../seed.ts";
import { withSqliteUrl } from "../temporary-folder.ts";
import { fillStorage } from "./fill-storage.ts";
import { starveLiveSource } from "./starved-source.ts";
import { tryUnknownKeys } from "./unknown-keys.ts";

// Slices, against a process that serves; `attacks.long.test.ts` has all of it. What is asked of times is
// asked by the experiments (`node apps/api/test/experiment.ts T-24`).

const MIB = 1024 * 1024;

describe("a serving process", () => {
  it("leaves a live source to others while one crowds it, and hides its database's words", async () => {
    await starveLiveSource(40, 10, 20);
  });

  it("holds so much for nothing as is stated", async () => {
    const limits = { job_bytes: 4 * MIB, ruleset_bytes: MIB };
    await withSqliteUrl((url) => fillStorage(url, 8 * MIB, limits));
  });

  it("T-48: refuses a damaged state file, or serves what was stored", async () => {
    await damageStateFiles(2, readSeed(48));
  });

  it("looks up unknown keys in its store no more often than stated", async () => {
    await tryUnknownKeys(1_000);
  });
});
