import type { CheckResult, ComparisonResult } from "@groundrule/engine";
import {
  formatMeasureTitle,
  formatOperator,
  formatThresholdSource,
  limitRuler,
  type Shown,
  translateText,
} from "@groundrule/words";
import { type Html, html, renderDataText } from "../html.ts";
import { findNearestEvidence } from "../material.ts";
import { type Page, renderCheckTitle, sortPageChecks } from "../page/page.ts";
import { renderTable, type TableCell } from "../page/table.ts";
import { formatToneStyle } from "../page/tone.ts";
import {
  formatCheckResult,
  formatComparisonResult,
  isLoud,
  SIGNS,
  toVerbalValue,
  type Verbal,
} from "../words.ts";
import { renderCheckNeeds, renderDeclaredComparisons } from "./declared.ts";
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
  const { id, status, outcome, comparisons, declared = [] } = check;
  const rule = ruleset?.checks.find((each) => each.id === id);
  const joined = rule !== undefined && "any" in rule ? words.anyOfThese : words.allOfThese;
  const isSeveral = comparisons.length + declared.length > 1;
  const measured = isSeveral ? `${words.measured} (${joined})` : words.measured;
  return html`<article class="check${!isLoud(check) && " quiet"}${check.evidence.length > 6 && " long"}" style="${getCheckTone(check)}">
<header><h3>${renderCheckTitle(check)}</h3>${renderStatusChip(page, check)}</header>
<p class="ground">${rule?.description !== undefined && html`${renderDataText(translateText(page.facts, rule.description))} `}<span class="mono">${id}</span>${rule === undefined ? "" : ` · ${words.outcomeWhenTriggered(words.outcomes[rule.outcome])}`}</p>
${status !== "ok" && status !== "failed" && html`<p>${formatOpenReasons(page, check)}${rule !== undefined && ` ${words.countsThatAs(words.outcomes[outcome ?? "NOTICE"])}`}</p>`}
${
  comparisons.length > 0 &&
  renderTable(
    html`${words.measured}: ${renderCheckTitle(check)}`,
    [
      { label: measured },
      { label: words.value, isNumber: true },
      { label: words.threshold, isNumber: true },
      { label: words.result, isNumber: true },
    ],
    comparisons.map((comparison) => renderComparisonRow(page, check, comparison)),
  )
}
${renderDeclaredComparisons(page, check, isSeveral ? ` (${joined})` : "")}
${renderCheckNeeds(page, check)}
${renderCheckEvidence(page, check)}
</article>`;
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

function renderComparisonRow(page: Page, check: CheckResult, comparison: ComparisonResult): TableCell[] {
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
      { text: [measured, renderLimitRuler(comparison, page)] },
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
      text: html`${formatMeasureTitle(distance, page.facts)}<span class="exact">${words.comparedAs(compared)}</span>${renderLimitRuler(ruled, page)}`,
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
