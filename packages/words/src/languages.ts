import { en, enForms, type Words } from "./en/report.ts";
import { es, esForms } from "./es/report.ts";
import { Formats } from "./formats.ts";
import { pt, ptForms } from "./pt/report.ts";

/** The languages that the pages speak. */
export const LANGUAGES = ["en", "pt", "es"] as const;

/** ISO 639-1 code of a language of the pages. */
export type Language = (typeof LANGUAGES)[number];

/** The words of a language, and how it writes numbers and dates. */
export interface Tongue {
  readonly language: Language;
  readonly words: Words;
  readonly formats: Formats;
}

/** Language, words and formats for writing a page. */
export function getTongue(language: Language): Tongue {
  return { language, ...TONGUES[language] };
}

const TONGUES: Readonly<Record<Language, Omit<Tongue, "language">>> = {
  en: { words: en, formats: new Formats("en", enForms) },
  pt: { words: pt, formats: new Formats("pt", ptForms) },
  es: { words: es, formats: new Formats("es", esForms) },
};
