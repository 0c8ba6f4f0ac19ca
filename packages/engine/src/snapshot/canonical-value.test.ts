import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalizeValue, formerCanonicalValue } from "./canonical-value.ts";

describe("canonicalValue", () => {
  it.each([
    ["12.345.678/0001-95", "12345678000195"],
    [" 12 345 678 / 0001 – 95 ", "12345678000195"],
    ["(12)345", "12345"],
    ["12.abc.345/01de-35", "12ABC34501DE35"],
    ["１２３－４５", "12345"],
    ["a\u2011b\u2212c\u00add", "ABCD"],
    ["straße", "STRASSE"],
    ["ilik", "ILIK"],
    [" .-/() ", ""],
    ["", ""],
    ["A_B#1", "A_B#1"],
  ])("reads %j as %j", (value, expected) => {
    expect(canonicalizeValue(value)).toBe(expected);
  });

  it("reads plain ASCII as it reads the same characters beside others", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 12 }), (value) => {
        // U+00E9 ends the value, and nothing before it can combine with it.
        expect(canonicalizeValue(`${value}\u00e9`)).toBe(`${canonicalizeValue(value)}\u00c9`);
      }),
      { seed: 20_261_122, numRuns: 2_000 },
    );
  });

  it("strips every space and dash the host's Unicode knows", () => {
    const separators = /[\p{White_Space}\p{Pd}]/u;
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (separators.test(character)) {
        expect(canonicalizeValue(`1${character}2`), `U+${code.toString(16)}`).toBe("12");
      }
    }
  });

  it("strips every default-ignorable character the host's Unicode knows, and no other format character", () => {
    for (let code = 128; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      const isStripped = canonicalizeValue(`1${character}2`) === "12";
      const isFormer = formerCanonicalValue(`1${character}2`) === "12";
      const isExpected = /\p{Default_Ignorable_Code_Point}/u.test(character);
      if (isStripped !== (isFormer || isExpected)) throw new Error(`U+${code.toString(16)}`);
    }
  });

  it("is idempotent on any text", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 12 }), (codes) => {
        const value = String.fromCodePoint(...codes);
        const once = canonicalizeValue(value);
        expect(canonicalizeValue(once)).toBe(once);
      }),
      { seed: 20261, numRuns: 500 },
    );
  });

  it("is idempotent on every single character, and beside a combining mark", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      const once = canonicalizeValue(character);
      if (canonicalizeValue(once) !== once) throw new Error(`U+${code.toString(16)}`);
    }
    expect(canonicalizeValue("e-\u0301")).toBe("É");
  });
});
