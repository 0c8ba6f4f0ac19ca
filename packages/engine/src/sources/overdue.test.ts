import { catchRefusal } from "@groundrule/testing/refusal";
import { describe, expect, it } from "vitest";
import { isOverdue } from "./overdue.ts";
import type { SourceEntry } from "./source-catalog.ts";

const NOW = "2026-11-22T12:00:00Z";
const entry = (more: Partial<SourceEntry>): SourceEntry => ({
  source_name: "demo:parks",
  source_dataset: "Parks",
  kind: "leaf",
  feature_count: 1,
  ...more,
});

describe("isOverdue", () => {
  it.each([
    ["2026-11-15T12:00:00Z", 7, false],
    ["2026-11-14T12:00:01Z", 7, false],
    ["2026-11-14T12:00:00Z", 7, true],
    ["2026-11-21T12:00:00Z", 0.5, true],
    ["2026-11-22T00:00:00Z", 0.25, false],
    ["2026-11-23T12:00:00Z", 7, false],
    ["2027-01-01T00:00:00Z", 7, true],
    [undefined, 7, true],
  ])("of a source collected at %s with an interval of %d days is %s", (collected_at_latest, days, is) => {
    const collected = collected_at_latest === undefined ? {} : { collected_at_latest };
    expect(isOverdue(entry({ ...collected, refresh_interval_days: days }), NOW)).toBe(is);
  });

  it.each([
    ["2026-11-15", 7, false],
    ["2026-11-14", 7, true],
    ["2020-12-31", 365, true],
  ])(
    "counts from the last observed day, %s, whenever it was collected (interval %d: %s)",
    (day, days, is) => {
      const dates = { collected_at_latest: "2026-11-22T00:00:00Z", observed_until: day };
      expect(isOverdue(entry({ ...dates, refresh_interval_days: days }), NOW)).toBe(is);
      expect(isOverdue(entry({ observed_until: day, refresh_interval_days: days, live: true }), NOW)).toBe(
        is,
      );
    },
  );

  it("is not known of a source whose manifest has no interval", () => {
    expect(isOverdue(entry({ collected_at_latest: "1990-01-01T00:00:00Z" }), NOW)).toBeUndefined();
  });

  it("refuses an instant that is none, whatever the source", () => {
    expect(catchRefusal(() => isOverdue(entry({}), "2026-11-22")).code).toBe("VALIDATION_FAILED");
  });
});
