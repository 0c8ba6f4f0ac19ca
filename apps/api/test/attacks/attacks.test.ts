import { describe, it } from "vitest";
import { damageFiles } from "../damage.ts";
import { seedOr } from "../seed.ts";
import { onSqlite } from "../temporary-folder.ts";
import { type Allowance, sendDeepBodies } from "./bodies.ts";
import { fillStorage } from "./fill-storage.ts";
import { abuseHeaders } from "./headers.ts";
import { sendHostileGeometry } from "./hostile-geometry.ts";
import { starveLiveSource } from "./starved-source.ts";
import { tryKeys } from "./unknown-keys.ts";
import { askForNothing } from "./verdicts-for-nothing.ts";

// Slices, against a process that serves; `attacks.long.test.ts` has all of it. What is asked of times is
// asked by the experiments (`node apps/api/test/experiment.ts T-24`).

const MIB = 1024 * 1024;
const ANY_TIME = Number.POSITIVE_INFINITY;
const GENEROUS: Allowance = {
  refusalMs: ANY_TIME,
  depthMs: ANY_TIME,
  depthCpuMs: 1_000,
  memoryBytes: 200_000_000,
};

describe("a serving process", () => {
  it("T-25: refuses a body one level too deep, or a million, wherever they are", async () => {
    await sendDeepBodies(1, GENEROUS);
  });

  it("T-27: answers or refuses one of the worst plots, and others meanwhile", async () => {
    const anyTime = { answerMs: ANY_TIME, otherP99Ms: ANY_TIME };
    await sendHostileGeometry(2, seedOr(27), anyTime, (turn) => turn === seedOr(27) % 5);
  });

  it("leaves a live source to others, whoever crowds before it, and keeps its database's words", async () => {
    await starveLiveSource(40, 10, 20);
  });

  it("gives verdicts for nothing so often as is stated, however a source is made to fail", async () => {
    await askForNothing(60);
  });

  it("T-30: refuses abused headers, and is left as it was", async () => {
    await abuseHeaders(30, seedOr(1_030));
  });

  it("holds so much for nothing as is stated", async () => {
    const limits = { job_bytes: 4 * MIB, ruleset_bytes: MIB };
    await onSqlite((url) => fillStorage(url, 8 * MIB, limits));
  });

  it("T-48: refuses a damaged state file, or serves what was stored", async () => {
    await damageFiles(2, seedOr(48));
  });

  it("asks its store for unknown keys so often as is stated", async () => {
    await tryKeys(1_000);
  });
});
