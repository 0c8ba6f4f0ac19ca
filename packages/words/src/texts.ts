// Written by npm run tool -- write-languages, from the folders of the languages.
import { forms as enForms } from "./en/forms.ts";
import { report as enReport } from "./en/report.ts";
import { verdict as enVerdict } from "./en/verdict.ts";
import { forms as esForms } from "./es/forms.ts";
import { presets as esPresets } from "./es/presets.ts";
import { report as esReport } from "./es/report.ts";
import { verdict as esVerdict } from "./es/verdict.ts";
import type { LanguageTexts } from "./language-texts.ts";
import { forms as ptForms } from "./pt/forms.ts";
import { presets as ptPresets } from "./pt/presets.ts";
import { report as ptReport } from "./pt/report.ts";
import { verdict as ptVerdict } from "./pt/verdict.ts";
import type { Language } from "./tags.ts";

/** Texts of every language, those of the page excepted. */
export const TEXTS: Readonly<Record<Language, LanguageTexts>> = {
  en: { forms: enForms, verdict: enVerdict, report: enReport },
  pt: { forms: ptForms, verdict: ptVerdict, report: ptReport, presets: ptPresets },
  es: { forms: esForms, verdict: esVerdict, report: esReport, presets: esPresets },
};
