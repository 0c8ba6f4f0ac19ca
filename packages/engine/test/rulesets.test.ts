import { catchRefusal } from "@groundrule/testing/refusal";
import { describe, expect, it } from "vitest";
import { referenceKernel } from "../../reference/src/reference-kernel.ts";
import { exactKernel } from "../src/geometry/kernel/exact-kernel.ts";
import { formatRuleset } from "../src/ruleset/compile/format-ruleset.ts";
import { parseRuleset } from "../src/ruleset/parse/parse.ts";
import type { Verdict } from "../src/verdict/verdict.ts";
import { readPageExamples } from "./page-examples.ts";
import { planarKernel } from "./planar-kernel.ts";
import {
  buildSourceTable,
  type ExpectedCheck,
  evaluateOnTable,
  type RulesetCase,
  readCaseFiles,
} from "./ruleset-cases.ts";

const files = readCaseFiles();
const examples = readPageExamples();

describe.each([
  ["planar", planarKernel],
  ["reference", referenceKernel],
  ["exact", exactKernel],
] as const)("rulesets, measured by the %s kernel", (_, kernel) => {
  describe.each(files)("$about", (file) => {
    it.each(file.cases)("$name", (one: RulesetCase) => {
      const evaluate = () =>
        evaluateOnTable(buildSourceTable(file, one.failed), kernel, readRuleset(one), one.input, one);
      if ("error" in one.expect) {
        const { code, pointers } = catchCodeAndPointers(evaluate);
        expect({ error: code, pointers }).toEqual(one.expect);
        return;
      }
      const verdict = evaluate();
      const { checks = {}, sources = {}, ...members } = one.expect;
      expect(verdict).toMatchObject(members);
      for (const [id, expected] of Object.entries(checks)) expectCheck(verdict, id, expected);
      for (const [name, expected] of Object.entries(sources)) {
        expect(verdict.sources.find(({ source_name }) => source_name === name)).toMatchObject(expected);
      }
    });
  });
});

it("a ruleset with its filters in text has the verdict and the digests of the same in JSON", () => {
  let filtered = 0;
  for (const file of files) {
    for (const one of file.cases) {
      if ("error" in one.expect) continue;
      const table = buildSourceTable(file, one.failed);
      const [json, text] = (["json", "text"] as const).map((as) => {
        const ruleset = formatRuleset(readRuleset(one) as object, { as });
        if (Object.values(ruleset.sets).some((set) => "where" in set && typeof set.where === "string"))
          filtered++;
        return evaluateOnTable(table, planarKernel, ruleset, one.input, one);
      });
      expect(text, one.name).toEqual(json);
    }
  }
  expect(filtered).toBeGreaterThan(40);
});

it("the case table holds at least 150 cases, each with a name of its own", () => {
  const names = files.flatMap(({ cases }) => cases.map(({ name }) => name));
  expect(names.length).toBeGreaterThanOrEqual(150);
  expect(new Set(names).size).toBe(names.length);
});

it("every ruleset on the page is read, and each of its policies has cases", () => {
  for (const ruleset of examples.values()) parseRuleset(ruleset);
  const named = new Set(files.flatMap(({ cases }) => cases.map(({ ruleset }) => ruleset)));
  expect([...examples.keys()].filter((heading) => !named.has(heading))).toEqual(["Rulesets"]);
});

/** A case's ruleset; where it is a name, the one under that heading of the page. */
function readRuleset({ ruleset }: RulesetCase): unknown {
  if (typeof ruleset !== "string") return ruleset;
  const example = examples.get(ruleset);
  if (example === undefined) throw new Error(`the page has no ruleset under "${ruleset}"`);
  return example;
}

function expectCheck(verdict: Verdict, id: string, expected: ExpectedCheck): void {
  const check = verdict.checks.find((found) => found.id === id);
  if (check === undefined) throw new Error(`no check ${id}`);
  const { values, evidence, first, open, ...members } = expected;
  expect(check).toMatchObject(members);
  if (values !== undefined) {
    expect(check.comparisons.length).toBe(values.length);
    check.comparisons.forEach(({ value, measure }, i) => {
      expectNear(value, values[i] ?? null, `${id} ${JSON.stringify(measure)}`, String(measure));
    });
  }
  if (open !== undefined) {
    expect(check.open?.length, `${id} open`).toBe(open.length);
    open.forEach(({ covered_ratio, ...reason }, i) => {
      expect(check.open?.[i], `${id} open ${i}`).toMatchObject(reason);
      if (covered_ratio !== undefined)
        expectNear(check.open?.[i]?.covered_ratio, covered_ratio, `${id} covered_ratio`, "covered_ratio");
    });
  }
  if (evidence !== undefined) expect(check.evidence.map(({ source_id }) => source_id)).toEqual(evidence);
  for (const [name, value] of Object.entries(first ?? {})) {
    expectNear(Reflect.get(check.evidence[0] ?? {}, name), value, `${id} ${name}`, name);
  }
}

/** Models of the earth differ in metres, and in nothing else. */
function expectNear(found: unknown, expected: unknown, what: string, unit: string): void {
  if (typeof found !== "number" || typeof expected !== "number") {
    expect(found ?? null, what).toEqual(expected);
    return;
  }
  const tolerance = /_m2?$/.test(unit) ? Math.abs(expected) * 0.02 : 1e-6;
  expect(Math.abs(found - expected), `${what}: found ${found}, expected ${expected}`).toBeLessThanOrEqual(
    tolerance,
  );
}

function catchCodeAndPointers(ask: () => unknown): { code: string; pointers: readonly string[] } {
  const { code, details } = catchRefusal(ask);
  return { code, pointers: (details.faults ?? []).map(({ pointer }) => pointer) };
}
