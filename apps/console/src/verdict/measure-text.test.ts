import { expect, it } from "vitest";
import { formatMeasuredQuantity, formatMeasuredValue } from "./measure-text.ts";

it.each([
  [{ sum: "ha" }, "Sum of ha in “near park”"],
  [{ min: "ha" }, "Least ha in “near park”"],
  [{ max: "ha" }, "Greatest ha in “near park”"],
  [{ avg: "ha" }, "Mean of ha in “near park”"],
  [{ mean: "ha" }, "Mean of ha in “near park”, by area"],
])("%j is a phrase, not a keyword", (measure, text) => {
  expect(formatMeasuredQuantity({ measure, set: "near_park" })).toBe(text);
});

// The engine's own tests prove that rounded figures of every language never state something false.
it.each([
  ["overlap_ratio", 0.0999999, 0.1, "9.99999 %", "10.00 %"],
  ["overlap_area_m2", 49_999.99, 50_000, "4.999999 ha", "5.00 ha"],
  ["min_distance_m", 999.999, 1000, "999.999 m", "1 km"],
  ["count", 12_345, 12_344, "12,345", "12,344"],
])(
  "a value of %s is never rounded into another statement about its limit",
  (measure, value, threshold, text, limit) => {
    expect([value, threshold].map((each) => formatMeasuredValue({ measure, threshold }, each))).toEqual([
      text,
      limit,
    ]);
  },
);
