import { prepareArea } from "@groundrule/engine/build";
import { describe, expect, it } from "vitest";
import { readCountryFeatures } from "./countries.ts";
import { generateDemo } from "./generate.ts";
import { Random } from "./random.ts";
import { randomCnpj, randomLei } from "./register.ts";

describe("generateDemo", () => {
  it("gives the same data for the same seed, and other data for another", () => {
    const texts = (seed: number) => generateDemo(seed).sources.map(({ text }) => text);
    expect(texts(7)).toEqual(texts(7));
    expect(texts(7)[0]).not.toBe(texts(8)[0]);
  });

  it("has countries that reach the antimeridian or a pole in their true size", () => {
    const areas = new Map(
      readCountryFeatures().map(({ properties, geometry }) => [properties?.iso3, prepareArea(geometry)]),
    );
    const squareKilometers = (iso3: string): number => (areas.get(iso3)?.squareMetersAfter ?? 0) / 1e6;
    // Natural Earth draws Crimea as Russia's, and Antarctica with its ice shelves.
    expect(squareKilometers("RUS") / 16.9e6).toBeCloseTo(1, 1);
    expect(squareKilometers("FJI") / 18.3e3).toBeCloseTo(1, 1);
    expect(squareKilometers("ATA") / 12.3e6).toBeCloseTo(1, 1);
  });

  it("draws maps of forest and of its loss that agree: later loss was forest, earlier loss is none", () => {
    const { sources, rasters } = generateDemo();
    const [forest, loss] = rasters.map((raster) => {
      const { a, b, n, columns } = raster.grid;
      return ([lon, lat]: readonly [number, number]) => {
        const column = Math.floor(lon * n - a);
        const cell = raster.cells(Math.floor(b - lat * n), 1)[column];
        return column < 0 || column >= columns ? undefined : cell;
      };
    });
    const clearings = JSON.parse(
      sources.find(({ manifest }) => manifest.source_name === "demo:clearing")!.text,
    );
    const found = new Map<string, number>();
    for (const { properties, geometry } of clearings.features.slice(0, 400)) {
      const ring = geometry.coordinates[0] as [number, number][];
      const mean = (i: 0 | 1) => ring.slice(1).reduce((sum, at) => sum + at[i], 0) / (ring.length - 1);
      const middle = [mean(0), mean(1)] as const;
      if (properties.iso3 !== "BRA" || properties.detected === null || loss!(middle) === undefined) continue;
      const year = Number(properties.detected.slice(0, 4));
      const isItsLoss = loss!(middle) === year - 2001;
      // Some lie under what was painted later.
      const agrees = isItsLoss && forest!(middle) === (year > 2020 ? 0 : 254);
      found.set(String(agrees), (found.get(String(agrees)) ?? 0) + 1);
    }
    expect(found.get("true")).toBeGreaterThan(100);
    expect(found.get("false") ?? 0).toBeLessThan(25);
  });

  it("marks every source of its own as fictional", () => {
    const { sources, rasters } = generateDemo();
    for (const { manifest } of [...sources, ...rasters]) {
      if (manifest.source_name !== "demo:countries") expect(manifest.source_dataset).toContain("Fictional");
    }
  });
});

describe("demo identifiers", () => {
  it("carry right check digits", () => {
    const random = new Random(1);
    for (let i = 0; i < 500; i++) {
      const digits = [...randomCnpj(random)].filter((letter) => letter >= "0" && letter <= "9").map(Number);
      for (const length of [12, 13]) {
        const sum = digits
          .slice(0, length)
          .reverse()
          .reduce((s, digit, k) => s + digit * (2 + (k % 8)), 0);
        expect(digits[length]).toBe(sum % 11 < 2 ? 0 : 11 - (sum % 11));
      }
      const spelled = [...randomLei(random)].map((letter) => Number.parseInt(letter, 36)).join("");
      expect(BigInt(spelled) % 97n).toBe(1n);
    }
  });
});
