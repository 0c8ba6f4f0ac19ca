import { mismatchError } from "../../base/read-untrusted.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import type { Kernel } from "../../geometry/kernel/kernel.ts";
import { PlotOnLayers } from "../../geometry/kernel/plot-on-layers.ts";
import { plotGeometry, type Warning } from "../../geometry/plot/plot.ts";
import type { CoveragePieces } from "../../snapshot/coverage.ts";
import { findFictionalWarnings } from "../../sources/fictional.ts";
import { findCellSizeAt } from "../../sources/raster-sources.ts";
import { createSourceOutcome } from "../../sources/source-outcome.ts";
import { type EngineSource, findLeftOut, findSourceCoverage } from "../../sources/source-table.ts";
import type { MemberOrders } from "../../verdict/canonical-json.ts";
import { DIGEST_EVIDENCE_LIMIT, type TextDigest, verdictDigest } from "../../verdict/digest.ts";
import { requireInstant } from "../../verdict/instant.ts";
import { roundSquareMeters } from "../../verdict/rounding.ts";
import type { AtLeast, CheckResult, EvidenceOverlap, Verdict, VerdictInput } from "../../verdict/verdict.ts";
import type { RulesetPlan } from "../compile/compile.ts";
import { Facts } from "../facts/facts.ts";
import type { AreaFact } from "../measures/area-facts.ts";
import { type CheckedInput, requireCompleteInput } from "../select/checked-input.ts";
import { Land } from "../select/land.ts";
import { findPropertyWarnings, requireProperty } from "../select/require-property.ts";
import { requirePlotSize } from "../select/require-size.ts";
import type { Selector } from "../select/select.ts";
import { findCoverageWarnings } from "../unknown/coverage-warnings.ts";
import { Judge } from "./judge.ts";

const EVIDENCE_LIMIT_DEFAULT = 20;
const EVIDENCE_LIMIT_MAX = 200;

export interface RulesetEvaluation {
  readonly kernel: Kernel;
  readonly input: CheckedInput;
  /** The answer's; by default one of its own. */
  readonly meter?: WorkMeter | undefined;
  /** ISO 8601 UTC. */
  readonly now: string;
  /** Evidence items a check, 1 to 200. Default 20. */
  readonly evidenceLimit?: number | undefined;
  /** True if undeclared sources cover nothing. Default false. */
  readonly strictCoverage?: boolean | undefined;
  /** Default `none`. */
  readonly geometry?: "overlap" | "none" | undefined;
  /** Where countries lie, for warnings. */
  readonly borders?: CoveragePieces | undefined;
  readonly textDigest?: TextDigest | undefined;
  /** Orders of members in the verdicts of the ruleset; absent: none are known. */
  readonly memberOrders?: MemberOrders | undefined;
}

export interface EvaluatedRuleset {
  readonly verdict: Verdict;
  /** If requested: the overlaps of the evidence. */
  readonly overlaps?: readonly EvidenceOverlap[];
  /** Doubts about the coverage of the sources. */
  readonly warnings: readonly Warning[];
}

/**
 * Evaluates a ruleset: decides every check, leaves it open, or refuses the input.
 *
 * Fails: `INPUT_INCOMPLETE` where a check needs a geometry or an identifier the input lacks, and for
 * points without an area; `SCHEME_UNSUPPORTED` where no register of a set holds an identifier's scheme; `GEOMETRY_INVALID`
 * for a plot that is a line, or smaller than 1 m²; `GEOMETRY_TOO_COMPLEX` from the kernel; `VALIDATION_FAILED` for a
 * malformed `now` or evidence limit. A failed source never throws: it degrades the verdict.
 */
export function evaluateRuleset(plan: RulesetPlan, evaluation: RulesetEvaluation): EvaluatedRuleset {
  const { kernel, input, now, evidenceLimit = EVIDENCE_LIMIT_DEFAULT } = evaluation;
  const meter = evaluation.meter ?? new WorkMeter();
  const nowMs = requireInstant(now);
  requireEvidenceLimit(evidenceLimit);
  requireCompleteInput(plan, input);

  const schemes = input.schemes.map((scheme, i) => ({ ...scheme, pointer: input.schemePointers[i]! }));
  const { territories } = plan;
  const plot = input.plot === undefined ? undefined : new PlotOnLayers(kernel, input.plot, meter);
  if (plot !== undefined && !input.isDisc) requirePlotSize(plot);
  const property = requireProperty(kernel, input, plot, meter);
  const isStrict = evaluation.strictCoverage ?? false;
  const facts = new Facts(plan.facts, input.facts ?? {}, nowMs);
  const question = { sets: plan.plotSets, schemes, territories, isStrict, nowMs, facts, meter };
  const land = new Land(plot, question);
  const propertyLand =
    property === undefined || plan.propertySets.length === 0
      ? undefined
      : new Land(property, { ...question, sets: plan.propertySets });
  const { coverage, unknown, selector } = land;
  const shown = Math.max(evidenceLimit, DIGEST_EVIDENCE_LIMIT);
  const judge = new Judge(land, propertyLand, facts, shown, meter);
  const judged = plan.checks.map((check) => judge.judge(check));
  const checks = judged.map(({ result }) => result);
  const isDegraded = plan.sources.some((source) => "failed" in source);
  const atLeast = findWorstOutcome(checks);
  const matched = countMatchedPerSource(plan, selector, propertyLand?.selector);
  const decided: Omit<Verdict, "digest"> = {
    verdict: isDegraded ? "DEGRADED" : atLeast,
    status: isDegraded ? "degraded" : "ok",
    at_least: atLeast,
    ruleset: {
      name: plan.origin?.name ?? plan.ruleset.name ?? null,
      version: plan.origin?.version ?? null,
      digest: plan.digest,
      ...(plan.ruleset.not_examined !== undefined && { not_examined: plan.ruleset.not_examined }),
    },
    input: {
      digest: input.digest(),
      ...describePlotExtent(plot, input.isDisc),
      ...(property !== undefined && { property_area_m2: roundSquareMeters(property.areaSquareMeters) }),
    },
    ...(plan.ruleset.facts !== undefined && { facts: facts.declared(evaluation.textDigest) }),
    checks,
    sources: plan.sources.map((source) => {
      const name = source.manifest.source_name;
      const sourceCoverage = findSourceCoverage(source);
      const counts = {
        matched: matched.get(name) ?? 0,
        withoutCountry: countWithoutCountry(name, selector, propertyLand?.selector),
        coverage: sourceCoverage && coverage?.of(sourceCoverage, findLeftOut(source)),
        cell: findCellSize(source, plot),
        overage: unknown.overage(source, plan.sets),
      };
      return createSourceOutcome(source, counts, nowMs);
    }),
    ...(plan.groups !== undefined && { groups: plan.groups }),
    semantics: kernel.semantics,
    evaluated_at: now,
  };
  const digest =
    kernel.name === "reference"
      ? null
      : verdictDigest(decided, evaluation.textDigest, evaluation.memberOrders);
  const cut = checks.map((check) =>
    check.evidence.length <= evidenceLimit
      ? check
      : { ...check, evidence: check.evidence.slice(0, evidenceLimit) },
  );
  const verdict: Verdict = { ...decided, checks: cut, digest };
  const { borders } = evaluation;
  const { countryIso3 } = input;
  const warnings = [
    ...findFictionalWarnings(plan.sources),
    ...findPropertyWarnings(plot, property),
    ...(plot === undefined || coverage === undefined
      ? []
      : findCoverageWarnings({ plan, kernel, plot, coverage, isStrict, countryIso3, borders, meter })),
  ];
  if (evaluation.geometry !== "overlap") return { verdict, warnings };
  // After all that can still refuse: geometries take what work is left.
  const areas = new Set(judged.flatMap(({ exhibited }) => exhibited.slice(0, evidenceLimit)));
  return { verdict, overlaps: [...areas].map((fact) => toEvidenceOverlap(fact)), warnings };
}

/** An area that only lies near the plot, or touches it, has none. */
function toEvidenceOverlap(fact: AreaFact): EvidenceOverlap {
  const named = { source_name: fact.sourceName, source_id: fact.id };
  if (fact.overlapSquareMeters === 0) return { ...named, geometry: null };
  const geometry = fact.overlapGeometry();
  return geometry === "too_complex"
    ? { ...named, geometry: null, geometry_status: geometry }
    : { ...named, geometry };
}

function requireEvidenceLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= EVIDENCE_LIMIT_MAX) return;
  const message = `found the evidence limit ${limit}, expected a whole number from 1 to ${EVIDENCE_LIMIT_MAX}`;
  throw mismatchError("/evidenceLimit", message, "VALUE_INVALID");
}

/** The worst outcome that is certain; a NOTICE is none. */
function findWorstOutcome(checks: readonly CheckResult[]): AtLeast {
  const outcomes = new Set(checks.map(({ outcome }) => outcome));
  return outcomes.has("NON_COMPLIANT") ? "NON_COMPLIANT" : outcomes.has("WARNING") ? "WARNING" : "COMPLIANT";
}

function findCellSize(
  source: EngineSource,
  plot: PlotOnLayers | undefined,
): readonly [number, number] | undefined {
  if (plot === undefined || !("snapshot" in source) || source.snapshot.kind !== "leaf") return undefined;
  return findCellSizeAt(source.snapshot.layer, plot.plot);
}

/** Areas or records of each source that some set of areas or subjects selects. */
function countMatchedPerSource(
  plan: RulesetPlan,
  selector: Selector,
  onProperty: Selector | undefined,
): ReadonlyMap<string, number> {
  const matched = new Map<string, number>();
  const counted = new Set<AreaFact | string>();
  const count = (source: string, of: AreaFact | string): void => {
    if (counted.has(of)) return;
    counted.add(of);
    matched.set(source, (matched.get(source) ?? 0) + 1);
  };
  // An area that the plot and the property both meet has a fact of each.
  const countArea = (fact: AreaFact): void =>
    count(fact.sourceName, onProperty === undefined ? fact : `area ${fact.area} ${fact.sourceName}`);
  if (onProperty !== undefined) {
    for (const set of plan.propertySets)
      if (set.kind === "area") onProperty.get(set).areas.forEach(countArea);
  }
  for (const set of plan.plotSets) {
    if (set.kind === "area") selector.get(set).areas.forEach(countArea);
    if (set.kind === "subject") {
      for (const { register, row } of selector.get(set).hits) {
        const { source_name } = register.meta.manifest;
        count(source_name, `${row} ${source_name}`);
      }
    }
  }
  return matched;
}

function countWithoutCountry(
  source: string,
  selector: Selector,
  onProperty: Selector | undefined,
): number | undefined {
  const found = [selector, onProperty].flatMap((one) => one?.withoutCountry(source) ?? []);
  return found.length === 0 ? undefined : new Set(found.flatMap((areas) => [...areas])).size;
}

function describePlotExtent(plot: PlotOnLayers | undefined, isDisc = false): Omit<VerdictInput, "digest"> {
  if (plot === undefined) return {};
  const [west, south, east, north] = plot.plot.bbox;
  return {
    area_m2: roundSquareMeters(plot.areaSquareMeters),
    bbox: [west, south, east, north],
    ...(isDisc && { disc: plotGeometry(plot.plot) }),
  };
}
