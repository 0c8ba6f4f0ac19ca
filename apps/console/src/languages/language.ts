import { en, type Words } from "@groundrule/words/en/page";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

export type LanguageTag = "en" | "pt" | "es";

/** Every language of the page by its BCP 47 tag, each by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<LanguageTag, string>> = {
  en: "English",
  pt: "Português",
  es: "Español",
};

/** English is included from the start. The others are loaded when they are first chosen. */
const LOADED: Readonly<Record<LanguageTag, () => Promise<Words>>> = {
  en: async () => en,
  pt: async () => (await import("@groundrule/words/pt/page")).pt,
  es: async () => (await import("@groundrule/words/es/page")).es,
};

const spoken: Signal<{ readonly tag: LanguageTag; readonly words: Words }> = signal({ tag: "en", words: en });
let chosen: LanguageTag = "en";

export const language: ReadonlySignal<LanguageTag> = computed(() => spoken.value.tag);

/** The texts of the page, in the chosen language. */
export const words: ReadonlySignal<Words> = computed(() => spoken.value.words);

/** Changes the language once its texts are loaded. Without a network the page may stay in its current language. */
export async function changeLanguage(tag: LanguageTag): Promise<void> {
  chosen = tag;
  try {
    const loaded = await LOADED[tag]();
    if (chosen === tag) spoken.value = { tag, words: loaded };
  } catch {
    chosen = spoken.peek().tag;
  }
}

/**
 * The user's most preferred language that the page has, otherwise English.
 *
 * @param preferred BCP 47 tags in order of preference, e.g. `navigator.languages`
 */
export function selectLanguage(preferred: readonly string[]): LanguageTag {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split("-")[0]!;
    if (Object.hasOwn(LANGUAGE_NAMES, primary)) return primary as LanguageTag;
  }
  return "en";
}
