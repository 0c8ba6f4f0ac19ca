import type { FindingCode } from "@groundrule/plots";
import { loadFindings } from "@groundrule/words/load";
import type { Language } from "@groundrule/words/tags";
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { language } from "../languages/language.ts";
import { findings } from "../state/findings.ts";
import { selectedPlot } from "../state/store.ts";

type Meanings = Readonly<Record<FindingCode, string>>;

const loaded: Signal<{ readonly tag: Language; readonly meanings: Meanings } | undefined> = signal(undefined);

/** Explanations of findings, in the language of the page; undefined until one is needed and the texts are loaded. */
export const findingMeanings: ReadonlySignal<Meanings | undefined> = computed(() =>
  loaded.value?.tag === language.value ? loaded.value.meanings : undefined,
);

effect(() => {
  const tag = language.value;
  const isNeeded = findings.value.size > 0 || selectedPlot.value?.state.kind === "refused";
  if (!isNeeded || loaded.peek()?.tag === tag) return;
  loadMeanings(tag)
    .then((meanings) => {
      if (language.peek() === tag) loaded.value = { tag, meanings };
    })
    // Without a network the findings have no text, and the rest of the page works.
    .catch(() => {});
});

/** Loaded with the first finding. */
async function loadMeanings(tag: Language): Promise<Meanings> {
  const [{ checkerMeanings }, translated] = await Promise.all([
    import("./checker-meanings.ts"),
    loadFindings(tag),
  ]);
  return { ...checkerMeanings, ...translated };
}
