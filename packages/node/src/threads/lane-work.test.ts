import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LaneWork } from "./lane-work.ts";

const SEED = 20_261_124;
const LIMITS = { heavyTask: 10, burst: 100, perSecond: 10, perMillisecond: 2 };

describe("LaneWork", () => {
  it("takes a lane for heavy beyond its burst, until a minute after its last heavy task at the latest", () => {
    let nowMs = 0;
    const work = new LaneWork(LIMITS, () => nowMs);
    const isHeavy = () => work.isHeavy("a", 0);
    work.count("a", 100);
    expect([isHeavy(), work.isHeavy("a", 11), work.isHeavy("b", 10)]).toEqual([false, true, false]);
    work.count("a", 20);
    expect(isHeavy()).toBe(true);
    // Twenty units beyond its burst, at ten a second.
    nowMs = 1_999;
    expect(isHeavy()).toBe(true);
    nowMs = 2_000;
    expect(isHeavy()).toBe(false);
    work.count("a", 1e12);
    nowMs = 61_999;
    expect(isHeavy()).toBe(true);
    nowMs = 62_000;
    expect(isHeavy()).toBe(false);
  });

  it("weighs light tasks as nothing, however many they are", () => {
    const work = new LaneWork(LIMITS, () => 0);
    for (let i = 0; i < 10_000; i++) work.count("a", 10);
    expect(work.isHeavy("a", 0)).toBe(false);
    expect(work.expectedMs("a")).toBeCloseTo(5, 9);
    expect(work.expectedMs("b")).toBe(0);
  });

  it("lets a lane take no more heavy work than burst and rate allow, whenever it takes it", () => {
    const tasks = fc.array(fc.record({ gap: fc.nat(3_000), units: fc.integer({ min: 11, max: 90 }) }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(tasks, (sent) => {
        let nowMs = 0;
        const work = new LaneWork(LIMITS, () => nowMs);
        let taken = 0;
        for (const { gap, units } of sent) {
          nowMs += gap;
          if (work.isHeavy("a", 0)) continue;
          taken += units;
          work.count("a", units);
          // The last task may start with almost nothing left.
          expect(taken).toBeLessThanOrEqual(100 + 90 + (10 * nowMs) / 1_000 + 1e-6);
        }
      }),
      { seed: SEED, numRuns: 200 },
    );
  });
});
