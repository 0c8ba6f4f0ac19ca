import { catchRefusal } from "@groundrule/testing/refusal";
import { describe, expect, it } from "vitest";
import { buildSourceTable, type CaseFile } from "../../../test/ruleset-cases.ts";
import { parseRuleset } from "../parse/parse.ts";
import { compileRuleset, rulesetDigest } from "./compile.ts";

const data: Pick<CaseFile, "sources" | "groups"> = {
  sources: {
    "demo:parks": { columns: { size: "number", kind: "string" }, areas: [] },
    "demo:lands": { columns: { size: "string" }, areas: [] },
    "demo:list": { schemes: ["br:cnpj"], records: [] },
  },
  groups: { all_lands: ["demo:parks", "demo:lands"], mixed: ["demo:parks", "demo:list"] },
};
const table = buildSourceTable(data);

function catchCompileRefusal(sets: object, check: object = {}): { code: string; faults: unknown } {
  const checks = [{ id: "c", set: "s", outcome: "WARNING", ...check }];
  const { code, details } = catchRefusal(() => compileRuleset(table, { sets, checks }));
  return { code, faults: details.faults };
}

const about = (pointer: string, message: string) =>
  expect.objectContaining({ pointer, message: expect.stringContaining(message) });

describe("compileRuleset", () => {
  it("names the source that a mistyped name most resembles", () => {
    expect(catchCompileRefusal({ s: { sources: ["demo:park"] } })).toEqual({
      code: "SOURCE_UNKNOWN",
      faults: [about("/sets/s/sources/0", 'did you mean "demo:parks"?')],
    });
  });

  it("reports the kind of a register named as a source, of a source named as a register, and of a group's member", () => {
    expect(catchCompileRefusal({ s: { sources: ["demo:list"] } })).toEqual({
      code: "SOURCE_UNKNOWN",
      faults: [about("/sets/s/sources/0", '"demo:list", a subject_register')],
    });
    expect(catchCompileRefusal({ s: { registers: ["demo:parks"] } })).toEqual({
      code: "SOURCE_UNKNOWN",
      faults: [about("/sets/s/registers/0", '"demo:parks", a leaf')],
    });
    expect(catchCompileRefusal({ s: { sources: ["mixed"] } })).toEqual({
      code: "SOURCE_UNKNOWN",
      faults: [about("/sets/s/sources/0", 'group "mixed" with "demo:list", a subject_register')],
    });
  });

  it("refuses a property that some source of the set does not have, naming the source", () => {
    const where = { op: "=", args: [{ property: "kinds" }, "a"] };
    expect(catchCompileRefusal({ s: { sources: ["demo:parks"], where } })).toEqual({
      code: "RULESET_INVALID",
      faults: [about("/sets/s/where/args/0/property", 'did you mean "kind"?')],
    });
    const other = { op: "=", args: [{ property: "kind" }, "a"] };
    expect(
      catchCompileRefusal({ s: { sources: ["demo:parks", "demo:lands"], where: other } }).faults,
    ).toEqual([about("/sets/s/where/args/0/property", '"demo:lands" does not have')]);
  });

  it("reports a fault of a filter in text by its place in the text", () => {
    const where = `name = 'x' AND (kinds = 'a' OR kind = "b" OR size < 'c')`;
    expect(catchCompileRefusal({ s: { sources: ["demo:parks"], where } })).toEqual({
      code: "RULESET_INVALID",
      faults: [
        about(
          "/sets/s/where",
          'at character 17 ("kinds"): found "kinds", which source "demo:parks" does not have',
        ),
        about(
          "/sets/s/where",
          `at character 39 ("b"): found "b", which source "demo:parks" does not have, expected a column that every source of the set has; write a name in double quotes, a text in single quotes: '…'`,
        ),
        about("/sets/s/where", `at character 46 ("size < 'c'"): found a number and a string`),
      ],
    });
  });

  it("distinguishes faults of filters whose sets' names begin alike, and leaves others' pointers", () => {
    const json = { op: "=", args: [{ property: "x" }, 1] };
    const sources = ["demo:parks"];
    expect(
      catchCompileRefusal({
        s: { sources, where: "x = 1" },
        s_1: { sources, where: json },
        s_2: { sources, where: "1 = y" },
      }).faults,
    ).toEqual([
      about("/sets/s/where", "at character 1"),
      about("/sets/s_1/where/args/0/property", 'found "x"'),
      about("/sets/s_2/where", "at character 5"),
    ]);
  });

  it("compiles a filter in text to the plan and digest of its JSON, and keeps the text", () => {
    const where = { op: "not", args: [{ op: "like", args: [{ property: "kind" }, "a%"] }] };
    const compile = (filter: unknown) =>
      compileRuleset(table, {
        sets: { s: { sources: ["demo:parks"], where: filter } },
        checks: [{ id: "c", set: "s", outcome: "WARNING" }],
      });
    const [text, json] = [compile("kind NOT LIKE 'a%'"), compile(where)];
    expect(text.digest).toBe(json.digest);
    expect(JSON.stringify(text.sets)).toBe(JSON.stringify(json.sets));
    expect(text.ruleset.sets).toMatchObject({ s: { where: "kind NOT LIKE 'a%'" } });
  });

  it("refuses a property of different types in the sources of a set", () => {
    const where = { op: "isNull", args: [{ property: "size" }] };
    expect(catchCompileRefusal({ s: { sources: ["all_lands"], where } })).toEqual({
      code: "RULESET_INVALID",
      faults: [
        about("/sets/s/where/args/0/property", 'a string in "demo:lands" and a number in "demo:parks"'),
      ],
    });
  });

  it("refuses a sum over a column that is no number, or is none", () => {
    const sets = { s: { sources: ["demo:parks"] } };
    expect(catchCompileRefusal(sets, { measure: { sum: "kind" } }).faults).toEqual([
      about("/checks/0/measure/sum", "expected a column of numbers"),
    ]);
    expect(catchCompileRefusal(sets, { measure: { max: "sise" } }).faults).toEqual([
      about("/checks/0/measure/max", 'did you mean "size"?'),
    ]);
  });

  it("reports faults of sources and of types together, and both of sets no check reaches", () => {
    const where = { op: "<", args: [{ property: "size" }, "a"] };
    const { code, faults } = catchCompileRefusal({
      s: { sources: ["demo:parks"] },
      t: { sources: ["demo:parks"], where },
      u: { sources: ["nowhere"] },
    });
    expect(code).toBe("RULESET_INVALID");
    expect(faults).toEqual([
      about("/sets/t/where", "a number and a string"),
      about("/sets/u/sources/0", "not an available source"),
    ]);
  });

  it("takes a failed source's name, kind and types from its manifest", () => {
    const broken = buildSourceTable(data, ["demo:parks", "demo:list"]);
    const compile = (property: string) =>
      compileRuleset(broken, {
        sets: { s: { sources: ["demo:parks"], where: { op: "=", args: [{ property }, "a"] } } },
        checks: [{ id: "c", set: "s", outcome: "WARNING" }],
      });
    expect(compile("kind").sources.map(({ manifest }) => manifest.source_name)).toEqual(["demo:parks"]);
    expect(() => compile("size")).toThrow(expect.objectContaining({ code: "RULESET_INVALID" }));
  });
});

describe("a hostile ruleset", () => {
  it("of two thousand long unknown names costs no more than the hundred faults shown", () => {
    const many = buildSourceTable({
      sources: Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [`${"ab".repeat(30)}${i}`, { areas: [] }]),
      ),
    });
    const names = (set: number) => Array.from({ length: 32 }, (_, i) => `${"ba".repeat(29)}${set}_${i}`);
    const sets = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`s${i}`, { sources: names(i) }]));
    const before = process.cpuUsage();
    expect(() =>
      compileRuleset(many, { sets, checks: [{ id: "c", set: "s0", outcome: "WARNING" }] }),
    ).toThrow(
      expect.objectContaining({
        code: "SOURCE_UNKNOWN",
        details: expect.objectContaining({ fault_count: 2048 }),
      }),
    );
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000, "milliseconds of CPU").toBeLessThan(5000);
  });
});

describe("a ruleset's digest", () => {
  const plain = {
    sets: {
      s: { sources: ["demo:parks"] },
      n: { sources: ["demo:parks"], within_m: 5, country_iso3: "bra" },
      l: { registers: ["demo:list"] },
    },
    checks: [
      { id: "c", set: "s", outcome: "WARNING" },
      { id: "d", any: [{ set: "n" }], outcome: "NOTICE" },
    ],
  };
  const written = {
    name: "named",
    description: "told",
    sets: {
      l: { match: "equals", registers: ["demo:list"] },
      n: { country_iso3: ["BRA"], min_m: 0, unknown: "open", within_m: 5, sources: ["demo:parks"] },
      s: { unknown: "open", relation: "intersects", sources: ["demo:parks"] },
    },
    checks: [
      { value: 0, op: ">", measure: "count", outcome: "WARNING", set: "s", id: "c" },
      { outcome: "NOTICE", any: [{ value: 0, op: ">", measure: "count", set: "n" }], id: "d" },
    ],
  };
  const computeDigest = (ruleset: unknown) => rulesetDigest(parseRuleset(ruleset));

  it("is the same whether defaults are written or not, in any order of members, under any name", () => {
    expect(computeDigest(written)).toBe(computeDigest(plain));
    expect(computeDigest(plain)).toMatch(/^[0-9a-f]{64}$/);
    expect(compileRuleset(table, plain).digest).toBe(computeDigest(plain));
  });

  it("is that of `open` where a set with a filter does not mention unknown areas, and differs for a waiver", () => {
    const digests = (set: object) =>
      [{}, { unknown: "open" }, { unknown: "exclude" }, { unknown: "include" }].map((unknown) =>
        computeDigest({ ...plain, sets: { ...plain.sets, s: { ...plain.sets.s, ...set, ...unknown } } }),
      );
    for (const set of [{ where: "name = 'a'" }, { country_iso3: "BRA" }, {}]) {
      const [written, open, ...others] = digests(set);
      expect(open).toBe(written);
      expect(new Set([open, ...others]).size).toBe(3);
    }
  });

  it("changes with every member of a check or a set", () => {
    const digest = computeDigest(plain);
    const [first, second] = plain.checks;
    expect(computeDigest({ ...plain, checks: [{ ...first, value: 1 }, second] })).not.toBe(digest);
    const titled = computeDigest({ ...plain, checks: [{ ...first, title: "T" }, second] });
    expect(titled).not.toBe(digest);
    // Translations are for readers alone.
    const translated = { ...first, title: "T", titles: { pt: "T em português" } };
    expect(computeDigest({ ...plain, checks: [translated, second] })).toBe(titled);
    expect(computeDigest({ ...plain, sets: { ...plain.sets, s: { sources: ["demo:lands"] } } })).not.toBe(
      digest,
    );
    expect(computeDigest({ ...plain, checks: [second, first] })).not.toBe(digest);
  });
});
