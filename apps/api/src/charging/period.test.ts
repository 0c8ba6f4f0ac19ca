import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seedOr, sizeOr } from "../../test/seed.ts";
import { type Period, periodAt, periodNumbered } from "./period.ts";

const DAY_MS = 86_400_000;
const seed = seedOr(19);
const runs = sizeOr("ANCHORS", 20_000);

const instants = fc.integer({ min: Date.parse("1990-01-01"), max: Date.parse("2150-01-01") });

/** Every promise about periods, for a function that may or may not keep them. */
function checkPeriods(periodOf: (anchorMs: number, instantMs: number) => Period, numRuns: number): void {
  fc.assert(
    fc.property(instants, instants, (anchorMs, instantMs) => {
      const period = periodOf(anchorMs, instantMs);
      expect(period.startsAtMs <= instantMs && instantMs < period.endsAtMs).toBe(true);
      const days = (period.endsAtMs - period.startsAtMs) / DAY_MS;
      expect(days >= 28 && days <= 31).toBe(true);
      // They tile: what ends here begins the next, and the other way round.
      expect(periodOf(anchorMs, period.endsAtMs).startsAtMs).toBe(period.endsAtMs);
      expect(periodOf(anchorMs, period.startsAtMs - 1).endsAtMs).toBe(period.startsAtMs);
      expect(period.startsAtMs).toBe(startByCalendar(anchorMs, period.startsAtMs));
    }),
    {
      seed,
      numRuns,
      examples: EXAMPLES.map(([anchor, instant]) => [Date.parse(anchor), Date.parse(instant)]),
    },
  );
}

const EXAMPLES: readonly (readonly [anchor: string, instant: string])[] = [
  ["2026-01-31", "2026-03-30T23:59:59.999Z"],
  ["2024-02-29", "2025-02-28"],
  ["2024-02-29", "2028-02-29"],
  ["2023-12-31", "2100-02-28"],
];

/** The anchor's day in the month of an instant, by Hinnant's day counts: no Date is asked. */
function startByCalendar(anchorMs: number, instantMs: number): number {
  const { day } = civil(Math.floor(anchorMs / DAY_MS));
  const { year, month } = civil(Math.floor(instantMs / DAY_MS));
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lastDay = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
  const firstOfMonth = Math.floor(instantMs / DAY_MS) - civil(Math.floor(instantMs / DAY_MS)).day + 1;
  return (firstOfMonth + Math.min(day, lastDay) - 1) * DAY_MS;
}

/** Source: Howard Hinnant, chrono-Compatible Low-Level Date Algorithms, `civil_from_days`. */
function civil(days: number): { year: number; month: number; day: number } {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const doe = z - era * 146_097;
  const yoe = Math.floor(
    (doe - Math.floor(doe / 1_460) + Math.floor(doe / 36_524) - Math.floor(doe / 146_096)) / 365,
  );
  const doy = doe - (365 * yoe + Math.floor(yoe / 4) - Math.floor(yoe / 100));
  const mp = Math.floor((5 * doy + 2) / 153);
  const month = mp < 10 ? mp + 3 : mp - 9;
  return {
    year: yoe + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: doy - Math.floor((153 * mp + 2) / 5) + 1,
  };
}

describe("billing periods", () => {
  it(`tile time and begin on the anchor's day, on ${runs} anchors and instants`, { timeout: 600_000 }, () => {
    checkPeriods(periodAt, runs);
  });

  it("hold for every day of the month over 48 months from a leap year", () => {
    for (let day = 1; day <= 31; day++) {
      const anchorMs = Date.UTC(2024, 0, day);
      for (let no = 0; no < 48; no++) {
        const { startsAtMs, endsAtMs } = periodNumbered(anchorMs, no);
        expect(startsAtMs).toBe(startByCalendar(anchorMs, startsAtMs));
        for (const [instantMs, expected] of [
          [startsAtMs - 1, no - 1],
          [startsAtMs, no],
          [startsAtMs + 1, no],
          [endsAtMs - 1, no],
          [endsAtMs, no + 1],
        ] as const) {
          expect(periodAt(anchorMs, instantMs).no).toBe(expected);
        }
      }
    }
  });

  it("do not ask what time of day a subscription began", () => {
    const instantMs = Date.parse("2026-07-15T00:00:00Z");
    const expected = periodAt(Date.parse("2026-01-15T00:00:00Z"), instantMs);
    expect(periodAt(Date.parse("2026-01-15T23:59:59.999Z"), instantMs)).toEqual(expected);
  });

  it.each([
    ["steps from one start to the next", steppingPeriod],
    ["lets a month overflow into the one after", overflowingPeriod],
  ])("are told from those of a calendar that %s", (_, brokenPeriod) => {
    expect(() => checkPeriods(brokenPeriod, 3_000)).toThrow();
  });
});

/** 31 January, 28 February, 28 March: what was short once stays short. */
function steppingPeriod(anchorMs: number, instantMs: number): Period {
  let { startsAtMs, endsAtMs } = periodNumbered(anchorMs, 0);
  let no = 0;
  for (; instantMs >= endsAtMs; no++) {
    startsAtMs = endsAtMs;
    endsAtMs = periodNumbered(startsAtMs, 1).startsAtMs;
  }
  return instantMs < startsAtMs ? periodAt(anchorMs, instantMs) : { no, startsAtMs, endsAtMs };
}

/** 31 January, 3 March: `setUTCMonth` as it comes. */
function overflowingPeriod(anchorMs: number, instantMs: number): Period {
  const { no } = periodAt(anchorMs, instantMs);
  const startOf = (months: number): number => {
    const start = new Date(Math.floor(anchorMs / DAY_MS) * DAY_MS);
    start.setUTCMonth(start.getUTCMonth() + months);
    return start.getTime();
  };
  return { no, startsAtMs: startOf(no), endsAtMs: startOf(no + 1) };
}
