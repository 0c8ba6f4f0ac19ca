import { presets } from "@groundrule/data/rulesets";
import type { PageWords } from "@groundrule/words";
import { loadPageLanguage } from "@groundrule/words/load";
import { describe, expect, it } from "vitest";
import type { Answerer } from "../answering/answerer.ts";
import {
  describeNeededSources,
  formatInstallCommand,
  loadRulesetFacts,
  type Manifest,
} from "./ruleset-needs.ts";

const [en, es, pt] = (await Promise.all(
  (["en", "es", "pt"] as const).map(async (tag) => (await loadPageLanguage(tag)).words),
)) as [PageWords, PageWords, PageWords];

const MANIFESTS: readonly Manifest[] = [
  ["br_funai_indigenous_lands_2023", 440_976, "br:funai", "br:indigenous", "preset:indigenous_lands"],
  ["amazon_mining_scars_2019_2025", 4_956_939, "amw:mining_scars", "preset:mining"],
];

/** An answerer with these sources and groups, and the presets. */
function createAnswerer(...names: readonly string[]): Answerer {
  const answerer: Pick<Answerer, "ruleset" | "sources"> = {
    ruleset: async (id) => ({ name: id, body: presets().get(id)! }),
    sources: async () =>
      [...names, "old:member"].map((source_name) => ({
        source_name,
        source_dataset: source_name,
        kind: "group",
        feature_count: 1,
        ...(source_name.startsWith("preset:")
          ? { members: ["old:member"] }
          : { observed_until: "2025-11-01", collected_at_latest: "2026-01-01T00:00:00Z" }),
      })),
  };
  return answerer as Answerer;
}

describe("what a ruleset needs", () => {
  it("lists for a preset what is here and of which day, and what is missing, its command and its bytes", async () => {
    const here = ["preset:mining", "old:member", "other:source"];
    const by = createAnswerer(...here);
    const facts = await loadRulesetFacts(by, { id: "preset.mining" }, MANIFESTS);
    expect(facts.needed).toEqual([
      { name: "preset:indigenous_lands", isHere: false, day: undefined, manifests: [MANIFESTS[0]] },
      { name: "preset:mining", isHere: true, day: "2025-11-01", manifests: [] },
    ]);
    expect(describeNeededSources(facts.needed)).toBe(
      "1 of 2 sources here, oldest of 2025-11-01; 1 missing: 0.44 MB",
    );
    const unknown = await loadRulesetFacts(by, { id: "preset.mining" }, [
      ["a", null, "preset:indigenous_lands"],
    ]);
    expect(describeNeededSources(unknown.needed)).toMatch(/; 1 missing: bytes unknown$/);
    const words = [en, es, pt].map((say) => say.rulesetNeeds(1, 2, "2025-11-01", 1, "5 MB"));
    expect(words.slice(1)).toEqual([
      "1 de 2 fuentes aquí, la más antigua del 2025-11-01; faltan 1: 5 MB",
      "1 de 2 fontes aqui, a mais antiga de 2025-11-01; em falta: 1, 5 MB",
    ]);
  });

  it("is all here where nothing is missing", async () => {
    const all = createAnswerer("preset:mining", "preset:indigenous_lands");
    const { needed } = await loadRulesetFacts(all, { id: "preset.mining" }, MANIFESTS);
    expect(describeNeededSources(needed)).toBe("2 of 2 sources here, oldest of 2025-11-01");
  });

  it("comes with the command that lists how to get it: of a preset by its name, else of a file", () => {
    const command = "groundrule sources list --needed-by";
    expect(formatInstallCommand({ id: "preset.eudr@2" })).toBe(`${command} preset.eudr@2`);
    expect(formatInstallCommand({ id: "saved" })).toBe(`${command} FILE`);
    expect(formatInstallCommand({ body: {} })).toBe(`${command} FILE`);
  });
});
