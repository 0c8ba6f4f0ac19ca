import type { StyleSpecification } from "maplibre-gl";
import { describe, expect, it } from "vitest";
import { BASE, toBaseStyle } from "./base-style.ts";

const STYLE: StyleSpecification = {
  version: 8,
  sources: {
    land: { type: "vector", tiles: ["../tiles/{z}/{x}/{y}.pbf", "{ratio}/{bbox-epsg-3857}"] },
    sea: { type: "raster", url: "sea.json", attribution: "its own" },
  },
  glyphs: "fonts/{fontstack}/{range}.pbf",
  sprite: "sprite",
  layers: [
    { id: "background", type: "background" },
    { id: "plot-areas", type: "line", source: "land", "source-layer": "roads" },
    {
      id: "computed",
      type: "symbol",
      source: "land",
      layout: { "text-font": ["step", ["zoom"], "a", 3, "b"] },
    },
    { id: "names", type: "symbol", source: "land", layout: { "text-font": ["Noto Sans Regular"] } },
  ],
};

describe("styleOf", () => {
  const base = toBaseStyle(STYLE, "https://maps.example/styles/v1/style.json", "© the operator");

  it("starts every address at the style's, with its placeholders as they were", () => {
    expect(base.sources).toMatchObject({
      [`${BASE}land`]: {
        tiles: [
          "https://maps.example/styles/tiles/{z}/{x}/{y}.pbf",
          "https://maps.example/styles/v1/{ratio}/{bbox-epsg-3857}",
        ],
      },
      [`${BASE}sea`]: { url: "https://maps.example/styles/v1/sea.json" },
    });
    expect(base.glyphs).toBe("https://maps.example/styles/v1/fonts/{fontstack}/{range}.pbf");
    expect(base.sprite).toBe("https://maps.example/styles/v1/sprite");
  });

  it("gives layers names that are none of the page's, and their sources' new ones", () => {
    expect(base.layers.map(({ id }) => id)).not.toContain("plot-areas");
    expect(base.layers[1]).toMatchObject({
      id: `${BASE}plot-areas`,
      source: `${BASE}land`,
      "source-layer": "roads",
    });
    expect(base.layers[0]).not.toHaveProperty("source");
  });

  it("keeps the attributions of its sources, adds its own, and has the fonts that are named, not computed", () => {
    expect(base.attribution).toBe("© the operator");
    expect(base.sources[`${BASE}land`]).not.toHaveProperty("attribution");
    expect(base.sources[`${BASE}sea`]).toHaveProperty("attribution", "its own");
    expect(base.fonts).toEqual(["Noto Sans Regular"]);
  });
});
