import type { SourceOutcome } from "@groundrule/engine";
import { describeReason, liftedText } from "@groundrule/words";
import { type Html, html, renderDataText } from "../html.ts";
import { renderLocatorMap } from "../maps/locator.ts";
import { hasPlot, listInputIdentifiers, type Page } from "../page/page.ts";
import { formatToneStyle } from "../page/tone.ts";
import { describeVerdictReservation, isOmitted, SIGNS } from "../words.ts";
import { renderEnglishText, renderTermDescription, renderWideFact } from "./facts.ts";

/** The verdict in a word, why, and the facts about the plot with a map of where it lies. */
export function renderHeadSection(page: Page): Html {
  const { verdict: data, words, formats } = page;
  const { verdict, ruleset, evaluated_at } = data;
  const reservation = describeVerdictReservation(data, page);
  const lifted = liftedText(data, page.record.request.ruleset, page);
  const locator = renderLocatorMap(page);
  const { context } = page.material;
  return html`<header class="top"><p class="brand"><span>groundrule</span><span>${formats.instant(evaluated_at)}</span></p>
<h1>${renderDataText(page.subject)}</h1>
<p class="small">${words.evaluatedWith} ${renderDataText(ruleset.name ?? words.unnamedRuleset)}${ruleset.version !== null && ` ${words.rulesetVersion(ruleset.version)}`}</p></header>
${renderFictionalNotice(page)}${renderOmittedNotice(page)}
<section class="verdict" aria-label="${words.verdict}" style="${formatToneStyle(verdict)}">
<p class="word"><span class="sign" aria-hidden="true">${SIGNS[verdict]}</span> ${words.outcomes[verdict]}${lifted !== undefined && html`<span class="lifted">; ${renderDataText(lifted)}</span>`}</p>
<p class="reason">${renderDataText(describeReason(data, page))}</p>
${reservation !== undefined && html`<p>${reservation}</p>`}
${context !== undefined && html`<p>${context}</p>`}
</section>
<section class="about${locator === undefined ? "" : " located"}" aria-label="${words.mainFacts}">${renderFactList(page)}${locator}</section>`;
}

/** Notice above the verdict if it used made-up sources. */
function renderFictionalNotice({ verdict, words }: Page): Html | false {
  const names = verdict.sources.filter(({ fictional }) => fictional).map(({ source_name }) => source_name);
  if (names.length === 0) return false;
  return html`<div class="alert" role="note">${words.fictionalSources(names.length, html`<strong>${names.join(", ")}</strong>`)}</div>`;
}

/** Above the verdict where sources were left out. */
function renderOmittedNotice({ verdict, words }: Page): Html | false {
  const names = verdict.sources.filter(isOmitted).map(({ source_name }) => source_name);
  if (names.length === 0) return false;
  return html`<div class="alert" role="note">${words.omittedSources(names.length, html`<strong>${names.join(", ")}</strong>`)}</div>`;
}

function renderFactList(page: Page): Html {
  const { verdict, words, formats, record } = page;
  const { evaluated_at, input, reference_id, sources } = verdict;
  const middle = findMapMiddle(page);
  return html`<dl class="facts one">
${hasPlot(record) && renderTermDescription(words.areaOfPlot, formats.area(input.area_m2 ?? 0))}
${input.property_area_m2 !== undefined && renderTermDescription(words.facts.areaOfProperty, formats.area(input.property_area_m2))}
${middle !== undefined && renderTermDescription(words.centreOfPlot, formats.place(middle[0], middle[1]))}
${renderTermDescription(words.evaluated, formats.instant(evaluated_at))}
${renderTermDescription(words.sourcesUsed, words.sourcesUsedOldest(formats.plain(sources.filter((source) => !isOmitted(source)).length), formatOldestAge(page)))}
${typeof reference_id === "string" && reference_id !== page.subject && renderWideFact(words.reference, renderDataText(reference_id))}
${listInputIdentifiers(record).length > 0 && renderWideFact(words.identifiers, listInputIdentifiers(record).map(renderIdentifier))}
</dl>`;
}

function renderIdentifier(
  { type, value, role }: { readonly type: string; readonly value: string; readonly role?: string },
  i: number,
): Html {
  return html`${i > 0 && html`<br>`}${renderDataText(`${type} ${value}`)}${role !== undefined && html` (${renderDataText(role)})`}`;
}

/** The middle of the plot's map; a bbox has none where a plot lies on both sides of the antimeridian. */
function findMapMiddle({ material, verdict }: Page): readonly [number, number] | undefined {
  const box = material.views[0]?.frame ?? verdict.input.bbox;
  return box === undefined ? undefined : [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
}

function formatOldestAge({ verdict, words, formats }: Page): string {
  const ages = verdict.sources.flatMap(({ age_days }) => age_days ?? []);
  if (ages.length === 0 || verdict.sources.some(isAgeless)) return words.unknownDays;
  const most = ages.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return words.days(most, formats.plain(most));
}

/** True if a source has a date from which no age counts, because it lies in the future. */
function isAgeless({ status, collected_at, observed_until, age_days }: SourceOutcome): boolean {
  return status === "ok" && age_days === undefined && (collected_at ?? observed_until) !== undefined;
}

/** Result of evaluating the record again, if it differs. */
export function renderReplaySection({ material, words }: Page): Html | false {
  const { replay } = material;
  if (replay === undefined) return false;
  if (replay.result === "identical") return false;
  if (replay.differs.length === 1 && replay.differs[0] === "description") {
    return html`<div class="alert" role="note">${words.sameButAround(replay.changes.map(({ pointer }) => pointer).join(", "))}</div>`;
  }
  const gives = words.secondGives(
    replay.verdict.replayed ?? words.noVerdict,
    replay.verdict.recorded,
    replay.differs.join(", "),
  );
  const shown = (value: unknown): Html =>
    value === undefined ? html`${words.nothing}` : renderDataText(JSON.stringify(value).slice(0, 120));
  return html`<div class="alert" role="note"><strong>${words.notConfirmed}</strong> ${gives}${replay.error !== undefined && html` ${renderEnglishText(renderDataText(replay.error.message))}`}
${
  replay.changes.length > 0 &&
  html`<ul class="plain">${replay.changes
    .slice(0, 8)
    .map(
      (change) =>
        html`<li><code>${change.pointer}</code>: ${shown(change.recorded)}, ${words.now} ${shown(change.replayed)}</li>`,
    )}</ul>`
}</div>`;
}
