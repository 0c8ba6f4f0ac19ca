import { describe, expect, it } from "vitest";
import { toParentTile } from "../answering/tile-places.ts";
import { buildCountryNames, findCountryBounds } from "./layers/base-map.ts";
import { buildGraticule, computeGraticuleStep } from "./layers/graticule.ts";
import { assignSourceColours, listRepeatedColourSources } from "./sources/source-colours.ts";
import { listSourceFacts } from "./sources/source-facts.ts";

describe("graticuleAround", () => {
  it("draws few lines at every scale", () => {
    for (let width = 360; width > 0.001; width /= 2) {
      const view = { west: -60, south: -10, east: -60 + width, north: -10 + width / 2 };
      const { features: all } = buildGraticule(view, { n: "N", s: "S", e: "E", w: "W" });
      const features = all.filter(({ geometry }) => geometry.type === "LineString");
      expect(features.length, `${width} degrees`).toBeGreaterThan(2);
      expect(features.length, `${width} degrees`).toBeLessThan(80);
    }
    expect(computeGraticuleStep(0.0001)).toBe(0.0001);
  });

  it("names each line by its degrees, as fine as they lie apart", () => {
    const letters = { n: "N", s: "S", e: "L", w: "O" };
    const labels = (west: number, south: number, width: number) =>
      buildGraticule({ west, south, east: west + width, north: south + width }, letters).features.map(
        ({ properties }) => properties.label,
      );
    expect(labels(-60, -10, 0.6)).toEqual(expect.arrayContaining(["59.9° O", "9.9° S"]));
    expect(labels(179, 0, 12)).toEqual(expect.arrayContaining(["180° L", "178° O", "2° N"]));
  });

  it("has its labels on the left and the lower edge of the view", () => {
    const { features } = buildGraticule(
      { west: -60, south: -10, east: -59, north: -9 },
      { n: "N", s: "S", e: "E", w: "W" },
    );
    const points = features.flatMap(({ geometry, properties }) =>
      geometry.type === "Point" ? [[properties.label, properties.anchor, ...geometry.coordinates]] : [],
    );
    expect(points).toContainEqual(["59.5° W", "bottom", -59.5, -10]);
    expect(points).toContainEqual(["9.5° S", "left", -60, -9.5]);
  });
});

describe("parentOf", () => {
  it("finds the square of the finest tile that a finer one shows", () => {
    expect(toParentTile(14, 5, 6)).toMatchObject({ z: 14, x: 5, y: 6, scale: 1, column: 0, row: 0 });
    expect(toParentTile(17, 45, 55)).toMatchObject({ z: 14, x: 5, y: 6, scale: 8, column: 5, row: 7 });
  });
});

describe("sourceFacts", () => {
  const source = (source_name: string, more: object = {}) =>
    ({ source_name, source_dataset: source_name, kind: "leaf", feature_count: 1, ...more }) as never;

  it("lists the sources of the ruleset first, then those of the map, and no groups", () => {
    const listed = [
      source("z", { kind: "subject_register" }),
      source("group", { kind: "group" }),
      source("b", { collected_at_latest: "2026-10-01T00:00:00Z" }),
      source("a"),
      source("y"),
    ];
    const facts = listSourceFacts(listed, new Set(["y", "z"]), Date.parse("2026-10-03T12:00:00Z"));
    expect(facts.map((each) => each.source.source_name)).toEqual(["y", "z", "a", "b"]);
    expect(facts.map(({ ageDays }) => ageDays)).toEqual([undefined, undefined, undefined, 2]);
  });

  it("knows no age of a source that was collected in the future", () => {
    const listed = [source("b", { collected_at_latest: "2062-10-01T00:00:00Z" })];
    const [facts] = listSourceFacts(listed, new Set(), Date.parse("2026-10-03T12:00:00Z"));
    expect(facts?.ageDays).toBeUndefined();
  });
});

describe("sourceColours", () => {
  it("depends on the names alone, not on their order", () => {
    expect(assignSourceColours(["b", "a"], true)).toEqual(
      new Map([...assignSourceColours(["a", "b"], true)].toReversed()),
    );
  });

  it("repeats no colour without dashes", () => {
    const names = [..."hgfedcbaponmlkji"];
    const dashed = listRepeatedColourSources(names);
    const looks = [...assignSourceColours(names, false)].map(
      ([name, colour]) => `${colour} ${dashed.has(name)}`,
    );
    expect(new Set(looks).size).toBe(16);
  });
});

describe("the base map", () => {
  it("names countries in the language of the page and knows where they are", () => {
    const names = (language: string) =>
      buildCountryNames(language).features.map(({ properties }) => properties.name);
    expect(names("en")).toContain("Brazil");
    expect(names("pt")).toContain("Brasil");
    const [west, south, east, north] = findCountryBounds("BRA")!;
    expect([west < -70, south < -30, east > -36, north > 4]).toEqual([true, true, true, true]);
    expect(findCountryBounds("XXX")).toBeUndefined();
  });
});
