// Written by npm run tool -- write-languages, from the folders of the languages.
import type { LanguageTexts } from "./language-texts.ts";
import type { Language } from "./tags.ts";

/** Loaders of the texts of the page, part by part. */
export const PAGE_LOADERS: Readonly<
  Record<Exclude<Language, "en">, readonly (() => Promise<LanguageTexts>)[]>
> = {
  pt: [
    () => import("./pt/forms.ts"),
    () => import("./pt/verdict.ts"),
    () => import("./pt/presets.ts"),
    () => import("./pt/page.ts"),
  ],
  es: [
    () => import("./es/forms.ts"),
    () => import("./es/verdict.ts"),
    () => import("./es/presets.ts"),
    () => import("./es/page.ts"),
  ],
};

/** Loaders of the meanings of findings; English has none, since the checker's own are English. */
export const FINDING_LOADERS: Readonly<
  Record<Exclude<Language, "en">, readonly (() => Promise<LanguageTexts>)[]>
> = {
  pt: [() => import("./pt/findings.ts")],
  es: [() => import("./es/findings.ts")],
};
