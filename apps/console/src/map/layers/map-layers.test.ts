import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { computeContrast } from "../../../../../packages/engine/src/ruleset/lint/contrast.ts";
import { MapLayers } from "./map-layers.ts";
import { buildMapLayers, fillId, getPropertyColour, getStatusColours, type MapLook } from "./map-look.ts";

const LOOK: MapLook = {
  isDark: false,
  shown: [],
  hatched: [],
  highlighted: undefined,
  isVeiled: false,
  selectedKey: undefined,
  editedKey: undefined,
  tiles: undefined,
  style: undefined,
  answererNumber: 1,
};

/** A map that keeps the order of layers and records calls. */
function createFakeMap() {
  const layers: string[] = ["drawing"];
  const sources = new Set<string>();
  const calls: string[] = [];
  const map = {
    getLayer: (id: string) => (layers.includes(id) ? {} : undefined),
    addLayer: (layer: { id: string; source?: string }, before?: string) => {
      if (layer.source !== undefined && !sources.has(layer.source))
        throw new Error(`no source ${layer.source}`);
      calls.push(`add ${layer.id}`);
      layers.splice(before === undefined ? layers.length : layers.indexOf(before), 0, layer.id);
    },
    removeLayer: (id: string) => {
      calls.push(`remove ${id}`);
      layers.splice(layers.indexOf(id), 1);
    },
    addSource: (id: string) => sources.add(id),
    removeSource: (id: string) => sources.delete(id),
    setFilter: (id: string) => calls.push(`filter ${id}`),
    setPaintProperty: (id: string, name: string) => calls.push(`${name} of ${id}`),
    setLayoutProperty: (id: string, name: string) => calls.push(`${name} of ${id}`),
  };
  return { map: map as never, layers, sources, calls };
}

describe("the property around a plot", () => {
  it.each([true, false])(
    "has a line of its own pattern, in ink that its halo sets off: dark %s",
    (isDark) => {
      const { layers } = buildMapLayers({ ...LOOK, isDark });
      const dashes = (of: (source: string) => boolean) =>
        layers.flatMap((layer) =>
          layer.type === "line" && of(layer.source) ? [JSON.stringify(layer.paint?.["line-dasharray"])] : [],
        );
      const [halo, line] = dashes((source) => source === "property");
      expect([halo, line]).toEqual([undefined, "[6,3]"]);
      expect(dashes((source) => source.startsWith("plot"))).not.toContain(line);
      const [back, front] = layers.flatMap((layer) =>
        layer.type === "line" && layer.source === "property" ? [String(layer.paint?.["line-color"])] : [],
      );
      expect(computeContrast(front!, back!)).toBeGreaterThan(7);
      expect(front).toBe(getPropertyColour(isDark));
    },
  );
});

describe("MapLayers", () => {
  it("puts layers in order, whatever came and went before", () => {
    const { map, layers } = createFakeMap();
    const target = new MapLayers(map);
    target.apply(buildMapLayers(LOOK));
    target.apply(buildMapLayers({ ...LOOK, shown: [{ source: "a", colour: "#111111" }], hatched: ["b"] }));
    const wanted = buildMapLayers({
      ...LOOK,
      shown: [
        { source: "c", colour: "#111111" },
        { source: "a", colour: "#222222" },
      ],
      tiles: { url: "https://tiles.example/{z}/{x}/{y}" },
    });
    target.apply(wanted);
    expect(layers.filter((id) => id !== "drawing")).toEqual(wanted.layers.map(({ id }) => id));
  });

  it("veils all around the plot above what is highlighted, and below the plots", () => {
    const highlighted = { source_name: "a", source_id: "1" };
    const look = { ...LOOK, shown: [{ source: "a", colour: "#111111" }], highlighted };
    const ids = (isVeiled: boolean): string[] =>
      buildMapLayers({ ...look, isVeiled }).layers.map(({ id }) => id);
    expect(ids(false)).not.toContain("veil");
    const order = ids(true);
    expect(order.indexOf("veil")).toBeGreaterThan(order.indexOf("lit a"));
    expect(order.indexOf("veil")).toBeLessThan(order.indexOf("plot-areas"));
  });

  it("changes nothing where nothing changed, and what changed alone", () => {
    const { map, calls } = createFakeMap();
    const target = new MapLayers(map);
    target.apply(buildMapLayers(LOOK));
    calls.length = 0;
    target.apply(buildMapLayers({ ...LOOK }));
    expect(calls).toEqual([]);
    target.apply(buildMapLayers({ ...LOOK, selectedKey: "plot-1" }));
    expect(calls.sort()).toEqual([
      "filter outline-halo",
      "filter selected-dot",
      "filter selected-halo",
      "filter selected-line",
    ]);
  });

  it("requests another answerer's own tiles", () => {
    const { map, calls } = createFakeMap();
    const target = new MapLayers(map);
    const look = { ...LOOK, shown: [{ source: "a", colour: "#111111" }] };
    target.apply(buildMapLayers(look));
    calls.length = 0;
    target.apply(buildMapLayers({ ...look, answererNumber: 2 }));
    expect(calls).toContain(`remove ${fillId("a")}`);
    expect(calls).toContain(`add ${fillId("a")}`);
  });
});

describe("statusColours", () => {
  it("has for plots without a verdict the colours of the page's own style, in both themes", () => {
    const tokens = readFileSync(new URL("../../app/tokens.css", import.meta.url), "utf8");
    const [light, dark] = [false, true].map(getStatusColours);
    expect(tokens).toContain(`--muted: light-dark(${light!.NEW}, ${dark!.NEW});`);
    expect(tokens).toContain(`--text: light-dark(${light!.REFUSED}, ${dark!.REFUSED});`);
  });
});

describe("wantedLayers", () => {
  it("draws a highlighted area of a source that is switched off", () => {
    const highlighted = { source_name: "a:b/ü", source_id: "7" };
    const { sources, layers } = buildMapLayers({ ...LOOK, highlighted });
    expect(sources["areas a:b/ü"]).toMatchObject({ tiles: ["reference://1/a%3Ab%2F%C3%BC/{z}/{x}/{y}"] });
    expect(layers.filter(({ id }) => id.includes("a:b/ü")).map(({ id }) => id)).toEqual([
      "lit a:b/ü",
      "lit-line a:b/ü",
    ]);
  });

  it("fills the values of cells with their own colours, without outlines, seams or names", () => {
    const highlighted = { source_name: "loss", source_id: "21", isRaster: true };
    const shown = [{ source: "loss", colour: "#111111", isRaster: true }];
    const layers = buildMapLayers({ ...LOOK, shown, highlighted }).layers.filter(({ id }) => /loss/.test(id));
    expect(layers.map(({ id, type }) => [id, type])).toEqual([
      ["fill loss", "fill"],
      ["lit loss", "fill"],
    ]);
    for (const { paint } of layers) expect(paint).toMatchObject({ "fill-antialias": false });
    expect(layers[0]!.paint).toMatchObject({ "fill-color": ["coalesce", ["get", "color"], "#111111"] });
  });
});
