import type { Formats, PageWords, Tongue } from "@groundrule/words";
import { createEnglishPage, loadPageLanguage, type PageLanguage } from "@groundrule/words/load";
import { LANGUAGES, type Language } from "@groundrule/words/tags";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** Every language of the page by its BCP 47 tag, each by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  LANGUAGES.map((tag) => [tag, nameLanguage(tag)]),
);

/** English is included from the start. The others are loaded when they are first chosen. */
export const spoken: Signal<PageLanguage> = signal(createEnglishPage());
let chosen: Language = "en";

export const language: ReadonlySignal<Language> = computed(() => spoken.value.tag);

/** The texts of the page, in the chosen language. */
export const words: ReadonlySignal<PageWords> = computed(() => spoken.value.words);

/** The chosen language, for writing verdicts. */
export const tongue: ReadonlySignal<Tongue> = computed(() => spoken.value.tongue);

/** Formats numbers, measures and days in the chosen language. */
export const figures: ReadonlySignal<Formats> = computed(() => tongue.value.formats);

/** Formats a number of days, as an age. */
export function formatDays(count: number): string {
  return tongue.value.words.days(count, figures.value.plain(count));
}

/**
 * Changes the language once its texts are loaded. Without a network the page may stay in its current language.
 *
 * @param locale of the reader, whose region may write dates in its own way
 */
export async function changeLanguage(tag: Language, locale?: string): Promise<void> {
  chosen = tag;
  try {
    const loaded = await loadPageLanguage(tag, locale);
    if (chosen === tag) spoken.value = loaded;
  } catch {
    chosen = spoken.peek().tag;
  }
}

/**
 * The user's most preferred language that the page has, otherwise English.
 *
 * @param preferred BCP 47 tags in order of preference, e.g. `navigator.languages`
 */
export function selectLanguage(preferred: readonly string[]): Language {
  const primary = preferred.map((tag) => tag.toLowerCase().split("-")[0]!);
  return LANGUAGES.find((tag) => tag === primary.find((each) => Object.hasOwn(LANGUAGE_NAMES, each))) ?? "en";
}

function nameLanguage(tag: Language): string {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return `${name.charAt(0).toLocaleUpperCase(tag)}${name.slice(1)}`;
}
