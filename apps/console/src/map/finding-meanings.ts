import type { FindingCode } from "@groundrule/plots";
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type LanguageTag, language } from "../languages/language.ts";
import { findings } from "../state/findings.ts";
import { selectedPlot } from "../state/store.ts";

type Meanings = Readonly<Record<FindingCode, string>>;

/** Loaded with the first finding. */
const LOADED: Readonly<Record<LanguageTag, () => Promise<Meanings>>> = {
  en: async () => (await import("../languages/findings-en.ts")).findingsEn,
  pt: async () => (await import("@groundrule/words/pt/findings")).findingsPt,
  es: async () => (await import("@groundrule/words/es/findings")).findingsEs,
};

const loaded: Signal<{ readonly tag: LanguageTag; readonly meanings: Meanings } | undefined> =
  signal(undefined);

/** Explanations of findings, in the language of the page; undefined until one is needed and the texts are loaded. */
export const findingMeanings: ReadonlySignal<Meanings | undefined> = computed(() =>
  loaded.value?.tag === language.value ? loaded.value.meanings : undefined,
);

effect(() => {
  const tag = language.value;
  const isNeeded = findings.value.size > 0 || selectedPlot.value?.state.kind === "refused";
  if (!isNeeded || loaded.peek()?.tag === tag) return;
  LOADED[tag]()
    .then((meanings) => {
      if (language.peek() === tag) loaded.value = { tag, meanings };
    })
    // Without a network the findings have no text, and the rest of the page works.
    .catch(() => {});
});
