import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeAgeDays } from "./age.ts";
import { isOverdue } from "./overdue.ts";

const NOW = "2026-11-22T12:00:00Z";
const DAY = 86_400_000;

describe("the age of a source", () => {
  it.each([
    [{ collected_at: "2026-11-20T12:00:01Z" }, 1],
    [{ observed_until: "2026-11-20" }, 2],
    [{ observed_until: "2026-11-22" }, 0],
    [{ observed_until: "2023-12-31", collected_at: "2026-11-22T00:00:00Z" }, 1057],
    [{ observed_until: "2026-11-23", collected_at: "2020-01-01T00:00:00Z" }, 0],
    [{ observed_until: "2026-11-24", collected_at: "2020-01-01T00:00:00Z" }, undefined],
    [{ collected_at: "2026-11-23T12:00:00Z" }, 0],
    [{ collected_at: "2026-11-23T12:00:00.001Z" }, undefined],
    [{ observed_until: "2020-12-31", collected_at: "9999-12-31T23:59:59Z" }, 2152],
    [{ observed_until: "1970-01-01", collected_at: "1970-01-01T00:00:00Z" }, 20_779],
    [{}, undefined],
  ])("of %j is %s days", (manifest, days) => {
    expect(computeAgeDays({ manifest }, NOW)).toBe(days);
    expect(computeAgeDays({ manifest }, Date.parse(NOW))).toBe(days);
  });

  it("is at least 0, and not known where its date is more than a day after now, on random dates", () => {
    const instant = fc.date({ min: new Date(0), max: new Date("2100-01-01T00:00:00Z"), noInvalidDate: true });
    const dates = fc.record({
      collected: fc.option(fc.integer({ min: -3 * DAY, max: 3 * DAY })),
      observed: fc.option(fc.integer({ min: -3, max: 3 })),
    });
    fc.assert(
      fc.property(instant, dates, (base, { collected, observed }) => {
        const now = base.getTime() + 4 * DAY;
        const today = Math.floor(now / DAY) * DAY;
        const iso = (ms: number) => new Date(ms).toISOString();
        const manifest = {
          ...(collected !== null && { collected_at: iso(now + collected) }),
          ...(observed !== null && { observed_until: iso(today + observed * DAY).slice(0, 10) }),
        };
        const known = [
          ...(observed === null ? [] : [today + observed * DAY]),
          ...(collected === null ? [] : [now + collected]),
        ];
        const age = computeAgeDays({ manifest }, now);
        if (known.length === 0 || known[0]! - now > DAY) expect(age).toBeUndefined();
        else expect(age).toBe(Math.max(0, Math.trunc((now - known[0]!) / DAY)));
        expect(age ?? 0).toBeGreaterThanOrEqual(0);
        const entry = { source_name: "a", source_dataset: "a", kind: "leaf", feature_count: 1 } as const;
        const listed = {
          ...entry,
          refresh_interval_days: 1,
          ...(collected !== null && { collected_at_latest: manifest.collected_at! }),
        };
        const overdue = isOverdue(
          { ...listed, ...(observed !== null && { observed_until: manifest.observed_until! }) },
          iso(now),
        );
        expect(overdue).toBe(age === undefined || age > 1);
      }),
      { seed: 41, numRuns: 2000 },
    );
  });
});
