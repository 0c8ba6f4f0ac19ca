import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import type { IdentifierColumn } from "./identifier-kind.ts";
import { withIdentifiers } from "./identifiers.ts";

const [A, B] = ["11.222.333/0001-81", "11444777000161"];
const CPF = "111.444.777-35";
const CNPJ_COLUMN: IdentifierColumn = { type: "br:cnpj", role: "owner", column: "doc" };
const CPF_COLUMN: IdentifierColumn = { type: "br:cpf", role: "owner", column: "doc" };

/** Each identifier as `scheme value`. */
function read(doc: unknown, columns: readonly IdentifierColumn[], scheme?: unknown): string[] {
  const found = withIdentifiers(scheme, { doc }, columns) ?? [];
  return (found as { type: string; value: string }[]).map(({ type, value }) => `${type} ${value}`);
}

describe("withIdentifiers", () => {
  it.each([
    [A, [`br:cnpj ${A}`]],
    [`${A}; CNPJ ${B}`, [`br:cnpj ${A}`, `br:cnpj ${B}`]],
    [
      [A, B],
      [`br:cnpj ${A}`, `br:cnpj ${B}`],
    ],
    [11222333000181, ["br:cnpj 11222333000181"]],
    [1.1222333000181e13, ["br:cnpj 11222333000181"]],
    ["1.12E+13", ["br:cnpj 1.12E+13"]],
    ["12345678000195.0", ["br:cnpj 12345678000195.0"]],
    ["not known", ["br:cnpj not known"]],
    ["6990590000123", ["br:cnpj 6990590000123"]],
    ["", []],
    [" - ", []],
    [null, []],
    [undefined, []],
    [Number.NaN, []],
  ])("reads the cell %j as %j", (cell, identifiers) => {
    expect(read(cell, [CNPJ_COLUMN])).toEqual(identifiers);
  });

  it("adds the identifiers of columns to those of scheme, each once in every spelling", () => {
    const own = { type: "br:cnpj", value: "11222333000181", role: "owner" };
    expect(withIdentifiers(own, { doc: `${A}; ${B}` }, [CNPJ_COLUMN, CNPJ_COLUMN])).toEqual([
      own,
      { type: "br:cnpj", value: B, role: "owner" },
    ]);
    // In another role, or in none, it is another statement.
    expect(withIdentifiers([own], { doc: A }, [{ type: "br:cnpj", column: "doc" }])).toHaveLength(2);
    expect(withIdentifiers(own, { doc: A }, [CNPJ_COLUMN])).toBe(own);
    expect(withIdentifiers(null, { doc: "" }, [CNPJ_COLUMN])).toBeUndefined();
  });

  it("leaves a scheme that cannot be read to be refused", () => {
    expect(withIdentifiers("CNPJ 1", { doc: A }, [CNPJ_COLUMN])).toBe("CNPJ 1");
    expect(withIdentifiers([7], { doc: A }, [CNPJ_COLUMN])).toHaveLength(2);
  });

  it.each([
    [A, [`br:cnpj ${A}`]],
    [CPF, [`br:cpf ${CPF}`]],
    [`CPF ${CPF}`, [`br:cpf ${CPF}`]],
    [`${A}; ${CPF}`, [`br:cnpj ${A}`, `br:cpf ${CPF}`]],
    [`${A}; 123`, [`br:cnpj ${A}`, "br:cnpj 123"]],
    [`${CPF}; 123`, [`br:cpf ${CPF}`, "br:cpf 123"]],
    [`${A}; ${CPF}; 123`, [`br:cnpj ${A}`, "br:cnpj 123", `br:cpf ${CPF}`]],
    ["12345678-90", ["br:cpf 12345678-90"]],
    ["6990590000123", ["br:cnpj 6990590000123"]],
    ["x", ["br:cnpj x"]],
  ])("reads %j of a column of companies or people as %j", (cell, identifiers) => {
    expect(read(cell, [CNPJ_COLUMN, CPF_COLUMN])).toEqual(identifiers);
    expect(read(cell, [CPF_COLUMN, CNPJ_COLUMN]).length).toBe(identifiers.length);
  });

  it("loses no part of a cell, however many schemes its column has (seed 4402)", () => {
    const random = createSeededRandom(4402);
    const pick = <T>(from: readonly T[]): T => from[random.integer(from.length)]!;
    const kinds = [
      CNPJ_COLUMN,
      CPF_COLUMN,
      { ...CNPJ_COLUMN, type: "us:ein" },
      { ...CNPJ_COLUMN, type: "my:tax" },
    ];
    const known = [A, B, CPF, "52998224725", "12-3456789"];
    const unknown = ["123", "x", "6990590000123", "12345678-90", "Fazenda Boa"];
    for (let k = 0; k < 2_000; k++) {
      const columns = kinds.filter(() => random.integer(2) === 0);
      if (columns.length === 0) continue;
      const parts = Array.from({ length: 1 + random.integer(4) }, () => pick(pick([known, unknown])));
      const cell = parts.join("; ");
      const isPlain = columns.some(({ type }) => type === "my:tax");
      const found = read(cell, columns);
      expect(found.includes(`my:tax ${cell}`), cell).toBe(isPlain);
      if (isPlain && columns.length === 1) continue;
      // A scheme without a form has the whole cell, and takes no part of it from the others.
      const ofForm = found.filter((text) => !text.startsWith("my:tax"));
      for (const part of parts) {
        const isThere = ofForm.some((text) => text.includes(part));
        expect(isThere, `${cell} as ${columns.map(({ type }) => type)}: ${part}`).toBe(true);
      }
    }
  });

  it("keeps what fits no scheme of a column in each of its roles", () => {
    const columns = [CNPJ_COLUMN, { ...CPF_COLUMN, role: "tenant" }];
    expect(read("x", columns)).toEqual(["br:cnpj x", "br:cpf x"]);
  });
});
