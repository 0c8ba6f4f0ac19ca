import { describe, expect, it } from "vitest";
import { findSelectedYears } from "./cell-colours.ts";

describe("the years that a ruleset selects of a raster", () => {
  const after = (column: string, op = ">") => `${column} ${op} DATE('2020-12-31')`;

  it.each([
    ["from the day after the earliest cut-off of all sets", [after("from"), after("to")], 2021],
    ["from the day itself where the comparison includes it", ["from >= DATE('2021-01-01')"], 2021],
    ["beside other comparisons", [`${after("from")} AND confidence > 2`], 2021],
    ["all, where a set has no filter", [after("from"), undefined], undefined],
    ["unknown, where a filter may select earlier ones", [`${after("from")} OR kind = 'fire'`], undefined],
    ["unknown, where a filter ends them", ["to < DATE('2020-12-31')"], undefined],
    ["none, where the data end before", ["from > DATE('2030-01-01')"], undefined],
    ["unknown without a set", [], undefined],
  ] as const)("are %s", (_, filters, first) => {
    const expected = first === undefined ? undefined : { first, last: 2025 };
    expect(findSelectedYears(filters, "2025-12-31")).toEqual(expected);
  });
});
