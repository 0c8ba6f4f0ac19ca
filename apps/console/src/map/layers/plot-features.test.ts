import type { Geometry } from "geojson";
import { describe, expect, it } from "vitest";
import { AnswerProblem } from "../../answering/answerer.ts";
import type { PagePlot, PlotState } from "../../state/plot.ts";
import { findPlotFaults } from "../drawing/faults-of.ts";
import { listPlotsInView } from "../in-view.ts";
import { computeGeometryBounds, computePlotBounds, PlotFeatures } from "./plot-features.ts";

/** One half of a square, below its diagonal. */
const square = (west: number, south: number, size: number): Geometry => ({
  type: "Polygon",
  coordinates: [[[west, south], [west + size, south], [west + size, south + size], [west, south]]], // biome-ignore format: a ring
});

function createPlot(
  key: string,
  geometry: Geometry | undefined,
  state: PlotState = { kind: "new" },
): PagePlot {
  return { key, id: `<b>${key}</b>`, geometry, properties: {}, input: undefined, origin: "pasted", state };
}

describe("PlotFeatures", () => {
  it("passes shapes once, and afterwards only each change of a plot's status", () => {
    const features = new PlotFeatures();
    const [a, b] = [createPlot("a", square(0, 0, 1)), createPlot("b", square(5, 5, 1))];
    expect(features.update([a, b]).shapes?.areas.features).toHaveLength(2);
    expect(features.update([a, b])).toEqual({ statuses: [] });
    expect(features.update([a, { ...b, state: { kind: "asking" } }])).toEqual({
      statuses: [["b", "ASKING"]],
    });
    const reshaped = features.update([a, { ...b, geometry: square(6, 6, 1), state: { kind: "asking" } }]);
    expect(reshaped.shapes).toBeDefined();
    expect(reshaped.statuses).toEqual([
      ["a", "NEW"],
      ["b", "ASKING"],
    ]);
  });

  it("reports faded plots as faded alone, and their status once they are not", () => {
    const features = new PlotFeatures();
    const both = [createPlot("a", square(0, 0, 1)), createPlot("b", square(5, 5, 1))];
    expect(features.update(both, new Set(["b"])).statuses).toEqual([
      ["a", "NEW"],
      ["b", "FADED"],
    ]);
    expect(features.update(both)).toEqual({ statuses: [["b", "NEW"]] });
  });

  it("shows a small plot as a dot until it is large enough to be seen, and a point always", () => {
    const { shapes } = new PlotFeatures().update([
      createPlot("hectare", square(0, 0, 0.001)),
      createPlot("country", square(0, 0, 20)),
      createPlot("tree", { type: "Point", coordinates: [1, 2] }),
      createPlot("nothing", undefined),
    ]);
    const until = shapes!.points.features.map(({ properties }) => Math.round(properties?.until));
    expect(until).toEqual([12, 0, 24]);
  });

  it("takes broken shapes for what they are", () => {
    const broken = { type: "Polygon", coordinates: [[[Number.NaN, 1], [], null]] } as unknown as Geometry;
    expect(computeGeometryBounds(broken)).toBeUndefined();
    expect(new PlotFeatures().update([createPlot("a", broken)]).shapes?.areas.features).toEqual([]);
  });

  it("draws what is refused as lines, though its loops take each other's area away, and what is no shape by its corners", () => {
    const refused: PlotState = {
      kind: "refused",
      problem: new AnswerProblem("GEOMETRY_INVALID", "it crosses"),
    };
    const ring = [[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]; // biome-ignore format: a ring
    const bow = { type: "Polygon", coordinates: [ring] } as Geometry;
    const sent = { geometry: { type: "Polygon", coordinates: [[[5, 5], [6, 95], [6, 5], null, [5.5, 6]]] } }; // biome-ignore format: a ring
    const odd = { ...createPlot("b", undefined, { kind: "new" }), input: sent };
    const features = new PlotFeatures();
    expect(features.update([createPlot("a", bow), odd]).outlines).toBeUndefined();
    const { outlines } = features.update([createPlot("a", bow, refused), { ...odd, state: refused }]);
    expect(outlines!.features.map(({ geometry }) => geometry)).toEqual([
      { type: "MultiLineString", coordinates: [ring] },
      { type: "MultiLineString", coordinates: [[[5, 5], [6, 5], [5.5, 6]]] }, // biome-ignore format: a line
    ]);
    expect(computePlotBounds(odd)).toEqual([5, 5, 6, 6]);
    expect(features.update([createPlot("a", bow, refused), { ...odd, state: refused }])).toEqual({
      statuses: [],
    });
    expect(features.update([createPlot("a", bow), odd]).outlines?.features).toEqual([]);
    // A plot known to cross itself is drawn as an outline before it is evaluated.
    const { outlines: known } = features.update([createPlot("a", bow), odd], undefined, new Set(["a"]));
    expect(known!.features).toEqual(outlines!.features.slice(0, 1));
    // While others fade, it stays an outline: a faded plot is filled.
    const { statuses } = new PlotFeatures().update([createPlot("a", bow, refused)], new Set(["a"]));
    expect(statuses).toEqual([["a", "REFUSED"]]);
  });

  it("takes 10,000 plots that change one after another without handing shapes over again", () => {
    const features = new PlotFeatures();
    let plots = Array.from({ length: 10_000 }, (_, i) => createPlot(`p${i}`, square(i / 100, 0, 0.01)));
    features.update(plots);
    for (const at of [0, 5000, 9999]) {
      plots = plots.with(at, { ...plots[at]!, state: { kind: "asking" } });
      expect(features.update(plots)).toEqual({ statuses: [[`p${at}`, "ASKING"]] });
    }
  });
});

describe("plotsInView", () => {
  it("finds plots that meet the view, on the other side of the antimeridian too", () => {
    const plots = [
      createPlot("a", square(0, 0, 1)),
      createPlot("b", square(-179.5, 0, 0.2)),
      createPlot("c", square(50, 0, 1)),
    ];
    const ids = (view: Parameters<typeof listPlotsInView>[1]) =>
      listPlotsInView(plots, view, 10).first.map(({ key }) => key);
    expect(ids([-1, -1, 0.5, 0.5])).toEqual(["a"]);
    expect(ids([170, -1, 190, 1])).toEqual(["b"]);
    expect(listPlotsInView(plots, [-180, -90, 180, 90], 2)).toMatchObject({ total: 3 });
  });
});

describe("faultsOf", () => {
  const faultOf = (pointer: string, input: object, more: object = {}) => {
    const problem = new AnswerProblem("VALIDATION_FAILED", "no", {
      faults: [{ pointer, message: "no", ...more }],
    });
    const refused = { ...createPlot("a", undefined, { kind: "refused", problem }), input };
    expect(findPlotFaults(refused)).toBe(findPlotFaults(refused));
    return findPlotFaults(refused)![0]!.position;
  };
  const geometry = { type: "Polygon", coordinates: [[[5, 5], [6, 95], [6, 5], null, [5.5, 6]]] }; // biome-ignore format: a ring

  it("marks a fault at its place, else at the corner that its pointer leads to, else at the one before", () => {
    const at = (pointer: string) => faultOf(pointer, { geometry });
    expect(at("/input/geometry/coordinates/0/2/0")).toEqual([6, 5]);
    expect(at("/input/geometry/coordinates/0/1/1")).toEqual([5, 5]);
    expect(at("/input/geometry/coordinates/0/3")).toEqual([6, 5]);
    expect(at("/input/geometry/coordinates/0")).toEqual([5, 5]);
    expect(at("/input/geometry")).toEqual([5, 5]);
    expect(at("/input/scheme")).toBeUndefined();
    expect(faultOf("/input/geometry", { geometry }, { position: [1, 2] })).toEqual([1, 2]);
  });

  it("marks nothing where no map has a place", () => {
    const metres = { geometry: { type: "Point", coordinates: [712000, 9236000] } };
    expect(faultOf("/input/geometry/coordinates", metres, { position: [712000, 9236000] })).toBeUndefined();
    expect(faultOf("/input/geometry/coordinates", { ...metres, crs: "EPSG:1" })).toBeUndefined();
  });
});
