import { describe, expect, it } from "vitest";
import { getTongue } from "./languages.ts";
import { createRulesetTongue, translateVerdict } from "./ruleset-tongue.ts";
import { findSourceTitle } from "./source-title.ts";

const TITLE = "No forest in 2020";
const NOT_EXAMINED = "Claimed lands that no source has.";
const verdict = {
  ruleset: { not_examined: [NOT_EXAMINED, "Water"] },
  checks: [{ id: "a", title: TITLE }, { id: "b", title: "Newer" }, { id: "c" }],
};

describe("a verdict in the language of a reader", () => {
  it("has the texts of presets translated, and those that it does not know as they are written", () => {
    const { ruleset, checks } = translateVerdict(
      verdict,
      createRulesetTongue(getTongue("pt"), "preset.whisp-timber", undefined),
    );
    expect(checks.map(({ title }) => title)).toEqual(["Nenhuma floresta em 2020", "Newer", undefined]);
    expect(ruleset.not_examined).toEqual(["Terras reivindicadas que nenhuma fonte tem.", "Water"]);
  });

  it.each([
    ["preset.whisp-timber", "en"],
    ["mine", "pt"],
    [null, "pt"],
  ] as const)("stays as it is written in the ruleset %s in %s", (name, language) => {
    expect(translateVerdict(verdict, createRulesetTongue(getTongue(language), name, undefined))).toEqual(
      verdict,
    );
  });

  it("has the titles that its ruleset gives in the language, also of a region", () => {
    const ruleset = {
      checks: [
        { id: "a", title: TITLE, titles: { pt: "Sem floresta", es: "Sin bosque" } },
        { id: "b", title: "Newer", titles: { "pt-BR": "Mais novo", ptx: "?" } },
        { id: "c", titles: { es: 1 } },
        null,
      ],
    };
    const read = (language: "en" | "pt" | "es") =>
      translateVerdict(verdict, createRulesetTongue(getTongue(language), "mine", ruleset)).checks.map(
        ({ title }) => title,
      );
    expect([read("en"), read("pt"), read("es")]).toEqual([
      [TITLE, "Newer", undefined],
      ["Sem floresta", "Mais novo", undefined],
      ["Sin bosque", "Newer", undefined],
    ]);
  });

  it("needs no ruleset to be well formed", () => {
    for (const ruleset of [undefined, null, 1, [], { facts: 1, checks: {} }, { checks: [1, { id: 2 }] }])
      expect(createRulesetTongue(getTongue("pt"), "mine", ruleset).titles.size).toBe(0);
  });
});

describe("the title of a source", () => {
  it("is the one in the language, also of a region, else the one of its manifest, else its name", () => {
    const source = { source_dataset: "Parks", titles: { "pt-BR": "Parques" } };
    const titles = ["pt", "es"].map((language) => findSourceTitle(source, "my:parks", language));
    expect([...titles, findSourceTitle(undefined, "my:parks", "pt")]).toEqual([
      "Parques",
      "Parks",
      "my:parks",
    ]);
  });
});
