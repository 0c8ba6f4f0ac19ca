import { describe, expect, it } from "vitest";
import { locatorFrame, outlineAt, outlinesNear } from "./locator.ts";
import type { Position } from "./outlines.ts";

describe("outlineAt", () => {
  it.each<[string | undefined, Position]>([
    ["BRA", [-59.6, -10.55]],
    ["BRA", [300.4, -10.55]],
    ["FJI", [179.9, 16.6 - 33.2]],
    ["RUS", [-178, 67]],
    [undefined, [-30, 30]],
  ])("finds %s at %j, on any turn of the earth", (iso3, position) => {
    expect(outlineAt(position)?.iso3).toBe(iso3);
  });
});

describe("outlinesNear", () => {
  it("names the country of the place first, then those that it may lie in", () => {
    // Basel, and Foz do Iguaçu, where three countries meet; a place far from all borders.
    const near = (position: Position) => outlinesNear(position).map(({ iso3 }) => iso3);
    expect(near([7.59, 47.5])[0]).toBe("CHE");
    expect(near([7.59, 47.5]).toSorted()).toEqual(["CHE", "DEU", "FRA"]);
    expect(near([-54.58, -25.59]).toSorted()).toEqual(["ARG", "BRA", "PRY"]);
    expect(near([-59.6, -10.55])).toEqual(["BRA"]);
    expect(near([-30, 30])).toEqual([]);
  });
});

describe("locatorFrame", () => {
  const frame = (position: Position) => locatorFrame(position, outlineAt(position), 4 / 3);

  it("holds the place, in the map's shape, on the place's turn of the earth", () => {
    for (const place of [
      [-59.6, -10.55],
      [6.1, 49.7],
      [178, 67],
      [-178, 67],
      [-30, 30],
      [2.35, 48.85],
    ] as const) {
      const [west, south, east, north] = frame(place);
      expect(west < place[0] && place[0] < east && south < place[1] && place[1] < north).toBe(true);
      const stretch = Math.cos((place[1] * Math.PI) / 180);
      expect(((east - west) * stretch) / (north - south)).toBeCloseTo(4 / 3, 9);
    }
  });

  it("shows a country whole where it is not too wide, without its parts overseas, and a window where it is", () => {
    const france = frame([2.35, 48.85]);
    expect(france[0]).toBeGreaterThan(-15);
    expect(france[1]).toBeLessThan(41.4);
    expect(france[3]).toBeGreaterThan(51.1);
    const russia = frame([100, 62]);
    expect(russia[3] - russia[1]).toBeCloseTo(56, 9);
    expect((russia[0] + russia[2]) / 2).toBeCloseTo(100, 9);
  });
});
