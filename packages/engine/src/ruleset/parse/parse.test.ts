import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../base/errors.ts";
import { rulesetJsonSchema } from "./json-schema.ts";
import { parseRuleset } from "./parse.ts";

const check = { id: "c", set: "s", outcome: "WARNING" };
const sets = { s: { sources: ["demo:parks"] }, l: { registers: ["demo:list"] } };
const ruleset = (members: object) => ({ sets, checks: [check], ...members });
const withSet = (set: unknown) => ruleset({ sets: { ...sets, x: set } });
const withCheck = (members: object) => ruleset({ checks: [{ ...check, ...members }] });

function findFaults(input: unknown): { code: string; pointer: string; message: string }[] {
  try {
    parseRuleset(input);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect(error.code).toBe("RULESET_INVALID");
    return [...(error.details.faults ?? [])];
  }
  return [];
}

describe("parseRuleset", () => {
  it("reads the same ruleset from text and from a value", () => {
    const value = ruleset({ name: "forest-plots", description: "No clearing since 2021." });
    expect(parseRuleset(JSON.stringify(value))).toEqual(value);
    expect(parseRuleset(value)).toEqual(value);
  });

  it("takes a member that is null, or undefined, for absent", () => {
    const sent = ruleset({
      name: null,
      sets: { s: { sources: ["demo:parks"], where: null, country_iso3: undefined } },
      checks: [{ ...check, of: null, title: null, all: null }],
    });
    expect(parseRuleset(sent)).toEqual({ sets: { s: { sources: ["demo:parks"] } }, checks: [check] });
    const listed = ruleset({ checks: [{ id: "c", outcome: "NOTICE", any: [{ set: "s", value: null }] }] });
    expect(parseRuleset(listed).checks).toEqual([{ id: "c", outcome: "NOTICE", any: [{ set: "s" }] }]);
  });

  const refuses = (input: unknown, pointer: string, code: string, message: string) =>
    expect(findFaults(input)).toContainEqual({ pointer, code, message: expect.stringContaining(message) });

  it.each<[unknown, string, string, string]>([
    ["{", "", "JSON_INVALID", "not acceptable JSON"],
    ['{"sets":{},"checks":[],"sets":{"s":{}}}', "/sets", "JSON_INVALID", "already has a member"],
    ['{"sets":{"s":{"a_m":1,"a\\u005fm":9}}}', "/sets/s/a_m", "JSON_INVALID", "byte 22"],
    ['{"checks":[{"value":1e999}]}', "/checks/0/value", "JSON_INVALID", "beyond"],
    [[], "", "TYPE_MISMATCH", "an empty array, expected a ruleset"],
    [{ checks: [check] }, "/sets", "MEMBER_MISSING", "found nothing"],
    [{ sets }, "/checks", "MEMBER_MISSING", "1 to 128 checks"],
    [ruleset({ checks: [] }), "/checks", "LIMIT_EXCEEDED", "1 to 128"],
    [ruleset({ cheks: [] }), "/cheks", "MEMBER_UNKNOWN", 'did you mean "checks"?'],
    [JSON.parse('{"checks":[],"__proto__":{"x":1}}'), "/__proto__", "MEMBER_UNKNOWN", "__proto__"],
    [ruleset({ sets: { Parks: {} } }), "/sets/Parks", "VALUE_INVALID", "beginning with a letter"],
    [JSON.parse('{"sets":{"__proto__":{}}}'), "/sets/__proto__", "VALUE_INVALID", "__proto__"],
    [ruleset({ checks: [check, check] }), "/checks/1/id", "NAME_DUPLICATE", "/checks/0"],
  ])("refuses the ruleset %j", refuses);

  it.each<[object, string, string, string]>([
    [{ source: ["a"] }, "", "MEMBER_MISSING", 'did you mean "sources"?'],
    [{ sources: ["a"], registers: ["b"] }, "", "MEMBERS_EXCLUSIVE", "exactly one of"],
    [{ sources: [] }, "/sources", "VALUE_INVALID", "at least 1 entry"],
    [{ sources: Array(33).fill("a") }, "/sources", "VALUE_INVALID", "at most 32 entries"],
    [{ sources: ["a"], relation: "intersect" }, "/relation", "VALUE_INVALID", 'mean "intersects"?'],
    [{ sources: ["a"], relation: "touches", within_m: 5 }, "/relation", "MEMBERS_EXCLUSIVE", "one of them"],
    [{ sources: ["a"], min_m: 5 }, "/min_m", "MEMBER_MISSING", "within_m"],
    [{ sources: ["a"], min_m: 5, within_m: 4 }, "/min_m", "VALUE_INVALID", "at most within_m, 4"],
    [{ sources: ["a"], within_m: -1 }, "/within_m", "VALUE_INVALID", "at least 0"],
    [{ sources: ["a"], within_m: "5" }, "/within_m", "TYPE_MISMATCH", 'found "5", expected a number'],
    [{ sources: ["a"], country_iso3: "BRZ" }, "/country_iso3", "COUNTRY_UNKNOWN", "expected an ISO 3166-1"],
    [{ sources: ["a"], country_iso3: ["BR"] }, "/country_iso3/0", "VALUE_INVALID", "ISO 3166-1 alpha-3"],
    [{ sources: ["a"], where: { op: "=", args: [1] } }, "/where/args", "VALUE_INVALID", "2 arguments"],
    [{ sources: ["a"], were: {} }, "/were", "MEMBER_UNKNOWN", 'did you mean "where"?'],
    [{ union: ["s"] }, "/union", "VALUE_INVALID", "at least 2 entries"],
    [{ union: ["s", "parks"] }, "/union/1", "SET_UNKNOWN", "expected the name of a set"],
    [{ difference: ["s", "l"] }, "/difference/1", "SET_UNSUITED", "a set of areas"],
    [{ union: ["s", "x"] }, "", "SET_CYCLE", "in terms of itself"],
    [{ registers: ["a"], match: "roots" }, "/match", "VALUE_INVALID", 'did you mean "root"?'],
  ])("refuses the set %j", (set, below, ...fault) => refuses(withSet(set), `/sets/x${below}`, ...fault));

  it.each<[object, string, string, string]>([
    [{ set: null, sets: "s" }, "", "MEMBER_MISSING", 'did you mean "set"?'],
    [{ all: [{ set: "s" }] }, "", "MEMBERS_EXCLUSIVE", "exactly one of"],
    [{ id: "a b" }, "/id", "VALUE_INVALID", "a check's id"],
    [{ outcome: "NONCOMPLIANT" }, "/outcome", "VALUE_INVALID", 'did you mean "NON_COMPLIANT"?'],
    [{ set: "ss" }, "/set", "SET_UNKNOWN", "expected the name of a set"],
    [{ measure: "overlap_area" }, "/measure", "VALUE_INVALID", 'did you mean "overlap_area_m2"?'],
    [{ measure: "sum" }, "/measure", "VALUE_INVALID", '{"sum": "<column>"}'],
    [{ measure: { avg: "n", of: "n" } }, "/measure/of", "MEMBER_UNKNOWN", 'expected one of "avg"'],
    [{ op: "=>" }, "/op", "VALUE_INVALID", "one of >, >="],
    [{ value: "1" }, "/value", "VALUE_INVALID", 'found "1", expected a number'],
    [{ color: "red" }, "/color", "VALUE_INVALID", "#rrggbb"],
    [{ set: "l", measure: "min_distance_m" }, "/measure", "MEASURE_UNSUITED", "expected one of count"],
    [{ of: "s" }, "/of", "MEASURE_UNSUITED", 'only with "overlap_ratio"'],
    [{ measure: "overlap_ratio", of: "l" }, "/of", "SET_UNSUITED", "a set of areas"],
    [{ set: null, all: [{ set: "s", mesure: 1 }] }, "/all/0/mesure", "MEMBER_UNKNOWN", 'mean "measure"?'],
    [{ set: null, all: [{}] }, "/all/0/set", "MEMBER_MISSING", "found nothing"],
    [{ title: "\ud800" }, "/title", "VALUE_INVALID", "lone surrogate"],
  ])("refuses the check %j", (members, below, ...fault) =>
    refuses(withCheck(members), `/checks/0${below}`, ...fault),
  );

  it("refuses sums over derived sets, and every measure but a count of subjects", () => {
    const measures = [
      "overlap_area_m2",
      "overlap_ratio",
      "max_overlap_area_m2",
      "area_overlap_ratio",
      "min_distance_m",
      { sum: "n" },
    ];
    const derived = { ...sets, u: { union: ["s", "s"] } };
    const allowed = (set: string) =>
      measures.filter(
        (measure) => findFaults({ sets: derived, checks: [{ ...check, set, measure }] }).length === 0,
      );
    expect(allowed("s")).toEqual(measures);
    expect(allowed("u")).toEqual(["overlap_area_m2", "overlap_ratio"]);
    expect(allowed("l")).toEqual([]);
  });

  it("reports every fault at once, at most 100, and how many there are", () => {
    const many = ruleset({
      checks: Array.from({ length: 120 }, (_, i) => ({ id: `c${i}`, set: "none", outcome: "WARNING" })),
    });
    expect(() => parseRuleset(many)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({
          fault_count: 120,
          faults: expect.objectContaining({ length: 100 }),
        }),
      }),
    );
  });

  it("allows five levels of derived sets, 64 sets and 128 checks, and no more", () => {
    const tower = (levels: number) => {
      const all: Record<string, unknown> = { s: { sources: ["a"] }, level0: { sources: ["a"] } };
      for (let i = 1; i <= levels; i++) all[`level${i}`] = { union: [`level${i - 1}`, "s"] };
      return { sets: all, checks: [check] };
    };
    expect(findFaults(tower(5))).toEqual([]);
    expect(findFaults(tower(6))).toEqual([
      expect.objectContaining({ pointer: "/sets/level6", code: "LIMIT_EXCEEDED" }),
    ]);
    const many = (setCount: number, checkCount: number) => ({
      sets: Object.fromEntries(
        Array.from({ length: setCount }, (_, i) => [i === 0 ? "s" : `s${i}`, { sources: ["a"] }]),
      ),
      checks: Array.from({ length: checkCount }, (_, i) => ({ ...check, id: `c${i}` })),
    });
    expect(findFaults(many(64, 128))).toEqual([]);
    expect(findFaults(many(65, 1))).toContainEqual(
      expect.objectContaining({ pointer: "/sets", code: "LIMIT_EXCEEDED" }),
    );
    expect(findFaults(many(1, 129))).toEqual([
      expect.objectContaining({ pointer: "/checks", code: "LIMIT_EXCEEDED" }),
    ]);
  });

  it("refuses more than 256 KiB, as text or as a value, counted in bytes", () => {
    const large = ruleset({
      checks: Array.from({ length: 128 }, (_, i) => ({
        ...check,
        id: `c${i}`,
        description: "é".repeat(1100),
      })),
    });
    const faults = [expect.objectContaining({ pointer: "", code: "LIMIT_EXCEEDED" })];
    expect(findFaults(large)).toEqual(faults);
    expect(findFaults(JSON.stringify(large))).toEqual(faults);
  });

  it("refuses a thousand levels, a cycle and a tangle of sets without exhausting anything", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 5000; i++) deep = [deep];
    expect(findFaults(withSet({ sources: ["a"], where: deep })).length).toBeGreaterThan(0);
    expect(findFaults(`${"[".repeat(100_000)}`).length).toBeGreaterThan(0);
    expect(findFaults(`{"sets":${"[".repeat(50_000)}${"]".repeat(50_000)}}`).length).toBeGreaterThan(0);
    const tangle = Object.fromEntries(
      Array.from({ length: 64 }, (_, i) => [
        `s${i}`,
        { union: Array.from({ length: 32 }, (_, j) => `s${(i + j + 1) % 64}`) },
      ]),
    );
    expect(findFaults({ sets: tangle, checks: [{ ...check, set: "s0" }] }).length).toBeGreaterThan(0);
  });

  it("refuses or reads any JSON whatever, and throws nothing else", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (a, b, c) => {
        for (const input of [
          a,
          { sets: a, checks: b },
          { sets: { s: a }, checks: [b, c] },
          withSet({ sources: ["a"], where: a }),
        ]) {
          findFaults(input);
        }
      }),
      { seed: 20267, numRuns: 300 },
    );
  });
});

describe("rulesetJsonSchema", () => {
  const accepts = new Ajv2020({ formats: { date: true } }).compile(rulesetJsonSchema());

  it("accepts what the parser accepts", () => {
    const where = {
      op: "and",
      args: [
        { op: ">", args: [{ property: "d" }, { date: "2020-12-31" }] },
        { op: "in", args: [{ property: "k" }, ["a", 1]] },
      ],
    };
    const valid = {
      name: "forest-plots",
      sets: {
        near: {
          sources: ["demo:parks"],
          within_m: 100,
          min_m: 1,
          country_iso3: ["BRA"],
          unknown: "include",
          where,
        },
        s: { sources: ["demo:parks"], relation: "covers" },
        u: { difference: ["near", "s"] },
        l: { registers: ["demo:list"], match: "root", asks: "owner" },
      },
      checks: [
        {
          id: "a",
          set: "u",
          measure: "overlap_ratio",
          of: "s",
          op: ">=",
          value: 0.5,
          outcome: "NON_COMPLIANT",
          color: "#aabbcc",
        },
        { id: "b", all: [{ set: "s", measure: { sum: "n" } }], outcome: "WARNING" },
        { id: "c", any: [{ set: "l" }], outcome: "NOTICE", title: "Listed" },
      ],
    };
    expect(findFaults(valid)).toEqual([]);
    expect(accepts(valid)).toBe(true);
  });

  it("refuses unknown members, wrong types and bad names, as the parser does", () => {
    const invalid = [
      {},
      withSet({ source: ["a"] }),
      withSet({ sources: ["a"], were: 1 }),
      withSet({ sources: ["a"], where: { op: "!=", args: [1, 2] } }),
      withCheck({ op: "=>" }),
      withCheck({ id: "a b" }),
      ruleset({ checks: [] }),
    ];
    for (const value of invalid) {
      expect(findFaults(value).length).toBeGreaterThan(0);
      expect(accepts(value)).toBe(false);
    }
  });
});
