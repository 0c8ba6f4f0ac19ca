import { report as englishReport, type ReportWords } from "./en/report.ts";
import type { VerdictWords } from "./en/verdict.ts";
import { LANGUAGES, type Language } from "./tags.ts";
import { TEXTS } from "./texts.ts";
import { createTongue, type Tongue } from "./tongue.ts";
import { completeTexts } from "./translation.ts";

export { LANGUAGES, type Language };

/** A language with the words of verdicts and of reports. */
export type ReportTongue = Tongue<VerdictWords & ReportWords>;

/** A language for writing verdicts, reports and tables. */
export function getTongue(language: Language): ReportTongue {
  return TONGUES[language];
}

const TONGUES = Object.fromEntries(
  LANGUAGES.map((language) => {
    const texts = TEXTS[language];
    const tongue = createTongue(language, texts);
    return [
      language,
      { ...tongue, words: { ...completeTexts(englishReport, texts.report), ...tongue.words } },
    ];
  }),
) as Readonly<Record<Language, ReportTongue>>;
