import { type Formats, gapPhrase, shortenText } from "@groundrule/words";
import { getTongue, type Language, type ReportTongue } from "@groundrule/words/languages";
import { type Html, type HtmlPart, html, renderDataText, renderHtmlDocument, toRawHtml } from "../html.ts";
import { formatToneStyle } from "../page/tone.ts";
import { renderSection } from "../sections/facts.ts";
import { isOmitted, SIGNS } from "../words.ts";
import { collectGaps } from "./collect-gaps.ts";
import { type PlotMap, renderPlotMap } from "./portfolio-map.ts";
import { listNeedTexts } from "./portfolio-needs.ts";
import {
  CHECK_STATES,
  type CheckState,
  PLOT_STATUSES,
  type PlotStatus,
  type Portfolio,
  type PortfolioEntry,
  type PortfolioRow,
  readPortfolioRows,
} from "./portfolio-rows.ts";
import { SCRIPT, SCRIPT_HASH } from "./portfolio-script.ts";
import { formatPortfolioStyle } from "./portfolio-style.ts";
import { getCheckStateWords, getPlotStatusWords } from "./portfolio-words.ts";

/** How the page of a portfolio is written. */
export interface PortfolioOptions {
  /** Language of the page; `en` if absent. */
  readonly language?: Language;
  /** Title of the page; absent: the number of plots. */
  readonly title?: string | undefined;
  /** Number of plots without a report because its content was missing: the page states it. */
  readonly unreported?: number;
  /** Files with the same data in the folder of the page: the page names them. */
  readonly files?: readonly string[];
}

/** No page shows more of a name than this. */
const NAME_LETTERS = 120;
/** Letters shown of a source's scope, which is a sentence or two. */
const SCOPE_LETTERS = 300;
/** From so many plots on, shares have decimals. */
const EXACT_FROM = 1000;
/** A plot's line names so many of its checks. */
const CHECKS_NAMED = 3;
/** The notices above a portfolio name so many sources. */
const SOURCES_NAMED = 10;

/**
 * A portfolio of plots as one HTML page: how many have each verdict and each outcome of each check, a map of all, and a
 * table that filters and sorts, with a link to each plot's own report where a row has one. The page asks the network
 * for nothing. Its one script, which the page's policy knows by its hash, moves and hides lines of the table; without
 * it the page shows everything.
 *
 * @param rows each with its number in this order; the page has the worst first
 */
export function renderPortfolio(
  rows: Iterable<PortfolioRow>,
  { language = "en", title, unreported = 0, files = [] }: PortfolioOptions = {},
): string {
  const tongue = getTongue(language);
  const portfolio = readPortfolioRows(rows, tongue);
  const { words, formats } = tongue;
  const count = portfolio.entries.length;
  const map = renderPlotMap(portfolio, tongue);
  const counted = words.portfolioTitle(count, formats.plain(count));
  const name = title === undefined ? counted : shortenText(title, NAME_LETTERS);
  const policy = `; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`;
  const page = {
    language,
    title: `${words.portfolioOf}: ${name}`,
    style: formatPortfolioStyle(tongue),
    policy,
  };
  return renderHtmlDocument(
    page,
    html`<header class="top"><p class="brand"><span>groundrule</span><span>${words.portfolioOf}</span></p>
<h1>${renderDataText(name)}</h1>
<p class="small">${title !== undefined && `${counted}, `}${renderRulesetsAndDates(portfolio, tongue)}</p>
<p class="lead">${formatWorstVerdictCount(portfolio, tongue)}</p></header>
${renderSourceDoubts(portfolio, tongue)}
${renderVerdictsSection(portfolio, tongue)}
${renderMapSection(portfolio, map, tongue)}
${renderChecksSection(portfolio, tongue)}
${renderPlotsSection(portfolio, map, tongue, unreported)}
<p class="small foot">${files.length > 0 && `${words.sameDataFiles(files.join(", "))} `}${words.portfolioFoot}</p>`,
    html`<script>${toRawHtml(SCRIPT)}</script>`,
  );
}

function getStatusSign(status: PlotStatus): string {
  return status === "ERROR" || status === "UNASKED" ? "–" : SIGNS[status];
}

/** How many plots have the worst verdict of all. */
function formatWorstVerdictCount({ entries }: Portfolio, { words, formats }: ReportTongue): string {
  const worst = PLOT_STATUSES.find((status) => entries.some((entry) => entry.status === status));
  if (worst === undefined) return "";
  const count = entries.filter(({ status }) => status === worst).length;
  const say = {
    NON_COMPLIANT: words.plotsNonCompliant,
    ERROR: words.plotsUnchecked,
    DEGRADED: words.plotsIncomplete,
    WARNING: words.plotsWarning,
    UNASKED: words.plotsOpen,
    COMPLIANT: words.plotsCompliant,
  }[worst];
  return say(count, formats.plain(count), formats.plain(entries.length));
}

/** Which rulesets, and when. */
function renderRulesetsAndDates({ entries }: Portfolio, { words, formats }: ReportTongue): HtmlPart {
  const rulesets = new Set<string>();
  let [first, last] = ["", ""];
  for (const { verdict } of entries) {
    if (verdict === undefined) continue;
    const { ruleset, evaluated_at } = verdict;
    if (first === "" || evaluated_at < first) first = evaluated_at;
    if (evaluated_at > last) last = evaluated_at;
    if (ruleset !== undefined) {
      const version = ruleset.version === null ? "" : ` ${words.rulesetVersion(ruleset.version)}`;
      rulesets.add(`${ruleset.name ?? words.unnamedRuleset}${version}`);
    }
  }
  if (first === "") return undefined;
  const [from, to] = [formats.instant(first), formats.instant(last)];
  const names = [...rulesets].slice(0, 3).map((name, i) => html`${i > 0 && ", "}${renderDataText(name)}`);
  const when = from === to ? from : `${from} – ${to}`;
  return rulesets.size === 0 ? when : html`${words.evaluatedWith} ${names} · ${when}`;
}

/** Made-up sources, undeclared coverages, and descriptions of sources: the basis of the verdicts. */
function renderSourceDoubts({ entries }: Portfolio, { words, formats }: ReportTongue): HtmlPart {
  const [fictional, assumed] = [new Set<string>(), new Set<string>()];
  const omitted = new Set<string>();
  const scopes = new Map<string, string>();
  let [resting, lacking] = [0, 0];
  for (const { verdict } of entries) {
    const sources = verdict?.sources ?? [];
    const onAssumed = sources.filter(({ coverage_known }) => coverage_known === "derived");
    for (const { source_name } of onAssumed) assumed.add(source_name);
    for (const { source_name, fictional: isFictional, scope } of sources) {
      if (isFictional) fictional.add(source_name);
      if (scope !== undefined) scopes.set(source_name, scope);
    }
    if (onAssumed.length > 0) resting++;
    const leftOut = sources.filter(isOmitted);
    for (const { source_name } of leftOut) omitted.add(source_name);
    if (leftOut.length > 0) lacking++;
  }
  const listed = (names: ReadonlySet<string>): Html => {
    const shown = [...names].sort().slice(0, SOURCES_NAMED);
    const more = names.size - shown.length;
    return html`<strong>${shown.map((name) => shortenText(name, NAME_LETTERS)).join(", ")}</strong>${more > 0 && ` ${words.more(formats.plain(more))}`}`;
  };
  const sorted = [...scopes].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    fictional.size > 0 &&
      html`<div class="alert" role="note">${words.fictionalPortfolio(fictional.size, listed(fictional))}</div>`,
    omitted.size > 0 &&
      html`<div class="alert" role="note">${words.omittedPortfolio(lacking, formats.plain(lacking), listed(omitted))}</div>`,
    assumed.size > 0 &&
      html`<p class="small">${words.assumedPortfolio(resting, formats.plain(resting), listed(assumed))}</p>`,
    sorted.length > 0 &&
      html`<p class="small">${words.scope}: ${sorted.slice(0, SOURCES_NAMED).map(([name, scope], i) => html`${i > 0 && "; "}<strong>${shortenText(name, NAME_LETTERS)}</strong> – ${renderDataText(shortenText(scope, SCOPE_LETTERS))}`)}${sorted.length > SOURCES_NAMED && ` ${words.more(formats.plain(sorted.length - SOURCES_NAMED))}`}</p>`,
  ];
}

function renderVerdictsSection({ entries }: Portfolio, tongue: ReportTongue): Html {
  const { words, formats } = tongue;
  const counts = PLOT_STATUSES.map((status) => ({
    status,
    count: entries.filter((entry) => entry.status === status).length,
  })).filter(({ count }) => count > 0);
  const bar = counts.map(
    ({ status, count }) => html`<span style="${formatToneStyle(status)}; flex-grow: ${count}"></span>`,
  );
  const items = counts.map(({ status, count }) => {
    const share = formatShare(count, entries.length, formats);
    return html`<li style="${formatToneStyle(status)}"><span class="count">${formats.plain(count)}</span> <span class="word"><span class="sign" aria-hidden="true">${getStatusSign(status)}</span> ${getPlotStatusWords(words)[status]}</span> <span class="small">${share}</span></li>`;
  });
  return renderSection(
    "verdicts",
    words.verdicts,
    html`<div class="bar" aria-hidden="true">${bar}</div>
<ul class="counts">${items}</ul>`,
  );
}

/** A share in percent: whole if there are too few plots for a decimal. */
function formatShare(count: number, all: number, formats: Formats): string {
  return all < EXACT_FROM
    ? `${formats.decimal((100 * count) / all, 0, [100])} %`
    : formats.share(count / all);
}

function renderMapSection(
  portfolio: Portfolio,
  map: PlotMap | undefined,
  { words, formats }: ReportTongue,
): Html | false {
  if (map === undefined) return false;
  const missing = portfolio.entries.filter(({ middle }) => middle === undefined).length;
  return renderSection(
    "map",
    words.map,
    html`<figure>${map.svg}<figcaption>${words.mapOfPlotsCaption}${missing > 0 && ` ${words.notOnMap(missing, formats.plain(missing))}`}${map.far.length > 0 && html` ${words.farFromOthers(map.far.length, formats.plain(map.far.length), nameFarPlots(map.far, { words, formats }))}`}</figcaption></figure>`,
  );
}

/** Names of plots that are not drawn, as far as a caption takes them. */
function nameFarPlots(
  far: readonly PortfolioEntry[],
  { words, formats }: Pick<ReportTongue, "words" | "formats">,
): Html {
  const names = far.slice(0, SOURCES_NAMED).map(({ row }, i) => {
    return html`${i > 0 && ", "}${renderDataText(shortenText(row.name ?? String(row.id), NAME_LETTERS))}`;
  });
  const more = far.length - names.length;
  return html`${names}${more > 0 && ` ${words.more(formats.plain(more))}`}`;
}

function renderChecksSection({ entries, checks }: Portfolio, { words, formats }: ReportTongue): Html | false {
  if (checks.length === 0) return false;
  const states = getCheckStateWords(words);
  const shown = CHECK_STATES.filter((state) =>
    entries.some((entry) => [...entry.checks.values()].includes(state)),
  );
  const lines = checks.map(({ id, title }) => {
    const counts = new Map<CheckState, number>();
    for (const entry of entries) {
      const state = entry.checks.get(id);
      if (state !== undefined) counts.set(state, (counts.get(state) ?? 0) + 1);
    }
    return html`<tr><th scope="row">${renderDataText(shortenText(title, NAME_LETTERS))}</th>${shown.map((state) => html`<td class="n${!counts.has(state) && " zero"}">${formats.plain(counts.get(state) ?? 0)}</td>`)}</tr>\n`;
  });
  return renderSection(
    "checks",
    words.byCheck,
    html`<div class="wide" tabindex="0" role="group" aria-labelledby="checks"><table class="checks"><thead><tr><th scope="col">${words.check}</th>${shown.map((state) => html`<th scope="col" class="n">${states[state]}</th>`)}</tr></thead><tbody>
${lines}</tbody></table></div>`,
  );
}

/** The worst first, else in their order. */
function renderPlotsSection(
  portfolio: Portfolio,
  map: PlotMap | undefined,
  tongue: ReportTongue,
  unreported: number,
): Html {
  const { words, formats } = tongue;
  const { entries, checks } = portfolio;
  const order = entries.map((_, i) => i);
  const rank = entries.map(({ status }) => PLOT_STATUSES.indexOf(status));
  order.sort((a, b) => rank[a]! - rank[b]! || a - b);
  const hasNeeds = entries.some(({ verdict }) => verdict?.checks.some(({ resolve_by }) => resolve_by));
  return renderSection(
    "plots",
    words.plots,
    html`${unreported > 0 && html`<p class="small">${words.withoutReport(unreported, formats.plain(unreported))}</p>\n`}${renderFilterForm(portfolio, tongue)}
<table id="table"><caption class="silent">${words.plots}</caption><thead><tr><th scope="col" class="n" data-sort="number">${words.number}</th><th scope="col" data-sort="id">${words.plot}</th><th scope="col" data-sort="verdict" aria-sort="ascending">${words.verdict}</th><th scope="col" class="n" data-sort="area">${words.area}</th><th scope="col">${words.place}</th><th scope="col">${words.triggeredOrOpen}</th>${hasNeeds && html`<th scope="col">${tongue.words.facts.toBring}</th>`}</tr></thead><tbody>
${order.map((i) => renderPlotLine(entries[i]!, i + 1, checks, map?.places[i], tongue, hasNeeds))}</tbody></table>
<p><button id="more" type="button" hidden>${words.showMore}</button></p>`,
  );
}

function renderFilterForm({ entries, checks }: Portfolio, tongue: ReportTongue): Html {
  const { words, formats } = tongue;
  const all = formats.plain(entries.length);
  const group = formats.plain(100_000).replace(/\d/g, "");
  const least = formats.plain(1000).length > 4 ? 4 : 5;
  return html`<form hidden aria-label="${words.filterPlots}">
<label><span class="silent">${words.search}</span><input name="text" type="search" placeholder="${words.search}" autocomplete="off"></label>
<label><span class="silent">${words.verdict}</span><select name="verdict"><option value="">${words.allVerdicts}</option>${PLOT_STATUSES.map((status, i) => entries.some((entry) => entry.status === status) && html`<option value="${i}">${getPlotStatusWords(words)[status]}</option>`)}</select></label>
<label><span class="silent">${words.check}</span><select name="check"><option value="">${words.allChecks}</option>${checks.map(({ title }, i) => html`<option value="${i}">${shortenText(title, 60)}</option>`)}</select></label>
<button type="reset">${words.clearFilter}</button>
<p class="small"><output id="shown" data-text="${words.shownOf("%", all)}" data-group="${group}" data-least="${least}"></output><span class="hint">. ${words.sortHint}</span></p>
</form>`;
}

/**
 * One plot: `data-n` is its number, `data-v` the place of its verdict, `data-c` that of each check's state, `data-a` its
 * area, `data-p` where it is on the map.
 */
function renderPlotLine(
  entry: PortfolioEntry,
  number: number,
  all: Portfolio["checks"],
  place: PlotMap["places"][number],
  tongue: ReportTongue,
  hasNeeds: boolean,
): Html {
  const { row, status, verdict, middle, checks } = entry;
  const { formats, words } = tongue;
  const states = all.map(({ id }) => {
    const state = checks.get(id);
    return state === undefined ? "." : CHECK_STATES.indexOf(state);
  });
  const area = verdict?.input?.area_m2;
  const id = renderDataText(shortenText(String(row.id), NAME_LETTERS));
  const link = row.link === undefined ? id : html`<a href="${sanitizeLink(row.link)}">${id}</a>`;
  const isNamed = row.name !== undefined && row.name !== String(row.id);
  return html`<tr data-n="${number}" data-v="${PLOT_STATUSES.indexOf(status)}" data-c="${states.join("")}"${area !== undefined && html` data-a="${area}"`}${place !== undefined && html` data-p="${place.map((value) => value.toFixed(0)).join(" ")}"`}><td class="n">${formats.plain(number)}</td><th scope="row">${link}${isNamed && html`<span class="exact">${renderDataText(shortenText(row.name ?? "", NAME_LETTERS))}</span>`}</th><td><span class="sign" aria-hidden="true">${getStatusSign(status)}</span> ${getPlotStatusWords(words)[status]}</td><td class="n">${area === undefined ? "" : formats.area(area)}</td><td>${middle === undefined ? "" : formats.place(middle[0], middle[1])}</td><td>${row.error !== undefined && verdict === undefined ? renderPlotError(row.error, words) : renderCheckNames(entry, tongue)}</td>${hasNeeds && html`<td>${renderNeeds(entry, tongue)}</td>`}</tr>\n`;
}

/** A plot's line names so many ways to lift its checks. */
const NEEDS_NAMED = 4;

function renderNeeds(entry: PortfolioEntry, tongue: ReportTongue): HtmlPart {
  const all = listNeedTexts(entry, tongue);
  const more = all.length > NEEDS_NAMED && "; …";
  return [
    all
      .slice(0, NEEDS_NAMED)
      .map((text, i) => html`${i > 0 && "; "}${renderDataText(shortenText(text, 160))}`),
    more,
  ];
}

/** Where a shape is invalid, what is wrong with it stands in the tables, and on the page of the plot. */
function renderPlotError(
  { code, message }: { readonly code: string; readonly message: string },
  words: ReportTongue["words"],
): Html {
  const text =
    code === "GEOMETRY_INVALID"
      ? words.shapeInvalid
      : html`<span lang="en">${renderDataText(shortenText(message, 160))}</span>`;
  return html`${text} <span class="mono">${shortenText(code, 60)}</span>`;
}

/** Titles of checks that triggered, then those of open ones below the reason why nobody knows. */
function renderCheckNames({ verdict, checks: states }: PortfolioEntry, tongue: ReportTongue): HtmlPart {
  const triggered = (verdict?.checks ?? []).filter(
    ({ id, status }) => status === "ok" && states.get(id) !== "not_triggered",
  );
  const gaps = collectGaps(verdict, (check) => gapPhrase(check, tongue));
  return [
    renderTitles(triggered, tongue),
    gaps.map(
      ([gap, checks]) =>
        html`<span class="exact">${tongue.words.open.notDecided(gap)}: ${renderTitles(checks, tongue)}</span>`,
    ),
  ];
}

function renderTitles(
  checks: readonly { readonly id: string; readonly title?: string }[],
  { words, formats }: ReportTongue,
): HtmlPart {
  const shown = checks
    .slice(0, CHECKS_NAMED)
    .map(({ id, title = id }, i) => html`${i > 0 && "; "}${renderDataText(shortenText(title, 60))}`);
  return [
    shown,
    checks.length > CHECKS_NAMED && ` ${words.more(formats.plain(checks.length - CHECKS_NAMED))}`,
  ];
}

/** A link goes to a file next to the page, or to a site; any other address, which could run code, is dropped. */
function sanitizeLink(link: string): string {
  return /^(?:https?:\/\/|(?![a-z][a-z0-9+.-]*:))/i.test(link.trim()) ? link : "#";
}
