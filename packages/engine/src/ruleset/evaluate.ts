import { ascending } from "../base/ascending.ts";
import { EngineError, type EngineErrorCode, FAULT_LIMIT, type Fault } from "../base/errors.ts";
import { WorkMeter } from "../base/work-meter.ts";
import type { BoundPlot, Kernel } from "../geometry/kernel/kernel.ts";
import { type Plot, plotGeometry, type Warning } from "../geometry/plot/plot.ts";
import type { CoveragePieces } from "../snapshot/coverage.ts";
import { PlotCoverage } from "../sources/plot-coverage.ts";
import { sourceOutcome } from "../sources/source-outcome.ts";
import type { EngineSource } from "../sources/source-table.ts";
import { heldElsewhere } from "../subjects/held-elsewhere.ts";
import { acceptsScheme, isOpenRegister } from "../subjects/look-up.ts";
import type { RoleScheme } from "../subjects/schemes.ts";
import { DIGEST_EVIDENCE_LIMIT, type TextDigest, verdictDigest } from "../verdict/digest.ts";
import { requireInstant } from "../verdict/instant.ts";
import { printedArea } from "../verdict/rounding.ts";
import type {
  AtLeast,
  CheckResult,
  EvidenceOverlap,
  SourceCoverage,
  Verdict,
  VerdictInput,
} from "../verdict/verdict.ts";
import type { RulesetPlan, SetPlan, SubjectSetPlan } from "./compile.ts";
import { coverageWarnings } from "./coverage-warnings.ts";
import { Judge } from "./judge.ts";
import type { AreaFact } from "./measures/area-facts.ts";
import { Selector, schemesAsked } from "./select.ts";
import { UnknownContent } from "./unknown-content.ts";

const EVIDENCE_LIMIT_DEFAULT = 20;
const EVIDENCE_LIMIT_MAX = 200;

/** The input of an evaluation, once it is checked. */
export interface CheckedInput {
  /** Of points without an area, the points: they cannot be judged. */
  readonly plot?: Plot | undefined;
  /** Whether the plot is discs that stand for points. */
  readonly isDisc?: boolean | undefined;
  /** With canonical values; empty where the input names nobody. */
  readonly schemes: readonly RoleScheme[];
  /** JSON pointer of each scheme in the input; `/scheme`, or `/scheme/0` and so on. */
  readonly schemePointers: readonly string[];
  /** The country that the input tells, ISO 3166-1 alpha-3 in upper case. */
  readonly countryIso3?: string | undefined;
  /** As `inputDigest` gives it; asked for last, since of a large geometry it takes long. */
  readonly digest: () => string;
}

export interface RulesetEvaluation {
  readonly kernel: Kernel;
  readonly input: CheckedInput;
  /** The answer's; by default one of its own. */
  readonly meter?: WorkMeter | undefined;
  /** ISO 8601 UTC. */
  readonly now: string;
  /** Evidence items a check, 1 to 200. Default 20. */
  readonly evidenceLimit?: number | undefined;
  /** Whether undeclared sources cover nothing. Default false. */
  readonly strictCoverage?: boolean | undefined;
  /** Default `none`. */
  readonly geometry?: "overlap" | "none" | undefined;
  /** Where countries lie, for warnings. */
  readonly borders?: CoveragePieces | undefined;
  readonly textDigest?: TextDigest | undefined;
}

export interface EvaluatedRuleset {
  readonly verdict: Verdict;
  /** Where they were asked for. */
  readonly overlaps?: readonly EvidenceOverlap[];
  /** What looks doubtful about where the sources speak. */
  readonly warnings: readonly Warning[];
}

/**
 * Evaluates a ruleset: answers every check or refuses.
 *
 * Fails: `INPUT_INCOMPLETE` where a check needs a geometry or an identifier the input lacks, and for
 * points without an area; `SCHEME_UNSUPPORTED` where no register of a set holds an identifier's scheme; `GEOMETRY_INVALID`
 * for a plot that is a line; `GEOMETRY_TOO_COMPLEX` from the kernel; `VALIDATION_FAILED` for a
 * malformed `now` or evidence limit. A failed source never throws: it degrades the verdict.
 */
export function evaluateRuleset(plan: RulesetPlan, evaluation: RulesetEvaluation): EvaluatedRuleset {
  const { kernel, input, now, evidenceLimit = EVIDENCE_LIMIT_DEFAULT, textDigest } = evaluation;
  const meter = evaluation.meter ?? new WorkMeter();
  requireInstant(now);
  requireEvidenceLimit(evidenceLimit);
  requireInput(plan, input);

  const plot = input.plot === undefined ? undefined : kernel.bind(input.plot, meter);
  const isStrict = evaluation.strictCoverage ?? false;
  const coverage = plot && new PlotCoverage(plot, plan.territories, isStrict, meter);
  const unknown = new UnknownContent(coverage, now);
  const selector = new Selector(kernel, plot, input.schemes, plan.sets, unknown, meter);
  const shown = Math.max(evidenceLimit, DIGEST_EVIDENCE_LIMIT);
  const judge = new Judge(selector, coverage, plot, shown, meter);
  const judged = plan.checks.map((check) => judge.judge(check));
  const checks = judged.map(({ result }) => result);
  const isDegraded = plan.sources.some((source) => "failed" in source);
  const atLeast = worstOutcome(checks);
  const matched = countMatched(plan, selector);
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
    input: { digest: input.digest(), ...extentOf(plot, input.isDisc) },
    checks,
    sources: plan.sources.map((source) => {
      const name = source.manifest.source_name;
      const counts = {
        matched: matched.get(name) ?? 0,
        withoutCountry: selector.withoutCountry(name),
        coverage: coverageOf(source, coverage),
        overage: unknown.overage(source, plan.sets),
      };
      return sourceOutcome(source, counts, now);
    }),
    semantics: kernel.semantics,
    evaluated_at: now,
  };
  const digest = kernel.name === "reference" ? null : verdictDigest(decided, textDigest);
  const cut = checks.map((check) => ({ ...check, evidence: check.evidence.slice(0, evidenceLimit) }));
  const verdict: Verdict = { ...decided, checks: cut, digest };
  const { borders } = evaluation;
  const { countryIso3 } = input;
  const warnings =
    plot === undefined || coverage === undefined
      ? []
      : coverageWarnings({ plan, kernel, plot, coverage, isStrict, countryIso3, borders, meter });
  if (evaluation.geometry !== "overlap") return { verdict, warnings };
  // After all that can still refuse: geometries take what work is left.
  const areas = new Set(judged.flatMap(({ exhibited }) => exhibited.slice(0, evidenceLimit)));
  return { verdict, overlaps: [...areas].map((fact) => overlapOf(fact)), warnings };
}

function coverageOf(source: EngineSource, plot: PlotCoverage | undefined): SourceCoverage | undefined {
  if (plot === undefined || !("snapshot" in source) || source.snapshot.kind !== "leaf") return undefined;
  return plot.of(source.snapshot.coverage);
}

/** An area that only lies near the plot, or touches it, has none. */
function overlapOf(fact: AreaFact): EvidenceOverlap {
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
  throw new EngineError("VALIDATION_FAILED", message, {
    faults: [{ pointer: "/evidenceLimit", code: "VALUE_INVALID", message }],
  });
}

/** Nothing unexamined is ever compliant: what a check asks for, the input must hold. */
function requireInput(plan: RulesetPlan, input: CheckedInput): void {
  const { missing, unsupported, refused } = inputFaults(plan, input);
  refuse("INPUT_INCOMPLETE", missing);
  if (unsupported.length > 0) refuse("SCHEME_UNSUPPORTED", unsupported, { held: heldElsewhere(refused) });
  const { plot } = input;
  if (plot !== undefined && plot.dimension !== "polygon") {
    const message = `found a ${plot.dimension}, expected a Polygon or MultiPolygon`;
    refuse("GEOMETRY_INVALID", [{ pointer: "/geometry/type", code: "TYPE_MISMATCH", message }]);
  }
}

/** What checks need that an input lacks, points their area, and identifiers that no register of a set holds. */
export function inputFaults(
  plan: RulesetPlan,
  { plot, schemes, schemePointers }: CheckedInput,
): {
  readonly missing: readonly Fault[];
  readonly unsupported: readonly Fault[];
  /** The identifier of each of `unsupported`, with the registers of its set. */
  readonly refused: Parameters<typeof heldElsewhere>[0];
} {
  const missing: Fault[] = [];
  const unsupported: Fault[] = [];
  const refused: { scheme: RoleScheme; registers: SubjectSetPlan["registers"] }[] = [];
  if (plot?.dimension === "point") {
    const message =
      "found points without an area, expected area_ha, the hectares around each point: give it, or send the land as a Polygon";
    missing.push({ pointer: "/area_ha", code: "INPUT_INCOMPLETE", message });
  }
  for (const set of plan.sets) {
    if (set.kind === "area" && plot === undefined) {
      missing.push(missingFault("/geometry", set, plan, "a geometry"));
    }
    if (set.kind !== "subject") continue;
    const asked = schemesAsked(schemes, set.asks);
    if (asked.length === 0) {
      const what = set.asks === undefined ? "an identifier" : `an identifier with the role "${set.asks}"`;
      missing.push(missingFault("/scheme", set, plan, what));
    }
    for (const scheme of asked) {
      if (set.registers.some((register) => acceptsScheme(register, scheme.type))) continue;
      const pointer = `${schemePointers[schemes.indexOf(scheme)] ?? "/scheme"}/type`;
      unsupported.push({ pointer, code: "SCHEME_UNSUPPORTED", message: unsupportedMessage(scheme, set) });
      refused.push({ scheme, registers: set.registers });
    }
  }
  return { missing, unsupported, refused };
}

function missingFault(pointer: string, set: SetPlan, plan: RulesetPlan, what: string): Fault {
  const check = plan.checks.find(({ comparisons }) =>
    comparisons.some(
      (comparison) =>
        reaches(comparison.set, set) || (comparison.of !== undefined && reaches(comparison.of, set)),
    ),
  );
  const message = `check "${check?.id}" uses set "${set.name}", which needs ${what}, but the input has none`;
  return { pointer, code: "INPUT_INCOMPLETE", message };
}

function reaches(from: SetPlan, to: SetPlan, seen: Set<SetPlan> = new Set()): boolean {
  if (from === to) return true;
  if (from.kind !== "derived" || seen.has(from)) return false;
  seen.add(from);
  return from.operands.some((operand) => reaches(operand, to, seen));
}

function unsupportedMessage({ type }: RoleScheme, { name, registers }: SubjectSetPlan): string {
  const held = [
    ...new Set(registers.flatMap((source) => (isOpenRegister(source) ? source.snapshot.meta.schemes : []))),
  ];
  const holds = held.length === 0 ? "none" : held.sort(ascending).join(", ");
  return `found the scheme "${type}", which no register of set "${name}" contains, expected one of ${holds}`;
}

function refuse(code: EngineErrorCode, faults: readonly Fault[], details: object = {}): void {
  const first = faults[0];
  if (first === undefined) return;
  throw new EngineError(code, first.message, { ...details, faults: faults.slice(0, FAULT_LIMIT) });
}

/** The worst outcome that is certain; a NOTICE is none. */
function worstOutcome(checks: readonly CheckResult[]): AtLeast {
  const outcomes = new Set(checks.map(({ outcome }) => outcome));
  return outcomes.has("NON_COMPLIANT") ? "NON_COMPLIANT" : outcomes.has("WARNING") ? "WARNING" : "COMPLIANT";
}

/** Areas or records of each source that some set of areas or subjects selects. */
function countMatched(plan: RulesetPlan, selector: Selector): ReadonlyMap<string, number> {
  const matched = new Map<string, Set<number>>();
  const add = (source: string, row: number): void => {
    const rows = matched.get(source);
    if (rows === undefined) matched.set(source, new Set([row]));
    else rows.add(row);
  };
  for (const set of plan.sets) {
    if (set.kind === "area") for (const fact of selector.get(set).areas) add(fact.sourceName, fact.area);
    if (set.kind === "subject") {
      for (const { register, row } of selector.get(set).hits) add(register.meta.manifest.source_name, row);
    }
  }
  return new Map([...matched].map(([source, rows]) => [source, rows.size]));
}

function extentOf(plot: BoundPlot | undefined, isDisc = false): Omit<VerdictInput, "digest"> {
  if (plot === undefined) return {};
  const [west, south, east, north] = plot.plot.bbox;
  return {
    area_m2: printedArea(plot.areaSquareMeters),
    bbox: [west, south, east, north],
    ...(isDisc && { disc: plotGeometry(plot.plot) }),
  };
}
