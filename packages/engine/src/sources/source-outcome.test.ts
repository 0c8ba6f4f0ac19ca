import { describe, expect, it } from "vitest";
import { ageDays } from "./source-outcome.ts";

const NOW = "2026-11-22T12:00:00Z";

describe("the age of a source", () => {
  it.each([
    [{ collected_at: "2026-11-20T12:00:01Z" }, 1],
    [{ observed_until: "2026-11-20" }, 2],
    [{ observed_until: "2026-11-22" }, 0],
    [{ observed_until: "2023-12-31", collected_at: "2026-11-22T00:00:00Z" }, 1057],
    [{ observed_until: "2026-11-24", collected_at: "2020-01-01T00:00:00Z" }, -1],
    [{}, undefined],
  ])("of %j is %s days", (manifest, days) => {
    expect(ageDays({ manifest }, NOW)).toBe(days);
    expect(ageDays({ manifest }, Date.parse(NOW))).toBe(days);
  });
});
