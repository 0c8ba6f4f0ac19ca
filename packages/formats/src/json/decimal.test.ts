import { mulberry32 } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { readDecimal } from "./decimal.ts";

const SEED = 20261122;
const random = mulberry32(SEED);
const below = (count: number): number => Math.floor(random() * count);
const encoder = new TextEncoder();
const out = new Float64Array(2);

/** The number read from a text that other characters follow; undefined for none. */
function read(text: string, after = ","): number | undefined {
  const bytes = encoder.encode(`[${text}${after}`);
  const end = readDecimal(bytes, 1, out, 1);
  if (end === -1) return undefined;
  expect(end, text).toBe(1 + text.length);
  return out[1];
}

function expectAlike(text: string): void {
  const expected = JSON.parse(text) as number;
  const found = read(text);
  if (!Object.is(found, expected)) throw new Error(`${text}: found ${found}, expected ${expected}`);
}

const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join("");

describe("readDecimal", () => {
  it("gives the bits of JSON.parse for digits of every number before and after the point", () => {
    for (let i = 0; i < 15_000; i++) {
      const whole = below(4) === 0 ? "0" : `${1 + below(9)}${digits(below(below(10) === 0 ? 20 : 3))}`;
      const fraction = below(8) === 0 ? "" : `.${digits(1 + below(26))}`;
      const exponent = below(20) === 0 ? `${"eE"[below(2)]}${["", "+", "-"][below(3)]}${below(40)}` : "";
      expectAlike(`${below(2) === 0 ? "-" : ""}${whole}${fraction}${exponent}`);
    }
  });

  it("gives them for doubles as they are printed, at every length", () => {
    for (let i = 0; i < 15_000; i++) {
      const value = (random() - 0.5) * 10 ** (below(9) - 5);
      expectAlike(String(value));
      expectAlike(value.toFixed(1 + below(20)));
      expectAlike(value.toPrecision(1 + below(22)));
    }
  });

  it("gives them half-way between two doubles, and next to it", () => {
    const bits = new BigInt64Array(1);
    const double = new Float64Array(bits.buffer);
    for (let i = 0; i < 8_000; i++) {
      double[0] = 180 * random() * 10 ** -below(3);
      const [low] = double;
      bits[0]! += 1n;
      const [high] = double;
      // Both are whole numbers over 2¹²⁰; so is what lies between them over 2¹²¹.
      const middle = BigInt(low! * 2 ** 120) + BigInt(high! * 2 ** 120);
      const places = 14 + below(9);
      const scaled = (middle * 10n ** BigInt(places)) >> 121n;
      for (const near of [scaled - 1n, scaled, scaled + 1n]) {
        const text = near.toString().padStart(places + 1, "0");
        expectAlike(`${text.slice(0, -places)}.${text.slice(-places)}`);
      }
    }
  });

  it.each([
    "0",
    "-0",
    "-0.0",
    "0.000000000000000000000001",
    "9007199254740992",
    "9007199254740993",
    "9007199254740993.5",
    "123456789012345678901234567890",
    "1e-7",
    "-5.3E+2",
    "1e999",
    "4.9406564584124654e-324",
    "0.1234567890123456789012",
    "900719925474098.9",
    "900719925474099.1",
  ])("reads %s as JSON.parse does", (text) => {
    const found = read(text);
    expect(Object.is(found, JSON.parse(text))).toBe(true);
  });

  it.each([
    "",
    "-",
    ".5",
    "+1",
    "01",
    "-01",
    "1.",
    "1.e5",
    "1e",
    "1e+",
    "--1",
    "x",
    "NaN",
    "Infinity",
    "1.5e-",
  ])("reads nothing of %j", (text) => {
    expect(readDecimal(encoder.encode(`[${text},`), 1, out, 0)).toBe(-1);
  });
});
