import { describe, expect, it } from "vitest";
import type { Bounds } from "../layers/plot-features.ts";
import { buildLocatorMap, LOCATOR } from "./locator-map.ts";

const around = (lon: number, lat: number, half = 0.01): ReturnType<typeof buildLocatorMap> =>
  buildLocatorMap([lon - half, lat - half, lon + half, lat + half] as Bounds, [lon, lat]);

/** The box of an SVG path of absolute moves and lines. */
function computePathBox(path: string): readonly [number, number, number, number] {
  const numbers = path.match(/-?[0-9.]+/g)!.map(Number);
  const [xs, ys] = [0, 1].map((of) => numbers.filter((_, i) => i % 2 === of)) as [number[], number[]];
  const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b));
  const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b));
  return [least(xs), least(ys), most(xs), most(ys)];
}

describe("locatorMap", () => {
  it("draws the country of the view within the map, and the view where it is in the country", () => {
    const { near, home, others, view } = around(-59.6, -10.55);
    expect(near.map(({ iso3 }) => iso3)).toEqual(["BRA"]);
    const [west, north, east, south] = computePathBox(
      home.split("Z").reduce((a, b) => (b.length > a.length ? b : a)),
    );
    expect(west > 0 && north > 0 && east < LOCATOR.width && south < LOCATOR.height).toBe(true);
    expect(others).not.toBe("");
    // Brazil spans 73.99° W to 34.79° W and 5.27° N to 33.75° S.
    expect((view.x - west) / (east - west)).toBeCloseTo((73.99 - 59.61) / (73.99 - 34.79), 1);
    expect((view.y - north) / (south - north)).toBeCloseTo((5.27 + 10.54) / (5.27 + 33.75), 1);
  });

  it("answers the same for a view on another turn of the earth", () => {
    const [here, there] = [around(178, 67), around(178 - 720, 67)];
    expect(there.home).toBe(here.home);
    expect(there.view.x).toBeCloseTo(here.view.x, 6);
  });

  it("has a scale that agrees with the width of a country", () => {
    // Along 48.85° N France is some 850 km wide, from 4.8° W to 8.2° E at most: 950 km.
    const { home, scale } = around(2.35, 48.85);
    const [west, , east] = computePathBox(home.split("Z").reduce((a, b) => (b.length > a.length ? b : a)));
    const km = ((east - west) * scale.km) / scale.width;
    expect(km).toBeGreaterThan(850);
    expect(km).toBeLessThan(1050);
    expect(scale.width).toBeLessThanOrEqual(LOCATOR.width / 2);
  });

  it("draws what lies around a place at sea", () => {
    const { near, home, others } = around(-17, 20);
    expect([near, home]).toEqual([[], ""]);
    expect(others).not.toBe("");
  });
});
