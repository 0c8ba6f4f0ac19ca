import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { pt } from "./pt.ts";

/** Every language of the page, by its BCP 47 tag. */
export const LANGUAGES: Readonly<Record<LanguageTag, Words>> = { en, pt, es };

export type LanguageTag = "en" | "pt" | "es";

export const language: Signal<LanguageTag> = signal("en");

/** What the page says, in the language that is chosen. */
export const words: ReadonlySignal<Words> = computed(() => LANGUAGES[language.value]);

/**
 * The first language of the page among those that a reader prefers, else English.
 *
 * @param preferred BCP 47 tags, the dearest first, e.g. `navigator.languages`
 */
export function languageFor(preferred: readonly string[]): LanguageTag {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split("-")[0]!;
    if (Object.hasOwn(LANGUAGES, primary)) return primary as LanguageTag;
  }
  return "en";
}
