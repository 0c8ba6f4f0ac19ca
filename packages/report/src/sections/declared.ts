import type { CheckResult, DeclaredComparison, DeclaredFact } from "@groundrule/engine";
import {
  declaredHolds,
  describeNeeds,
  documentParts,
  factValueText,
  findQuestion,
  formatOperator,
  formatThresholdSource,
  otherComparisons,
  subjectText,
} from "@groundrule/words";
import { type Html, type HtmlPart, html, renderDataText } from "../html.ts";
import { type Page, renderCheckTitle, sortPageChecks } from "../page/page.ts";
import { renderTable, type TableCell } from "../page/table.ts";
import { formatCheckResult, isDeciding } from "../words.ts";
import { renderDigest, renderSection } from "./facts.ts";

/** Comparisons of a check with declared facts, as rows under those that were measured. */
export function listDeclaredRows(page: Page, check: CheckResult): TableCell[][] {
  return otherComparisons(page.facts, check).declared.map((comparison) => [
    { text: renderFactQuestion(page, comparison.fact) },
    { text: renderDataText(factValueText(page.facts, comparison.fact, comparison.value)), class: "said" },
    { text: renderRequiredValue(page, comparison), class: "said" },
    { text: isOfDocument(comparison) ? "" : formatDeclaredResult(page, comparison), class: "word" },
  ]);
}

/** The question itself; of a member of a document, what is compared. */
function renderFactQuestion({ facts }: Page, reference: string): Html {
  const isOwn = !reference.includes(".");
  return renderDataText(isOwn ? findQuestion(facts, reference) : subjectText(facts, reference));
}

function isOfDocument({ op }: DeclaredComparison): boolean {
  return op === "valid" || op === "not_valid";
}

function formatDeclaredResult({ words: { facts: words } }: Page, comparison: DeclaredComparison): string {
  const isMet = declaredHolds(comparison);
  return isMet === undefined ? words.unknown : isMet ? words.met : words.notMet;
}

/** The value that an answer is compared with; nothing for a document, whose value says whether it is valid. */
function renderRequiredValue(page: Page, comparison: DeclaredComparison): HtmlPart {
  const { fact: reference, op, threshold, threshold_of } = comparison;
  if (isOfDocument(comparison)) return undefined;
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

/** Checks that decide the verdict, with the answers and documents that would lift each. */
export function renderLiftsSection(page: Page): Html | false {
  const { words } = page;
  const rows = sortPageChecks(page)
    .filter(isDeciding)
    .map((check) => {
      const { toBring, wouldChange } = describeNeeds(page.facts, check, page.verdict.facts ?? []);
      return { check, needs: [...toBring, ...wouldChange] };
    });
  if (rows.every(({ needs }) => needs.length === 0)) return false;
  return renderSection(
    "lifts",
    words.lifts,
    renderTable(
      words.lifts,
      [{ label: words.check }, { label: words.result }, { label: words.anyOneLifts }],
      rows.map(({ check, needs }): TableCell[] => [
        { text: renderCheckTitle(check) },
        { text: formatCheckResult(check, page) },
        {
          text:
            needs.length === 0
              ? words.liftedByNothing
              : html`<ul class="plain">${needs.map(({ text }) => html`<li>${renderDataText(text)}</li>`)}</ul>`,
        },
      ]),
    ),
  );
}

/** Every fact that the ruleset declares, with what was declared and what came of it: also those that only filters read. */
export function renderDeclaredSection(page: Page): Html | false {
  const { verdict, facts } = page;
  if (verdict.facts === undefined || verdict.facts.length === 0) return false;
  const words = page.words.facts;
  const compared = verdict.checks.flatMap((check) => otherComparisons(facts, check).declared);
  return renderSection(
    "declared",
    words.declared,
    renderTable(
      words.declared,
      [{ label: words.question }, { label: words.value }, { label: words.result }],
      verdict.facts.map((declaredFact): TableCell[] => {
        const { fact, value } = declaredFact;
        const own = compared.filter((comparison) => comparison.fact.split(".")[0] === fact);
        const results = new Map(
          (value === null ? [] : own).map((each) => [JSON.stringify(each), renderResult(page, each)]),
        );
        return [
          { text: renderDataText(findQuestion(facts, fact)) },
          {
            text:
              value !== null && typeof value === "object"
                ? renderDeclaredDocument(page, declaredFact)
                : renderDataText(factValueText(facts, fact, value)),
          },
          { text: [...results.values()] },
        ];
      }),
    ),
  );
}

/** The result of one comparison, in a line. */
function renderResult(page: Page, comparison: DeclaredComparison): Html | false {
  const { fact, value } = comparison;
  if (isOfDocument(comparison)) return html`<div>${factValueText(page.facts, fact, value)}</div>`;
  const subject = fact.includes(".") && html`${renderFactQuestion(page, fact)} `;
  return html`<div>${subject}${renderRequiredValue(page, comparison)}: ${formatDeclaredResult(page, comparison)}</div>`;
}
