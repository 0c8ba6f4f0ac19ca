import { refusalOf } from "@groundrule/testing/refusal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalValue } from "../snapshot/canonical-value.ts";
import { checkDigitsWarning, parseSchemes } from "./schemes.ts";

const codeOf = (type: string, value: string) =>
  checkDigitsWarning({ type, value: canonicalValue(value) }, "/scheme/value")?.code;

describe("checkDigitsWarning", () => {
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
    ["us:ein", "anything"],
  ])("is silent on the published %s %s", (type, value) => {
    expect(codeOf(type, value)).toBeUndefined();
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
  ])("flags %s %s as %s", (type, value, code) => {
    expect(codeOf(type, value)).toBe(code);
  });

  it("notices every change of one digit of an LEI to another digit, and of a letter to a letter", () => {
    const lei = "5493001KJTIIGC8Y1R12";
    for (let i = 0; i < lei.length; i++) {
      for (const other of lei[i]! < "A" ? "0123456789" : "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
        const changed = lei.slice(0, i) + other + lei.slice(i + 1);
        expect(codeOf("iso:lei", changed) === undefined, changed).toBe(changed === lei);
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
        expect(codeOf("br:cnpj", `${one}${digit(second, one)}`)).toBeUndefined();
      }),
      { seed: 20264, numRuns: 200 },
    );
  });
});

describe("parseSchemes", () => {
  it("reads none, one or several, with canonical values and a warning where digits do not fit", () => {
    expect(parseSchemes(undefined, "/scheme").schemes).toEqual([]);
    expect(parseSchemes({ type: "us:ein", value: "12-3456789", role: null }, "/scheme").schemes).toEqual([
      { type: "us:ein", value: "123456789" },
    ]);
    const { schemes, warnings } = parseSchemes(
      [
        { type: "br:cpf", value: "111.444.777-35", role: "owner" },
        { type: "br:cpf", value: "111.444.777-36" },
      ],
      "/scheme",
    );
    expect(schemes[0]).toEqual({ type: "br:cpf", value: "11144477735", role: "owner" });
    expect(warnings).toEqual([
      expect.objectContaining({ pointer: "/scheme/1/value", code: "CHECK_DIGITS_WRONG" }),
    ]);
  });

  it("tells every fault at once, each with its place", () => {
    const sent = [{ type: "CNPJ", value: "--", roll: "owner" }, 7, { type: "a:b", value: 1, role: "Owner" }];
    expect(() => parseSchemes(sent, "/scheme")).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        details: {
          faults: [
            "/scheme/0/roll",
            "/scheme/0/type",
            "/scheme/0/value",
            "/scheme/1",
            "/scheme/2/value",
            "/scheme/2/role",
          ].map((pointer) => expect.objectContaining({ pointer })),
        },
      }),
    );
  });
});

describe("an identifier that is not in its form", () => {
  it("is refused with every fault at its place, in the words of every other input", () => {
    const given = { type: "br:cnpj", value: 7, "a/b": 1, role: ["owner"] };
    const { message, details } = refusalOf(() => parseSchemes([given, [1, 2]], "/scheme"));
    expect(details.faults?.map((fault) => `${fault.pointer}: ${fault.message}`)).toEqual([
      '/scheme/0/a~1b: unknown member "a/b"; expected one of "type", "value", "role"',
      "/scheme/0/value: found 7, expected a string",
      "/scheme/0/role: found an array of length 1, expected a role of a-z, 0-9 and _, beginning with a letter",
      "/scheme/1: found an array of length 2, expected an identifier {type, value}",
    ]);
    expect(message).toMatch(/^unknown member "a\/b".* \(at "\/scheme\/0\/a~1b", and 3 more\)$/);
  });
});
