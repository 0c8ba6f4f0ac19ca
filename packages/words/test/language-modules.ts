import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const src = join(import.meta.dirname, "../src");

/** The texts that a folder of a language may have, each in a file of its own that exports a constant of its name. */
const PARTS = ["forms", "verdict", "report", "presets", "page", "findings"] as const;
/** Those that one module has in all languages; a page loads its own in the reader's language. */
const TOGETHER: readonly string[] = ["forms", "verdict", "report", "presets"];
const LOADED: readonly string[] = ["forms", "verdict", "presets", "page"];

const HEAD = "// Written by npm run tool -- write-languages, from the folders of the languages.\n";

/**
 * The modules that know which languages there are, by name, written from the folders of `src` that have words of
 * verdicts. A tag keeps its place in the list; a new one goes to its end.
 */
export function writeLanguageModules(): Readonly<Record<string, string>> {
  const found = globSync("*/verdict.ts", { cwd: src }).map((path) => basename(dirname(path)));
  const known = [...readFileSync(join(src, "tags.ts"), "utf8").matchAll(/"([\w-]+)"/g)].map(
    ([, tag]) => tag!,
  );
  const tags = [
    ...known.filter((tag) => found.includes(tag)),
    ...found.filter((tag) => !known.includes(tag)).sort(),
  ];
  const parts = (tag: string, wanted: readonly string[]): readonly string[] =>
    PARTS.filter((part) => wanted.includes(part) && globSync(`${tag}/${part}.ts`, { cwd: src }).length > 0);
  const local = (tag: string, part: string): string =>
    `${tag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}${part[0]!.toUpperCase()}${part.slice(1)}`;
  const imports = tags.flatMap((tag) =>
    parts(tag, TOGETHER).map(
      (part) => `import { ${part} as ${local(tag, part)} } from "./${tag}/${part}.ts";`,
    ),
  );
  const entries = tags.map(
    (tag) =>
      `  ${JSON.stringify(tag)}: { ${parts(tag, TOGETHER)
        .map((part) => `${part}: ${local(tag, part)}`)
        .join(", ")} },`,
  );
  // A page has English from its start.
  const loaders = (wanted: readonly string[]): string =>
    tags
      .filter((tag) => tag !== "en")
      .map((tag) => {
        const loaded = parts(tag, wanted).map((part) => `import("./${tag}/${part}.ts")`);
        return `  ${JSON.stringify(tag)}: [${loaded.map((each) => `() => ${each}`).join(", ")}],`;
      })
      .join("\n");
  return {
    tags: `${HEAD}/** Tags of the languages in which verdicts are shown (BCP 47), English first. */
export const LANGUAGES = ${JSON.stringify(tags)} as const;

/** Tag of a language. */
export type Language = (typeof LANGUAGES)[number];
`,
    texts: `${HEAD}${imports.join("\n")}
import type { Language } from "./tags.ts";
import type { LanguageTexts } from "./language-texts.ts";

/** Texts of every language, those of the page excepted. */
export const TEXTS: Readonly<Record<Language, LanguageTexts>> = {
${entries.join("\n")}
};
`,
    loaders: `${HEAD}import type { LanguageTexts } from "./language-texts.ts";
import type { Language } from "./tags.ts";

/** Loaders of the texts of the page, part by part. */
export const PAGE_LOADERS: Readonly<Record<Exclude<Language, "en">, readonly (() => Promise<LanguageTexts>)[]>> = {
${loaders(LOADED)}
};

/** Loaders of the meanings of findings; English has none, since the checker's own are English. */
export const FINDING_LOADERS: Readonly<Record<Exclude<Language, "en">, readonly (() => Promise<LanguageTexts>)[]>> = {
${loaders(["findings"])}
};
`,
  };
}
