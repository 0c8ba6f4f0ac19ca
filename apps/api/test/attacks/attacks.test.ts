import { describe, it } from "vitest";
import { seedOr } from "../seed.ts";
import { onSqlite } from "../temporary-folder.ts";
import { type Allowance, sendDeepBodies, sendMillionVertices, sendOversizedBodies } from "./bodies.ts";
import { fillStorage } from "./fill-storage.ts";
import { abuseHeaders } from "./headers.ts";
import { measureEventLoop, sendHostileGeometry } from "./hostile-geometry.ts";
import { starveLiveSource } from "./starved-source.ts";
import { tryKeys } from "./unknown-keys.ts";
import { askForNothing } from "./verdicts-for-nothing.ts";

// Slices, against a process that serves; `attacks.long.test.ts` has larger ones. What is asked of times is
// asked by the experiments (`node apps/api/test/experiment.ts T-24`); here CPU is counted, and of memory
// what is far off.

const ANY_TIME = Number.POSITIVE_INFINITY;
const MIB = 1024 * 1024;
const GENEROUS: Allowance = {
  refusalMs: ANY_TIME,
  depthMs: ANY_TIME,
  depthCpuMs: 1_000,
  memoryBytes: 200_000_000,
};

describe("a serving process", () => {
  it("T-24: refuses bodies that are too large, however their length is told, and keeps none", async () => {
    await sendOversizedBodies(1, GENEROUS);
  });

  it("T-25: refuses a body one level too deep, or a million, wherever they are", async () => {
    await sendDeepBodies(1, GENEROUS);
  });

  it("T-26: refuses too many vertices before it looks for crossings", async () => {
    await sendMillionVertices(1, GENEROUS, 150_000);
  });

  it("T-27: answers or refuses the worst plots, and others meanwhile", async () => {
    const anyTime = { answerMs: ANY_TIME, otherP99Ms: ANY_TIME };
    await sendHostileGeometry(2, seedOr(27), anyTime, (turn) => turn % 5 === 0);
  });

  it("T-30: refuses abused headers, and is left as it was", async () => {
    await abuseHeaders(50, seedOr(30));
  });

  it("T-36: is not held up for long by the worst plots and the largest bodies", async () => {
    await measureEventLoop(2, seedOr(36), 200, (turn) => turn % 4 === 0);
  });

  it("gives verdicts for nothing so often as is stated, however a source is made to fail", async () => {
    await askForNothing(120);
  });

  it("leaves a live source to others, whoever crowds before it, and keeps its database's words", async () => {
    await starveLiveSource(40, 10, 20);
  });

  it("holds so much for nothing as is stated, whatever is sent, cancelled and published", async () => {
    const limits = { job_bytes: 4 * MIB, ruleset_bytes: MIB };
    await onSqlite((url) => fillStorage(url, 16 * MIB, limits, 1_000));
  });

  it("asks its store for unknown keys so often as is stated", async () => {
    await tryKeys(1_000);
  });
});
