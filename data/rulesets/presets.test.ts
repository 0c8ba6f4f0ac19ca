import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvaluationInput, Ruleset, Verdict } from "@groundrule/engine";
import { type LintFinding, lintRuleset, parseRuleset } from "@groundrule/engine/rulesets";
import { openData } from "@groundrule/node";
import { GROUP_CUTOFFS } from "@groundrule/node/internal";
import { layOutDemo } from "@groundrule/testing/demo-folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PRESET_PREFIX, presets, presetVersions } from "./index.ts";

const PRESETS = [...presets()];
/** Those that the demo has sources for: it has no register of the CAR, and no maps of commodities and of what became of forests. */
const IN_DEMO = PRESETS.filter(
  ([name]) => name !== "preset.rural-credit-br" && !name.startsWith("preset.whisp-"),
);
/** Soon after the demo's data were collected: sanctions lists are not too old. */
const NOW = "2026-10-05T00:00:00Z";
/**
 * Rulesets published by releases, by the beginning of their SHA-256. A release adds its versions; no line ever
 * changes.
 */
const RELEASED: Readonly<Record<string, string>> = {
  "preset.conservation-units@1": "45102f3570202c95",
  "preset.conservation-units@2": "c35be2c44a9089b1",
  "preset.eudr-style@1": "27a0b920f6ad79f9",
  "preset.eudr@1": "dcbf856a5377f460",
  "preset.forced-labour@1": "7015273152b8f4e9",
  "preset.forced-labour@2": "93e911b7c2cb7c64",
  "preset.indigenous-lands@1": "053ea53fc8310237",
  "preset.indigenous-lands@2": "d93c4622e402c01b",
  "preset.mining@1": "c783eb8c8fde7ae9",
  "preset.mining@2": "61badd512b33651f",
  "preset.quilombola-territories@1": "984e5ca3f600a690",
  "preset.quilombola-territories@2": "203d77471c94de4f",
  "preset.rural-credit-br@1": "9fc80695326a2323",
  "preset.rural-credit-br@2": "af5104c63f09832c",
  "preset.sanctions@1": "3006dfd17e9a55a6",
  "preset.sanctions@2": "6579c90e2ab5c9da",
};
const dir = mkdtempSync(join(tmpdir(), "groundrule-presets-"));
const verdicts = new Map<string, readonly Verdict[]>();
const findings = new Map<string, readonly LintFinding[]>();

beforeAll(async () => {
  const { plots } = await layOutDemo(dir);
  const { engine } = openData(dir);
  for (const [name, ruleset] of IN_DEMO) {
    const policy = engine.compile(ruleset);
    findings.set(name, lintRuleset(engine, ruleset));
    const inputs = plots.map(
      ({ geometry, properties }) => ({ geometry, scheme: properties?.scheme }) as EvaluationInput,
    );
    verdicts.set(
      name,
      inputs.map((input) => policy.evaluate(input, { now: NOW })),
    );
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("the table of groups", () => {
  it("states the days that their members have to reach", () => {
    const page = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
    const rows = [...page.matchAll(/^\| `(preset:\w+)`(?:[^|]*\|){3} (\d{4}-\d\d-\d\d) \|/gm)];
    expect(new Map(rows.map(([, group, day]) => [group, day]))).toEqual(GROUP_CUTOFFS);
  });
});

describe("the presets", () => {
  it("are these", () => {
    expect(PRESETS.map(([name]) => name.slice(PRESET_PREFIX.length))).toEqual([
      "conservation-units",
      "eudr",
      "forced-labour",
      "indigenous-lands",
      "mining",
      "quilombola-territories",
      "rural-credit-br",
      "sanctions",
      "whisp-annual",
      "whisp-perennial",
      "whisp-timber",
    ]);
  });

  it("keep what a release published under a name and a version", () => {
    const digests = presetVersions().map(({ name, version, ruleset }) => [
      `${name}@${version}`,
      createHash("sha256").update(JSON.stringify(ruleset)).digest("hex").slice(0, 16),
    ]);
    expect(Object.fromEntries(digests)).toMatchObject(RELEASED);
  });

  it("leave notes about one publisher's map to its manifest, which verdicts repeat where it is the member", () => {
    const note = /Joint Research|non-mandatory/;
    for (const [name, ruleset] of PRESETS) {
      const { not_examined = [] } = parseRuleset(ruleset);
      expect(
        not_examined.filter((text) => note.test(text)),
        name,
      ).toEqual([]);
    }
    const manifest = new URL("../sources/rasters/jrc_gfc2020_v4.json", import.meta.url);
    expect(JSON.parse(readFileSync(manifest, "utf8")).scope).toMatch(note);
  });

  it("have versions counted from 1, the last of them in force or replaced by another preset", () => {
    const latest = new Map(presetVersions().map((each) => [each.name, each]));
    for (const [name, ruleset] of PRESETS) expect(latest.get(name)?.ruleset).toEqual(ruleset);
    const replaced = [...latest.keys()].filter((name) => !presets().has(name));
    expect(replaced).toEqual(["preset.eudr-style"]);
    for (const name of latest.keys()) {
      const versions = presetVersions().filter((each) => each.name === name);
      expect(versions.map(({ version }) => version)).toEqual(versions.map((_, i) => i + 1));
      expect(versions.map(({ publishedAt }) => publishedAt).sort()).toEqual(
        versions.map(({ publishedAt }) => publishedAt),
      );
    }
  });

  it("name groups that the manifests of real sources join, those for Whisp apart", () => {
    const manifests = new URL("../sources/", import.meta.url);
    const joined = new Set(
      readdirSync(manifests, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".json"))
        .flatMap((file) => JSON.parse(readFileSync(new URL(file, manifests), "utf8")).groups ?? []),
    );
    const named = new Set(PRESETS.flatMap(([, ruleset]) => listSources(parseRuleset(ruleset))));
    // Whisp asks many maps of each kind, of which its users choose.
    expect([...named].filter((name) => !joined.has(name)).sort()).toEqual([
      "preset:agriculture_after_2020",
      "preset:commodities_2020",
      "preset:forest_types_2020",
      "preset:logging_concessions",
      "preset:tree_cover_after_2020",
    ]);
  });
});

describe.each(PRESETS)("%s", (name, ruleset) => {
  it("bears its name, its legal ground, and what it leaves out", () => {
    const { name: own, description, not_examined, checks } = parseRuleset(ruleset);
    expect(own).toBe(name);
    expect(description).toMatch(/\b(art\.|Law|Regulation|Ordinance|CFR|MCR)/);
    expect(not_examined?.length).toBeGreaterThan(1);
    for (const check of checks) {
      expect(check.title).toBeDefined();
      expect(check.description).toBeDefined();
    }
  });

  it("names groups of presets and no source", () => {
    for (const source of listSources(parseRuleset(ruleset))) expect(source).toMatch(/^preset:[a-z0-9_]+$/);
  });

  it("takes the coverage of areas that a manifest declares, and no other", () => {
    for (const set of Object.values(parseRuleset(ruleset).sets)) {
      if ("sources" in set) expect(set.coverage).toBe("declared");
    }
  });
});

describe.each(IN_DEMO)("%s on the demo", (name, ruleset) => {
  it("triggers each check that measures for some plot and not for another, with evidence", () => {
    const measuring = parseRuleset(ruleset).checks.filter((check) =>
      JSON.stringify(check).includes('"set":'),
    );
    const ids = new Set(measuring.map(({ id }) => id));
    const checks = new Map<string, { triggered: number; not: number }>();
    for (const { checks: judged } of verdicts.get(name)!) {
      for (const { id, triggered, evidence } of judged) {
        if (!ids.has(id)) continue;
        const count = checks.get(id) ?? { triggered: 0, not: 0 };
        checks.set(id, count);
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

  it("gives the linter nothing to find", () => {
    expect(findings.get(name)).toEqual([]);
  });

  it("finds some plots compliant and others not", () => {
    const found = new Set(verdicts.get(name)!.map(({ verdict }) => verdict));
    expect(found).toContain("COMPLIANT");
    expect(found).toContain("NON_COMPLIANT");
  });
});

function listSources({ sets }: Ruleset): string[] {
  return Object.values(sets).flatMap((set) =>
    "sources" in set ? set.sources : "registers" in set ? set.registers : [],
  );
}
