import type { VerdictRecord } from "@groundrule/engine/records";
import { shortenText } from "@groundrule/words";
import type { Language } from "@groundrule/words/languages";
import { html, renderHtmlDocument } from "./html.ts";
import type { ReportMaterial } from "./material.ts";
import { createReportPage } from "./page/page.ts";
import { formatPageStyle } from "./page/style.ts";
import { renderChecksSection } from "./sections/checks.ts";
import { renderDeclaredSection, renderLiftsSection } from "./sections/declared.ts";
import { renderHeadSection, renderReplaySection } from "./sections/head.ts";
import { renderInputSection, renderReproduceSection } from "./sections/input.ts";
import { renderMapsSection } from "./sections/maps.ts";
import { renderRulesetSection } from "./sections/ruleset.ts";
import { renderOpenSection, renderSourcesSection } from "./sections/sources.ts";

/** How a page is written. */
export interface ReportOptions {
  /** Language of the page; `en` if absent. Figures and digests of the record are the same in all. */
  readonly language?: Language;
  /** True: the ruleset as it was sent is open on the page, and printed with it. */
  readonly withRuleset?: boolean;
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
  { language = "en", withRuleset = false }: ReportOptions = {},
): string {
  const page = createReportPage(record, material, language);
  const { words, formats, verdict, subject } = page;
  const running = words.runningHead(
    subject,
    words.outcomes[verdict.verdict],
    formats.day(verdict.evaluated_at),
  );
  const title = words.pageTitle(shortenText(subject, 200));
  const style = formatPageStyle(shortenText(running, 110), verdict.digest ?? "", words);
  return renderHtmlDocument(
    { language, title, style },
    html`${renderHeadSection(page)}
${renderReplaySection(page)}
${renderLiftsSection(page)}
${renderMapsSection(page)}
${renderChecksSection(page)}
${renderDeclaredSection(page)}
${renderOpenSection(page)}
${renderSourcesSection(page)}
${renderInputSection(page)}
${renderReproduceSection(page)}
${renderRulesetSection(page, withRuleset)}`,
  );
}
