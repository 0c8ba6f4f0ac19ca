import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { cutDecimals } from "./cut-decimals.ts";
import { cutGeometry } from "./cut-geometry.ts";

/** The naive way: the shortest decimal as a fraction of integers, divided, and written out again. */
function cutNaively(value: number, decimals: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const power = Number(exponent) - fraction.length;
  let numerator = BigInt(whole + fraction);
  let denominator = 1n;
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator = 10n ** BigInt(-power);
  const units = String((numerator * 10n ** BigInt(decimals)) / denominator).padStart(decimals + 1, "0");
  const text = `${units.slice(0, units.length - decimals)}.${units.slice(units.length - decimals)}`;
  const cut = Number(text);
  return cut === 0 ? 0 : value < 0 ? -cut : cut;
}

function randomDouble(bits: () => number): number {
  const words = Uint32Array.of(bits(), bits());
  return new Float64Array(words.buffer)[0]!;
}

describe("cutDecimals", () => {
  it.each([
    [1.0000009, 1],
    [-1.0000009, -1],
    [-59.1234567, -59.123456],
    [59.9999999, 59.999999],
    [179.9999999999, 179.999999],
    [0.1 + 0.2, 0.3],
    [1.005, 1.005],
    [9.000001, 9.000001],
    [1e-7, 0],
    [-9.99e-7, 0],
    [1.5e-6, 0.000001],
    [5e-324, 0],
    [-0, 0],
    [180, 180],
    [1e21, 1e21],
    [1.7976931348623157e308, 1.7976931348623157e308],
    [12345678901.123457, 12345678901.123457],
    [12345678.123456789, 12345678.123456],
  ])("cuts %d to %d", (value, expected) => {
    expect(cutDecimals(value, 6)).toBe(expected);
  });

  it("leaves what is no number of places as it is", () => {
    expect(cutDecimals(Number.NaN, 6)).toBeNaN();
    expect(cutDecimals(Number.NEGATIVE_INFINITY, 6)).toBe(Number.NEGATIVE_INFINITY);
  });

  it("equals integer arithmetic on the shortest decimal, and cuts nothing twice", () => {
    const random = createSeededRandom(61);
    const word = () => random.integer(2 ** 32);
    const draws = [
      () => random.between(-180, 180),
      () => Math.round(random.between(-1.8e8, 1.8e8)) / 1e6,
      () => Math.round(random.between(-1.8e9, 1.8e9)) / 1e7,
      // Neighbours of what lies on the grid.
      () => {
        const near = Float64Array.of(Math.round(random.between(-1.8e8, 1.8e8)) / 1e6);
        new BigInt64Array(near.buffer)[0]! += BigInt(random.integer(5) - 2);
        return near[0]!;
      },
      () => random.between(-1, 1) * 10 ** -random.integer(20),
      () => randomDouble(word),
    ];
    for (let i = 0; i < 20_000; i++) {
      const value = draws[i % draws.length]!();
      if (!Number.isFinite(value)) continue;
      const decimals = i % 5 === 0 ? random.integer(16) : 6;
      const cut = cutDecimals(value, decimals);
      expect(cut, `${value} to ${decimals}`).toBe(cutNaively(value, decimals));
      expect(cutDecimals(cut, decimals)).toBe(cut);
    }
  });
});

describe("cutGeometry", () => {
  it("cuts positions at any depth and leaves the other members", () => {
    const geometry = {
      type: "GeometryCollection",
      note: 1.23456789,
      geometries: [
        { type: "Point", coordinates: [-1.23456789, 2.3456789, 812.1234567] },
        { type: "Polygon", coordinates: [[[0.1234567, 1.9999999]]] },
      ],
    };
    expect(cutGeometry(geometry, 6)).toEqual({
      type: "GeometryCollection",
      note: 1.23456789,
      geometries: [
        { type: "Point", coordinates: [-1.234567, 2.345678, 812.123456] },
        { type: "Polygon", coordinates: [[[0.123456, 1.999999]]] },
      ],
    });
  });

  it("returns what is no geometry, and does not go down without end", () => {
    expect(cutGeometry(null, 6)).toBeNull();
    expect(cutGeometry("POINT(1 2)", 6)).toBe("POINT(1 2)");
    const nested: { geometries: unknown[] } = { geometries: [] };
    nested.geometries.push(nested);
    expect(() => cutGeometry(nested, 6)).not.toThrow();
  });
});
