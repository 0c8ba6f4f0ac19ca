import type {
  AreaEvidence,
  CheckResult,
  ComparisonResult,
  Evidence,
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
import { Fragment, type JSX } from "preact";
import { answerWords } from "../languages/answer-words.ts";
import { figures, tongue, words } from "../languages/language.ts";
import { formatSourceTitle } from "../map/sources/source-title.ts";
import { formatStatus, Mark } from "../parts/StatusMark.tsx";
import { type EvidenceRef, highlighted, isHighlighted } from "../state/store.ts";
import { DeclaredGroup, type FactTexts, Needs } from "./Declared.tsx";

interface Shown {
  readonly check: CheckResult;
  readonly factTexts: FactTexts;
}

/** A check on one line that can be expanded to its comparisons and its evidence. */
export function CheckItem({
  isOpen,
  isRepeated,
  check,
  factTexts,
}: Shown & {
  readonly isOpen: boolean;
  /** True if a check above has the same areas. */
  readonly isRepeated: boolean;
}): JSX.Element {
  const { id, title, outcome, undetermined, comparisons, evidence } = check;
  const isPassed = check.status === "ok" && !check.triggered;
  const [only] = comparisons.length === 1 ? comparisons : [];
  return (
    <li class={`check ${outcome === null ? "check-quiet" : `check-${outcome.toLowerCase()}`}`}>
      <details open={isOpen}>
        <summary class="check-head">
          <Mark
            of={isPassed ? "COMPLIANT" : (outcome ?? (check.status === "failed" ? "DEGRADED" : "NOTICE"))}
          />
          <span class="check-title">
            {title ?? id}
            {check.status !== "ok" && <span class="check-state">{describeCheckOutcome(check)}</span>}
          </span>
          {only !== undefined && (
            <span class="check-value">{formatMeasuredValue(only, only.value, tongue.value)}</span>
          )}
        </summary>
        <Comparisons check={check} factTexts={factTexts} />
        <DeclaredGroup check={check} factTexts={factTexts} />
        <Needs check={check} factTexts={factTexts} />
        {listOpenTexts(check, factTexts).map((text) => (
          <p key={text} class="check-note">
            {text}
          </p>
        ))}
        {undetermined > 0 && <p class="check-note">{words.value.verdictUndetermined(undetermined)}</p>}
        {isRepeated ? (
          <p class="check-note">{answerWords.value.sameAreas(figures.value.plain(evidence.length))}</p>
        ) : (
          <EvidenceList check={check} />
        )}
      </details>
    </li>
  );
}

/** Why a check is open, but for the facts that its comparisons show as not answered. */
function listOpenTexts(check: CheckResult, { tongue }: FactTexts): readonly string[] {
  if (check.status === "failed") return [];
  const shown = new Set(check.declared?.map(({ fact }) => fact));
  const open = check.open?.filter(({ fact }) => fact === undefined || !shown.has(fact));
  return open?.length === 0 ? [] : openTexts({ ...check, ...(open && { open }) }, tongue, formatSourceTitle);
}

/** The comparisons, each with value and limit, and on which side of the limit the value is. */
function Comparisons({ check: { comparisons }, factTexts }: Pick<Shown, "check" | "factTexts">): JSX.Element {
  const say = words.value;
  return (
    <ul class="check-comparisons">
      {comparisons.map((comparison) => (
        <li key={`${comparison.set} ${JSON.stringify(comparison.measure)} ${comparison.op}`}>
          <span>{formatMeasureTitle(comparison, factTexts.tongue)}</span>
          <span class="check-value">{formatMeasuredValue(comparison, comparison.value, tongue.value)}</span>
          <Ruler comparison={comparison} />
          <span class="check-limit">
            {say.verdictLimit(
              `${formatOperator(comparison.op)} ${formatMeasuredValue(comparison, comparison.threshold, tongue.value)}`,
            )}
            {comparison.threshold_of !== undefined &&
              ` (${formatThresholdSource(comparison.threshold_of, factTexts.tongue)})`}
            {comparison.value !== null && comparison.threshold !== null && (
              <>
                {" · "}
                <span class={holds(comparison) ? "check-over" : undefined}>{describeSide(comparison)}</span>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** On which side of the limit a value is: how far, where a ruler shows it. */
function describeSide(comparison: ComparisonResult): string {
  const say = answerWords.value;
  const ruler = limitRuler(comparison, tongue.value);
  if (ruler !== undefined) return ruler.distance;
  return holds(comparison) ? say.over : say.within;
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

/** The most areas of one source that are listed at once. */
const MOST_OF_SOURCE = 3;

function EvidenceList({ check }: Pick<Shown, "check">): JSX.Element | null {
  const say = words.value;
  const { id, title, evidence, evidence_total } = check;
  if (evidence.length === 0) return null;
  const list = (items: readonly Evidence[]): JSX.Element[] =>
    items.map((item) => (
      <EvidenceItem key={`${item.source_name} ${item.source_id}`} item={item} check={check} />
    ));
  return (
    <ul class="check-evidence" aria-label={say.verdictEvidenceOf(title ?? id)}>
      {[...Map.groupBy(evidence, ({ source_name }) => source_name)].map(([source, items]) => {
        const more = items.slice(MOST_OF_SOURCE);
        return (
          <Fragment key={source}>
            <li class="evidence-source" title={source}>
              {formatSourceTitle(source)}
            </li>
            {list(items.slice(0, MOST_OF_SOURCE))}
            {more.length > 0 && (
              <li>
                <details>
                  <summary>{[say.mapMore(more.length), ...formatCellArea(more)].join(", ")}</summary>
                  <ul class="check-evidence-more">{list(more)}</ul>
                </details>
              </li>
            )}
          </Fragment>
        );
      })}
      {evidence_total > evidence.length && <li>{say.mapMore(evidence_total - evidence.length)}</li>}
    </ul>
  );
}

/** The area of values of cells together: other areas may overlap, and have no sum. */
function formatCellArea(items: readonly Evidence[]): readonly string[] {
  const areas = items.flatMap((item) => ("cells" in item && item.cells ? item.overlap_area_m2 : []));
  if (areas.length < items.length) return [];
  return [figures.value.area(areas.reduce((sum, area) => sum + area, 0))];
}

function EvidenceItem({ check, item }: Pick<Shown, "check"> & { readonly item: Evidence }): JSX.Element {
  const ref: EvidenceRef = { check: check.id, source_name: item.source_name, source_id: item.source_id };
  const isArea = "overlap_area_m2" in item;
  const content = (
    <>
      <span class="evidence-name">{item.name ?? item.source_id}</span>
      <span class="evidence-facts">{isArea ? formatAreaFacts(item, check) : formatSubjectFacts(item)}</span>
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
export function formatAreaFacts(item: AreaEvidence, { comparisons }: CheckResult): string {
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
    item.cells !== undefined && item.cells > 0 ? say.verdictCells(item.cells) : undefined,
    item.undetermined === true ? say.verdictUndeterminedItem : undefined,
    ...Object.entries(item.properties ?? {}).map(([name, value]) => `${name}: ${value ?? "–"}`),
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
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
