import { describe, expect, it } from "vitest";
import { presets } from "../../../data/rulesets/index.ts";
import { LANGUAGES } from "./languages.ts";
import { TEXTS } from "./texts.ts";

interface Preset {
  readonly description: string;
  readonly not_examined?: readonly string[];
  readonly facts?: Readonly<
    Record<string, { readonly values?: readonly string[]; readonly question: { readonly en: string } }>
  >;
  readonly sets: object;
  readonly checks: readonly { readonly title: string; readonly description?: string }[];
}

/** Every text of a preset that pages and reports show, questions excepted: they are in the ruleset in each language. */
function listPresetTexts({
  description,
  not_examined = [],
  facts = {},
  sets,
  checks,
}: Preset): readonly string[] {
  return [
    description,
    ...not_examined,
    ...Object.values(facts).flatMap(({ values = [] }) => values),
    ...Object.keys(sets).map((name) => name.replaceAll("_", " ")),
    ...checks.flatMap((check) => [check.title, check.description ?? []].flat()),
  ];
}

const all = [...presets().values()] as readonly Preset[];
const texts = new Set(all.flatMap(listPresetTexts));

describe.each(LANGUAGES.filter((language) => language !== "en"))("the texts of presets in %s", (language) => {
  const translated = TEXTS[language].presets ?? {};

  it("are all there, and none of a text that is gone", () => {
    expect(texts.size).toBeGreaterThan(250);
    expect([...texts].filter((text) => !Object.hasOwn(translated, text))).toEqual([]);
    expect(Object.keys(translated).filter((text) => !texts.has(text))).toEqual([]);
  });

  it("are translated, but for references to law", () => {
    const same = [...texts].filter((text) => translated[text] === text);
    expect(same.filter((text) => !/^(?:Art\. |MCR )[\d().\w, -]*$|^micro$/.test(text))).toEqual([]);
  });

  it("keep the titles of different checks apart", () => {
    const titles = [...new Set(all.flatMap(({ checks }) => checks.map(({ title }) => title)))];
    expect(new Set(titles.map((title) => translated[title] ?? title)).size).toBe(titles.length);
  });

  it("have every question, in its ruleset or here", () => {
    const questions = all.flatMap(({ facts = {} }) => Object.values(facts).map(({ question }) => question));
    const here = questions.filter(
      (question) => Object.hasOwn(question, language) || Object.hasOwn(translated, question.en),
    );
    expect(questions.length).toBeGreaterThan(20);
    expect(here).toEqual(questions);
  });
});
