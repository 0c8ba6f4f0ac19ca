import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasBorders } from "./borders.ts";
import { countryOutlines, landBorders, type Position } from "./outlines.ts";
import { OUTLINES_TEXT } from "./outlines-text.ts";

const findOutline = (iso3: string) => countryOutlines().filter((country) => country.iso3 === iso3);

/** The even-odd rule on the plane of longitude and latitude. */
function containsPosition(rings: readonly (readonly Position[])[], [x, y]: Position): boolean {
  let isInside = false;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [ring[i - 1]!, ring[i]!];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    }
  }
  return isInside;
}

describe("countryOutlines", () => {
  it("has every country that has borders, and closed rings within the map", () => {
    const codes = countryOutlines().flatMap(({ iso3 }) => iso3 ?? []);
    expect(codes.length).toBeGreaterThan(230);
    // Tuvalu is not on Natural Earth's map at this scale, nor are some reefs.
    const strangers = codes.filter((code) => !hasBorders(code));
    expect(strangers).toEqual([]);
    for (const { coordinates } of countryOutlines()) {
      expect(coordinates.length).toBeGreaterThan(0);
      for (const ring of coordinates.flat()) {
        expect(ring.length).toBeGreaterThanOrEqual(4);
        expect(ring.at(-1)).toEqual(ring[0]);
        expect(ring.every(([x, y]) => Math.abs(x) <= 540 && Math.abs(y) <= 90)).toBe(true);
      }
    }
  });

  it.each<[string, Position]>([
    ["BRA", [-59.6, -10.55]],
    ["CIV", [-5.5, 7.5]],
    ["IDN", [113.9, -2.2]],
    ["STP", [6.6, 0.2]],
    ["LUX", [6.1, 49.7]],
    ["ATA", [0, -89]],
    ["RUS", [178, 67]],
  ])("holds a place in %s", (iso3, position) => {
    const [country] = findOutline(iso3);
    expect(containsPosition(country!.coordinates.flat(), position)).toBe(true);
    expect(containsPosition(country!.coordinates.flat(), [-30, 30])).toBe(false);
  });

  it("runs on past ±180 instead of across the map", () => {
    for (const ring of countryOutlines().flatMap(({ coordinates }) => coordinates.flat())) {
      const isPole = ring.some(([, latitude]) => latitude === -90);
      for (let i = 1; i < ring.length && !isPole; i++) {
        expect(Math.abs(ring[i]![0] - ring[i - 1]![0])).toBeLessThan(180);
      }
    }
  });

  it("is at most 60 kB, gzipped", () => {
    expect(gzipSync(OUTLINES_TEXT, { level: 9 }).length).toBeLessThanOrEqual(60_000);
  });
});

describe("landBorders", () => {
  it("are the edges that two countries share, bit for bit", () => {
    const edge = ([a, b]: Position, [c, d]: Position): string => [`${a},${b}`, `${c},${d}`].sort().join();
    const counts = new Map<string, number>();
    for (const ring of countryOutlines().flatMap(({ coordinates }) => coordinates.flat())) {
      for (let i = 1; i < ring.length; i++) {
        const key = edge(ring[i - 1]!, ring[i]!);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const lines = landBorders();
    expect(lines.length).toBeGreaterThan(300);
    for (const line of lines) {
      for (let i = 1; i < line.length; i++) expect(counts.get(edge(line[i - 1]!, line[i]!))).toBe(2);
    }
  });
});
