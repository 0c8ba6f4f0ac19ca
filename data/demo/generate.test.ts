import { prepareArea } from "@groundrule/engine/build";
import { describe, expect, it } from "vitest";
import { countryFeatures } from "./countries.ts";
import { generateDemo } from "./generate.ts";
import { Random } from "./random.ts";
import { cnpj, lei } from "./register.ts";

describe("generateDemo", () => {
  it("gives the same data for the same seed, and other data for another", () => {
    const texts = (seed: number) => generateDemo(seed).sources.map(({ text }) => text);
    expect(texts(7)).toEqual(texts(7));
    expect(texts(7)[0]).not.toBe(texts(8)[0]);
  });

  it("has countries that reach the antimeridian or a pole in their true size", () => {
    const areas = new Map(
      countryFeatures().map(({ properties, geometry }) => [properties?.iso3, prepareArea(geometry)]),
    );
    const squareKilometers = (iso3: string): number => (areas.get(iso3)?.squareMetersAfter ?? 0) / 1e6;
    // Natural Earth draws Crimea as Russia's, and Antarctica with its ice shelves.
    expect(squareKilometers("RUS") / 16.9e6).toBeCloseTo(1, 1);
    expect(squareKilometers("FJI") / 18.3e3).toBeCloseTo(1, 1);
    expect(squareKilometers("ATA") / 12.3e6).toBeCloseTo(1, 1);
  });

  it("says of every source of its own that it is fictional", () => {
    for (const { manifest } of generateDemo().sources) {
      if (manifest.source_name !== "demo:countries") expect(manifest.source_dataset).toContain("Fictional");
    }
  });
});

describe("demo identifiers", () => {
  it("carry right check digits", () => {
    const random = new Random(1);
    for (let i = 0; i < 500; i++) {
      const digits = [...cnpj(random)].filter((letter) => letter >= "0" && letter <= "9").map(Number);
      for (const length of [12, 13]) {
        const sum = digits
          .slice(0, length)
          .reverse()
          .reduce((s, digit, k) => s + digit * (2 + (k % 8)), 0);
        expect(digits[length]).toBe(sum % 11 < 2 ? 0 : 11 - (sum % 11));
      }
      const spelled = [...lei(random)].map((letter) => Number.parseInt(letter, 36)).join("");
      expect(BigInt(spelled) % 97n).toBe(1n);
    }
  });
});
