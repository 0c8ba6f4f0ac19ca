import { describe, it } from "vitest";
import { seedOr } from "../seed.ts";
import { type Allowance, sendDeepBodies } from "./bodies.ts";
import { sendHostileGeometry } from "./hostile-geometry.ts";
import { starveLiveSource } from "./starved-source.ts";
import { tryKeys } from "./unknown-keys.ts";

// Slices, against a process that serves; `attacks.long.test.ts` has all of it. What is asked of times is
// asked by the experiments (`node apps/api/test/experiment.ts T-24`).

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

  it("asks its store for unknown keys so often as is stated", async () => {
    await tryKeys(1_000);
  });
});
