import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { en, type Words } from "./en.ts";

export type LanguageTag = "en" | "pt" | "es";

/** Every language of the page by its BCP 47 tag, each by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<LanguageTag, string>> = {
  en: "English",
  pt: "Português",
  es: "Español",
};

/** English is there from the start. The others are loaded where they are first chosen. */
const LOADED: Readonly<Record<LanguageTag, () => Promise<Words>>> = {
  en: async () => en,
  pt: async () => (await import("./pt.ts")).pt,
  es: async () => (await import("./es.ts")).es,
};

const spoken: Signal<{ readonly tag: LanguageTag; readonly words: Words }> = signal({ tag: "en", words: en });
let chosen: LanguageTag = "en";

export const language: ReadonlySignal<LanguageTag> = computed(() => spoken.value.tag);

/** What the page says, in the language that is chosen. */
export const words: ReadonlySignal<Words> = computed(() => spoken.value.words);

/** Changes the language once its words are loaded. Without a network the page may keep the one that it has. */
export async function speak(tag: LanguageTag): Promise<void> {
  chosen = tag;
  try {
    const loaded = await LOADED[tag]();
    if (chosen === tag) spoken.value = { tag, words: loaded };
  } catch {
    chosen = spoken.peek().tag;
  }
}

/**
 * The first language of the page among those that a reader prefers, else English.
 *
 * @param preferred BCP 47 tags, the dearest first, e.g. `navigator.languages`
 */
export function languageFor(preferred: readonly string[]): LanguageTag {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split("-")[0]!;
    if (Object.hasOwn(LANGUAGE_NAMES, primary)) return primary as LanguageTag;
  }
  return "en";
}
