import { expect, it } from "vitest";
import { getTongue } from "./languages.ts";
import { formatMeasuredValue, formatMeasureTitle } from "./measure.ts";
import { createRulesetTongue } from "./ruleset-tongue.ts";

const tongue = createRulesetTongue(getTongue("en"), "near", undefined);

it.each([
  [{ sum: "ha" }, "Sum of ha in “near park”"],
  [{ min: "ha" }, "Lowest ha in “near park”"],
  [{ max: "ha" }, "Highest ha in “near park”"],
  [{ avg: "ha" }, "Mean of ha in “near park”"],
  [{ mean: "ha" }, "Mean of ha in “near park”, by area"],
  [{ median: "ha" }, '{"median":"ha"} “near park”'],
  ["toString", "toString “near park”"],
])("%j is a phrase where the engine knows it", (measure, text) => {
  expect(formatMeasureTitle({ measure, set: "near_park" }, tongue)).toBe(text);
});

// Tests of figures prove that rounded figures of every language never state something false.
it.each([
  ["overlap_ratio", 0.0999999, 0.1, "9.99999 %", "10.00 %"],
  ["overlap_area_m2", 49_999.99, 50_000, "4.999999 ha", "5.00 ha"],
  ["min_distance_m", 999.999, 1000, "999.999 m", "1 km"],
  ["count", 12_345, 12_344, "12,345", "12,344"],
])(
  "a value of %s is never rounded into another statement about its limit",
  (measure, value, threshold, text, limit) => {
    expect(
      [value, threshold].map((each) => formatMeasuredValue({ measure, threshold }, each, tongue)),
    ).toEqual([text, limit]);
  },
);

it.each([
  [49, 5000, "0.005 ha", "0.50 ha"],
  [86_300, 500, "8.63 ha", "0.05 ha"],
  [86_300, 0, "8.63 ha", "0 ha"],
  [1, 2, "1.00 m²", "2.00 m²"],
])("%d m² and its limit of %d m² are in one unit", (value, threshold, text, limit) => {
  const comparison = { measure: "overlap_area_m2", value, threshold };
  expect([value, threshold].map((each) => formatMeasuredValue(comparison, each, tongue))).toEqual([
    text,
    limit,
  ]);
});
