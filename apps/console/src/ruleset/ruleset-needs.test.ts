import { presets } from "@groundrule/data/rulesets";
import { describe, expect, it } from "vitest";
import type { Answerer } from "../answering/answerer.ts";
import { en } from "../languages/en.ts";
import { es } from "../languages/es.ts";
import { pt } from "../languages/pt.ts";
import { neededBy, rulesetFacts } from "./ruleset-needs.ts";

/** Who has these sources and groups, and the presets. */
function having(...names: readonly string[]): Answerer {
  const answerer: Pick<Answerer, "ruleset" | "sources"> = {
    ruleset: async (id) => ({ name: id, body: presets().get(id)! }),
    sources: async () =>
      names.map((source_name) => ({
        source_name,
        source_dataset: source_name,
        kind: "group",
        feature_count: 1,
      })),
  };
  return answerer as Answerer;
}

describe("what a ruleset needs", () => {
  it("is told beside a preset: how much of it is here, and what is missing, in each language", async () => {
    const here = ["preset:mining", "other:source"];
    const facts = await rulesetFacts(having(...here), { id: "preset.mining" });
    expect(facts).toMatchObject({ sources: 2, missing: ["preset:indigenous_lands"] });
    const lines = [en, es, pt].map((say) => [
      say.rulesetFacts(facts.checks, facts.sources, facts.missing.length),
      say.rulesetMissing(facts.missing.join(", ")),
    ]);
    expect(lines[0]![0]).toMatch(/^Checks: \d+ · Sources needed: 2, here: 1, missing: 1$/);
    expect(lines[1]![0]).toMatch(/: 2, aquí: 1, faltan: 1$/);
    expect(lines[2]![0]).toMatch(/: 2, aqui: 1, em falta: 1$/);
    for (const [, missing] of lines) expect(missing).toContain(": preset:indigenous_lands. ");
  });

  it("is nothing where all is here", async () => {
    const all = having("preset:mining", "preset:indigenous_lands");
    expect((await rulesetFacts(all, { id: "preset.mining" })).missing).toEqual([]);
  });

  it("comes with the command that tells what brings it: of a preset by its name, else of a file", () => {
    const command = "groundrule sources list --needed-by";
    expect(neededBy({ id: "preset.eudr@2" })).toBe(`${command} preset.eudr@2`);
    expect(neededBy({ id: "saved" })).toBe(`${command} FILE`);
    expect(neededBy({ body: {} })).toBe(`${command} FILE`);
  });
});
