import type { CheckResult, ComparisonResult } from "@groundrule/engine";
import {
  formatMeasureTitle,
  formatOperator,
  formatThresholdSource,
  limitRuler,
  otherComparisons,
  type Shown,
  translateText,
} from "@groundrule/words";
import { type Html, type HtmlPart, html, renderDataText } from "../html.ts";
import { findNearestEvidence } from "../material.ts";
import { type Page, renderCheckTitle, sortPageChecks } from "../page/page.ts";
import { renderTable, type TableCell } from "../page/table.ts";
import { formatToneStyle } from "../page/tone.ts";
import {
  formatCheckResult,
  formatComparisonResult,
  isDeciding,
  isLoud,
  SIGNS,
  toVerbalValue,
  type Verbal,
} from "../words.ts";
import { listDeclaredRows } from "./declared.ts";
import { renderCheckEvidence } from "./evidence.ts";
import { renderSection } from "./facts.ts";
import { formatOpenReasons } from "./open.ts";

/** Units of the drawing of a ruler. */
const RULER_WIDTH = 160;
const TICK_WIDTH = 2;

/** Each check with what it compared and what it found. */
export function renderChecksSection(page: Page): Html {
  return renderSection(
    "checks",
    page.words.checks,
    sortPageChecks(page).map((check) => renderCheck(page, check)),
  );
}

function renderCheck(page: Page, check: CheckResult): Html {
  const { words, ruleset } = page;
  const { id, status, outcome, evidence } = check;
  const rule = ruleset?.checks.find((each) => each.id === id);
  const isBrief = !isDeciding(check);
  const open = status !== "ok" && status !== "failed" && formatOpenReasons(page, check);
  const ground = html`${rule?.description !== undefined && html`${renderDataText(translateText(page.facts, rule.description))} `}<span class="mono">${id}</span>${rule === undefined ? "" : ` · ${words.outcomeWhenTriggered(words.outcomes[rule.outcome])}`}`;
  const days = otherComparisons(page.facts, check).days.map(renderDataText);
  const joined = rule !== undefined && "any" in rule ? words.anyOfThese : words.allOfThese;
  return html`<article class="check${isBrief && " brief"}${!isLoud(check) && " quiet"}${evidence.length > 3 && " long"}" style="${getCheckTone(check)}">
<header><h3>${renderCheckTitle(check)}</h3>${renderStatusChip(page, check)}</header>
${
  isBrief
    ? html`<p class="ground">${[ground, open, ...listBriefComparisons(page, check, joined), ...days].filter((part) => part !== false).map((part, i) => [i > 0 && " · ", part])}</p>`
    : html`<p class="ground">${ground}</p>
${open !== false && html`<p>${open}${rule !== undefined && ` ${words.countsThatAs(words.outcomes[outcome ?? "NOTICE"])}`}</p>`}
${renderComparisonTable(page, check, joined)}
${days.map((day) => html`<p>${day}</p>`)}`
}
${renderCheckEvidence(page, check)}
</article>`;
}

/** Everything that a check compares but the day. */
function renderComparisonTable(page: Page, check: CheckResult, joined: string): Html | false {
  const { words } = page;
  const rows = [
    ...check.comparisons.map((comparison) => renderComparisonRow(page, check, comparison)),
    ...listDeclaredRows(page, check),
  ];
  if (rows.length === 0) return false;
  const { length } = check.declared ?? [];
  const isSeveral = check.comparisons.length + length > 1;
  const name = check.comparisons.length > 0 ? words.measured : words.facts.declared;
  return renderTable(
    html`${name}: ${renderCheckTitle(check)}`,
    [
      { label: isSeveral ? `${name} (${joined})` : name },
      { label: words.value, isNumber: true },
      { label: words.threshold, isNumber: true },
      { label: words.result, isNumber: true },
    ],
    rows,
  );
}

/** The measured comparisons in a line; declared ones are in the table of all questions. */
function listBriefComparisons(page: Page, check: CheckResult, joined: string): readonly HtmlPart[] {
  const { words } = page;
  return check.comparisons.map((comparison, i) => {
    const [measured, value, limit, result] = renderComparisonRow(page, check, comparison, false);
    const how = i === 0 && check.comparisons.length > 1 && ` (${joined})`;
    return html`${measured!.text}${how}: ${value!.text}; ${words.threshold.toLowerCase()} ${limit!.text}: ${result!.text}`;
  });
}

function renderStatusChip(page: Page, check: CheckResult): Html {
  const shown = toShown(check);
  return html`<span class="chip"><span class="sign" aria-hidden="true">${shown === undefined ? SIGNS.COMPLIANT : SIGNS[shown]}</span> ${formatCheckResult(check, page)}</span>`;
}

/** State that determines a check's colour; undefined for none. */
function toShown({ status, outcome }: CheckResult): Shown | undefined {
  return status === "failed" ? "DEGRADED" : (outcome ?? undefined);
}

function getCheckTone(check: CheckResult): string {
  const shown = toShown(check);
  return shown === undefined ? "--m: var(--line)" : formatToneStyle(shown);
}

function renderComparisonRow(
  page: Page,
  check: CheckResult,
  comparison: ComparisonResult,
  isRuled = true,
): TableCell[] {
  const { words } = page;
  const measured = formatMeasureTitle(comparison, page.facts);
  const comparedWith = comparison.threshold ?? comparison.value ?? 0;
  const value = toVerbalValue(comparison, comparison.value, comparedWith, page);
  const operator = formatOperator(comparison.op);
  const threshold = toVerbalValue(comparison, comparison.threshold, comparedWith, page);
  const result = { text: formatComparisonResult(comparison, check, words), class: "word" };
  const { threshold_of: source } = comparison;
  const from = source && formatThresholdSource(source, page.facts);
  const byDistance = findDistance(page, check, comparison);
  if (byDistance === undefined) {
    return [
      { text: [measured, isRuled && renderLimitRuler(comparison, page)] },
      { text: renderVerbalValue(value) },
      {
        text: [
          `${operator} `,
          renderVerbalValue(threshold),
          from !== undefined && html`<span class="exact from">${renderDataText(from)}</span>`,
        ],
      },
      result,
    ];
  }
  const { nearest, withinMeters, isExpected } = byDistance;
  const distance = { ...comparison, measure: "min_distance_m" };
  const within: Verbal = toVerbalValue(distance, withinMeters, withinMeters, page);
  const compared = `${measured}: ${value.text} ${operator} ${threshold.text}`;
  const ruled = { ...distance, value: nearest ?? null, threshold: withinMeters };
  return [
    {
      text: html`${formatMeasureTitle(distance, page.facts)}<span class="exact">${words.comparedAs(compared)}</span>${isRuled && renderLimitRuler(ruled, page)}`,
    },
    {
      text:
        nearest === undefined
          ? words.noneWithin(within.text)
          : renderVerbalValue(toVerbalValue(distance, nearest, withinMeters, page)),
    },
    { text: [isExpected ? "≤ " : "> ", renderVerbalValue(within)] },
    result,
  ];
}

/** The value as a bar with a tick at its limit, and in words how far apart they are. */
function renderLimitRuler(
  comparison: Pick<ComparisonResult, "measure" | "value" | "threshold">,
  tongue: Page,
): Html | false {
  const ruler = limitRuler(comparison, tongue);
  if (ruler === undefined) return false;
  const [filled, tick] = [ruler.value * RULER_WIDTH, ruler.limit * (RULER_WIDTH - TICK_WIDTH)];
  return html`<span class="ruled"><svg class="ruler" viewBox="0 0 ${RULER_WIDTH} 10" aria-hidden="true" xmlns="http://www.w3.org/2000/svg"><rect y="3" width="${RULER_WIDTH}" height="4" class="track"/><rect y="3" width="${filled.toFixed(1)}" height="4" class="filled"/><rect x="${tick.toFixed(1)}" width="${TICK_WIDTH}" height="10" class="tick"/></svg> ${ruler.distance}</span>`;
}

function renderVerbalValue({ text, exact }: Verbal): Html {
  return html`${text}${exact !== undefined && html`<span class="exact">${exact}</span>`}`;
}

/**
 * For a comparison that tests if any area is within a distance: the distance to the nearest, which is more informative
 * than the count compared. Undefined for every other comparison, and if the evidence lacks it: the evidence belongs to
 * the check's only set.
 *
 * @returns nearest metres, undefined where nothing is that near; whether the comparison holds where something is
 */
function findDistance(
  { ruleset }: Page,
  check: CheckResult,
  { set, measure, op, threshold, value, on, threshold_of }: ComparisonResult,
):
  | { readonly nearest: number | undefined; readonly withinMeters: number; readonly isExpected: boolean }
  | undefined {
  const sets = ruleset?.sets ?? {};
  const definition = Object.hasOwn(sets, set) ? sets[set]! : undefined;
  if (on !== undefined || threshold_of !== undefined) return undefined;
  if (
    measure !== "count" ||
    definition === undefined ||
    !("within_m" in definition) ||
    definition.within_m === undefined
  ) {
    return undefined;
  }
  if (definition.min_m !== undefined || check.comparisons.some((other) => other.set !== set))
    return undefined;
  const expectsSome = (op === ">" && threshold === 0) || (op === ">=" && threshold === 1);
  const expectsNone = (op === "=" && threshold === 0) || (op === "<" && threshold === 1);
  if ((!expectsSome && !expectsNone) || value === null) return undefined;
  const nearest = findNearestEvidence(check)?.meters;
  if (value > 0 && nearest === undefined) return undefined;
  return { nearest, withinMeters: definition.within_m, isExpected: expectsSome };
}
