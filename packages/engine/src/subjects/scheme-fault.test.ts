import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalizeValue } from "../snapshot/canonical-value.ts";
import { findSchemeFault } from "./scheme-fault.ts";

const findCode = (type: string, value: string) =>
  findSchemeFault({ type, value: canonicalizeValue(value) })?.code;

describe("schemeFault", () => {
  it.each([
    ["br:cnpj", "12.ABC.345/01DE-35"], // the tax authority's own example of the alphanumeric form
    ["br:cnpj", "00.000.000/0001-91"],
    ["br:cnpj", "33.000.167/0001-01"],
    ["br:cnpj", "11.222.333/0001-81"],
    ["br:cpf", "111.444.777-35"],
    ["br:cpf", "529.982.247-25"],
    ["iso:lei", "5493001KJTIIGC8Y1R12"],
    ["iso:lei", "HWUPKR0MPOU8FGXBT394"],
    ["iso:lei", "7LTWFZYICNSX8D621K86"],
    ["us:ein", "01-2345678"],
    ["us:ein", "98-7654321"],
    ["other:scheme", "anything"],
  ])("is silent on the published %s %s", (type, value) => {
    expect(findCode(type, value)).toBeUndefined();
  });

  it.each([
    ["br:cnpj", "12.ABC.345/01DE-36", "CHECK_DIGITS_WRONG"],
    ["br:cnpj", "00.000.000/0000-00", "CHECK_DIGITS_WRONG"],
    ["br:cnpj", "123", "IDENTIFIER_MALFORMED"],
    ["br:cnpj", "12.ABC.345/01DE-3A", "IDENTIFIER_MALFORMED"],
    ["br:cpf", "111.444.777-36", "CHECK_DIGITS_WRONG"],
    ["br:cpf", "111.111.111-11", "CHECK_DIGITS_WRONG"],
    ["br:cpf", "1114447773A", "IDENTIFIER_MALFORMED"],
    ["iso:lei", "5493001KJTIIGC8Y1R13", "CHECK_DIGITS_WRONG"],
    ["iso:lei", "5493001KJTIIGC8Y1R1", "IDENTIFIER_MALFORMED"],
    ["us:ein", "12-345678", "IDENTIFIER_MALFORMED"],
    ["us:ein", "07-1234567", "IDENTIFIER_MALFORMED"],
    ["us:ein", "anything", "IDENTIFIER_MALFORMED"],
    ["br:cnpj", "4.68E+13", "IDENTIFIER_MALFORMED"],
    ["br:cnpj", "33.000.167", "IDENTIFIER_MALFORMED"],
  ])("flags %s %s as %s", (type, value, code) => {
    expect(findCode(type, value)).toBe(code);
  });

  it("notices every change of one digit of an LEI to another digit, and of a letter to a letter", () => {
    const lei = "5493001KJTIIGC8Y1R12";
    for (let i = 0; i < lei.length; i++) {
      for (const other of lei[i]! < "A" ? "0123456789" : "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
        const changed = lei.slice(0, i) + other + lei.slice(i + 1);
        expect(findCode("iso:lei", changed) === undefined, changed).toBe(changed === lei);
      }
    }
  });

  it("accepts the check digits that the tax authority's weights, written out, give", () => {
    const first = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
    const second = [6, ...first];
    const digit = (weights: readonly number[], text: string) => {
      const rest = weights.reduce((sum, weight, i) => sum + weight * (text.charCodeAt(i) - 48), 0) % 11;
      return rest < 2 ? 0 : 11 - rest;
    };
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{11}[A-Z]$/), (base) => {
        const one = `${base}${digit(first, base)}`;
        expect(findCode("br:cnpj", `${one}${digit(second, one)}`)).toBeUndefined();
      }),
      { seed: 20264, numRuns: 200 },
    );
  });

  it.each([
    ["br:cnpj", "191", "00000000000191"],
    ["br:cnpj", "6990590000123", "06990590000123"],
    ["br:cpf", "1.234.567-97", "00123456797"],
    ["us:ein", "1-2345678", "012345678"],
    ["us:ein", "7-1234567", undefined],
    ["us:ein", "12345\u06636789", undefined],
    ["us:ein", "EIN\u00a0no. \u201c12-3456789\u201d", "123456789"],
    ["us:ein", "SSN 123-45-6789", undefined],
    ["us:ein", "1.2345678E+8", undefined],
    ["br:cnpj", "CNPJ n\u00ba 11.222.333/0001-81 (matriz)", "11222333000181"],
    ["br:cnpj", "N\u00famero: 11.222.333/0001-81", "11222333000181"],
    ["br:cnpj", "11222333000181.0", "11222333000181"],
    ["br:cnpj", "Fazenda 11.222.333/0001-81", undefined],
    ["us:ein", "2345678", undefined],
    ["br:cnpj", "6990590000124", undefined],
    ["br:cnpj", "0", undefined],
    ["br:cnpj", "11.222.333/0001-80", undefined],
    ["iso:lei", "493001KJTIIGC8Y1R12", undefined],
  ])(
    "proposes for %s %s what fits with leading zeros, or without what surrounds it: %s",
    (type, value, proposed) => {
      const fault = findSchemeFault({ type, value: canonicalizeValue(value) });
      expect(fault?.proposed).toBe(proposed);
      expect(fault?.message.endsWith(`it is "${proposed}"`)).toBe(proposed !== undefined);
    },
  );

  it("accepts the root of a br:cnpj where companies are compared, and no other short value", () => {
    const codes = ["33000167", "12ABC345", "3300016", "330001670", "33000167000102"].map(
      (value) => findSchemeFault({ type: "br:cnpj", value }, "root")?.code,
    );
    const malformed = "IDENTIFIER_MALFORMED";
    expect(codes).toEqual([undefined, undefined, malformed, malformed, "CHECK_DIGITS_WRONG"]);
    expect(findSchemeFault({ type: "br:cpf", value: "33000167" }, "root")?.code).toBe(malformed);
  });
});
