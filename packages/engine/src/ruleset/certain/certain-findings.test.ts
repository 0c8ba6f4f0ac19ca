import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildSourceTable, type CaseFile } from "../../../test/ruleset-cases.ts";
import { compileRuleset } from "../compile/compile.ts";
import { lintOnSources } from "../lint/lint.ts";
import { listPolicyWarnings } from "./certain-findings.ts";
import { CERTAIN } from "./findings.ts";

const CLASSES = ["Deforestation", "Degradation", "100% cleared", "ß"];
const WORLD: Pick<CaseFile, "sources" | "groups"> = {
  sources: {
    "demo:clearing": {
      coverage: "global",
      columns: { class: "string", year: "number" },
      areas: CLASSES.map((text, i) => ({
        id: `${i}`,
        boxes: [[0, 0, 5, 5]] as const,
        properties: { class: text, year: 2019 + i },
      })),
    },
    "demo:other": {
      coverage: "global",
      columns: { class: "string" },
      areas: [{ id: "o", boxes: [[0, 0, 5, 5]] as const, properties: { class: "Mining" } }],
    },
  },
  groups: { "demo:all": ["demo:clearing", "demo:other"] },
};
const CHECK = { id: "c", set: "s", measure: "overlap_ratio", value: 0.001, outcome: "NON_COMPLIANT" };

const writeRuleset = (where: string, more: object = {}, check: object = CHECK) => ({
  sets: { s: { sources: ["demo:clearing"], where, ...more } },
  checks: [check],
});
const listWarnings = (ruleset: object, failed: readonly string[] = []) =>
  listPolicyWarnings(compileRuleset(buildSourceTable(WORLD, failed), ruleset)).map(({ code }) => code);
const inFilter = (where: string, more: object = {}, failed: readonly string[] = []) =>
  listWarnings(writeRuleset(where, more), failed);

const NEVER = ["FILTER_NEVER", "CHECK_NEVER"];
const ABSENT = ["VALUE_ABSENT", "CHECK_NEVER"];

describe("what a ruleset and its editions leave no doubt about", () => {
  it.each([
    ["class LIKE 'defor%'", NEVER],
    ["class LIKE 'Defor*'", NEVER],
    ["class LIKE 'd?forestation'", NEVER],
    ["CASEI(class) LIKE 'defor%'", NEVER],
    ["CASEI(class) LIKE CASEI('defor*')", NEVER],
    ["class LIKE CASEI('Defor%')", NEVER],
    ["class = 'deforestation'", ABSENT],
    ["'deforestation' = class", ABSENT],
    ["class = CASEI('Deforestation')", ABSENT],
    ["CASEI(class) = 'Deforestation'", ABSENT],
    ["CASEI(class) = 'ß'", ABSENT],
    ["class = 'Defor%'", ABSENT],
    ["class = 'defor*'", ABSENT],
    ["CASEI(class) = CASEI('Defor*')", ABSENT],
    ["class IN ('deforestation', 'DEGRADATION')", ["VALUE_ABSENT", "VALUE_ABSENT", "CHECK_NEVER"]],
    ["class IN ('deforestation', 'Degradation')", ["VALUE_ABSENT"]],
    ["class <> 'deforestation'", ["VALUE_ABSENT"]],
    ["CASEI(class) <> 'Deforestation'", ["VALUE_ABSENT"]],
    ["NOT (class LIKE 'defor%')", ["FILTER_NEVER"]],
    ["class LIKE 'defor%' OR year > 2019", ["FILTER_NEVER"]],
    ["class LIKE 'defor%' AND year > 2019", NEVER],
    ["class LIKE 'defor%' OR class = 'DEGRADATION'", ["FILTER_NEVER", "VALUE_ABSENT", "CHECK_NEVER"]],
    ["year > 2030", NEVER],
    ["year > 2021 AND year < 2020", NEVER],
  ])("has %s: %j", (where, codes) => {
    expect(inFilter(where)).toEqual(codes);
  });

  it.each([
    "class LIKE 'Defor%'",
    "CASEI(class) LIKE 'DEFOR%'",
    "CASEI(class) LIKE CASEI('defor%')",
    "CASEI(class) = 'DEFORESTATION'",
    "CASEI(class) = 'SS'",
    "class = '100% cleared'",
    "class LIKE '100\\% clea%'",
    // Another edition may have it.
    "class = 'Fire'",
    "class LIKE 'Fire%'",
    "class <> 'Fire'",
    "class IN ('Fire', 'Degradation')",
    "class > 'deforestation'",
    "source_id LIKE 'a%'",
  ])("has no doubt to leave out in %s", (where) => {
    expect(inFilter(where)).toEqual([]);
  });

  it("is not certain of a source that failed, but of what no data can change", () => {
    const both = { sources: ["demo:all"] };
    expect(inFilter("class LIKE 'mining%'", both)).toEqual(NEVER);
    expect(inFilter("class LIKE 'mining%'", both, ["demo:other"])).toEqual([]);
    expect(inFilter("CASEI(class) LIKE 'mining%'", both, ["demo:other"])).toEqual(NEVER);
  });

  it("does not take a set that includes unknown areas for empty", () => {
    expect(inFilter("class LIKE 'defor%'", { unknown: "include" })).toEqual(["FILTER_NEVER"]);
  });

  it("follows empty sets through sets made of them, and leaves distances beyond nothing alone", () => {
    const sets = {
      s: { sources: ["demo:clearing"], where: "class LIKE 'defor%'", within_m: 500 },
      t: { sources: ["demo:clearing"] },
      both: { intersection: ["s", "t"] },
      either: { union: ["s", "t"] },
      less: { difference: ["s", "t"] },
      more: { difference: ["t", "s"] },
    };
    const found = (check: object) => {
      const ruleset = { sets, checks: [{ id: "c", outcome: "WARNING", ...check }] };
      return listWarnings(ruleset).filter((code) => code !== "FILTER_NEVER");
    };
    const overlap = { measure: "overlap_area_m2" };
    expect(found({ set: "both", ...overlap })).toEqual(["CHECK_NEVER"]);
    expect(found({ set: "less", ...overlap })).toEqual(["CHECK_NEVER"]);
    expect(found({ set: "either", ...overlap })).toEqual([]);
    expect(found({ set: "more", ...overlap })).toEqual([]);
    expect(found({ set: "s", measure: { max: "year" }, value: 0 })).toEqual(["CHECK_NEVER"]);
    expect(found({ set: "s", op: "=" })).toEqual([]);
    expect(found({ set: "s", measure: "min_distance_m", op: "<", value: 400 })).toEqual(["CHECK_NEVER"]);
    expect(found({ set: "s", measure: "min_distance_m", op: ">", value: 400 })).toEqual([]);
    const any = [
      { set: "s", ...overlap },
      { set: "t", ...overlap },
    ];
    expect(found({ any })).toEqual(["COMPARISON_NEVER"]);
  });

  it("names where the ruleset has it, and how to mend it", () => {
    const [warning] = listPolicyWarnings(
      compileRuleset(buildSourceTable(WORLD), writeRuleset("class LIKE 'defor%'")),
    );
    expect(warning).toEqual({
      pointer: "/ruleset/sets/s/where",
      code: "FILTER_NEVER",
      message: `at character 12 ("'defor%'"): no area in the editions in use has a "class" like "defor%"; they have "100% cleared", "Deforestation", "Degradation" and 1 more: texts are compared exactly; write CASEI, in JSON "casei", on both sides to ignore case`,
    });
  });

  it("is marked in the findings of lint, by the table of the page", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../../docs/semantics/rulesets.md"), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| certain/gm)].map(([, code]) => code);
    expect(rows.toSorted()).toEqual([...CERTAIN, "VALUE_ABSENT"].toSorted());
    const lint = (where: string) => lintOnSources(buildSourceTable(WORLD), writeRuleset(where));
    for (const where of ["class LIKE 'defor%'", "class = 'Fire'", "year > 2030 AND class = 'DEGRADATION'"]) {
      for (const { code, certain, message } of lint(where)) {
        expect(certain === true, message).toBe(CERTAIN.has(code) || /did you mean "Deg/.test(message));
      }
    }
  });

  it("searches a bounded number of texts, however patterns and texts repeat", () => {
    const areas = Array.from({ length: 9000 }, (_, i) => ({
      id: `${i}`,
      boxes: [[0, 0, 1, 1]] as const,
      properties: { class: `${"a".repeat(200)}${i}` },
    }));
    const table = buildSourceTable({
      sources: { "demo:clearing": { coverage: "global", columns: { class: "string" }, areas } },
    });
    const where = Array.from({ length: 60 }, (_, i) => `class LIKE '${"%a".repeat(100)}${i}b'`).join(" OR ");
    const before = process.cpuUsage();
    expect(listPolicyWarnings(compileRuleset(table, writeRuleset(where)))).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000, "milliseconds of CPU").toBeLessThan(2000);
  });
});

describe("one side of CASEI", () => {
  it("never equals a text that has another upper case: capitals have no other", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const capitals = String.fromCodePoint(code).toUpperCase();
      if (capitals.toUpperCase() !== capitals) expect.fail(`U+${code.toString(16)}`);
    }
  });
});
