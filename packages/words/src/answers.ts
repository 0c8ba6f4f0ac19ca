import { type AnswerWords, answers } from "./en/answers.ts";
import type { PageLanguage } from "./load.ts";
import { completeTexts } from "./translation.ts";

export type { AnswerWords };

/** Texts of verdicts with their groups of checks, and of answers, in the language of a page. */
export function completeAnswerWords(language: Pick<PageLanguage, "answers">): AnswerWords {
  return completeTexts(answers, language.answers);
}
