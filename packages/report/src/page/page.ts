import type { CheckResult, Ruleset, SourceEntry } from "@groundrule/engine";
import { isAreaEvidence, type VerdictRecord } from "@groundrule/engine/records";
import { formatRuleset, type Palette, palette } from "@groundrule/engine/rulesets";
import {
  createRulesetTongue,
  listThresholdsInUnit,
  type RulesetTongue,
  translateVerdict,
} from "@groundrule/words";
import { getTongue, type Language, type ReportTongue } from "@groundrule/words/languages";
import { type Html, renderDataText } from "../html.ts";
import { type ReportMaterial, toAreaKey } from "../material.ts";
import { isDeciding, isLoud } from "../words.ts";

/** Input of every part of a report. */
export interface Page extends ReportTongue {
  readonly record: VerdictRecord;
  readonly verdict: VerdictRecord["response"]["data"];
  readonly material: ReportMaterial;
  /** The ruleset with its filters as text; undefined where the record's is none. */
  readonly ruleset: Ruleset | undefined;
  readonly palette: Palette;
  readonly sources: ReadonlyMap<string, SourceEntry>;
  /** Areas of the evidence, numbered in the order of the page, with the check they stand first under. */
  readonly areas: ReadonlyMap<string, NumberedArea>;
  /** Name on the page of the plot, or of the bearer of the identifiers. */
  readonly subject: string;
  /** The language with the texts of the ruleset. */
  readonly facts: RulesetTongue;
}

/** An area of the evidence. */
export interface NumberedArea {
  readonly number: number;
  readonly check: CheckResult;
}

/** Where nothing else has a colour. */
export const NEUTRAL = "#777777";

/** Reads a record once for all parts of its page. */
export function createReportPage(record: VerdictRecord, material: ReportMaterial, language: Language): Page {
  const { data } = record.response;
  const tongue = getTongue(language);
  const facts = createRulesetTongue(tongue, data.ruleset.name, record.request.ruleset);
  const verdict = translateVerdict(data, facts);
  const ruleset = toReadableRuleset(record.request.ruleset);
  return {
    ...tongue,
    record,
    verdict,
    material,
    ruleset,
    palette: palette({ checks: ruleset?.checks ?? verdict.checks.map(createPlainCheck) }),
    sources: new Map(material.sources.map((source) => [source.source_name, source])),
    areas: assignAreaNumbers(verdict.checks),
    subject: formatRecordSubject(record, tongue),
    facts,
  };
}

/** The distances that a check compares with, next to which the distances of its evidence are read. */
export function listComparedDistances({ ruleset }: Page, { comparisons }: CheckResult): number[] {
  const sets = ruleset?.sets ?? {};
  const bounds = comparisons.flatMap(({ set: name }) => {
    const set = Object.hasOwn(sets, name) ? sets[name] : undefined;
    return set !== undefined && "within_m" in set ? [set.within_m, set.min_m] : [];
  });
  return [...listThresholdsInUnit(comparisons, "m"), ...bounds.filter((bound) => bound !== undefined)];
}

/** The colour of a check, `#rrggbb`. */
export function getCheckColor({ palette }: Page, { id }: CheckResult): string {
  return palette.checks[id] ?? NEUTRAL;
}

/** A check's title, else its id. */
export function renderCheckTitle({ title, id }: Pick<CheckResult, "title" | "id">): Html {
  return renderDataText(title ?? id);
}

/** Checks that decide the verdict first, then notices, then those that passed. */
export function sortPageChecks({ verdict: { checks } }: Page): readonly CheckResult[] {
  return sortLoudFirst(checks);
}

function sortLoudFirst(checks: readonly CheckResult[]): readonly CheckResult[] {
  const rank = (check: CheckResult): number => (isDeciding(check) ? 0 : isLoud(check) ? 1 : 2);
  return checks.toSorted((a, b) => rank(a) - rank(b));
}

/** The identifiers of the input. */
export function listInputIdentifiers({
  request,
}: VerdictRecord): readonly { readonly type: string; readonly value: string; readonly role?: string }[] {
  const { scheme } = request.input;
  return scheme === undefined || scheme === null ? [] : [scheme].flat();
}

/** True if the input has a plot. */
export function hasPlot({ response }: VerdictRecord): boolean {
  return response.data.input.area_m2 !== undefined;
}

/** Name on its pages of a record's plot, or of the bearer of its identifiers. */
export function formatRecordSubject(record: VerdictRecord, { words }: ReportTongue): string {
  const { id, request, response } = record;
  if (id !== undefined) return typeof id === "number" ? words.plotById(id) : id;
  const [scheme] = listInputIdentifiers(record);
  const what = hasPlot(record) || scheme === undefined ? words.aPlot : `${scheme.type} ${scheme.value}`;
  return response.data.reference_id ?? request.reference_id ?? what;
}

/** A ruleset with its filters as text; undefined where it is none. */
function toReadableRuleset(ruleset: object): Ruleset | undefined {
  try {
    return formatRuleset(ruleset, { as: "text" });
  } catch {
    return undefined; // shown by the replay; the verdict still names its checks
  }
}

function createPlainCheck({ id }: CheckResult): Ruleset["checks"][number] {
  return { id, set: "", outcome: "NOTICE" };
}

function assignAreaNumbers(checks: readonly CheckResult[]): ReadonlyMap<string, NumberedArea> {
  const areas = new Map<string, NumberedArea>();
  for (const check of sortLoudFirst(checks)) {
    for (const item of check.evidence) {
      const key = toAreaKey(item);
      if (isAreaEvidence(item) && !areas.has(key)) areas.set(key, { number: areas.size + 1, check });
    }
  }
  return areas;
}
