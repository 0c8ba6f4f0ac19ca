import type { SourceOutcome } from "@groundrule/engine";
import { findSourceTitle } from "@groundrule/words";
import { type Html, type HtmlPart, html, renderDataText } from "../html.ts";
import { type Page, renderCheckTitle } from "../page/page.ts";
import { formatToneStyle } from "../page/tone.ts";
import { formatCoverage, isOmitted, SIGNS } from "../words.ts";
import { renderDigest, renderEnglishText, renderSection, renderTermDescription } from "./facts.ts";
import { formatOpenReasons } from "./open.ts";

/** Parts that the verdict leaves open, with the reasons. */
export function renderOpenSection(page: Page): Html {
  const { verdict, words, formats } = page;
  const { checks, sources } = verdict;
  const notExamined = verdict.ruleset.not_examined ?? [];
  // The table of questions has each of them.
  const undeclared = checks.filter(({ status }) => status === "not_declared").length;
  const items: Html[] = [
    ...sources
      .filter(({ status }) => status === "failed")
      .map(
        ({ source_name, reason }) =>
          html`<li><strong>${source_name}</strong> ${words.couldNotBeOpened}${reason !== undefined && html`: ${renderEnglishText(renderDataText(reason))}`}.</li>`,
      ),
    ...sources
      .filter(isOmitted)
      .map(({ source_name }) => html`<li><strong>${source_name}</strong> ${words.wasOmitted}.</li>`),
    ...checks
      .filter(({ status }) => status === "failed")
      .map((check) => html`<li>${words.checkUndecided(renderCheckTitle(check))}</li>`),
    ...checks
      .filter(({ status }) => status !== "ok" && status !== "failed" && status !== "not_declared")
      .map(
        (check) =>
          html`<li>${words.checkNotAnswered(renderCheckTitle(check))} ${formatOpenReasons(page, check)}</li>`,
      ),
    ...(undeclared > 0
      ? [
          html`<li>${words.facts.openFacts(formats.plain(undeclared), checks.length, formats.plain(checks.length))}</li>`,
        ]
      : []),
    ...sources
      .filter(({ coverage }) => coverage === "undeclared")
      .map(({ source_name }) => html`<li><strong>${source_name}</strong> ${words.assumedToCover}</li>`),
    ...sources
      .filter(({ coverage_known }) => coverage_known === "derived")
      .map(({ source_name }) => html`<li><strong>${source_name}</strong> ${words.coverageAssumed}</li>`),
    ...(notExamined.length > 0
      ? [
          html`<li>${words.notExamined} ${notExamined.map((text, i) => [i > 0 && " ", renderDataText(text)])}</li>`,
        ]
      : []),
    ...checks
      .filter(({ undetermined }) => undetermined > 0)
      .map(
        (check) =>
          html`<li>${words.filterUndecided(renderCheckTitle(check), check.undetermined, formats.plain(check.undetermined))}</li>`,
      ),
    ...sources.flatMap(({ source_name, without_country = 0 }) =>
      without_country > 0
        ? [
            html`<li>${words.withoutCountry(without_country, formats.plain(without_country), source_name)}</li>`,
          ]
        : [],
    ),
  ];
  const content =
    items.length === 0 ? html`<p>${words.allDetermined}</p>` : html`<ul class="plain">${items}</ul>`;
  return renderSection("open", words.notDetermined, content);
}

/** Sources queried for each group; every source, with its edition, age and licence. */
export function renderSourcesSection(page: Page): Html {
  const { verdict, record, words } = page;
  // In verdicts from before they listed their groups, the record keeps them next to the verdict.
  const groups = Object.entries(verdict.groups ?? record.groups ?? {});
  return renderSection("sources", words.sources, [
    groups.length > 0 &&
      html`<dl class="flow small">${renderFlow(groups.map(([name, members]) => renderTermDescription(words.group(name), members.join(", "))))}</dl>`,
    verdict.sources.map((source) => renderSource(page, source)),
  ]);
}

function renderSource(page: Page, outcome: SourceOutcome): Html {
  const { words } = page;
  const { source_name, status, edition, left_out = 0, scope, fictional, before_cutoff, reason } = outcome;
  const { observed_until, age_days, cell_m } = outcome;
  const entry = page.sources.get(source_name);
  if (isOmitted(outcome)) {
    return html`<article class="source"><div class="title"><h3>${source_name}</h3><span class="chip">${words.omitted}</span></div></article>`;
  }
  const isFailed = status === "failed";
  const covered = formatCoverage(outcome, words);
  const failed = html`<span class="chip" style="${formatToneStyle("DEGRADED")}"><span class="sign" aria-hidden="true">${SIGNS.DEGRADED}</span> ${words.failed}</span>`;
  return html`<article class="source"><div class="title"><h3>${renderDataText(findSourceTitle(entry, source_name, page.language))}${fictional && html` <span class="chip">${words.fictional}</span>`}</h3>${isFailed ? failed : html`<span class="small">${formatMatchedCount(page, outcome)}</span>`}</div>
<dl class="flow small">${renderFlow([
    renderTermDescription(
      words.name,
      html`${source_name}${entry?.category !== undefined && html` · ${renderDataText(entry.category)}`}`,
    ),
    scope !== undefined && renderTermDescription(words.scope, renderDataText(scope)),
    !isFailed && renderTermDescription(words.collected, formatCollectionDay(page, outcome)),
    observed_until !== undefined &&
      renderTermDescription(words.observedUntil, formatDayAndAge(page, observed_until, age_days)),
    before_cutoff && renderTermDescription(words.cutoff, words.beforeCutoff),
    cell_m !== undefined && renderTermDescription(words.cells, words.cellsOf(page.formats.sides(cell_m))),
    covered !== undefined && renderTermDescription(words.covers, covered),
    left_out > 0 && renderTermDescription(words.leftOut, leftOutText(page, outcome, left_out)),
    renderTermDescription(
      words.licence,
      entry === undefined ? words.licenceUnavailable : (entry.license_spdx ?? words.licenceNotStated),
    ),
    entry?.source_url !== undefined &&
      renderTermDescription(words.publishedAt, html`<span class="digest">${entry.source_url}</span>`),
    edition !== undefined && renderTermDescription(words.edition, renderDigest(edition)),
    isFailed &&
      reason !== undefined &&
      renderTermDescription(words.reason, renderEnglishText(renderDataText(reason))),
  ])}</dl></article>`;
}

/** Terms with their descriptions, as many in a line as fit. */
function renderFlow(facts: readonly (Html | false | undefined)[]): HtmlPart {
  return facts.map((fact) => fact && html`<div>${fact}</div>`);
}

function isRegister({ sources }: Page, { source_name }: SourceOutcome): boolean {
  return sources.get(source_name)?.kind === "subject_register";
}

function formatMatchedCount(page: Page, outcome: SourceOutcome): string {
  const { words, formats } = page;
  const shown = formats.plain(outcome.matched);
  return isRegister(page, outcome)
    ? words.recordsMatched(outcome.matched, shown)
    : words.areasMatched(outcome.matched, shown);
}

/** The age counts from the last observed day, where that is known. */
function formatCollectionDay(page: Page, { collected_at, observed_until, age_days }: SourceOutcome): string {
  if (collected_at === undefined) return page.words.unknownDay;
  return observed_until === undefined
    ? formatDayAndAge(page, collected_at, age_days)
    : page.formats.day(collected_at);
}

function formatDayAndAge({ words, formats }: Page, instant: string, days: number | undefined): string {
  const day = formats.day(instant);
  return days === undefined
    ? words.agelessDay(day)
    : words.collectedAgo(day, words.days(days, formats.plain(days)));
}

function leftOutText(page: Page, outcome: SourceOutcome, count: number): string {
  const { words, formats } = page;
  const shown = formats.plain(count);
  return isRegister(page, outcome) ? words.rowsLeftOut(count, shown) : words.featuresLeftOut(count, shown);
}
