import type { CheckResult, DeclaredComparison, DeclaredFact } from "@groundrule/engine";
import {
  declaredHolds,
  describeNeeds,
  documentParts,
  factValueText,
  findQuestion,
  formatOperator,
  formatThresholdSource,
  type Need,
  otherComparisons,
  subjectText,
} from "@groundrule/words";
import { type Html, type HtmlPart, html, renderDataText } from "../html.ts";
import { type Page, renderCheckTitle } from "../page/page.ts";
import { renderTable, type TableCell } from "../page/table.ts";
import { renderDigest } from "./facts.ts";

/** Comparisons of a check with declared facts and with the day; empty for a check that reads neither. */
export function renderDeclaredComparisons(page: Page, check: CheckResult, joined: string): Html {
  const { declared, days } = otherComparisons(page.facts, check);
  const table = declared.length > 0 && renderDeclaredTable(page, check, declared, joined);
  return html`${table}${days.map((day) => html`<p>${renderDataText(day)}</p>`)}`;
}

function renderDeclaredTable(
  page: Page,
  check: CheckResult,
  declared: readonly DeclaredComparison[],
  joined: string,
): Html {
  const words = page.words.facts;
  return html`<h4>${words.declared}</h4>
${renderTable(
  html`${words.declared}: ${renderCheckTitle(check)}`,
  [
    { label: `${words.question}${joined}` },
    { label: words.value },
    { label: words.required },
    { label: words.result, isNumber: true },
  ],
  declared.map((comparison): TableCell[] => {
    const isMet = declaredHolds(comparison);
    const result = isMet === undefined ? words.unknown : isMet ? words.met : words.notMet;
    return [
      { text: renderFactQuestion(page, comparison.fact) },
      { text: renderDeclaredValue(page, comparison) },
      { text: renderRequiredValue(page, comparison) },
      { text: result, class: "word" },
    ];
  }),
)}`;
}

/** The question itself; of a member of a document, what is compared. */
function renderFactQuestion({ facts }: Page, reference: string): Html {
  const isOwn = !reference.includes(".");
  return renderDataText(isOwn ? findQuestion(facts, reference) : subjectText(facts, reference));
}

function renderDeclaredValue(page: Page, { fact: reference, op, value }: DeclaredComparison): HtmlPart {
  const text = factValueText(page.facts, reference, value);
  if (op !== "valid" && op !== "not_valid") return renderDataText(text);
  const declaredFact = page.verdict.facts?.find(({ fact }) => fact === reference);
  return [
    renderDataText(text),
    declaredFact !== undefined && value !== null && renderDeclaredDocument(page, declaredFact),
  ];
}

function renderRequiredValue(page: Page, comparison: DeclaredComparison): HtmlPart {
  const { fact: reference, op, threshold, threshold_of } = comparison;
  if (op === "valid" || op === "not_valid") return page.words.facts[op === "valid" ? "valid" : "notValid"];
  const text = threshold === null ? page.words.unknown : factValueText(page.facts, reference, threshold!);
  const from = threshold_of && formatThresholdSource(threshold_of, page.facts);
  return [
    `${formatOperator(op)} `,
    renderDataText(text),
    from !== undefined && html`<span class="exact from">${renderDataText(from)}</span>`,
  ];
}

/** A document as it was declared. Its digest is short on a screen, and whole on paper. */
function renderDeclaredDocument({ facts, words }: Page, { value, digest }: DeclaredFact): Html | false {
  if (value === null || typeof value !== "object") return false;
  const parts = documentParts(facts, value);
  return html`<span class="exact">${renderDataText(value.id)}${parts.map(({ label, text }) => html` · ${label} ${renderDataText(text)}`)}</span>${
    digest !== undefined &&
    html`<span class="exact">${words.facts.digest} <span class="mono short-digest" title="${digest}">${digest.slice(0, 12)}…</span><span class="whole-digest">${renderDigest(digest)}</span></span>`
  }`;
}

/** Changes that would keep a check from triggering. */
export function renderCheckNeeds(page: Page, check: CheckResult): Html | false {
  const words = page.words.facts;
  const { toBring, wouldChange } = describeNeeds(page.facts, check, page.verdict.facts ?? []);
  if (toBring.length + wouldChange.length === 0) return false;
  const list = (title: string, needs: readonly Need[]): Html | false =>
    needs.length > 0 &&
    html`<h4>${title}</h4>${needs.length > 1 && html`<p class="small">${words.anyOne}</p>`}<ul class="plain">${needs.map(({ text }) => html`<li>${renderDataText(text)}</li>`)}</ul>`;
  return html`${list(words.toBring, toBring)}${list(words.wouldChange, wouldChange)}`;
}

/** Every fact that the ruleset declares, with its declared value: also those that only filters read. */
export function renderDeclaredFacts(page: Page): Html | false {
  const { verdict, facts } = page;
  if (verdict.facts === undefined) return false;
  const words = page.words.facts;
  return html`<h3 class="apart">${words.declared}</h3>
${renderTable(
  words.declared,
  [{ label: words.question }, { label: words.value }],
  verdict.facts.map((declaredFact): TableCell[] => {
    const { fact, value } = declaredFact;
    const isDocument = value !== null && typeof value === "object";
    return [
      { text: renderDataText(findQuestion(facts, fact)) },
      {
        text: isDocument
          ? renderDeclaredDocument(page, declaredFact)
          : renderDataText(factValueText(facts, fact, value)),
      },
    ];
  }),
)}`;
}
