import { describe, expect, it } from "vitest";
import { readSeed, readSizeVariable } from "../../test/seed.ts";
import { BROKEN_PROTOCOLS } from "../../test/simulation/broken-protocols.ts";
import { asBuilt, findBreakingSchedule, simulateSchedules } from "../../test/simulation/simulate.ts";

const seed = readSeed(42);

describe("charging, in a simulation that decides who goes next and when the process dies", () => {
  const runs = readSizeVariable("SCHEDULES", 1_000);

  it(`keeps every invariant on ${runs} schedules`, async () => {
    await simulateSchedules(asBuilt, { runs, seed });
  });

  it.each(Object.entries(BROKEN_PROTOCOLS))("catches a protocol that %s", async (_, variant) => {
    expect(await findBreakingSchedule(variant, { runs: 3_000, seed })).toBeDefined();
  });
});
