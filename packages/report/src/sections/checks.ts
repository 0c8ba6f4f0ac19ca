import type { CheckResult, ComparisonResult } from "@groundrule/engine";
import type { Shown } from "@groundrule/engine/internal";
import { type Html, html, renderDatum } from "../html.ts";
import { limitRuler } from "../limit-ruler.ts";
import { findNearest } from "../material.ts";
import { checkTitle, type Page, sortChecks } from "../page/page.ts";
import { renderTable, type TableCell } from "../page/table.ts";
import { toneStyle } from "../page/tone.ts";
import {
  checkWord,
  isLoud,
  measureText,
  operatorText,
  outcomeWord,
  resultText,
  SIGNS,
  thresholdSourceText,
  type Verbal,
  valueText,
} from "../words.ts";
import { declaredGroup, needsGroup } from "./declared.ts";
import { renderEvidence } from "./evidence.ts";
import { renderSection } from "./facts.ts";
import { openText } from "./open.ts";

/** Units of the drawing of a ruler. */
const RULER_WIDTH = 160;
const TICK_WIDTH = 2;

/** Each check with what it compared and what it found. */
export function checksSection(page: Page): Html {
  return renderSection(
    "checks",
    page.words.checks,
    sortChecks(page).map((check) => checkBox(page, check)),
  );
}

function checkBox(page: Page, check: CheckResult): Html {
  const { words, ruleset } = page;
  const { id, status, outcome, comparisons, declared = [] } = check;
  const rule = ruleset?.checks.find((each) => each.id === id);
  const joined = rule !== undefined && "any" in rule ? words.anyOfThese : words.allOfThese;
  const isSeveral = comparisons.length + declared.length > 1;
  const measured = isSeveral ? `${words.measured} (${joined})` : words.measured;
  return html`<article class="check${!isLoud(check) && " quiet"}${check.evidence.length > 6 && " long"}" style="${getCheckTone(check)}">
<header><h3>${checkTitle(check)}</h3>${renderStatusChip(page, check)}</header>
<p class="ground">${rule?.description !== undefined && html`${renderDatum(rule.description)} `}<span class="mono">${id}</span>${rule === undefined ? "" : ` · ${words.outcomeWhenTriggered(outcomeWord(words, rule.outcome))}`}</p>
${status !== "ok" && status !== "failed" && html`<p>${openText(page, check)}${rule !== undefined && ` ${words.countsThatAs(outcomeWord(words, outcome ?? "NOTICE"))}`}</p>`}
${
  comparisons.length > 0 &&
  renderTable(
    html`${words.measured}: ${checkTitle(check)}`,
    [
      { label: measured },
      { label: words.value, isNumber: true },
      { label: words.threshold, isNumber: true },
      { label: words.result, isNumber: true },
    ],
    comparisons.map((comparison) => comparisonRow(page, check, comparison)),
  )
}
${declaredGroup(page, check, isSeveral ? ` (${joined})` : "", (name) => getSetKind(page, name))}
${needsGroup(page, check)}
${renderEvidence(page, check)}
</article>`;
}

function renderStatusChip({ words, language }: Page, check: CheckResult): Html {
  const shown = toShown(check);
  return html`<span class="chip"><span class="sign" aria-hidden="true">${shown === undefined ? SIGNS.COMPLIANT : SIGNS[shown]}</span> ${checkWord(check, words, language)}</span>`;
}

/** State that determines a check's colour; undefined for none. */
function toShown({ status, outcome }: CheckResult): Shown | undefined {
  return status === "failed" ? "DEGRADED" : (outcome ?? undefined);
}

function getCheckTone(check: CheckResult): string {
  const shown = toShown(check);
  return shown === undefined ? "--m: var(--line)" : toneStyle(shown);
}

function comparisonRow(page: Page, check: CheckResult, comparison: ComparisonResult): TableCell[] {
  const { words } = page;
  const measured = measureText(comparison, getSetKind(page, comparison.set), page);
  const comparedWith = comparison.threshold ?? comparison.value ?? 0;
  const value = valueText(comparison, comparison.value, comparedWith, page);
  const operator = operatorText(comparison);
  const threshold = valueText(comparison, comparison.threshold, comparedWith, page);
  const result = { text: resultText(comparison, check, words), class: "word" };
  const from = thresholdSourceText(comparison, (name) => getSetKind(page, name), page, page.facts);
  const byDistance = findDistance(page, check, comparison);
  if (byDistance === undefined) {
    return [
      { text: [measured, renderRuler(comparison, page)] },
      { text: renderVerbal(value) },
      {
        text: [
          `${operator} `,
          renderVerbal(threshold),
          from !== undefined && html`<span class="exact from">${renderDatum(from)}</span>`,
        ],
      },
      result,
    ];
  }
  const { nearest, withinMeters, isExpected } = byDistance;
  const distance = { ...comparison, measure: "min_distance_m" };
  const within: Verbal = valueText(distance, withinMeters, withinMeters, page);
  const compared = `${measured}: ${value.text} ${operator} ${threshold.text}`;
  const ruled = { ...distance, value: nearest ?? null, threshold: withinMeters };
  return [
    {
      text: html`${measureText(distance, "areas", page)}<span class="exact">${words.comparedAs(compared)}</span>${renderRuler(ruled, page)}`,
    },
    {
      text:
        nearest === undefined
          ? words.noneWithin(within.text)
          : renderVerbal(valueText(distance, nearest, withinMeters, page)),
    },
    { text: [isExpected ? "≤ " : "> ", renderVerbal(within)] },
    result,
  ];
}

/** The value as a bar with a tick at its limit, and in words how far apart they are. */
function renderRuler(
  comparison: Pick<ComparisonResult, "measure" | "value" | "threshold">,
  { language }: Page,
): Html | false {
  const ruler = limitRuler(comparison, language);
  if (ruler === undefined) return false;
  const [filled, tick] = [ruler.value * RULER_WIDTH, ruler.limit * (RULER_WIDTH - TICK_WIDTH)];
  return html`<span class="ruled"><svg class="ruler" viewBox="0 0 ${RULER_WIDTH} 10" aria-hidden="true" xmlns="http://www.w3.org/2000/svg"><rect y="3" width="${RULER_WIDTH}" height="4" class="track"/><rect y="3" width="${filled.toFixed(1)}" height="4" class="filled"/><rect x="${tick.toFixed(1)}" width="${TICK_WIDTH}" height="10" class="tick"/></svg> ${ruler.distance}</span>`;
}

function renderVerbal({ text, exact }: Verbal): Html {
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
  const nearest = findNearest(check)?.meters;
  if (value > 0 && nearest === undefined) return undefined;
  return { nearest, withinMeters: definition.within_m, isExpected: expectsSome };
}

function getSetKind({ ruleset }: Page, set: string): "areas" | "records" {
  const found = ruleset !== undefined && Object.hasOwn(ruleset.sets, set) && ruleset.sets[set];
  return found && "registers" in found ? "records" : "areas";
}
