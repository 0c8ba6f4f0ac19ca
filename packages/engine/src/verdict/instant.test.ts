import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInstant } from "./instant.ts";

describe("parseInstant", () => {
  it("agrees with the host's calendar on any instant of four-digit years", () => {
    const first = Date.parse("0000-01-01T00:00:00Z");
    const last = Date.parse("9999-12-31T23:59:59.999Z");
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (ms) => {
        expect(parseInstant(new Date(ms).toISOString())).toBe(ms);
      }),
      { seed: 20265, numRuns: 1000 },
    );
  });

  it.each([
    ["2026-01-31T00:00:00Z", Date.UTC(2026, 0, 31)],
    ["2026-01-31T00:00:00.5Z", Date.UTC(2026, 0, 31) + 500],
    ["2026-01-31T00:00:00.123456789Z", Date.UTC(2026, 0, 31) + 123],
    ["2026-02-29T00:00:00Z", undefined],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
    ["2026-01-31T24:00:00Z", undefined],
    ["2026-01-31T00:00:60Z", undefined],
    ["2026-01-31T00:00:00+00:00", undefined],
    ["2026-01-31", undefined],
    ["2026-13-01T00:00:00Z", undefined],
    ["2026-00-10T00:00:00Z", undefined],
    ["", undefined],
  ])("reads %j as %s", (text, ms) => {
    expect(parseInstant(text)).toBe(ms);
  });
});
