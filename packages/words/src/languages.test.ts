import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeLanguageModules } from "../test/language-modules.ts";
import { answers } from "./en/answers.ts";
import { page } from "./en/page.ts";
import { report } from "./en/report.ts";
import { verdict } from "./en/verdict.ts";
import { PAGE_LOADERS } from "./loaders.ts";
import { LANGUAGES, type Language } from "./tags.ts";
import { TEXTS } from "./texts.ts";

const OTHERS = LANGUAGES.filter((language) => language !== "en");

/** Texts that are the same in English and another language: names, units and words that both have. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  pt: ["page.appTitle", "page.appMenu"],
  es: ["page.appTitle", "page.rulesetError"],
};

/** Every text by its name, functions called with numbers for whatever they take. */
function listTexts(texts: object, prefix: string): (readonly [name: string, text: string])[] {
  return Object.entries(texts).flatMap(([name, text]: [string, unknown]) => {
    const path = `${prefix}.${name}`;
    if (typeof text === "function") return [[path, callWithNumbers(text as AnyText)] as const];
    if (typeof text === "object" && text !== null && !Array.isArray(text)) return listTexts(text, path);
    return [[path, JSON.stringify(text)] as const];
  });
}

type AnyText = (...args: readonly unknown[]) => unknown;

/** Stands for a number, a list, and the names of a measure. */
function createArgument(count: number): unknown {
  return Object.assign([`${count}`], { set: count, of: count, column: count, valueOf: () => count });
}

function callWithNumbers(text: AnyText): string {
  return JSON.stringify(
    [1, 2].map((count) =>
      text(...Array.from({ length: Math.max(text.length, 5) }, () => createArgument(count))),
    ),
  );
}

async function loadTexts(language: Exclude<Language, "en">): Promise<ReadonlyMap<string, string>> {
  const loaded = await Promise.all(PAGE_LOADERS[language].map((load) => load()));
  const texts = { ...TEXTS[language], ...Object.assign({}, ...loaded) };
  return new Map(
    (["verdict", "report", "page", "answers"] as const).flatMap((part) => listTexts(texts[part] ?? {}, part)),
  );
}

const english = [
  ...listTexts(verdict, "verdict"),
  ...listTexts(report, "report"),
  ...listTexts(page, "page"),
  ...listTexts(answers, "answers"),
];

describe.each(OTHERS)("the texts of %s", (language) => {
  it("are all there", async () => {
    const texts = await loadTexts(language);
    expect(english.length).toBeGreaterThan(700);
    expect(english.flatMap(([name]) => (texts.has(name) ? [] : name))).toEqual([]);
    expect([...texts.keys()].filter((name) => !english.some(([known]) => known === name))).toEqual([]);
  });

  it("are none of them left in English", async () => {
    const texts = await loadTexts(language);
    const same = english.filter(([name, text]) => texts.get(name) === text && /\p{L}{4}/u.test(text));
    expect(same.map(([name]) => name).filter((name) => !ALIKE[language]?.includes(name))).toEqual([]);
  });
});

describe("the modules that know the languages", () => {
  it.each(Object.entries(writeLanguageModules()))("are written from the folders: %s", (name, text) => {
    const written = readFileSync(join(import.meta.dirname, `${name}.ts`), "utf8");
    // The formatter breaks lines and orders imports.
    const tokens = (source: string): readonly string[] => (source.match(/[\w$./-]+/g) ?? []).sort();
    expect(tokens(written)).toEqual(tokens(text));
  });
});
