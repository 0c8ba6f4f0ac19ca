import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvaluationInput, Ruleset, Verdict } from "@groundrule/engine";
import { type LintFinding, lintRuleset, parseRuleset } from "@groundrule/engine/rulesets";
import { openData } from "@groundrule/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDemo } from "../demo/index.ts";
import { PRESET_PREFIX, presets } from "./index.ts";

const PRESETS = [...presets()];
const dir = mkdtempSync(join(tmpdir(), "groundrule-presets-"));
const verdicts = new Map<string, readonly Verdict[]>();
const findings = new Map<string, readonly LintFinding[]>();

beforeAll(async () => {
  const { plots } = await buildDemo(dir);
  const { engine } = openData(dir);
  for (const [name, ruleset] of PRESETS) {
    const policy = engine.compile(ruleset);
    findings.set(name, lintRuleset(engine, ruleset));
    const inputs = plots.map(
      ({ geometry, properties }) => ({ geometry, scheme: properties?.scheme }) as EvaluationInput,
    );
    verdicts.set(
      name,
      inputs.map((input) => policy.evaluate(input, { now: "2026-11-20T00:00:00Z" })),
    );
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("the presets", () => {
  it("are these", () => {
    expect(PRESETS.map(([name]) => name.slice(PRESET_PREFIX.length))).toEqual([
      "conservation-units",
      "eudr-style",
      "forced-labour",
      "indigenous-lands",
      "mining",
      "quilombola-territories",
      "rural-credit-br",
      "sanctions",
    ]);
  });

  it("name groups that the manifests of real sources join, or that none is published for", () => {
    const manifests = new URL("../sources/", import.meta.url);
    const joined = new Set(
      readdirSync(manifests).flatMap(
        (file) => JSON.parse(readFileSync(new URL(file, manifests), "utf8")).groups ?? [],
      ),
    );
    const named = new Set(PRESETS.flatMap(([, ruleset]) => sourcesOf(parseRuleset(ruleset))));
    // No redistributable embargoes or dated forest loss are known; their users bring their own.
    expect([...named].filter((name) => !joined.has(name)).sort()).toEqual([
      "preset:embargoes",
      "preset:forest_loss",
    ]);
  });
});

describe.each(PRESETS)("%s", (name, ruleset) => {
  it("bears its name, its legal ground, and what it leaves out", () => {
    const { name: own, description, checks } = parseRuleset(ruleset);
    expect(own).toBe(name);
    expect(description).toMatch(/\b(art\.|Law|Regulation|Ordinance|CFR|MCR)/);
    expect(description).toMatch(/Style:|screening distance/);
    for (const check of checks) {
      expect(check.title).toBeDefined();
      expect(check.description).toBeDefined();
    }
  });

  it("names groups of presets and no source", () => {
    for (const source of sourcesOf(parseRuleset(ruleset))) expect(source).toMatch(/^preset:[a-z_]+$/);
  });

  it("triggers each check for some plot of the demo and not for another, with evidence", () => {
    const checks = new Map<string, { triggered: number; not: number }>();
    for (const { checks: judged } of verdicts.get(name)!) {
      for (const { id, triggered, status, evidence } of judged) {
        const count = checks.get(id) ?? { triggered: 0, not: 0 };
        checks.set(id, count);
        expect(status).toBe("ok");
        if (triggered) count.triggered++;
        else count.not++;
        if (triggered) expect(evidence.length).toBeGreaterThan(0);
      }
    }
    for (const [id, count] of checks) {
      // Register entries, distances and dates are drawn at random; the seed is chosen so that all occur.
      expect({ id, triggered: count.triggered > 0, not: count.not > 0 }).toEqual({
        id,
        triggered: true,
        not: true,
      });
    }
  });

  it("gives the linter nothing to find but the dates that are missing, which a check asks for", () => {
    const codes = findings.get(name)!.map(({ code }) => code);
    expect(codes).toEqual(name === "preset.eudr-style" ? ["NULLS_IN_COLUMN"] : []);
  });

  it("finds some plots compliant and others not", () => {
    const found = new Set(verdicts.get(name)!.map(({ verdict }) => verdict));
    expect(found).toContain("COMPLIANT");
    expect(found).toContain("NON_COMPLIANT");
  });
});

function sourcesOf({ sets }: Ruleset): string[] {
  return Object.values(sets).flatMap((set) =>
    "sources" in set ? set.sources : "registers" in set ? set.registers : [],
  );
}
