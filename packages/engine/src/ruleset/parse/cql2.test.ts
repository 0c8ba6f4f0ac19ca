import { describe, expect, it } from "vitest";
import type { Fault } from "../../base/errors.ts";
import { EngineError } from "../../base/errors.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import type { ColumnType } from "../../snapshot/manifest.ts";
import { compileFilter, parseFilter } from "./cql2.ts";
import { RulesetFaults } from "./faults.ts";
import type { FilterExpression } from "./schema.ts";

const TYPES: ReadonlyMap<string, ColumnType> = new Map([
  ["t", "boolean"],
  ["f", "boolean"],
  ["u", "boolean"],
  ["number", "number"],
  ["text", "string"],
  ["day", "date"],
]);

function findFaults(filter: unknown): readonly Fault[] {
  const faults = new RulesetFaults();
  const parsed = parseFilter(filter, "", faults);
  if (parsed !== undefined) compileFilter(parsed, "", (name) => TYPES.get(name), faults);
  try {
    faults.throwIfAny();
  } catch (error) {
    if (error instanceof EngineError) return error.details.faults ?? [];
    throw error;
  }
  return [];
}

function answer(filter: FilterExpression, values: Readonly<Record<string, boolean | null>>): boolean | null {
  const faults = new RulesetFaults();
  const { properties, evaluate } = compileFilter(filter, "", (name) => TYPES.get(name), faults);
  faults.throwIfAny();
  return evaluate((i) => values[properties[i] ?? ""] ?? null, new WorkMeter());
}

const values = { t: true, f: false, u: null };
const is = (property: string): FilterExpression => ({ op: "=", args: [{ property }, true] });

describe("three-valued logic", () => {
  it.each([
    // Kleene's tables: operands, and, or
    ["t", "t", true, true],
    ["t", "f", false, true],
    ["t", "u", null, true],
    ["f", "t", false, true],
    ["f", "f", false, false],
    ["f", "u", false, null],
    ["u", "t", null, true],
    ["u", "f", false, null],
    ["u", "u", null, null],
  ])("%s, %s: and gives %s, or gives %s", (a, b, and, or) => {
    expect(answer({ op: "and", args: [is(a), is(b)] }, values)).toBe(and);
    expect(answer({ op: "or", args: [is(a), is(b)] }, values)).toBe(or);
  });

  it("not keeps the unknown unknown", () => {
    const not = (name: string) => answer({ op: "not", args: [is(name)] }, values);
    expect([not("t"), not("f"), not("u")]).toEqual([false, true, null]);
  });

  it("between is false as soon as one bound decides, though the other is unknown", () => {
    const between: FilterExpression = { op: "between", args: [5, 6, { property: "number" }] };
    expect(answer(between, {})).toBe(false);
    expect(answer({ op: "between", args: [5, 4, { property: "number" }] }, {})).toBeNull();
  });
});

describe("a filter's faults", () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? is("t") : { op: "not", args: [nested(levels - 1)] };

  const [T, DAY, NUMBER, TEXT] = ["t", "day", "number", "text"].map((property) => ({ property }));

  it.each<[string, unknown, string, string]>([
    ["an unknown operator", { op: "!=", args: [1, 2] }, "/op", 'did you mean "<>"?'],
    ["a mistyped operator", { op: "betwen", args: [1, 2, 3] }, "/op", 'did you mean "between"?'],
    ["an unknown member", { op: "=", args: [1, 1], arg: 1 }, "/arg", 'did you mean "args"?'],
    ["too few arguments", { op: "=", args: [1] }, "/args", "an array of 2 arguments"],
    ["one operand of and", { op: "and", args: [is("t")] }, "/args", "2 to 256 arguments"],
    ["a literal for a condition", { op: "and", args: [is("t"), true] }, "/args/1", "expected a filter"],
    ["a condition for a value", { op: "=", args: [is("t"), 1] }, "/args/0/op", "expected a value"],
    ["casei for a condition", { op: "casei", args: ["a"] }, "/op", "expected a condition"],
    ["null for a value", { op: "=", args: [T, null] }, "/args/1", 'use "isNull"'],
    ["no property in isNull", { op: "isNull", args: [1] }, "/args/0", "expected a property"],
    [
      "a day that does not exist",
      { op: "<", args: [DAY, { date: "2021-02-29" }] },
      "/args/1/date",
      "YYYY-MM-DD",
    ],
    ["an empty list", { op: "in", args: [1, []] }, "/args/1", "at least one literal"],
    ["a property in a list", { op: "in", args: [1, [NUMBER]] }, "/args/1/0", "expected a literal"],
    ["a pattern that is none", { op: "like", args: [TEXT, 1] }, "/args/1", "expected a pattern"],
    ["a pattern too long", { op: "like", args: [TEXT, "a".repeat(257)] }, "/args/1", "257 characters"],
    ["numbers against strings", { op: "<", args: [NUMBER, "1"] }, "", "a number and a string"],
    ["days against strings", { op: ">", args: [DAY, "2020-01-01"] }, "", '{"date"'],
    ["an order of booleans", { op: "<", args: [T, true] }, "", "found booleans"],
    ["a list of another type", { op: "in", args: [NUMBER, [1, "2"]] }, "/args/1/1", "a number and a string"],
    [
      "casei of a number",
      { op: "=", args: [{ op: "casei", args: [NUMBER] }, "a"] },
      "/args/0/args/0",
      "expected a string",
    ],
    ["like of a number", { op: "like", args: [NUMBER, "a"] }, "/args/0", "expected a string"],
    ["bounds of several types", { op: "between", args: [NUMBER, 1, "2"] }, "", "one type"],
    ["depth", nested(16), `${"/args/0".repeat(16)}`, "16 levels"],
    ["size", { op: "in", args: [1, Array.from({ length: 300 }, () => 1)] }, "/args/1/254", "256"],
    ["a number for a filter", 1, "", "expected a filter"],
    [
      "a property in a list, within casei",
      { op: "in", args: [TEXT, [{ op: "casei", args: [TEXT] }]] },
      "/args/1/0/args/0",
      "expected a literal",
    ],
    ["a property for a pattern", { op: "like", args: [TEXT, TEXT] }, "/args/1", "found a property"],
  ])("%s is reported with its place", (_, filter, pointer, message) => {
    const faults = findFaults(filter);
    expect(faults[0]).toMatchObject({ pointer, message: expect.stringContaining(message) });
  });

  it("are all reported at once", () => {
    const filter = {
      op: "and",
      args: [
        { op: "==", args: [1, 1] },
        { op: "like", args: [1, 2] },
      ],
    };
    expect(findFaults(filter).map(({ pointer }) => pointer)).toEqual(["/args/0/op", "/args/1/args/1"]);
  });

  it("leave a filter of 16 levels and 256 nodes alone", () => {
    expect(findFaults(nested(15))).toEqual([]);
    expect(findFaults({ op: "in", args: [1, Array.from({ length: 254 }, () => 1)] })).toEqual([]);
  });
});
