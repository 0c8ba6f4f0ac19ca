import { createSeededRandom, drawText } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { canonicalizeValue } from "../snapshot/canonical-value.ts";
import { readIdentifierCell } from "./identifier-cell.ts";

const [A, B, C] = ["11.222.333/0001-81", "11444777000161", "12.ABC.345/01DE-35"];

const CAR = "PA-1500602-0123456789ABCDEF0123456789ABCDEF";
const DOTTED_CAR = "PA-1500602-FEDC.BA98.7654.3210.FEDC.BA98.7654.3210";

describe("readIdentifierCell", () => {
  it.each([
    [A, [A]],
    [`${A};BR-77-001`, [A, "BR-77-001!"]],
    ["CNPJ n. 11.222.333/0001-81 (matriz)", [A]],
    [`CNPJ/MF nº ${A}`, [A]],
    [`CNPJ: ${A} e CNPJ: ${B}`, [A, B]],
    [`${A}/${B}`, [A, B]],
    [`${A} / ${B}`, [A, B]],
    [`${B} ${A}`, [B, A]],
    [`11.222.333 / 0001 - 81, ${B} & ${C}`, ["11.222.333 / 0001 - 81", B, C]],
    [`${A}\n${B}\r\n${C} `, [A, B, C]],
    [`CNPJ${B}`, [B]],
    [`'${B}`, [B]],
    [`="${B}"`, [B]],
    ["Fazenda Exemplo", ["Fazenda Exemplo!"]],
    ["Fazenda 11444777000161", ["Fazenda 11444777000161!"]],
    ["6990590000123", ["6990590000123!06990590000123"]],
    [`6990590000123;${A}`, ["6990590000123!06990590000123", A]],
    ["1.1444777000161E+13", ["1.1444777000161E+13!"]],
    ["N/A", ["N/A!"]],
    ["11222333000180", ["11222333000180!"]],
    [`${A};;`, [A]],
    ["CNPJ", ["CNPJ!"]],
  ])("reads %j as %j", (cell, expected) => {
    const { identifiers } = readIdentifierCell("br:cnpj", cell);
    expect(
      identifiers.map(({ value, fault }) => (fault ? `${value}!${fault.proposed ?? ""}` : value)),
    ).toEqual(expected);
  });

  it.each<readonly [type: string, cell: string, expected: readonly string[]]>([
    ["us:ein", "EIN 12-3456789; Tax ID: 01-2345678", ["12-3456789", "01-2345678"]],
    ["br:cpf", "CPF nº 111.444.777-35 e 529.982.247-25", ["111.444.777-35", "529.982.247-25"]],
    ["iso:lei", "LEI: 5493001KJTIIGC8Y1R12", ["5493001KJTIIGC8Y1R12"]],
    ["iso:lei", "LEINO5493001KJTIIGC8Y1R12", ["5493001KJTIIGC8Y1R12"]],
    ["other:scheme", "a;b, CNPJ 7", ["a;b, CNPJ 7"]],
    ...[CAR, `${CAR}`.toLowerCase(), DOTTED_CAR, CAR.replaceAll("-", "")].map(
      (code) => ["br:car", code, [code]] as const,
    ),
    ...["; ", ", ", " ", "\n", " / ", "|", "/", " e ", ";"].map(
      (sign) => ["br:car", `${CAR}${sign}${DOTTED_CAR}`, [CAR, DOTTED_CAR]] as const,
    ),
    ["br:car", `CAR nº ${CAR} `, [CAR]],
    ["br:car", `${CAR}; MT12345/2017`, [CAR, "MT12345/2017"]],
    ["br:car", `${CAR}; 2017`, [CAR, "2017"]],
    ["br:car", "MT12345/2017; MT54321/2018", ["MT12345/2017; MT54321/2018"]],
    ["br:car", `${CAR}0`, [`${CAR}0`]],
  ])("reads a cell of %s: %j", (type, cell, expected) => {
    const { identifiers } = readIdentifierCell(type, cell);
    expect(identifiers).toEqual(expected.map((value) => ({ value })));
  });

  it("finds every identifier again that was joined with separators, signs and words (seed 41)", () => {
    const random = createSeededRandom(41);
    const pick = <T>(from: readonly T[]): T => from[random.integer(from.length)]!;
    const valid = {
      "br:cnpj": [A, B, C, "00.000.000/0001-91", "33000167000101", "06.990.590/0001-23"],
      "br:cpf": ["111.444.777-35", "52998224725", "001.234.567-97"],
      "us:ein": ["12-3456789", "012345678", "98 7654321"],
      "iso:lei": ["5493001KJTIIGC8Y1R12", "HWUPKR0MPOU8FGXBT394", "7LTWFZYICNSX8D621K86"],
    };
    const words = { "br:cnpj": "CNPJ", "br:cpf": "CPF", "us:ein": "EIN", "iso:lei": "LEI" };
    for (let k = 0; k < 4_000; k++) {
      const type = pick(Object.keys(valid) as (keyof typeof valid)[]);
      const sought = Array.from({ length: 1 + random.integer(4) }, () => pick(valid[type]));
      const cell = sought
        .map((value) => {
          const word = words[type];
          const decorated = pick([
            value,
            ` ${value} `,
            `'${value}`,
            `"${value}"`,
            `(${value})`,
            `${value}.`,
            `[${value}]`,
            `${word} ${value}`,
            `${word}: ${value}`,
            `${word.toLowerCase()} nº ${value}`,
            `${word} no. ${value}`,
            [...value].join(pick(["", "\u200b", "\u2060", "\u200e"])),
            value.toLowerCase(),
            value.replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
          ]);
          return decorated;
        })
        .join(pick([";", "; ", ", ", ",", " | ", "|", "\n", "\r\n", " / ", " e ", " and ", " & ", "; e "]));
      const { identifiers } = readIdentifierCell(type, cell);
      expect(
        identifiers.map(({ value, fault }) => fault?.message ?? canonicalizeValue(value)),
        JSON.stringify([type, cell]),
      ).toEqual(sought.map(canonicalizeValue));
    }
  });

  it("keeps every digit of a cell that it does not understand, and ends on hostile ones", () => {
    const random = createSeededRandom(43);
    for (let k = 0; k < 3_000; k++) {
      const letters = [..."0123456789CNPJ;,/ .-e&\n'\"\u2060"];
      const cell = `1${drawText(random, letters, random.integer(60))}`;
      const { identifiers } = readIdentifierCell("br:cnpj", cell);
      const digits = (text: string) => text.replace(/[^0-9]/g, "");
      expect(digits(identifiers.map(({ value }) => value).join(""))).toBe(digits(cell));
    }
    for (const cell of [
      "1 ".repeat(50_000),
      "N".repeat(100_000),
      "1;".repeat(50_000),
      "CNPJ ".repeat(20_000),
    ]) {
      expect(readIdentifierCell("br:cnpj", cell).identifiers.length).toBeGreaterThan(0);
    }
  });
});
