import type { AnswerWords } from "./en/answers.ts";
import { forms } from "./en/forms.ts";
import { type PageWords, page } from "./en/page.ts";
import { verdict } from "./en/verdict.ts";
import type { LanguageTexts } from "./language-texts.ts";
import { FINDING_LOADERS, PAGE_LOADERS } from "./loaders.ts";
import type { Language } from "./tags.ts";
import { createTongue, type Tongue } from "./tongue.ts";
import { completeTexts, type Translation } from "./translation.ts";

/** A language of a page. */
export interface PageLanguage {
  readonly tag: Language;
  /** Texts of the page itself. */
  readonly words: PageWords;
  readonly tongue: Tongue;
  /** Texts of the parts that load after its start; absent in English, whose texts load with them. */
  readonly answers?: Translation<AnswerWords> | undefined;
}

/** English, which a page has from its start. */
export function createEnglishPage(locale?: string): PageLanguage {
  return { tag: "en", words: page, tongue: createTongue("en", { forms, verdict }, locale) };
}

/**
 * Loads a language of a page.
 *
 * @param locale of the reader, whose region may write dates in its own way
 *
 * Fails: where a file of the language cannot be loaded.
 */
export async function loadPageLanguage(tag: Language, locale?: string): Promise<PageLanguage> {
  if (tag === "en") return createEnglishPage(locale);
  const parts = await Promise.all(PAGE_LOADERS[tag].map((load) => load()));
  const texts: LanguageTexts = Object.assign({}, ...parts);
  const { page: own, answers } = texts;
  return { tag, words: completeTexts(page, own), tongue: createTongue(tag, texts, locale), answers };
}

/** Loads the meanings of findings, by their code; undefined in English, in which the checker has its own. */
export async function loadFindings(tag: Language): Promise<LanguageTexts["findings"]> {
  return tag === "en" ? undefined : (await FINDING_LOADERS[tag][0]?.())?.findings;
}
