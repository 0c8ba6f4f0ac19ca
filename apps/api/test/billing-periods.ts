import assert from "node:assert/strict";
import fc from "fast-check";
import { computePeriodAt, computePeriodByNumber, type Period } from "../src/ledger/period.ts";

const DAY_MS = 86_400_000;

const instants = fc.integer({ min: Date.parse("1990-01-01"), max: Date.parse("2150-01-01") });

const EXAMPLES: readonly (readonly [anchor: string, instant: string])[] = [
  ["2026-01-31", "2026-03-30T23:59:59.999Z"],
  ["2024-02-29", "2025-02-28"],
  ["2024-02-29", "2028-02-29"],
  ["2023-12-31", "2100-02-28"],
];

/** Every promise about periods, for a function that may or may not keep them. */
export function checkPeriodFunction(
  periodOf: (anchorMs: number, instantMs: number) => Period,
  numRuns: number,
  seed: number,
): void {
  fc.assert(
    fc.property(instants, instants, (anchorMs, instantMs) => {
      const period = periodOf(anchorMs, instantMs);
      assert.ok(period.startsAtMs <= instantMs && instantMs < period.endsAtMs);
      const days = (period.endsAtMs - period.startsAtMs) / DAY_MS;
      assert.ok(days >= 28 && days <= 31);
      // They tile: what ends here begins the next, and the other way round.
      assert.equal(periodOf(anchorMs, period.endsAtMs).startsAtMs, period.endsAtMs);
      assert.equal(periodOf(anchorMs, period.startsAtMs - 1).endsAtMs, period.startsAtMs);
      assert.equal(period.startsAtMs, startByCalendar(anchorMs, period.startsAtMs));
    }),
    {
      seed,
      numRuns,
      examples: EXAMPLES.map(([anchor, instant]) => [Date.parse(anchor), Date.parse(instant)]),
    },
  );
}

/** Leap years, the years about them, and centuries that are leap years and that are not. */
const ANCHOR_YEARS = [1999, 2000, 2023, 2024, 2025, 2026, 2027, 2028, 2096, 2099, 2100, 2400];
const MONTHS = 48;

/** Every day of the month of January and the 48 periods from there, at each edge and a millisecond about it. */
export function checkEveryDay(): { readonly periods: number } {
  let periods = 0;
  for (const year of ANCHOR_YEARS) {
    for (let day = 1; day <= 31; day++) {
      const anchorMs = Date.UTC(year, 0, day);
      for (let no = 0; no < MONTHS; no++) {
        const { startsAtMs, endsAtMs } = computePeriodByNumber(anchorMs, no);
        assert.equal(startsAtMs, startByCalendar(anchorMs, startsAtMs));
        for (const [instantMs, expected] of [
          [startsAtMs - 1, no - 1],
          [startsAtMs, no],
          [startsAtMs + 1, no],
          [endsAtMs - 1, no],
          [endsAtMs, no + 1],
        ] as const) {
          assert.equal(computePeriodAt(anchorMs, instantMs).no, expected);
        }
        periods++;
      }
    }
  }
  return { periods };
}

/** The anchor's day in the month of an instant, by Hinnant's day counts: no Date is asked. */
function startByCalendar(anchorMs: number, instantMs: number): number {
  const { day } = toCivilDate(Math.floor(anchorMs / DAY_MS));
  const { year, month } = toCivilDate(Math.floor(instantMs / DAY_MS));
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lastDay = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
  const firstOfMonth = Math.floor(instantMs / DAY_MS) - toCivilDate(Math.floor(instantMs / DAY_MS)).day + 1;
  return (firstOfMonth + Math.min(day, lastDay) - 1) * DAY_MS;
}

/** Source: Howard Hinnant, chrono-Compatible Low-Level Date Algorithms, `civil_from_days`. */
function toCivilDate(days: number): { year: number; month: number; day: number } {
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
