import type { AreaEvidence, CheckResult, Evidence, SubjectEvidence } from "@groundrule/engine";
import { thresholdsOf, type Unit } from "@groundrule/engine/internal";
import type { JSX } from "preact";
import { figures } from "../languages/figures.ts";
import { words } from "../languages/language.ts";
import { type EvidenceRef, highlighted } from "../state/store.ts";
import { measureText, valueText } from "./measure-text.ts";
import { StatusMark, statusWord } from "./StatusMark.tsx";

/** A check: what became of it, what it compared, and what it found. */
export function CheckItem({ check }: { readonly check: CheckResult }): JSX.Element {
  const say = words.value;
  const { id, title, outcome, evidence, evidence_total, undetermined, covered_ratio } = check;
  return (
    <li class={`check ${outcome === null ? "check-quiet" : `check-${outcome.toLowerCase()}`}`}>
      <p class="check-head">
        <StatusMark status={outcome ?? (check.status === "failed" ? "DEGRADED" : "COMPLIANT")} />
        <span>
          <strong>{title ?? id}</strong>
          <span class="check-state">{stateText(check)}</span>
        </span>
      </p>
      <ul class="check-comparisons">
        {check.comparisons.map((comparison) => (
          <li key={`${comparison.set} ${JSON.stringify(comparison.measure)} ${comparison.op}`}>
            <span>{measureText(comparison)}</span>
            <span class="check-value">{valueText(comparison, comparison.value)}</span>
            <span class="check-limit">
              {say.verdictLimit(`${sign(comparison.op)} ${valueText(comparison, comparison.threshold)}`)}
            </span>
          </li>
        ))}
      </ul>
      {check.status === "not_covered" && covered_ratio !== undefined && (
        <p class="check-note">{say.verdictCoveredShare(figures.value.share(covered_ratio))}</p>
      )}
      {undetermined > 0 && <p class="check-note">{say.verdictUndetermined(undetermined)}</p>}
      {evidence.length > 0 && (
        <ul class="check-evidence" aria-label={say.verdictEvidenceOf(title ?? id)}>
          {evidence.map((item) => (
            <EvidenceItem key={`${item.source_name} ${item.source_id}`} check={check} item={item} />
          ))}
          {evidence_total > evidence.length && <li>{say.mapMore(evidence_total - evidence.length)}</li>}
        </ul>
      )}
    </li>
  );
}

function EvidenceItem({
  check,
  item,
}: {
  readonly check: CheckResult;
  readonly item: Evidence;
}): JSX.Element {
  const ref: EvidenceRef = { check: check.id, source_name: item.source_name, source_id: item.source_id };
  const isArea = "overlap_area_m2" in item;
  const content = (
    <>
      <span class="evidence-name">{item.name ?? item.source_id}</span>
      <span class="evidence-facts">{isArea ? areaFacts(item, check) : subjectFacts(item)}</span>
      <span class="evidence-source">{item.source_name}</span>
    </>
  );
  if (!isArea) return <li class="evidence">{content}</li>;
  const isLit =
    highlighted.value?.source_name === ref.source_name && highlighted.value.source_id === ref.source_id;
  return (
    <li>
      <button
        type="button"
        class="evidence"
        aria-pressed={isLit}
        onMouseEnter={() => light(ref)}
        onFocus={() => light(ref)}
        onClick={() => light(ref)}
      >
        {content}
      </button>
    </li>
  );
}

function light(ref: EvidenceRef): void {
  highlighted.value = ref;
}

function areaFacts(item: AreaEvidence, { comparisons }: CheckResult): string {
  const say = words.value;
  const write = figures.value;
  const beside = (unit: Unit): number[] => thresholdsOf(comparisons, unit);
  const facts = [
    item.distance_m !== undefined && item.distance_m > 0
      ? say.verdictAway(write.distance(item.distance_m, ...beside("m")))
      : undefined,
    item.overlap_area_m2 > 0
      ? say.verdictOverlaps(
          write.area(item.overlap_area_m2, ...beside("m²")),
          write.share(item.overlap_ratio, ...beside("share")),
        )
      : undefined,
    item.overlap_area_m2 === 0 && (item.distance_m ?? 0) === 0 ? say.verdictTouches : undefined,
    item.undetermined === true ? say.verdictUndeterminedItem : undefined,
    ...Object.entries(item.properties ?? {}).map(([name, value]) => `${name}: ${value ?? "–"}`),
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}

function subjectFacts(item: SubjectEvidence): string {
  const shown = Object.entries(item.properties ?? {}).map(([name, value]) => `${name}: ${value ?? "–"}`);
  return [`${item.scheme} ${item.value}`, ...(item.role === undefined ? [] : [item.role]), ...shown].join(
    " · ",
  );
}

function stateText({ status, outcome, triggered }: CheckResult): string {
  const say = words.value;
  if (status === "failed") return say.verdictCheckFailed;
  if (status === "not_covered") return say.verdictCheckNotCovered;
  return triggered && outcome !== null ? statusWord(outcome) : say.verdictCheckPassed;
}

const SIGNS: Readonly<Record<string, string>> = { ">=": "≥", "<=": "≤", "<>": "≠" };

function sign(op: string): string {
  return SIGNS[op] ?? op;
}
