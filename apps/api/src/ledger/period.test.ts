import { describe, expect, it } from "vitest";
import { checkEveryDay, checkPeriodFunction } from "../../test/billing-periods.ts";
import { readSeed } from "../../test/seed.ts";
import { computePeriodAt, computePeriodByNumber, type Period } from "./period.ts";

const DAY_MS = 86_400_000;
const RUNS = 20_000;
const seed = readSeed(19);

describe("billing periods", () => {
  it(`T-19: tile time and begin on the anchor's day, on ${RUNS} anchors and instants`, () => {
    checkPeriodFunction(computePeriodAt, RUNS, seed);
  });

  it("T-19: hold for every day of the month over 48 months, from leap years and others", () => {
    expect(checkEveryDay()).toEqual({ periods: 12 * 31 * 48 });
  });

  it("do not depend on the time of day when a subscription began", () => {
    const instantMs = Date.parse("2026-07-15T00:00:00Z");
    const expected = computePeriodAt(Date.parse("2026-01-15T00:00:00Z"), instantMs);
    expect(computePeriodAt(Date.parse("2026-01-15T23:59:59.999Z"), instantMs)).toEqual(expected);
  });

  it.each([
    ["steps from one start to the next", steppingPeriod],
    ["lets a month overflow into the one after", overflowingPeriod],
  ])("are distinguished from those of a calendar that %s", (_, brokenPeriod) => {
    expect(() => checkPeriodFunction(brokenPeriod, 3_000, seed)).toThrow();
  });
});

/** A wrong variant that steps from the previous start: 31 January, 28 February, 28 March. */
function steppingPeriod(anchorMs: number, instantMs: number): Period {
  let { startsAtMs, endsAtMs } = computePeriodByNumber(anchorMs, 0);
  let no = 0;
  for (; instantMs >= endsAtMs; no++) {
    startsAtMs = endsAtMs;
    endsAtMs = computePeriodByNumber(startsAtMs, 1).startsAtMs;
  }
  return instantMs < startsAtMs ? computePeriodAt(anchorMs, instantMs) : { no, startsAtMs, endsAtMs };
}

/** A wrong variant that lets `setUTCMonth` overflow: 31 January, 3 March. */
function overflowingPeriod(anchorMs: number, instantMs: number): Period {
  const { no } = computePeriodAt(anchorMs, instantMs);
  const startOf = (months: number): number => {
    const start = new Date(Math.floor(anchorMs / DAY_MS) * DAY_MS);
    start.setUTCMonth(start.getUTCMonth() + months);
    return start.getTime();
  };
  return { no, startsAtMs: startOf(no), endsAtMs: startOf(no + 1) };
}
