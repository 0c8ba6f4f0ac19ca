import { expect, it } from "vitest";
import { formatPlotName } from "./plot-name.ts";

it("says once that a plot is one", () => {
  expect(["plot-1", "Plot 7", "north", "plotter", 3].map(formatPlotName)).toEqual([
    "plot-1",
    "Plot 7",
    "plot north",
    "plot plotter",
    "plot 3",
  ]);
});
