import type { VerdictRecord } from "@groundrule/engine/records";
import { html, renderDocument } from "./html.ts";
import type { Language } from "./languages/language.ts";
import type { ReportMaterial } from "./material.ts";
import { createPage } from "./page/page.ts";
import { pageStyle } from "./page/style.ts";
import { checksSection } from "./sections/checks.ts";
import { headSection, replaySection } from "./sections/head.ts";
import { inputSection, reproduceSection } from "./sections/input.ts";
import { mapsSection } from "./sections/maps.ts";
import { rulesetSection } from "./sections/ruleset.ts";
import { openSection, sourcesSection } from "./sections/sources.ts";
import { shortenText } from "./shortened.ts";
import { outcomeWord } from "./words.ts";

/** How a page is written. */
export interface ReportOptions {
  /** Language of the page; `en` if absent. Figures and digests of the record are the same in all. */
  readonly language?: Language;
}

/**
 * The report of a verdict: one HTML page that sends no request, is dark on a screen that prefers it, and prints on A4.
 *
 * Everything that comes from data is escaped; text keeps its own direction of writing. The same
 * record, material and language give the same page.
 */
export function renderReport(
  record: VerdictRecord,
  material: ReportMaterial,
  { language = "en" }: ReportOptions = {},
): string {
  const page = createPage(record, material, language);
  const { words, formats, verdict, subject } = page;
  const running = words.runningHead(
    subject,
    outcomeWord(words, verdict.verdict),
    formats.day(verdict.evaluated_at),
  );
  const title = words.pageTitle(shortenText(subject, 200));
  const style = pageStyle(shortenText(running, 110), verdict.digest ?? "", words);
  return renderDocument(
    { language, title, style },
    html`${headSection(page)}
${replaySection(page)}
${mapsSection(page)}
${checksSection(page)}
${openSection(page)}
${sourcesSection(page)}
${inputSection(page)}
${reproduceSection(page)}
${rulesetSection(page)}`,
  );
}
