import { catchRefusal } from "@groundrule/testing/refusal";
import { describe, expect, it } from "vitest";
import { readPageExamples } from "../../../test/page-examples.ts";
import { readCaseFiles } from "../../../test/ruleset-cases.ts";
import { EngineError } from "../../base/errors.ts";
import { parseRuleset } from "../parse/parse.ts";
import type { Ruleset } from "../parse/schema.ts";
import { rulesetDigest } from "./compile.ts";
import { filterText, formatRuleset } from "./format-ruleset.ts";

const CHECKS = [{ id: "c", set: "s", outcome: "WARNING" as const }];
const withFilters = (...filters: unknown[]) => ({
  sets: Object.fromEntries(filters.map((where, i) => [i === 0 ? "s" : `s${i}`, { sources: ["a"], where }])),
  checks: CHECKS,
});

describe("formatRuleset", () => {
  it("turns text into JSON and JSON into text, and changes nothing else", () => {
    const json = { op: ">", args: [{ property: "detected" }, { date: "2020-12-31" }] };
    const mixed = { name: "x", ...withFilters(json, "detected>date('2020-12-31')", null) };
    const others = { name: "x", checks: CHECKS };
    const sources = ["a"];
    expect(formatRuleset(mixed, { as: "json" })).toEqual({
      ...others,
      sets: { s: { sources, where: json }, s1: { sources, where: json }, s2: { sources, where: null } },
    });
    const where = "detected > DATE('2020-12-31')";
    expect(formatRuleset(JSON.stringify(mixed), { as: "text" })).toEqual({
      ...others,
      sets: { s: { sources, where }, s1: { sources, where }, s2: { sources, where: null } },
    });
  });

  it("keeps the order of members", () => {
    const written =
      '{"checks":[{"set":"s","outcome":"NOTICE","id":"c"}],"sets":{"s":{"where":"a = 1","sources":["a"]}}}';
    expect(JSON.stringify(formatRuleset(written, { as: "text" }))).toBe(written);
  });

  it("keeps the digest of every ruleset of the page and of the case tables, and finds back to its JSON", () => {
    const cases = readCaseFiles().flatMap(({ cases: listed }) => listed.map(({ ruleset }) => ruleset));
    const rulesets = [...readPageExamples().values(), ...cases].filter(isAccepted);
    expect(rulesets.length).toBeGreaterThan(100);
    for (const ruleset of rulesets) {
      const json = formatRuleset(ruleset, { as: "json" });
      const text = formatRuleset(json, { as: "text" });
      expect(rulesetDigest(text)).toBe(rulesetDigest(parseRuleset(ruleset)));
      expect(formatRuleset(text, { as: "json" })).toEqual(json);
      expect(JSON.stringify(text)).not.toContain('"op":"and"');
    }
  });

  it("refuses what is no ruleset, no form, or too large in the other form", () => {
    expect(catchRefusal(() => formatRuleset(withFilters("a = "), { as: "json" })).details.faults).toEqual([
      {
        pointer: "/sets/s/where",
        code: "FILTER_SYNTAX",
        message: "at the end: found nothing, expected a column or a value",
      },
    ]);
    const yaml = { as: "yaml" } as unknown as { as: "json" };
    expect(catchRefusal(() => formatRuleset(withFilters("a = 1"), yaml))).toMatchObject({
      code: "VALIDATION_FAILED",
      details: { faults: [{ pointer: "/as" }] },
    });
    const large = withFilters(
      ...Array.from({ length: 64 }, () => "column_of_numbers=1 OR ".repeat(84).concat("b=1")),
    );
    expect(catchRefusal(() => formatRuleset(large, { as: "json" }))).toMatchObject({
      code: "RULESET_INVALID",
      details: { faults: [{ code: "LIMIT_EXCEEDED" }] },
    });
  });
});

describe("filterText", () => {
  it("writes one spelling of a filter in either form, and refuses what is none", () => {
    expect(filterText({ op: "isNull", args: [{ property: "a" }] })).toBe("a IS NULL");
    expect(filterText(`("a" is null)`)).toBe("a IS NULL");
    const refusal = catchRefusal(() => filterText({ op: "=", args: [1] }));
    expect(refusal).toMatchObject({ code: "RULESET_INVALID", details: { faults: [{ pointer: "/args" }] } });
    expect(catchRefusal(() => filterText("a = b c")).message).toMatch(/^at character 7: found "c"/);
  });
});

function isAccepted(ruleset: unknown): ruleset is Ruleset {
  try {
    parseRuleset(ruleset);
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
