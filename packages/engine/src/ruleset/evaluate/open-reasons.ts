import { compareStrings } from "../../base/ascending.ts";
import { findSchemeFault } from "../../subjects/scheme-fault.ts";
import type { CheckResult, OpenReason } from "../../verdict/verdict.ts";
import {
  type ComparisonPlan,
  listMeasuredPlans,
  listSetsReachedOn,
  type MeasuredPlan,
  type SubjectSetPlan,
} from "../compile/compile.ts";
import type { Facts } from "../facts/facts.ts";
import { type AreaFact, isOfRaster } from "../measures/area-facts.ts";
import { getMeasureWord, MEASURES } from "../measures/measures.ts";
import { getFactName } from "../parse/fact-types.ts";
import type { Land } from "../select/land.ts";
import { listAreasWithoutValue } from "../select/measure.ts";
import { selectSchemesForRole } from "../select/select.ts";

/** The order of reasons in a verdict, and the status that each gives to a check: the first one counts. */
const STATUS_OF = {
  failed: "failed",
  coverage: "not_covered",
  age: "not_covered",
  left_out: "not_covered",
  without: "not_covered",
  null: "undetermined",
  identifier: "undetermined",
  fact: "not_declared",
} as const satisfies Record<OpenReason["because"], CheckResult["status"]>;

const ORDER = Object.keys(STATUS_OF) as OpenReason["because"][];

/** Why a check is open. */
export interface OpenCheck {
  readonly status: Exclude<CheckResult["status"], "ok">;
  /** By kind, then by source, fact or pointer. */
  readonly open: readonly OpenReason[];
}

/** The lands and facts by which an evaluation explains open checks. */
export interface ExplainedLands {
  readonly plot: Land;
  /** Absent where the input has none, or no check measures it. */
  readonly property: Land | undefined;
  readonly facts: Facts;
}

/**
 * Lists why a check is open.
 *
 * @param comparisons of the check
 * @param open those of them that are not certain
 */
export function explainOpenCheck(
  comparisons: readonly ComparisonPlan[],
  open: readonly ComparisonPlan[],
  { plot, property, facts }: ExplainedLands,
): OpenCheck {
  const reasons = new Reasons();
  for (const on of ["plot", "property"] as const) {
    const land = on === "plot" ? plot : property;
    addFailureReasons(reasons, comparisons, on);
    const measured = open
      .flatMap((one) => listMeasuredPlans({ comparisons: [one] }))
      .filter((each) => each.on === on);
    if (measured.length === 0) continue;
    if (land === undefined) reasons.add({ because: "fact", pointer: "/property" });
    else addLandReasons(reasons, open, measured, on, land, facts);
  }
  for (const { left, right } of open) {
    for (const side of [left, right]) if ("fact" in side) addFactReason(reasons, side.fact, facts);
  }
  const list = reasons.list();
  const [first] = list;
  if (first === undefined) throw new Error("a check is open for no reason");
  return { status: STATUS_OF[first.because], open: list };
}

function addFailureReasons(
  reasons: Reasons,
  comparisons: readonly ComparisonPlan[],
  on: MeasuredPlan["on"],
): void {
  for (const set of listSetsReachedOn([{ comparisons }], on)) {
    if (set.kind === "derived") continue;
    const sources = set.kind === "area" ? set.sources.map(({ source }) => source) : set.registers;
    for (const source of sources) {
      if ("failed" in source) reasons.add({ because: "failed", source_name: source.manifest.source_name });
    }
  }
}

function addLandReasons(
  reasons: Reasons,
  open: readonly ComparisonPlan[],
  measured: readonly MeasuredPlan[],
  on: MeasuredPlan["on"],
  { selector, unknown, schemes }: Land,
  facts: Facts,
): void {
  const reached = listSetsReachedOn([{ comparisons: open }], on);
  const parts = new Set([
    ...reached.flatMap((set) => (set.kind === "derived" ? set.operands : [])),
    ...measured.flatMap(({ of }) => of ?? []),
  ]);
  for (const set of reached) {
    if (set.kind === "derived") continue;
    if (set.kind === "subject") {
      for (const reason of unknown.registerReasons(set)) reasons.add(reason);
      addIdentifierReasons(reasons, set, schemes);
      continue;
    }
    const isUnreached = measured.some((each) => each.set === set && each.reach === "unreached");
    const { areas, possible } = selector.get(set);
    const isOfWhole = measured.some(
      (each) => each.set === set && MEASURES[getMeasureWord(each.measure)].isOfWhole,
    );
    const unsettled = new Set([
      ...possible.flatMap(({ fact, byCells }) => (byCells ? fact.sourceName : [])),
      ...(isOfWhole ? areas.filter(isOfRaster).map(({ sourceName }) => sourceName) : []),
    ]);
    for (const reason of unknown.reasons(set, parts.has(set), isUnreached, unsettled)) reasons.add(reason);
    reasons.addAreas(possible.flatMap(({ fact, byNull }) => (byNull ? fact : [])));
    if (!possible.some(({ byFact }) => byFact)) continue;
    for (const fact of set.where?.facts ?? []) addFactReason(reasons, fact, facts);
  }
  for (const each of measured) reasons.addAreas(listAreasWithoutValue(each, selector.get(each.set)));
}

function addIdentifierReasons(reasons: Reasons, set: SubjectSetPlan, schemes: Land["schemes"]): void {
  for (const scheme of selectSchemesForRole(schemes, set.asks)) {
    const fault = findSchemeFault(scheme, set.match);
    if (fault === undefined) continue;
    const { proposed } = fault;
    reasons.add({
      because: "identifier",
      pointer: `${scheme.pointer}/value`,
      ...(proposed !== undefined && { proposed }),
    });
  }
}

function addFactReason(reasons: Reasons, fact: string, facts: Facts): void {
  if (facts.isAbsent(fact)) reasons.add({ because: "fact", fact, pointer: `/facts/${getFactName(fact)}` });
}

/** Reasons, each once. */
class Reasons {
  readonly #reasons = new Map<string, OpenReason>();
  readonly #areas = new Map<string, Set<AreaFact>>();

  add(reason: OpenReason): void {
    const key = `${ORDER.indexOf(reason.because)} ${reason.source_name ?? ""} ${reason.fact ?? ""} ${reason.pointer ?? ""}`;
    const known = this.#reasons.get(key);
    if (known === undefined || isWeightier(reason, known)) this.#reasons.set(key, reason);
  }

  addAreas(areas: readonly AreaFact[]): void {
    for (const area of areas) {
      const of = this.#areas.get(area.sourceName) ?? new Set();
      this.#areas.set(area.sourceName, of.add(area));
    }
  }

  list(): readonly OpenReason[] {
    for (const [source_name, { size: areas }] of this.#areas)
      this.add({ because: "null", source_name, areas });
    return [...this.#reasons].sort(([a], [b]) => compareStrings(a, b)).map(([, reason]) => reason);
  }
}

/** Several sets may give one reason: the one that leaves most of the plot uncovered, or allows the least age, counts. */
function isWeightier(reason: OpenReason, than: OpenReason): boolean {
  if (reason.covered_ratio !== than.covered_ratio)
    return (reason.covered_ratio ?? 1) < (than.covered_ratio ?? 1);
  return (reason.max_age_days ?? Infinity) < (than.max_age_days ?? Infinity);
}
