import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it } from "vitest";
import { page as en } from "../../../../packages/words/src/en/page.ts";
import { page as es } from "../../../../packages/words/src/es/page.ts";
import { page as pt } from "../../../../packages/words/src/pt/page.ts";
import { changeLanguage, LANGUAGE_NAMES, language, selectLanguage, tongue, words } from "./language.ts";

const src = join(import.meta.dirname, "..");
const views = globSync("**/*.tsx", { cwd: src });
const sources = globSync("**/*.{ts,tsx}", { cwd: src }).filter(
  (name) => !name.startsWith("languages/") && !name.endsWith(".test.ts"),
);
const names = Object.keys(en) as (keyof typeof en)[];

const SPOKEN: ReadonlySet<string> = new Set(["aria-label", "title", "placeholder", "alt", "label"]);

/** The inspected members of a syntax tree's node. */
interface SyntaxNode {
  readonly type?: string;
  readonly value?: unknown;
  readonly name?: { readonly name?: string };
}

/** Words between tags, and in attributes that are shown or read aloud. */
function listLiteralTexts(view: string): string[] {
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, value, name } = node as SyntaxNode;
    if (type === "JSXText") found.push(String(value));
    if (type === "JSXAttribute" && SPOKEN.has(name?.name ?? "")) {
      const literal = (value as SyntaxNode | null)?.value;
      if (typeof literal === "string") found.push(literal);
    }
    for (const each of Object.values(node)) walk(each);
  };
  walk(parseAst(view, { lang: "tsx" }));
  return found.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text));
}

describe("the languages of the page", () => {
  it("have a title for every preset in force", () => {
    const presets = globSync("*.json", { cwd: join(src, "../../../data/rulesets") }).map(
      (file) => `preset.${file.replace(/\.json$/, "")}`,
    );
    expect(presets.length).toBeGreaterThan(5);
    for (const say of [en, es, pt]) expect(Object.keys(say.rulesetTitles!).sort()).toEqual(presets.sort());
  });

  it("have no text that no part of the page uses", () => {
    const code = sources.map((name) => readFileSync(join(src, name), "utf8")).join("\n");
    const used = new Set(code.match(/\b[a-z]+[A-Z0-9]\w*/g));
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });

  it("are the only place of texts: views have none of their own", () => {
    expect(views.length).toBeGreaterThan(10);
    const found = views.flatMap((name) => {
      const texts = listLiteralTexts(readFileSync(join(src, name), "utf8"));
      return texts.map((text) => `${name}: ${text}`);
    });
    expect(found.filter((text) => !/: (?:CSV|XLSX|GeoJSON|EPSG:\d+)$/.test(text))).toEqual([]);
  });

  it("are found out where a view has a text of its own", () => {
    expect(listLiteralTexts('const a = <p class="a" onClick={() => go()}>Hello there</p>;')).toEqual([
      "Hello there",
    ]);
    expect(listLiteralTexts('const a = <button aria-label="Close it">{say.x}</button>;')).toEqual([
      "Close it",
    ]);
  });

  it("are spoken once they are loaded, the last that was chosen", async () => {
    expect(LANGUAGE_NAMES).toEqual({ en: "English", pt: "Português", es: "Español" });
    await Promise.all([changeLanguage("pt"), changeLanguage("es")]);
    expect([language.value, words.value.appMap, tongue.value.words.notChecked]).toEqual([
      "es",
      "Mapa",
      "Sin verificar",
    ]);
    await changeLanguage("en");
    expect(words.value).toBe(en);
  });

  it.each([
    [["pt-BR", "en"], "pt"],
    [["de", "es-419"], "es"],
    [["de"], "en"],
    [[], "en"],
  ] as const)("are chosen by what the reader prefers: %j", (preferred, expected) => {
    expect(selectLanguage(preferred)).toBe(expected);
  });
});
