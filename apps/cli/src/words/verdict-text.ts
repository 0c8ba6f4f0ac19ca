import type { AreaEvidence, CheckResult, DeclaredFact, Verdict } from "@groundrule/engine";
import { isAreaEvidence } from "@groundrule/engine/records";
import {
  createRulesetTongue,
  describeNeeds,
  factValueText,
  formatMeasuredValue,
  formatMeasureTitle,
  formatOperator,
  listThresholdsInUnit,
  type Need,
  openTexts,
  otherComparisons,
  type RulesetTongue,
} from "@groundrule/words";
import { getTongue } from "@groundrule/words/languages";
import { wrapLine } from "../terminal/indented.ts";
import { type Painter, toPrintable } from "../terminal/terminal.ts";
import { figures } from "./figures.ts";

const STYLES = { COMPLIANT: "green", WARNING: "yellow", NON_COMPLIANT: "red", DEGRADED: "magenta" } as const;

/** The certain part of a degraded verdict, in words that nobody mistakes for a pass. */
const CERTAIN = {
  COMPLIANT: "not yet decided",
  WARNING: "WARNING or worse",
  NON_COMPLIANT: "NON_COMPLIANT in any case",
} as const;

/**
 * A verdict in the form for people: the outcome, and the checks that led to it with their numbers. Notices that wait for
 * what nobody declared are one line: a first run has many, and they would hide the others.
 *
 * @param context a line beside the verdict: what maps show of the plot
 */
export function* formatVerdictText(
  subject: string,
  verdict: Verdict,
  painter: Painter,
  context?: string,
): Generator<string> {
  for (const line of formatVerdictLines(subject, verdict, painter, context))
    yield* wrapLine(line, painter.width);
}

function* formatVerdictLines(
  subject: string,
  verdict: Verdict,
  painter: Painter,
  context: string | undefined,
): Generator<string> {
  const coloured = painter.style(STYLES[verdict.verdict], verdict.verdict);
  const certain = verdict.status === "degraded" ? `, ${CERTAIN[verdict.at_least]}` : "";
  const isFictional = verdict.sources.some(({ fictional }) => fictional);
  const leftOut = verdict.sources.flatMap((source) =>
    source.status === "without" ? source.source_name : [],
  );
  const without = leftOut.length === 0 ? "" : `, without ${leftOut.join(", ")}`;
  yield `${toPrintable(subject)}: ${coloured}${certain}${isFictional ? ", on fictional data" : ""}${without}`;
  if (context !== undefined) yield `  ${context}`;
  for (const { source_name, observed_until, before_cutoff } of verdict.sources) {
    const end = observed_until === undefined ? "" : `, whose observations end on ${observed_until},`;
    if (before_cutoff) yield `  ${source_name}${end} may end before the cut-off of its group`;
  }
  const tongue = createVerdictTongue(verdict);
  const waiting = verdict.checks.filter((check) => isWaiting(check, tongue, verdict.facts ?? []));
  const collapsed = new Set(waiting.length > 1 ? waiting : []);
  for (const check of verdict.checks) {
    if ((!check.triggered && check.status === "ok") || collapsed.has(check)) continue;
    const outcome = check.status === "failed" ? "undecided" : (check.outcome ?? "");
    yield `  ${outcome.padEnd(13)}  ${toPrintable(check.title ?? check.id)}`;
    for (const text of openTexts(check, tongue)) yield `                 open: ${toPrintable(text)}`;
    for (const comparison of check.comparisons) {
      const { value, op, threshold } = comparison;
      const text = `${formatMeasureTitle(comparison, tongue)}: ${formatMeasuredValue(comparison, value, tongue)}`;
      yield `                 ${toPrintable(text)} ${formatOperator(op)} ${formatMeasuredValue(comparison, threshold, tongue)}`;
    }
    yield* formatDeclaredComparisons(check, tongue, verdict.facts ?? []);
    const nearest = formatNearestArea(check);
    if (nearest !== undefined) yield `                 nearest: ${toPrintable(nearest)}`;
    else if (check.triggered) yield* formatFirstEvidence(check);
  }
  if (collapsed.size > 0) {
    yield `  NOTICE         ${collapsed.size} notices wait for a fact or a document; --json lists them`;
  }
}

/** True for a notice that a fact or a document would decide which nobody declared. */
function isWaiting(check: CheckResult, tongue: RulesetTongue, facts: readonly DeclaredFact[]): boolean {
  const isOfFacts = check.status === "not_declared" || (check.status === "ok" && check.triggered);
  if (check.outcome !== "NOTICE" || !isOfFacts) return false;
  return describeNeeds(tongue, check, facts).toBring.length > 0;
}

/** A verdict contains only the types of facts, so they are called by their names. */
function createVerdictTongue({ facts = [] }: Verdict): RulesetTongue {
  const declarations = facts.map(({ fact, type }) => [fact, { type, question: { en: fact } }]);
  const tongue = createRulesetTongue(getTongue("en"), undefined, { facts: Object.fromEntries(declarations) });
  return { ...tongue, day: (day) => day };
}

/** The comparisons of a check with declared facts and the day, and the changes that would stop it from triggering. */
function* formatDeclaredComparisons(
  check: CheckResult,
  tongue: RulesetTongue,
  facts: readonly DeclaredFact[],
): Generator<string> {
  const { declared, days } = otherComparisons(tongue, check);
  for (const { fact, op, value, threshold } of declared) {
    const compared = threshold === undefined ? "" : ` ${op} ${threshold ?? "unknown"}`;
    const text = toPrintable(factValueText(tongue, fact, value));
    yield `                 ${fact}: ${text}${compared} (declared, not examined)`;
  }
  for (const day of days) yield `                 ${toPrintable(day)}`;
  const { toBring, wouldChange } = describeNeeds(tongue, check, facts);
  if (toBring.length > 0) yield `                 to bring: ${formatNeedTexts(toBring)}`;
  if (wouldChange.length > 0) yield `                 would change it: ${formatNeedTexts(wouldChange)}`;
}

function formatNeedTexts(needs: readonly Need[]): string {
  return toPrintable(needs.map(({ text }) => text).join("; or "));
}

/** Maximum characters of a name, enough to identify the area. */
const NAME_LENGTH = 60;

function shortenPlotName(name: string): string {
  const text = name.trim();
  const characters = [...text];
  return characters.length <= NAME_LENGTH
    ? text
    : `${characters
        .slice(0, NAME_LENGTH - 1)
        .join("")
        .trimEnd()}…`;
}

/** The first area or record that a check found, with its source, and the number of others. */
function* formatFirstEvidence({ evidence: [first], evidence_total: total }: CheckResult): Generator<string> {
  if (first === undefined) return;
  const isArea = isAreaEvidence(first);
  const share =
    isArea && first.overlap_ratio > 0
      ? `, ${figures.share(first.overlap_ratio)} of the ${first.on ?? "plot"}`
      : "";
  const more = total > 1 ? `, and ${figures.decimal(total - 1, 0)} more` : "";
  const name = shortenPlotName(first.name ?? first.source_id);
  yield `                 ${isArea ? "area" : "record"}: ${toPrintable(`${name} (${first.source_name})`)}${share}${more}`;
}

/** The nearest area of a check that selects by distance, with its distance: more informative than their number. */
function formatNearestArea({ comparisons, evidence }: CheckResult): string | undefined {
  let nearest: { readonly item: AreaEvidence; readonly meters: number } | undefined;
  for (const item of evidence) {
    if (!isAreaEvidence(item) || item.distance_m === undefined) continue;
    if (nearest === undefined || item.distance_m < nearest.meters)
      nearest = { item, meters: item.distance_m };
  }
  if (nearest === undefined) return undefined;
  const { item, meters } = nearest;
  return `${item.name ?? item.source_id} (${item.source_name}), ${figures.distance(meters, ...listThresholdsInUnit(comparisons, "m"))}`;
}
