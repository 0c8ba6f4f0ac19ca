import { canonicalJson } from "./canonical-json.ts";
import type {
  AreaEvidence,
  CheckResult,
  ComparisonResult,
  Evidence,
  SourceOutcome,
  SubjectEvidence,
  Verdict,
} from "./verdict.ts";
import { isAreaEvidence } from "./verdict.ts";

/**
 * The canonical JSON that the digest of a verdict is taken of, written at once: every member stands where its name
 * sorts, so that nothing is copied or sorted. Only for verdicts that were just made; one from elsewhere may have
 * members that are not known here, and `verdictDigest` takes them as they are.
 *
 * @param verdict its checks have the evidence that the digest covers, and perhaps more
 */
export function decisiveJson(verdict: Omit<Verdict, "digest">, evidenceLimit: number): string {
  const shown: Written = new Map();
  let checks = "";
  for (const check of verdict.checks)
    checks += `${checks === "" ? "" : ","}${checkJson(check, evidenceLimit, shown)}`;
  let sources = "";
  for (const source of verdict.sources) sources += `${sources === "" ? "" : ","}${sourceJson(source)}`;
  return (
    `{"at_least":"${verdict.at_least}","checks":[${checks}],"input":{"digest":"${verdict.input.digest}"},` +
    `"ruleset":{"digest":"${verdict.ruleset.digest}"},"semantics":${verdict.semantics},` +
    `"sources":[${sources}],"status":"${verdict.status}","verdict":"${verdict.verdict}"}`
  );
}

/** The same area may be evidence of many checks. */
type Written = Map<Evidence, string>;

function checkJson(check: CheckResult, evidenceLimit: number, shown: Written): string {
  const { covered_ratio, outcome, title } = check;
  let comparisons = "";
  for (const comparison of check.comparisons) {
    comparisons += `${comparisons === "" ? "" : ","}${comparisonJson(comparison)}`;
  }
  let evidence = "";
  for (let i = 0; i < check.evidence.length && i < evidenceLimit; i++) {
    if (i > 0) evidence += ",";
    evidence += evidenceJson(check.evidence[i]!, shown);
  }
  return (
    `{"comparisons":[${comparisons}]` +
    (covered_ratio === undefined ? "" : `,"covered_ratio":${canonicalJson(covered_ratio)}`) +
    `,"evidence":[${evidence}],"evidence_total":${check.evidence_total},"id":${canonicalJson(check.id)}` +
    `,"outcome":${outcome === null ? "null" : `"${outcome}"`},"status":"${check.status}"` +
    (title === undefined ? "" : `,"title":${canonicalJson(title)}`) +
    `,"triggered":${check.triggered},"undetermined":${check.undetermined}}`
  );
}

function comparisonJson({ set, measure, op, value, threshold, of }: ComparisonResult): string {
  return (
    `{"measure":${canonicalJson(measure)}${of === undefined ? "" : `,"of":${canonicalJson(of)}`},"op":"${op}"` +
    `,"set":${canonicalJson(set)},"threshold":${canonicalJson(threshold)},"value":${canonicalJson(value)}}`
  );
}

function evidenceJson(evidence: Evidence, shown: Written): string {
  let text = shown.get(evidence);
  if (text === undefined) {
    text = isAreaEvidence(evidence) ? areaJson(evidence) : recordJson(evidence);
    shown.set(evidence, text);
  }
  return text;
}

function areaJson(area: AreaEvidence): string {
  const { distance_m, properties } = area;
  return (
    `{"area_overlap_ratio":${canonicalJson(area.area_overlap_ratio)}` +
    `,"country_iso3":${canonicalJson(area.country_iso3)}` +
    (distance_m === undefined ? "" : `,"distance_m":${canonicalJson(distance_m)}`) +
    `,"edition":${canonicalJson(area.edition)},"name":${canonicalJson(area.name)}` +
    `,"overlap_area_m2":${canonicalJson(area.overlap_area_m2)}` +
    `,"overlap_ratio":${canonicalJson(area.overlap_ratio)}` +
    (properties === undefined ? "" : `,"properties":${canonicalJson(properties)}`) +
    `,"source_id":${canonicalJson(area.source_id)},"source_name":${canonicalJson(area.source_name)}` +
    `${area.undetermined === undefined ? "" : `,"undetermined":${area.undetermined}`}}`
  );
}

function recordJson({
  name,
  properties,
  role,
  scheme,
  source_id,
  source_name,
  value,
}: SubjectEvidence): string {
  return (
    `{${name === undefined ? "" : `"name":${canonicalJson(name)},`}` +
    (properties === undefined ? "" : `"properties":${canonicalJson(properties)},`) +
    (role === undefined ? "" : `"role":${canonicalJson(role)},`) +
    `"scheme":${canonicalJson(scheme)},"source_id":${canonicalJson(source_id)}` +
    `,"source_name":${canonicalJson(source_name)},"value":${canonicalJson(value)}}`
  );
}

function sourceJson({ coverage, edition, overage, source_name, status }: SourceOutcome): string {
  return (
    `{${coverage === undefined ? "" : `"coverage":"${coverage}",`}` +
    (edition === undefined ? "" : `"edition":${canonicalJson(edition)},`) +
    (overage === undefined ? "" : `"overage":${overage},`) +
    `"source_name":${canonicalJson(source_name)},"status":"${status}"}`
  );
}
