import type {
  AreaEvidence,
  CheckResult,
  ComparisonResult,
  Evidence,
  SourceOutcome,
  SubjectEvidence,
} from "@groundrule/engine";
import type { Unit } from "@groundrule/engine/internal";
import {
  formatMeasuredValue,
  formatMeasureTitle,
  formatOperator,
  formatThresholdSource,
  gapPhrase,
  holds,
  limitRuler,
  listThresholdsInUnit,
  openTexts,
} from "@groundrule/words";
import type { JSX } from "preact";
import { figures, tongue, words } from "../languages/language.ts";
import { formatSourceTitle } from "../map/sources/source-title.ts";
import { formatStatus, Mark } from "../parts/StatusMark.tsx";
import { type EvidenceRef, highlighted, isHighlighted } from "../state/store.ts";
import { DeclaredGroup, type FactTexts, Needs } from "./Declared.tsx";

type Sources = readonly SourceOutcome[];

/** A check with the sources of its verdict. */
interface Shown {
  readonly check: CheckResult;
  readonly sources: Sources;
  readonly factTexts: FactTexts;
}

/** A check: its outcome, its comparisons, and its evidence. */
export function CheckItem({ check, sources, factTexts }: Shown): JSX.Element {
  const say = words.value;
  const { id, title, outcome, undetermined } = check;
  if (check.status === "ok" && !check.triggered)
    return <PassedCheck check={check} sources={sources} factTexts={factTexts} />;
  return (
    <li class={`check ${outcome === null ? "check-quiet" : `check-${outcome.toLowerCase()}`}`}>
      <p class="check-head">
        <Mark of={outcome ?? (check.status === "failed" ? "DEGRADED" : "COMPLIANT")} />
        <span>
          <strong>{title ?? id}</strong>
          <span class="check-state">{describeCheckOutcome(check)}</span>
        </span>
      </p>
      <Comparisons check={check} factTexts={factTexts} />
      <DeclaredGroup check={check} factTexts={factTexts} />
      <Needs check={check} factTexts={factTexts} />
      {check.status !== "failed" &&
        openTexts(check, factTexts.tongue, formatSourceTitle).map((text) => <p class="check-note">{text}</p>)}
      {undetermined > 0 && <p class="check-note">{say.verdictUndetermined(undetermined)}</p>}
      <EvidenceList check={check} sources={sources} factTexts={factTexts} />
    </li>
  );
}

/** A check that the plot passed, on one line that can be expanded. */
function PassedCheck({ check, sources, factTexts }: Shown): JSX.Element {
  const _say = words.value;
  const { id, title, comparisons } = check;
  const only =
    comparisons.length === 1
      ? ` — ${formatMeasuredValue(comparisons[0]!, comparisons[0]!.value, tongue.value)}`
      : "";
  return (
    <li class="check check-passed">
      <details>
        <summary>
          <Mark of="COMPLIANT" />
          <span>
            {title ?? id}
            {only} · {tongue.value.words.passed}
          </span>
        </summary>
        <Comparisons check={check} factTexts={factTexts} />
        <DeclaredGroup check={check} factTexts={factTexts} />
        <EvidenceList check={check} sources={sources} factTexts={factTexts} />
      </details>
    </li>
  );
}

/** The comparisons, each with value and limit, and with its result if there are several. */
function Comparisons({
  check: { comparisons, declared = [], triggered },
  factTexts,
}: Pick<Shown, "check" | "factTexts">): JSX.Element {
  const say = words.value;
  const isSeveral = comparisons.length + declared.length > 1;
  // If a single true comparison does not trigger the check, all must be true.
  const isAll = comparisons.length > 1 && !triggered && comparisons.some(holds);
  return (
    <>
      {isAll && <p class="check-note">{say.verdictAllHold(comparisons.length)}</p>}
      <ul class="check-comparisons">
        {comparisons.map((comparison) => (
          <li key={`${comparison.set} ${JSON.stringify(comparison.measure)} ${comparison.op}`}>
            <span>{formatMeasureTitle(comparison, factTexts.tongue)}</span>
            <span class="check-value">
              {formatMeasuredValue(comparison, comparison.value, tongue.value)}
              {isSeveral && (holds(comparison) ? " ✓" : " ✗")}
            </span>
            <Ruler comparison={comparison} />
            <span class="check-limit">
              {say.verdictLimit(
                `${formatOperator(comparison.op)} ${formatMeasuredValue(comparison, comparison.threshold, tongue.value)}`,
              )}
              {comparison.threshold_of !== undefined &&
                ` (${formatThresholdSource(comparison.threshold_of, factTexts.tongue)})`}
              {limitRuler(comparison, tongue.value) !== undefined &&
                ` · ${limitRuler(comparison, tongue.value)!.distance}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The value on a short scale, with a tick at the limit: a picture of the adjacent words. */
function Ruler({ comparison }: { readonly comparison: ComparisonResult }): JSX.Element | null {
  const ruler = limitRuler(comparison, tongue.value);
  if (ruler === undefined) return null;
  const { value, limit } = ruler;
  return (
    <svg class="ruler" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="ruler-scale" y="2" width="100" height="4" />
      <rect class="ruler-value" y="2" width={100 * value} height="4" />
      <rect class="ruler-limit" x={Math.min(99, 100 * limit)} width="0.8" height="8" />
    </svg>
  );
}

function EvidenceList({ check, sources, factTexts }: Shown): JSX.Element | null {
  const say = words.value;
  const { id, title, evidence, evidence_total } = check;
  if (evidence.length === 0) return null;
  return (
    <ul class="check-evidence" aria-label={say.verdictEvidenceOf(title ?? id)}>
      {evidence.map((item) => (
        <EvidenceItem
          key={`${item.source_name} ${item.source_id}`}
          check={check}
          sources={sources}
          factTexts={factTexts}
          item={item}
        />
      ))}
      {evidence_total > evidence.length && <li>{say.mapMore(evidence_total - evidence.length)}</li>}
    </ul>
  );
}

function EvidenceItem({ check, sources, item }: Shown & { readonly item: Evidence }): JSX.Element {
  const ref: EvidenceRef = { check: check.id, source_name: item.source_name, source_id: item.source_id };
  const isArea = "overlap_area_m2" in item;
  const content = (
    <>
      <span class="evidence-name">{item.name ?? item.source_id}</span>
      <span class="evidence-facts">
        {isArea ? formatAreaFacts(item, check, sources) : formatSubjectFacts(item)}
      </span>
      <span class="evidence-source" title={item.source_name}>
        {formatSourceTitle(item.source_name)}
      </span>
    </>
  );
  if (!isArea) return <li class="evidence">{content}</li>;
  return (
    <li>
      <button
        type="button"
        class="evidence"
        aria-pressed={isHighlighted(ref)}
        onMouseEnter={() => highlightEvidence(ref)}
        onFocus={() => highlightEvidence(ref)}
        onClick={() => highlightEvidence(ref)}
      >
        {content}
      </button>
    </li>
  );
}

function highlightEvidence(ref: EvidenceRef): void {
  highlighted.value = ref;
}

/** How an area and the plot overlap, and the area's displayed columns. */
export function formatAreaFacts(item: AreaEvidence, { comparisons }: CheckResult, sources: Sources): string {
  const say = words.value;
  const write = figures.value;
  const limits = (unit: Unit): number[] => listThresholdsInUnit(comparisons, unit);
  const facts = [
    item.on === undefined ? undefined : tongue.value.words.facts.measuredOnProperty,
    item.distance_m !== undefined && item.distance_m > 0
      ? say.verdictAway(write.distance(item.distance_m, ...limits("m")))
      : undefined,
    item.overlap_area_m2 > 0
      ? say.verdictOverlaps(
          write.area(item.overlap_area_m2, ...limits("m²")),
          write.share(item.overlap_ratio, ...limits("share")),
        )
      : undefined,
    item.overlap_area_m2 === 0 && (item.distance_m ?? 0) === 0 ? say.verdictTouches : undefined,
    item.cells !== undefined && item.cells > 0
      ? say.verdictCells(item.cells, formatCellSize(item.source_name, sources))
      : undefined,
    item.undetermined === true ? say.verdictUndeterminedItem : undefined,
    ...Object.entries(item.properties ?? {}).map(([name, value]) => `${name}: ${value ?? "–"}`),
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}

function formatCellSize(source: string, sources: Sources): string | undefined {
  const { cell_m } = sources.find(({ source_name }) => source_name === source) ?? {};
  return cell_m && figures.value.sides(cell_m);
}

function formatSubjectFacts(item: SubjectEvidence): string {
  const shown = Object.entries(item.properties ?? {}).map(([name, value]) => `${name}: ${value ?? "–"}`);
  return [`${item.scheme} ${item.value}`, ...(item.role === undefined ? [] : [item.role]), ...shown].join(
    " · ",
  );
}

/** The outcome of a check, in words. */
export function describeCheckOutcome(check: CheckResult): string {
  const { status, outcome, triggered } = check;
  const say = words.value;
  if (status === "failed") return say.verdictCheckFailed;
  if (status !== "ok") return say.verdictCheckOpen(gapPhrase(check, tongue.value));
  return triggered && outcome !== null ? formatStatus(outcome) : tongue.value.words.passed;
}
