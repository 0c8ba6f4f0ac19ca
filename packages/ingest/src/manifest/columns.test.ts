import type { SourceManifest } from "@groundrule/engine";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ColumnReader } from "./columns.ts";
import { compileDateFormat } from "./date-format.ts";

const SEED = 20261120;
const place = { line: 7 };
const reader = (more: Partial<SourceManifest> = {}) =>
  new ColumnReader({ source_name: "a", kind: "leaf", ...more });

describe("ColumnReader", () => {
  it.each([
    ["", null],
    ["12", 12],
    ["-0.5", -0.5],
    ["1e+21", 1e21],
    ["007", "007"],
    ["1e5", "1e5"],
    ["2.50", "2.50"],
    ["+1", "+1"],
    ["-0", "-0"],
    [" 1", " 1"],
    ["0x10", "0x10"],
    ["NaN", "NaN"],
    ["-Infinity", "-Infinity"],
    ["12345678901234567890", "12345678901234567890"],
    ["true", true],
    ["false", false],
    ["True", "True"],
    ["2020-02-30", "2020-02-30"],
  ])("reads the cell %j as %j", (text, value) => {
    expect(reader().fromText("a", text, place)).toBe(value);
  });

  it("loses nothing of a cell when its column turns out to be text", () => {
    const cell = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.integer().map(String),
      fc.stringMatching(/^[-+]?0?[0-9]{1,20}(\.[0-9]{1,3})?(e[-+]?[0-9]{1,3})?$/),
    );
    for (const text of fc.sample(cell, { seed: SEED, numRuns: 2000 })) {
      const value = reader().fromText("a", text, place);
      expect(value === null ? "" : String(value)).toBe(text);
    }
  });

  it("keeps JSON values, stores arrays and objects as JSON text, and counts those", () => {
    const columns = reader();
    expect(columns.fromJson("a", 1.5, place)).toBe(1.5);
    expect(columns.fromJson("a", "007", place)).toBe("007");
    expect(columns.fromJson("b", "", place)).toBe("");
    expect(columns.fromJson("b", null, place)).toBeNull();
    expect(columns.fromJson("c", { x: [1] }, place)).toBe('{"x":[1]}');
    expect(columns.fromJson("c", [], place)).toBe("[]");
    expect(columns.fromJson("d", "\ud83c!", place)).toBe("\ufffd!");
    expect([...columns.columns]).toEqual(["a", "b", "c", "d"]);
    expect([...columns.nested]).toEqual([["c", 2]]);
    expect([...columns.illFormed]).toEqual([["d", 1]]);
  });

  it.each([
    ["string", 12, "12"],
    ["string", true, "true"],
    ["string", "", ""],
    ["number", "1e5", 1e5],
    ["number", "007", 7],
    ["number", ".5", 0.5],
    ["number", "", null],
    ["boolean", "true", true],
    ["boolean", false, false],
    ["date", "2020-02-29", "2020-02-29"],
    ["date", "", null],
  ] as const)("converts to a declared %s: %j is %j", (type, value, expected) => {
    const columns = reader({ columns: { a: type } });
    expect(columns.fromJson("a", value, place)).toBe(expected);
  });

  it.each([
    ["number", "x", '"x" in column "a", expected a number'],
    ["number", "1e999", '"1e999" in column "a", expected a number'],
    ["number", " 1", '" 1" in column "a", expected a number'],
    ["number", true, 'true in column "a", expected a number'],
    ["boolean", "yes", '"yes" in column "a", expected true or false'],
    ["boolean", 1, '1 in column "a", expected true or false'],
    ["date", "2021-02-29", '"2021-02-29" in column "a", expected a day, YYYY-MM-DD'],
    ["date", "29/02/2020", '"29/02/2020" in column "a", expected a day, YYYY-MM-DD'],
  ] as const)("refuses for a declared %s: %j", (type, value, message) => {
    const columns = reader({ columns: { a: type } });
    expect(() => columns.fromJson("a", value, place)).toThrow(`line 7: found ${message}`);
  });

  it("reads dates in the column's format, from text and from numbers", () => {
    const columns = reader({ date_formats: { a: "dd/MM/yyyy", n: "yyyyMMdd" } });
    expect(columns.fromText("a", "31/12/2020", place)).toBe("2020-12-31");
    expect(columns.fromText("a", "", place)).toBeNull();
    expect(columns.fromJson("n", 20190731, place)).toBe("2019-07-31");
    expect(() => columns.fromText("a", "31/02/2020", place)).toThrow(
      'found "31/02/2020" in column "a", expected a day in the column\'s date format',
    );
  });
});

describe("compileDateFormat", () => {
  it.each([
    ["dd/MM/yyyy", "01/02/2003", "2003-02-01"],
    ["d.M.yyyy", "1.12.2003", "2003-12-01"],
    ["yyyy-MM-dd'T'HH:mm:ss", "2003-02-01T23:59:59", "2003-02-01"],
    ["yyyy-MM-dd HH:mm", "2003-02-01 23:59", "2003-02-01"],
    ["'(day' d) M yyyy", "(day 4) 5 2006", "2006-05-04"],
  ])("reads %s: %s is %s", (format, text, day) => {
    expect(compileDateFormat(format)(text)).toBe(day);
  });

  it("takes no text that does not fit to the last character", () => {
    const parse = compileDateFormat("dd.MM.yyyy");
    for (const text of ["1.02.2003", "01x02x2003", "01.02.2003 ", "01.02.20033", "", "01.02.2003\n"]) {
      expect(parse(text), text).toBeUndefined();
    }
  });

  it.each(["MM/yyyy", "dd/MM/yy", "dd/MM/yyyy/yyyy", "dd MMM yyyy", "yyyy-MM-ddTHH:mm", "", "YYYY-MM-DD"])(
    "refuses the format %j",
    (format) => {
      expect(() => compileDateFormat(format)).toThrow(`the date format "${format}" has`);
    },
  );
});
