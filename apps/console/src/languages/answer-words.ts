import { type AnswerWords, completeAnswerWords } from "@groundrule/words/answers";
import { computed, type ReadonlySignal } from "@preact/signals";
import { spoken } from "./language.ts";

/** Texts of verdicts and of answers, in the chosen language: they load with the parts that show them. */
export const answerWords: ReadonlySignal<AnswerWords> = computed(() => completeAnswerWords(spoken.value));
