import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { buildYearFill, findSelectedYears, getRampEnds, getYearColour } from "./cell-colours.ts";

// The library of the map evaluates expressions by this package of its own.
const spec = await import(
  createRequire(import.meta.resolve("maplibre-gl")).resolve("@maplibre/maplibre-gl-style-spec")
);

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

describe("the colour of a year beside the map", () => {
  const years = { first: 2021, last: 2025 };

  it.each(["2001", "Loss of 2021", "2022", "2023", "2024", "Loss of 2025"])("is that on it: %s", (name) => {
    const parsed = spec.createExpression(buildYearFill(years, false).colour, "fill-color", { type: "color" });
    const drawn = parsed.value.evaluate({ zoom: 5 }, { type: "Polygon", properties: { name } });
    const [, young, percent, old] =
      /^color-mix\(in srgb, (.*) (.*)%, (.*)\)$/.exec(getYearColour(years, name, false)) ?? [];
    if (percent === undefined) {
      expect(drawn.toString()).toBe(spec.Color.parse(getYearColour(years, name, false)).toString());
      return;
    }
    expect([old, young]).toEqual(getRampEnds(false));
    const mixed = spec.Color.interpolate(
      spec.Color.parse(old),
      spec.Color.parse(young),
      Number(percent) / 100,
    );
    expect(drawn.toString()).toBe(mixed.toString());
  });
});
