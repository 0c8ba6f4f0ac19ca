import { describe, expect, it } from "vitest";
import { findNearestName } from "./nearest-name.ts";

describe("nearestName", () => {
  const names = ["demo:parks", "demo:indigenous", "overlap_ratio", "overlap_area_m2"];

  it.each([
    ["demo:park", "demo:parks"],
    ["Demo:Parks", "demo:parks"],
    ["dmeo:parks", "demo:parks"],
    ["overlap_rato", "overlap_ratio"],
    ["overlapArea_m2", "overlap_area_m2"],
  ])("finds what %s most likely meant", (typed, meant) => {
    expect(findNearestName(typed, names)).toBe(meant);
  });

  it("finds nothing where nothing is near, and does not spend time on long names", () => {
    expect(findNearestName("forest", names)).toBeUndefined();
    expect(findNearestName("x".repeat(1_000_000), names)).toBeUndefined();
    expect(findNearestName("", [])).toBeUndefined();
  });
});
