import { forms as englishForms } from "./en/forms.ts";
import { verdict as english, type VerdictWords } from "./en/verdict.ts";
import { Formats } from "./formats.ts";
import type { LanguageTexts } from "./language-texts.ts";
import { completeTexts } from "./translation.ts";

/** A language with the words of verdicts, and how it writes numbers and dates. */
export interface Tongue<Words extends VerdictWords = VerdictWords> {
  /** BCP 47 tag of the language. */
  readonly language: string;
  readonly words: Words;
  readonly formats: Formats;
  /** Texts of presets, by the English ones. */
  readonly presets: Readonly<Record<string, string>>;
}

/**
 * A language to write in.
 *
 * @param locale of a reader, whose region may write dates in its own way
 */
export function createTongue(language: string, texts: LanguageTexts, locale?: string): Tongue {
  const { forms = englishForms, verdict, presets = {} } = texts;
  return { language, words: completeTexts(english, verdict), formats: new Formats(forms, locale), presets };
}
