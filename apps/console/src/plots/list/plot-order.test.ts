import { describe, expect, it } from "vitest";
import { type Answer, AnswerProblem } from "../../answering/answerer.ts";
import type { PagePlot, PlotState } from "../../state/plot.ts";
import { countPlotsByStatus, filterAndSortPlots } from "./plot-order.ts";

const answered = (verdict: string): PlotState => ({
  kind: "answered",
  answer: { verdict: { verdict } } as unknown as Answer,
});
const plot = (id: string, state: PlotState = { kind: "new" }, properties = {}): PagePlot => ({
  key: id,
  id,
  geometry: undefined,
  properties,
  input: {},
  origin: "drawn",
  state,
});

const PLOTS = [
  plot("Plot 10", answered("COMPLIANT")),
  plot("plot 9", answered("NON_COMPLIANT"), { Crop: "Coffee", Ha: 9 }),
  plot("Fazenda", undefined, { Crop: "Soy", Ha: 12, tags: ["soy"] }),
  plot("Plot 2", { kind: "refused", problem: new AnswerProblem("GEOMETRY_INVALID", "a fault") }),
];
const ids = (order: Partial<Parameters<typeof filterAndSortPlots>[1]>): string[] =>
  filterAndSortPlots(PLOTS, { text: "", status: undefined, by: "added", ...order }).map(({ id }) => id);

describe("the list of plots", () => {
  it("sorts names as people count, and verdicts with the worst first", () => {
    expect(ids({ by: "name" })).toEqual(["Fazenda", "Plot 2", "plot 9", "Plot 10"]);
    expect(ids({ by: "verdict" })).toEqual(["plot 9", "Plot 2", "Plot 10", "Fazenda"]);
  });

  it("sorts by a column of the user as people count, plots without a value last", () => {
    expect(ids({ by: { column: "Ha" } })).toEqual(["plot 9", "Fazenda", "Plot 10", "Plot 2"]);
  });

  it("finds names and values of columns in any case, and plots of one status", () => {
    expect(ids({ text: " PLOT " })).toEqual(["Plot 10", "plot 9", "Plot 2"]);
    expect(ids({ text: "soy" })).toEqual(["Fazenda"]);
    expect(ids({ status: "NEW" })).toEqual(["Fazenda"]);
  });

  it("leaves the page's own list as it is", () => {
    ids({ by: "name" });
    expect(PLOTS[0]!.id).toBe("Plot 10");
  });

  it("counts plots by status, the most urgent first", () => {
    expect([...countPlotsByStatus(PLOTS)]).toEqual([
      ["NON_COMPLIANT", 1],
      ["REFUSED", 1],
      ["COMPLIANT", 1],
      ["NEW", 1],
    ]);
  });
});
