import type { Geometry } from "geojson";
import { describe, expect, it } from "vitest";
import type { PagePlot, PlotState } from "../state/plot.ts";
import { plotsInView } from "./in-view.ts";
import { boundsOf, PlotFeatures } from "./plot-features.ts";

const square = (west: number, south: number, size: number): Geometry => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south],
    ],
  ],
});

function plot(key: string, geometry: Geometry | undefined, state: PlotState = { kind: "new" }): PagePlot {
  return { key, id: `<b>${key}</b>`, geometry, properties: {}, input: undefined, origin: "pasted", state };
}

describe("PlotFeatures", () => {
  it("hands shapes over once and tells afterwards how plots stand, each change alone", () => {
    const features = new PlotFeatures();
    const [a, b] = [plot("a", square(0, 0, 1)), plot("b", square(5, 5, 1))];
    expect(features.update([a, b]).shapes?.areas.features).toHaveLength(2);
    expect(features.update([a, b])).toEqual({ standings: [] });
    expect(features.update([a, { ...b, state: { kind: "asking" } }])).toEqual({
      standings: [["b", "asking"]],
    });
    const reshaped = features.update([a, { ...b, geometry: square(6, 6, 1), state: { kind: "asking" } }]);
    expect(reshaped.shapes).toBeDefined();
    expect(reshaped.standings).toEqual([
      ["a", "new"],
      ["b", "asking"],
    ]);
  });

  it("shows a small plot as a dot until it is large enough to be seen, and a point always", () => {
    const { shapes } = new PlotFeatures().update([
      plot("hectare", square(0, 0, 0.001)),
      plot("country", square(0, 0, 20)),
      plot("tree", { type: "Point", coordinates: [1, 2] }),
      plot("nothing", undefined),
    ]);
    const until = shapes!.points.features.map(({ properties }) => Math.round(properties?.until));
    expect(until).toEqual([12, 0, 24]);
  });

  it("takes broken shapes for what they are", () => {
    const broken = { type: "Polygon", coordinates: [[[Number.NaN, 1], [], null]] } as unknown as Geometry;
    expect(boundsOf(broken)).toBeUndefined();
    expect(new PlotFeatures().update([plot("a", broken)]).shapes?.areas.features).toEqual([]);
  });

  it("takes 10,000 plots that change one after another without handing shapes over again", () => {
    const features = new PlotFeatures();
    let plots = Array.from({ length: 10_000 }, (_, i) => plot(`p${i}`, square(i / 100, 0, 0.01)));
    features.update(plots);
    for (const at of [0, 5000, 9999]) {
      plots = plots.with(at, { ...plots[at]!, state: { kind: "asking" } });
      expect(features.update(plots)).toEqual({ standings: [[`p${at}`, "asking"]] });
    }
  });
});

describe("plotsInView", () => {
  it("finds plots that meet the view, on the other side of the antimeridian too", () => {
    const plots = [
      plot("a", square(0, 0, 1)),
      plot("b", square(-179.5, 0, 0.2)),
      plot("c", square(50, 0, 1)),
    ];
    const ids = (view: Parameters<typeof plotsInView>[1]) =>
      plotsInView(plots, view, 10).first.map(({ key }) => key);
    expect(ids([-1, -1, 0.5, 0.5])).toEqual(["a"]);
    expect(ids([170, -1, 190, 1])).toEqual(["b"]);
    expect(plotsInView(plots, [-180, -90, 180, 90], 2)).toMatchObject({ total: 3 });
  });
});
