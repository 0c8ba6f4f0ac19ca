import type {
  Comparison,
  FactComparison,
  FactType,
  FilterArgument,
  FilterExpression,
  MeasuredThreshold,
  Measurement,
  Ruleset,
  RulesetSet,
  SetComparison,
} from "../src/ruleset/parse/schema.ts";
import type { AttributeValue } from "../src/snapshot/snapshot.ts";
import { roundAttributeNumber, roundMeters, roundRatio, roundSquareMeters } from "../src/verdict/rounding.ts";
import type { FactDocument, FactValue } from "../src/verdict/verdict.ts";
import type { Box } from "./planar-kernel.ts";
import {
  type AreaData,
  CASE_NOW,
  type CaseInput,
  type CoverageData,
  type RasterData,
  type RecordData,
  type World,
} from "./ruleset-cases.ts";

/** A question: a ruleset for a world, in which some sources have failed. */
export interface Question {
  readonly world: World;
  readonly failed?: readonly string[];
  readonly ruleset: Ruleset;
  readonly input: CaseInput;
  /** Sources without a coverage cover nothing. */
  readonly strict?: boolean;
  /** The instant of the evaluation, ISO 8601 UTC. */
  readonly now?: string;
}

export interface NaiveVerdict {
  readonly verdict: string;
  readonly status: string;
  readonly at_least: string;
  readonly facts?: readonly object[];
  readonly checks: readonly NaiveCheck[];
  readonly sources: readonly object[];
}

export interface NaiveCheck {
  readonly id: string;
  readonly outcome: string | null;
  readonly triggered: boolean;
  readonly status: string;
  readonly open?: readonly NaiveReason[];
  readonly comparisons: readonly { readonly value: number | null }[];
  readonly declared?: readonly object[];
  readonly undetermined: number;
  readonly evidence: readonly object[];
  readonly evidence_total: number;
}

/** Why a check is open. */
export interface NaiveReason {
  readonly because: string;
  readonly source_name?: string;
  readonly fact?: string;
  readonly covered_ratio?: number;
  readonly age_days?: number;
  readonly max_age_days?: number;
  readonly areas?: number;
  readonly pointer?: string;
  readonly proposed?: string;
}

/** A value here, and every value that it could have. */
export interface Possible {
  readonly value: number | null;
  /** Least and greatest; the least is greater where it certainly has no value. */
  readonly low: number;
  readonly high: number;
  readonly maybeNull: boolean;
}

/** Both sides of a comparison: possible values and threshold. */
export interface Judgement extends Possible {
  readonly threshold: Possible;
  readonly holds: boolean;
  readonly fails: boolean;
}

/** Rulesets as `docs/semantics/rulesets.md` has them. */
export function evaluateNaively(question: Question): NaiveVerdict | { readonly error: string } {
  return new NaiveEvaluator(question).verdict();
}

type Cells = ReadonlySet<number>;

interface Area {
  readonly source: string;
  readonly category: string | null;
  readonly data: AreaData;
  readonly cells: Cells;
  /** Those in the plot. */
  readonly shared: Cells;
  readonly meters: number;
}

interface Chosen {
  readonly areas: readonly Area[];
  /** Those of which the filter may have no answer. */
  readonly unsure: readonly Area[];
  /** Those that the set may hold. */
  readonly waiting: readonly Area[];
  /** Those of them that a missing value leaves open, those that a fact does, and those that unexamined cells do. */
  readonly byNull: ReadonlySet<Area>;
  readonly byFact: ReadonlySet<Area>;
  readonly byCells: ReadonlySet<Area>;
  readonly region: Cells;
}

interface Hit {
  readonly source_name: string;
  readonly source_id: string;
  readonly name: string | null;
  readonly value: string;
  readonly scheme: string;
  readonly role?: string;
}

export type AreaSet = Extract<RulesetSet, { sources: unknown }>;
type Check = Ruleset["checks"][number];

const EAST_METERS = 111.31949;
const NORTH_METERS = 110.57427;
const DAY_MS = 86_400_000;

/** True if a set sees an area or a record of a source; tests of soundness vary what sets see. */
export type Sight = (set: string, source: string, id: string) => boolean;

/**
 * Evaluates in the plainest way: every area is a set of unit cells, every question goes through all of
 * them. Shares with the engine its types and how numbers are printed. Boxes have corners at whole numbers,
 * or, with `fineness`, at fractions of one.
 */
export class NaiveEvaluator {
  readonly world: World;
  readonly failed: readonly string[];
  readonly ruleset: Ruleset;
  readonly input: CaseInput;
  readonly strict: boolean;
  readonly now: string;
  readonly fineness: number;
  readonly sees: Sight;
  /** True if an identifier that its scheme excludes counts as the identifier that it was meant to be. */
  readonly trusts: boolean;
  readonly plot: Cells;
  /** The same question about the property, if the input tells of one. */
  readonly property: NaiveEvaluator | undefined;
  readonly areas: readonly Area[];
  readonly chosen = new Map<string, Chosen>();
  readonly withoutCountry = new Map<string, Set<string>>();

  constructor(question: Question, { fineness = 1, sees = (() => true) as Sight, trusts = false } = {}) {
    this.trusts = trusts;
    this.world = question.world;
    this.failed = question.failed ?? [];
    this.ruleset = withReachSets(question.ruleset);
    this.input = question.input;
    this.strict = question.strict ?? false;
    this.now = question.now ?? CASE_NOW;
    this.fineness = fineness;
    this.sees = sees;
    this.plot = this.toCells(this.plotBoxes());
    const { property, ...input } = this.input;
    this.property =
      property &&
      new NaiveEvaluator({ ...question, input: { ...input, boxes: property } }, { fineness, sees, trusts });
    this.areas = Object.keys(this.world.sources)
      .sort()
      .filter((source) => !this.failed.includes(source))
      .flatMap((source) => (this.world.sources[source]!.areas ?? []).map((data) => this.area(source, data)));
  }

  area(source: string, data: AreaData): Area {
    const cells = this.toCells(data.boxes);
    return {
      source,
      category: this.world.sources[source]!.category ?? null,
      data,
      cells,
      shared: intersectCells([cells, this.plot]),
      meters: measureMetersBetween(data.boxes, this.plotBoxes()),
    };
  }

  verdict(): NaiveVerdict | { readonly error: string } {
    const refusal = this.refusal();
    if (refusal !== undefined) return { error: refusal };
    const checks = this.ruleset.checks.map((check) => this.check(check));
    const outcomes = checks.map(({ outcome }) => outcome);
    const worst = outcomes.includes("NON_COMPLIANT")
      ? "NON_COMPLIANT"
      : outcomes.includes("WARNING")
        ? "WARNING"
        : "COMPLIANT";
    const named = [...new Set(Object.keys(this.ruleset.sets).flatMap((set) => this.listSources(set)))].sort();
    const degraded = named.some((name) => this.failed.includes(name));
    return {
      verdict: degraded ? "DEGRADED" : worst,
      status: degraded ? "degraded" : "ok",
      at_least: worst,
      ...(this.ruleset.facts !== undefined && { facts: this.facts() }),
      checks,
      sources: named.map((name) => this.source(name)),
    };
  }

  // Every check is answered, or the evaluation is refused

  refusal(): string | undefined {
    const isRaster = (source: string) =>
      this.world.sources[source]!.raster !== undefined && !this.failed.includes(source);
    for (const [name, set] of Object.entries(this.ruleset.sets)) {
      if ("sources" in set && set.within_m !== undefined && this.listSources(name).some(isRaster))
        return "RULESET_INVALID";
    }
    const measured = this.ruleset.checks.flatMap(listComparisons).flatMap(listMeasurements);
    if (measured.some((one) => limitsSearchDistance(this.ruleset.sets[one.set]!, one)))
      return "RULESET_INVALID";
    let unsupported = false;
    for (const name of this.reached(this.ruleset.checks)) {
      const set = this.ruleset.sets[name]!;
      if ("sources" in set && this.input.boxes === undefined) return "INPUT_INCOMPLETE";
      if (!("registers" in set)) continue;
      if (this.lookedUp(set.asks).length === 0) return "INPUT_INCOMPLETE";
      const schemes = this.listSources(name).flatMap((source) => {
        const { schemes: declared = [], records = [] } = this.world.sources[source]!;
        const present = records.flatMap(({ identifiers }) => identifiers.map(({ scheme }) => scheme));
        return this.failed.includes(source) && declared.length === 0 ? ["any"] : [...declared, ...present];
      });
      for (const { type } of this.lookedUp(set.asks)) {
        if (!schemes.includes(type) && !schemes.includes("any")) unsupported = true;
      }
    }
    if (unsupported) return "SCHEME_UNSUPPORTED";
    const { property } = this;
    return property !== undefined && subtractCells(this.plot, [property.plot]).size > 0
      ? "VALIDATION_FAILED"
      : undefined;
  }

  /** Names of the sets that checks reach, `of`, operands and thresholds included; on some land or on any. */
  reached(checks: readonly Check[], land?: Land): readonly string[] {
    const all = new Set<string>();
    const reach = (name: string): void => {
      all.add(name);
      listOperandNames(this.ruleset.sets[name]!).forEach(reach);
    };
    for (const { set, of, on = "plot" } of checks.flatMap(listComparisons).flatMap(listMeasurements)) {
      if (land !== undefined && on !== land) continue;
      reach(set);
      if (of !== undefined) reach(of);
    }
    return [...all];
  }

  /** The evaluators of the lands that the input tells of, each with the sets that checks reach on it. */
  lands(checks: readonly Check[]): (readonly [NaiveEvaluator, readonly string[]])[] {
    const onPlot = [this, this.reached(checks, "plot")] as const;
    return this.property === undefined
      ? [onPlot]
      : [onPlot, [this.property, this.reached(checks, "property")]];
  }

  // Facts

  /** `facts` of the verdict; a digest stands for itself. */
  facts(): object[] {
    const named = Object.entries(this.ruleset.facts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    return named.map(([fact, { type }]) => {
      const value = this.input.facts?.[fact] ?? null;
      return { fact, type, value, ...(type === "document" && value !== null && { digest: true }) };
    });
  }

  findType(reference: string): FactType {
    if (reference === "evaluated_on") return "date";
    const [name, member] = reference.split(".");
    if (member === undefined) return this.ruleset.facts![name!]!.type;
    return member === "area_m2" ? "number" : "date";
  }

  /** Values of facts that are supposed. */
  readonly supposed = new Map<string, Exclude<FactValue, FactDocument>>();

  /** The declared value, null if there is none; for a document, whether it is valid. */
  declaredValue(reference: string): Exclude<FactValue, FactDocument> | null {
    const supposed = this.supposed.get(reference);
    if (supposed !== undefined) return supposed;
    const today = this.now.slice(0, 10);
    if (reference === "evaluated_on") return today;
    const [name, member] = reference.split(".") as [string, keyof FactDocument | undefined];
    const value = this.input.facts?.[name] ?? null;
    if (value === null || typeof value !== "object") return value;
    if (member !== undefined) return value[member] ?? null;
    return value.issued_on <= today && today <= (value.valid_until ?? "9999-12-31");
  }

  /** A value of a fact as a number. */
  factNumber(reference: string, value: Exclude<FactValue, FactDocument>): number {
    switch (this.findType(reference)) {
      case "date":
        return Date.parse(String(value)) / DAY_MS;
      case "text":
        return this.ruleset.facts![reference]!.values!.indexOf(String(value));
      default:
        return Number(value);
    }
  }

  /** Possible values of a fact: the declared one, or all that its declaration allows. */
  possibleFact(reference: string): Possible {
    const declaredValue = this.declaredValue(reference);
    if (declaredValue !== null) return toExactValue(this.factNumber(reference, declaredValue));
    const { min, max, values } = this.ruleset.facts![reference] ?? {};
    const [least, greatest] = {
      boolean: [0, 1],
      document: [0, 1],
      text: [0, values?.length ?? 0],
      number: [],
      date: [],
    }[this.findType(reference)];
    const low = least ?? min ?? (reference.endsWith(".area_m2") ? 0 : Number.NEGATIVE_INFINITY);
    const high = greatest ?? max ?? Number.POSITIVE_INFINITY;
    return { value: null, low, high: values === undefined ? high : high - 1, maybeNull: false };
  }

  // Checks

  check(check: Check): NaiveCheck {
    const compared = listComparisons(check);
    const judged = compared.map((comparison) => this.judge(comparison));
    const { yes, no, certain } = decideCheck(check, judged);
    const { undetermined, evidence } = this.evidence(check);
    const completed = yes || no ? { yes, no } : this.completed(check);
    const isOpen = !completed.yes && !completed.no;
    const open = !isOpen
      ? []
      : this.reasons(
          check,
          compared.filter((_, i) => certain[i] === undefined),
        );
    const status = open.length === 0 ? "ok" : STATUS_OF[open[0]!.because]!;
    const hasFailed = status === "failed";
    const measured = compared.flatMap((comparison, i) =>
      "set" in comparison ? [describeComparison(comparison, judged[i]!)] : [],
    );
    const declared = compared.flatMap((comparison, i) =>
      "fact" in comparison ? [this.describeDeclared(comparison, judged[i]!)] : [],
    );
    const isUncovered = isOpen && !hasFailed;
    return {
      id: check.id,
      outcome: completed.yes ? check.outcome : isUncovered ? findUncoveredOutcome(check) : null,
      triggered: completed.yes,
      status,
      ...(isOpen && { open }),
      comparisons: measured,
      ...(declared.length > 0 && { declared }),
      undetermined,
      evidence: evidence.slice(0, 20),
      evidence_total: evidence.length,
    };
  }

  /** The facts that a check reads and nobody declared, `property` among them; the absence of a document alone is none. */
  absent(check: Check): readonly string[] {
    const compared = listComparisons(check);
    const filters = this.reached([check]).flatMap((name) => {
      const set = this.ruleset.sets[name]!;
      return "sources" in set && set.where !== undefined ? listFactsRead(set.where as FilterExpression) : [];
    });
    const read = [...compared.flatMap(listComparedFacts), ...filters].filter(
      (fact) => this.declaredValue(fact) === null,
    );
    const onProperty = compared.flatMap(listMeasurements).some(({ on }) => on === "property");
    return [...new Set([...read, ...(onProperty && this.property === undefined ? ["property"] : [])])];
  }

  /** True if a check is decided by all values that its comparisons could have, without a completion. */
  isDecided(check: Check): boolean {
    const { yes, no } = decideCheck(
      check,
      listComparisons(check).map((comparison) => this.judge(comparison)),
    );
    return yes || no;
  }

  /** Decides a check by all that absent facts could be, where they can be tried. */
  completed(check: Check): { readonly yes: boolean; readonly no: boolean } {
    const neither = { yes: false, no: false };
    const read = listComparisons(check).flatMap(listComparedFacts);
    const lifting = listComparisons(check).flatMap((one) =>
      "fact" in one && one.op === "not_valid" ? [one.fact] : [],
    );
    const filters = this.filtersBehind(check);
    const filtered = filters.flatMap(listFactsRead);
    const isAbsent = (fact: string) => this.declaredValue(fact) === null;
    const absent = [...new Set([...filtered, ...read])].filter(isAbsent);
    const isEntwined = (comparison: Comparison) => {
      const own = listAllComparedFacts(comparison).filter(isAbsent);
      return own.length === 2 && own.some((fact) => read.filter((one) => one === fact).length > 1);
    };
    if (
      absent.length === 0 ||
      absent.some((fact) => lifting.includes(fact.split(".")[0]!)) ||
      new Set(absent.map((fact) => fact.split(".")[0])).size < absent.length ||
      filtered.some((fact) => isAbsent(fact) && read.includes(fact)) ||
      filters.some((filter) => comparesTwoAbsentFacts(filter, isAbsent)) ||
      listComparisons(check).some(isEntwined)
    )
      return neither;
    const found = { yes: true, no: true };
    for (const facts of this.completions(check, absent)) {
      const evaluator = this.with(facts);
      const one = decideCheck(
        check,
        listComparisons(check).map((comparison) => evaluator.judge(comparison)),
      );
      found.yes &&= one.yes;
      found.no &&= one.no;
      // biome-ignore lint/suspicious/noUnnecessaryConditions: the lines above change both
      if (!found.yes && !found.no) return neither;
    }
    return found;
  }

  /** The same question with other values of some facts. */
  with(facts: ReadonlyMap<string, Exclude<FactValue, FactDocument>>): NaiveEvaluator {
    const { world, failed, ruleset, strict, now, fineness, sees, trusts } = this;
    const property = this.property?.input.boxes;
    const input = { ...this.input, ...(property !== undefined && { property }) };
    const evaluator = new NaiveEvaluator(
      { world, failed, ruleset, input, strict, now },
      { fineness, sees, trusts },
    );
    for (const [fact, value] of facts) {
      evaluator.supposed.set(fact, value);
      evaluator.property?.supposed.set(fact, value);
    }
    return evaluator;
  }

  /** Values of facts that stand for all: every number that is written somewhere, those beside it, and the ends. */
  *completions(
    check: Check,
    facts: readonly string[],
  ): Iterable<ReadonlyMap<string, Exclude<FactValue, FactDocument>>> {
    const [fact, ...others] = facts;
    if (fact === undefined) {
      yield new Map();
      return;
    }
    for (const value of this.listValues(fact)) {
      const evaluator = this.with(new Map([[fact, value]]));
      for (const more of evaluator.completions(check, others)) yield new Map([[fact, value], ...more]);
    }
  }

  listValues(fact: string): readonly Exclude<FactValue, FactDocument>[] {
    const {
      values,
      min = Number.NEGATIVE_INFINITY,
      max = Number.POSITIVE_INFINITY,
    } = this.ruleset.facts?.[fact] ?? {};
    switch (this.findType(fact)) {
      case "boolean":
      case "document":
        return [false, true];
      case "text":
        return values!;
      case "date": {
        const days = this.writtenNumbers().filter(Number.isInteger);
        const near = days.flatMap((day) => [day - 1, day, day + 1]);
        const within = near.filter((day) => day > FIRST_DAY && day < LAST_DAY);
        return [...new Set([FIRST_DAY, ...within, LAST_DAY])].map(formatDay);
      }
      default: {
        const times = this.writtenTimes();
        const exact = this.writtenNumbers().flatMap((one) =>
          times.flatMap((factor) => [one / factor, roundAttributeNumber(one * factor)]),
        );
        const all = [...new Set(exact)].sort((a, b) => a - b);
        const between = all.map((one, i) => (one + (all[i + 1] ?? one + 2)) / 2);
        const least = fact.includes(".") ? Math.max(0, min) : min;
        const ends = [least, max].filter(Number.isFinite);
        const inside = [(all[0] ?? 0) - 1, ...all, ...between, ...ends];
        return [...new Set(inside)].filter((one) => one >= least && one <= max);
      }
    }
  }

  /** Every number and day that the ruleset or an area has, and that a measure of this question prints. */
  writtenNumbers(): readonly number[] {
    const found = new Set<number>();
    const visit = (value: unknown): void => {
      if (typeof value === "number") found.add(value);
      else if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value))
        found.add(Date.parse(value) / DAY_MS);
      else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
    };
    visit(this.ruleset);
    for (const { data } of this.areas) visit(data.properties);
    visit(this.input.facts);
    found.add(Date.parse(this.now.slice(0, 10)) / DAY_MS);
    for (const check of this.ruleset.checks) {
      for (const measurement of listComparisons(check).flatMap(listMeasurements)) {
        const land = measurement.on === "property" ? this.property : this;
        if (land === undefined) continue;
        const value = land.value(measurement);
        for (const one of [value, ...Object.values(land.range(measurement, value))])
          if (typeof one === "number" && Number.isFinite(one)) found.add(one);
      }
    }
    return [...found];
  }

  writtenTimes(): readonly number[] {
    const values = this.ruleset.checks.flatMap(listComparisons).map(({ value }) => value);
    return [1, ...values.flatMap((value) => (typeof value === "object" ? (value.times ?? []) : []))];
  }

  filtersBehind(check: Check): readonly FilterExpression[] {
    return this.reached([check]).flatMap((name) => {
      const set = this.ruleset.sets[name]!;
      return "sources" in set && set.where !== undefined ? [set.where as FilterExpression] : [];
    });
  }

  /** Why a check is open, by kind, then by name. */
  reasons(check: Check, open: readonly Comparison[]): NaiveReason[] {
    const openCheck = { ...check, all: open } as Check;
    const found: NaiveReason[] = [];
    for (const name of this.reached([check])) {
      for (const source of this.listSources(name))
        if (this.failed.includes(source)) found.push({ because: "failed", source_name: source });
    }
    for (const [land, own] of this.lands([openCheck])) {
      const measured = open
        .flatMap(listMeasurements)
        .filter(({ on }) => (on === "property") === (land !== this));
      for (const name of own) found.push(...land.reasonsOfSet(name, own, measured));
      const withoutValue = measured.flatMap((one) => land.withoutValue(one));
      const unsure = own.flatMap((name) =>
        "sources" in this.ruleset.sets[name]! ? [...land.choose(name).byNull] : [],
      );
      const areas = new Set([...unsure, ...withoutValue]);
      for (const source of new Set([...areas].map((area) => area.source))) {
        const count = [...areas].filter((area) => area.source === source).length;
        found.push({ because: "null", source_name: source, areas: count });
      }
    }
    const isOnProperty = open.flatMap(listMeasurements).some(({ on }) => on === "property");
    if (isOnProperty && this.property === undefined) found.push({ because: "fact", pointer: "/property" });
    const facts = [
      ...open.flatMap(listAllComparedFacts),
      ...this.lands([openCheck]).flatMap(([land, own]) =>
        own.flatMap((name) => {
          const set = this.ruleset.sets[name]!;
          if (!("sources" in set) || land.choose(name).byFact.size === 0) return [];
          return listFactsRead(set.where as FilterExpression);
        }),
      ),
    ];
    for (const fact of facts) {
      if (this.declaredValue(fact) === null)
        found.push({ because: "fact", fact, pointer: `/facts/${fact.split(".")[0]}` });
    }
    return mergeReasons(found);
  }

  /**
   * @param sets those that the open comparisons reach, the set among them
   * @param measured what they measure
   */
  reasonsOfSet(name: string, sets: readonly string[], measured: readonly Measurement[]): NaiveReason[] {
    const set = this.ruleset.sets[name]!;
    if ("registers" in set) {
      const aged = this.listSources(name).flatMap((source) => this.ageReason(set, source));
      const all = [this.input.scheme ?? []].flat();
      const wrong = all.flatMap((scheme, i): NaiveReason[] => {
        if (set.asks !== undefined && scheme.role !== set.asks) return [];
        if (!this.isMalformed(scheme, set)) return [];
        const pointer = Array.isArray(this.input.scheme) ? `/scheme/${i}` : "/scheme";
        return [{ because: "identifier", pointer: `${pointer}/value`, ...withLostZeros(scheme) }];
      });
      return [...aged, ...wrong];
    }
    if (!("sources" in set)) return [];
    const isPart =
      sets.some((one) => listOperandNames(this.ruleset.sets[one]!).includes(name)) ||
      measured.some(({ of }) => of === name);
    return set.sources.flatMap((entry): NaiveReason[] => {
      const members = this.expand(entry);
      if (members.some((member) => this.failed.includes(member))) return [];
      const lacks = (one: AreaSet) =>
        this.uncoveredPart(one, members).size > 0 ||
        (one.within_m !== undefined && roundMeters(this.reachOfEntry(one, members)) <= one.within_m);
      const ofWhole = measured.some((one) => one.set === name && one.measure === "area_overlap_ratio");
      const { areas, byCells, waiting } = this.choose(name);
      const unsettled = [...areas.filter(() => ofWhole), ...waiting.filter((area) => byCells.has(area))];
      const isEndless =
        this.isBorderOfEntryOpen(set, members) ||
        unsettled.some(({ source }) => this.isRaster(source) && members.includes(source));
      const isOpen = isEndless || lacks(set);
      const { max_age_days: _, ...ageless } = set;
      const reasons = isOpen || isPart ? members.flatMap((member) => this.ageReason(set, member)) : [];
      if (!isOpen) return reasons;
      if (!isEndless && !lacks(ageless)) return reasons;
      const uncovered = this.uncoveredPart(ageless, members);
      const covered_ratio = computeCellShare(subtractCells(this.plot, [uncovered]), this.plot) ?? 0;
      return [{ because: "coverage", source_name: entry, covered_ratio }, ...reasons];
    });
  }

  isMalformed(scheme: Identified, { match }: { readonly match?: string }): boolean {
    return !this.trusts && isMalformed(scheme, match);
  }

  ageReason({ max_age_days }: { readonly max_age_days?: number }, source: string): NaiveReason[] {
    if (max_age_days === undefined || this.failed.includes(source)) return [];
    if (!this.isTooOld({ max_age_days }, source)) return [];
    const age = this.measureAge(source);
    return [
      { because: "age", source_name: source, ...(age !== undefined && { age_days: age }), max_age_days },
    ];
  }

  /** Areas of a measured column that have no value in it. */
  withoutValue({ set: name, measure }: Measurement): readonly Area[] {
    const set = this.ruleset.sets[name]!;
    if (typeof measure !== "object" || !("sources" in set) || set.unknown === "exclude") return [];
    const [[word, column]] = Object.entries(measure) as [[string, string]];
    return this.choose(name).areas.filter(
      ({ data, shared }) =>
        (data.properties?.[column] ?? null) === null && (word !== "mean" || shared.size > 0),
    );
  }

  /** Kinds of facts, and of the property, that a check reads, each once. */
  factKinds(check: Check): ReadonlySet<string> {
    const kinds = new Set<string>();
    for (const comparison of listComparisons(check)) {
      const { op, value } = comparison;
      if ("fact" in comparison) kinds.add(`${this.findType(comparison.fact)} ${op ?? "default"}`);
      if (typeof value === "object") {
        const side = "fact" in comparison ? "fact" : "measure";
        kinds.add(
          `${side} against ${"fact" in value ? "fact" : "measure"}${value.times === undefined ? "" : " times"}`,
        );
      }
      for (const reference of listComparedFacts(comparison))
        if (/\.|^evaluated_on$/.test(reference)) kinds.add(reference.replace(/^\w+\./, "document."));
      for (const { on } of listMeasurements(comparison))
        if (on === "property") kinds.add(this.property === undefined ? "property untold" : "property");
    }
    for (const name of this.reached([check])) {
      const set = this.ruleset.sets[name]!;
      if (!("sources" in set) || set.where === undefined) continue;
      for (const fact of listFactsRead(set.where as FilterExpression))
        kinds.add(`where ${this.findType(fact)}`);
      for (const [land, own] of this.lands([check]))
        if (own.includes(name) && land.choose(name).waiting.length > 0)
          kinds.add("area that waits for a fact");
    }
    return kinds;
  }

  judge(comparison: Comparison): Judgement {
    if ("fact" in comparison && this.findType(comparison.fact) === "document") {
      const { fact, op = "valid" } = comparison;
      const isValid = this.possibleFact(fact);
      const isMissed = op === "not_valid" && this.declaredValue(fact) === null;
      return comparePossible(isMissed ? toExactValue(0) : isValid, "=", toExactValue(op === "valid" ? 1 : 0));
    }
    if ("fact" in comparison) {
      const { fact, op = "=", value = true } = comparison;
      return comparePossible(this.possibleFact(fact), op, this.threshold(value, fact));
    }
    const { op = ">", value = 0 } = comparison;
    return comparePossible(this.measured(comparison), op, this.threshold(value));
  }

  /** The threshold of a fact or of a measure. */
  threshold(value: NonNullable<Comparison["value"]>, fact?: string): Possible {
    if (typeof value !== "object")
      return toExactValue(fact === undefined ? Number(value) : this.factNumber(fact, value));
    const { times = 1 } = value;
    const found = "fact" in value ? this.possibleFact(value.fact) : this.measured(value);
    const multiplied = (one: number) => (times === 1 ? one : roundAttributeNumber(one * times));
    return {
      value: found.value === null ? null : multiplied(found.value),
      low: multiplied(found.low),
      high: multiplied(found.high),
      maybeNull: found.maybeNull,
    };
  }

  /** If no property was declared, nothing is known of it. */
  measured(measurement: Measurement): Possible {
    const land = measurement.on === "property" ? this.property : this;
    if (land === undefined)
      return { value: null, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, maybeNull: true };
    const value = land.value(measurement);
    const range = land.range(measurement, value);
    if (!measurement.set.includes(REACH) || !range.maybeNull) return { value, ...range };
    // Where nothing was found up to the threshold, the nearest area is farther off.
    const farther = Number(measurement.set.split(REACH)[1]) + 0.0005;
    const low = range.low <= range.high ? Math.min(range.low, farther) : farther;
    return { value, low, high: Number.POSITIVE_INFINITY, maybeNull: false };
  }

  describeDeclared({ fact, op, value = true }: FactComparison, judged: Judgement): object {
    const result = { fact, value: this.declaredValue(fact) };
    if (this.findType(fact) === "document") return { ...result, op: op ?? "valid" };
    if (typeof value !== "object") return { ...result, op: op ?? "=", threshold: value };
    const threshold = findKnownValue(judged.threshold, judged);
    const isDay = this.findType(fact) === "date";
    return {
      ...result,
      op: op ?? "=",
      threshold:
        threshold === null
          ? null
          : isDay
            ? formatDay(threshold)
            : this.findType(fact) === "boolean"
              ? threshold === 1
              : threshold,
      threshold_of: describeThresholdSource(value),
    };
  }

  value({ set: name, measure = "count", of }: Measurement): number | null {
    const set = this.ruleset.sets[name]!;
    if ("registers" in set)
      return new Set(this.hits(name).map((hit) => `${hit.source_name} ${hit.source_id}`)).size;
    const { areas, region } = this.choose(name);
    const least = (values: readonly number[]) => (values.length === 0 ? null : Math.min(...values));
    const greatest = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values));
    if (typeof measure === "object") {
      const [[word, column]] = Object.entries(measure) as [[string, string]];
      const values = areas.flatMap(({ data }) => {
        const value = data.properties?.[column];
        return typeof value === "number" ? [value] : [];
      });
      // Columns hold whole numbers of 2^-60, so that whole numbers add up to the exact sum.
      const sum = Number(values.reduce((total, value) => total + BigInt(value * 2 ** 60), 0n)) / 2 ** 60;
      if (word === "sum") return roundAttributeNumber(sum);
      if (word === "mean") {
        const valued = areas.filter(({ data }) => typeof data.properties?.[column] === "number");
        const weight = valued.reduce((total, { shared }) => total + shared.size, 0);
        const weighted = valued.map(
          ({ data, shared }) => (data.properties![column] as number) * (shared.size / weight),
        );
        return weight === 0 ? null : Number(weighted.reduce((a, b) => a + b, 0).toPrecision(12)) + 0;
      }
      if (word === "avg") return values.length === 0 ? null : roundAttributeNumber(sum / values.length);
      return word === "min" ? least(values) : greatest(values);
    }
    switch (measure) {
      case "count":
        return areas.length;
      case "overlap_area_m2":
        return this.printedArea(region);
      case "overlap_ratio":
        return computeCellShare(region, of === undefined ? this.plot : this.choose(of).region);
      case "max_overlap_area_m2":
        return greatest(areas.map(({ shared }) => this.printedArea(shared))) ?? 0;
      case "area_overlap_ratio":
        return greatest(areas.map(({ shared, cells }) => computeCellShare(shared, cells)!)) ?? 0;
      case "min_distance_m":
        return least(areas.map(({ meters }) => roundMeters(meters)));
    }
  }

  // Coverage

  /** Cells that members cover together for a set. */
  territory(members: readonly string[]): Cells {
    return uniteCells(members.map((member) => this.findCoverage(member)));
  }

  /** The coverage of a source on the plot and, for polygons and countries, beyond it. */
  findCoverage(source: string): Cells {
    const { coverage, raster } = this.world.sources[source]!;
    if (raster !== undefined) {
      const examined = this.toCells(listRasterBoxes(raster, (value) => value !== "nodata"));
      if (coverage === undefined || coverage === "global" || "derived" in coverage) return examined;
      return intersectCells([examined, this.declaredLand(coverage)]);
    }
    if (this.isEverywhere(source)) return this.plot;
    if (coverage === undefined || coverage === "global") return new Set();
    return this.declaredLand(coverage);
  }

  declaredLand(coverage: Exclude<CoverageData, "global">): Cells {
    if ("boxes" in coverage) return this.toCells(coverage.boxes);
    const { countries } = coverage;
    const own = this.borders().filter((piece) => piece.countries.some((code) => countries.includes(code)));
    return this.toCells(own.flatMap(({ boxes }) => boxes));
  }

  isEverywhere(source: string): boolean {
    const { coverage, raster } = this.world.sources[source]!;
    return raster === undefined && (coverage === "global" || (coverage === undefined && !this.strict));
  }

  /** True if a set accepts a source's coverage. */
  isTaken(set: AreaSet, source: string): boolean {
    const { coverage, raster } = this.world.sources[source]!;
    return (
      set.coverage !== "declared" ||
      raster !== undefined ||
      (coverage !== undefined && !this.isDerived(source))
    );
  }

  isDerived(source: string): boolean {
    const { coverage, raster } = this.world.sources[source]!;
    return raster === undefined && typeof coverage === "object" && "derived" in coverage;
  }

  /** The members of each entry of an area set. */
  entries(set: AreaSet): readonly (readonly string[])[] {
    return set.sources.map((name) => this.expand(name));
  }

  uncoveredPart(set: AreaSet, members: readonly string[]): Cells {
    if (members.some((member) => this.failed.includes(member))) return this.plot;
    const fresh = members.filter((member) => !this.isTooOld(set, member) && this.isTaken(set, member));
    const uncovered = subtractCells(this.plot, [this.territory(fresh)]);
    // Cells are large, so that no uncovered part counts as empty that is not.
    if (this.squareMeters(1) <= Math.max(1, this.squareMeters(this.plot.size) / 1e6))
      throw new Error("a cell is within the tolerance");
    return uncovered;
  }

  uncoveredParts(set: AreaSet): readonly Cells[] {
    return this.entries(set).map((members) => this.uncoveredPart(set, members));
  }

  /** True if a value could touch the plot from a cell that was not examined. */
  isBorderOpen(set: AreaSet): boolean {
    return this.entries(set).some((members) => this.isBorderOfEntryOpen(set, members));
  }

  isBorderOfEntryOpen(set: AreaSet, members: readonly string[]): boolean {
    if (set.within_m !== undefined || set.relation === "covers" || set.relation === "covered_by")
      return false;
    if (this.uncoveredPart(set, members).size > 0) return false;
    const fresh = members.filter((member) => !this.isTooOld(set, member) && this.isTaken(set, member));
    const isClosed = (member: string): boolean =>
      !this.touchesUnexamined(member) && subtractCells(this.plot, [this.findCoverage(member)]).size === 0;
    return !fresh.some(isClosed) && fresh.some((member) => this.touchesUnexamined(member));
  }

  /** True if the plot shares a point with a cell of a raster that was not examined, or lies off its grid. */
  touchesUnexamined(source: string): boolean {
    const { raster } = this.world.sources[source]!;
    if (raster === undefined) return false;
    const { west, north, cell, columns, rows } = raster;
    const [east, south] = [west + cell * columns, north - cell * rows];
    const isOff = this.plotBoxes().some(
      (box) => box[0] <= west || box[1] <= south || box[2] >= east || box[3] >= north,
    );
    return (
      isOff ||
      measureMetersBetween(
        listRasterBoxes(raster, (value) => value === "nodata"),
        this.plotBoxes(),
      ) === 0
    );
  }

  /** The part of the plot that the entry of a source does not cover; of several entries the greatest. */
  measureUncovered(set: AreaSet, source: string): number {
    const own = this.entries(set).filter((members) => members.includes(source));
    return Math.max(...own.map((members) => this.uncoveredPart(set, members).size));
  }

  isRaster(source: string): boolean {
    return this.world.sources[source]!.raster !== undefined;
  }

  reach(set: AreaSet): number {
    return Math.min(...this.entries(set).map((members) => this.reachOfEntry(set, members)));
  }

  reachOfEntry(set: AreaSet, members: readonly string[]): number {
    if (this.uncoveredPart(set, members).size > 0) return 0;
    const fresh = members.filter((member) => !this.isTooOld(set, member) && this.isTaken(set, member));
    if (fresh.some((member) => this.isEverywhere(member))) return Number.POSITIVE_INFINITY;
    const coverages = fresh.flatMap((member) => this.world.sources[member]!.coverage ?? []);
    const distances = coverages.map((coverage): number => {
      if (coverage === "global") throw new Error("global reaches everywhere");
      if ("boxes" in coverage) return this.metersToBoundary(coverage.boxes);
      const all = coverages.flatMap((one) =>
        typeof one === "object" && "countries" in one ? one.countries : [],
      );
      const isTheirs = (piece: { readonly countries: readonly string[] }) =>
        piece.countries.some((code) => all.includes(code));
      const theirs = this.borders().filter(isTheirs);
      if (subtractCells(this.plot, [this.toCells(theirs.flatMap(({ boxes }) => boxes))]).size > 0) return 0;
      const others = this.borders().filter((piece) => !isTheirs(piece));
      return measureMetersBetween(
        others.flatMap(({ boxes }) => boxes),
        this.plotBoxes(),
      );
    });
    return Math.max(...distances);
  }

  /** Metres from the plot to the nearest cell that is in none of the boxes; 0 if they do not contain the plot. */
  metersToBoundary(boxes: readonly Box[]): number {
    const covered = this.toCells(boxes);
    if (subtractCells(this.plot, [covered]).size > 0) return 0;
    const step = [-1, 0, 1];
    const around = [...covered].flatMap((cell) =>
      step.flatMap((east) => step.map((north) => cell + east * ROW + north)),
    );
    const outside = subtractCells(new Set(around), [covered]);
    return measureMetersBetween(
      [...outside].map((cell) => this.toBox(cell)),
      this.plotBoxes(),
    );
  }

  areSurroundingsCovered(set: AreaSet, withinMeters: number): boolean {
    return roundMeters(this.reach(set)) > withinMeters;
  }

  /** `sources[].coverage` */
  coverageWord(source: string): string {
    if (this.isEverywhere(source))
      return this.world.sources[source]!.coverage === undefined ? "undeclared" : "full";
    const covered = intersectCells([this.findCoverage(source), this.plot]);
    return covered.size === this.plot.size ? "full" : covered.size === 0 ? "none" : "partial";
  }

  coveredRatio(sets: readonly string[]): number | undefined {
    const areaSets = sets.map((name) => this.ruleset.sets[name]!).filter((set) => "sources" in set);
    if (areaSets.length === 0) return undefined;
    return computeCellShare(
      subtractCells(
        this.plot,
        areaSets.flatMap((set) => this.uncoveredParts(set)),
      ),
      this.plot,
    )!;
  }

  // Age

  isTooOld({ max_age_days: most }: { readonly max_age_days?: number }, source: string): boolean {
    if (most === undefined) return false;
    const age = this.failed.includes(source) ? undefined : this.measureAge(source);
    return age === undefined || age > most;
  }

  /** Undefined where it is not known, as of a source that is dated more than a day in the future. */
  measureAge(source: string): number | undefined {
    const collected = this.world.sources[source]!.collected_at;
    if (collected === undefined || Date.parse(collected) - Date.parse(this.now) > DAY_MS) return undefined;
    return Math.max(0, countWholeDays(collected, this.now));
  }

  hasTooOld(name: string): boolean {
    const set = this.ruleset.sets[name]!;
    if ("sources" in set || "registers" in set)
      return this.listSources(name).some((source) => this.isTooOld(set, source));
    const operands = listOperandNames(set);
    return ("difference" in set ? operands.slice(0, 1) : operands).some((operand) => this.hasTooOld(operand));
  }

  // Possible values of a measure

  /** The least and the greatest region of a set where it adds, or where it subtracts. */
  regions(name: string, adds: boolean): { readonly least: Cells; readonly greatest: Cells } {
    const set = this.ruleset.sets[name]!;
    if ("registers" in set) throw new Error("a subject set has no region");
    if ("sources" in set) {
      const { areas, region, waiting } = this.choose(name);
      const current = areas.filter(({ source }) => !this.isTooOld(set, source));
      return {
        least: adds ? region : uniteCells(current.map(({ shared }) => shared)),
        greatest: uniteCells([region, ...this.uncoveredParts(set), ...waiting.map(({ shared }) => shared)]),
      };
    }
    if ("difference" in set) {
      const [first, ...others] = set.difference;
      const whole = this.regions(first!, adds);
      const taken = others.map((operand) => this.regions(operand, !adds));
      return {
        least: subtractCells(
          whole.least,
          taken.map(({ greatest }) => greatest),
        ),
        greatest: subtractCells(
          whole.greatest,
          taken.map(({ least }) => least),
        ),
      };
    }
    const operands = listOperandNames(set).map((operand) => this.regions(operand, adds));
    const combine = "union" in set ? uniteCells : intersectCells;
    return {
      least: combine(operands.map(({ least }) => least)),
      greatest: combine(operands.map(({ greatest }) => greatest)),
    };
  }

  mayGrow(name: string, role: "compared" | "operand"): boolean {
    const set = this.ruleset.sets[name]!;
    if ("registers" in set)
      return (
        this.listSources(name).some((source) => this.failed.includes(source) || this.isTooOld(set, source)) ||
        this.lookedUp(set.asks).some((scheme) => this.isMalformed(scheme, set))
      );
    if ("sources" in set) {
      if (uniteCells(this.uncoveredParts(set)).size > 0) return true;
      const { waiting } = this.choose(name);
      if (waiting.some(({ shared }) => role === "compared" || shared.size > 0)) return true;
      if (role === "operand") return false;
      return (
        this.isBorderOpen(set) ||
        (set.within_m !== undefined && !this.areSurroundingsCovered(set, set.within_m))
      );
    }
    if (this.regions(name, true).greatest.size === 0) return false;
    const operands = listOperandNames(set);
    if (!("difference" in set)) return operands.some((operand) => this.mayGrow(operand, "operand"));
    const [first, ...others] = operands;
    return (
      this.mayGrow(first!, "operand") ||
      others.some((operand) => this.mayShrink(operand) || this.hasTooOld(operand))
    );
  }

  mayShrink(name: string): boolean {
    const set = this.ruleset.sets[name]!;
    if ("registers" in set || "sources" in set) return false;
    if (this.regions(name, true).greatest.size === 0) return false;
    const operands = listOperandNames(set);
    if (!("difference" in set)) return operands.some((operand) => this.mayShrink(operand));
    const [first, ...others] = operands;
    return this.mayShrink(first!) || others.some((operand) => this.mayGrow(operand, "operand"));
  }

  /** Every value a measure could have, by the table of the page. */
  range({ set: name, measure = "count", of }: Measurement, here: number | null): Range {
    const set = this.ruleset.sets[name]!;
    if (measure === "overlap_area_m2") {
      const { least, greatest } = this.regions(name, true);
      return { low: this.printedArea(least), high: this.printedArea(greatest), maybeNull: false };
    }
    if (measure === "overlap_ratio") {
      const part = this.regions(name, true);
      const plot = { least: this.plot, greatest: this.plot };
      const whole = of === undefined ? plot : this.regions(of, false);
      if (whole.greatest.size === 0) return NO_VALUE;
      return {
        low: computeCellShare(part.least, whole.greatest)!,
        high: computeCellShare(part.greatest, whole.least) ?? Number.POSITIVE_INFINITY,
        maybeNull: whole.least.size === 0,
      };
    }
    const grows = this.mayGrow(name, "compared");
    const shrinks = this.mayShrink(name);
    const lacksValue = this.withoutValue({ set: name, measure }).length > 0;
    if (measure === "area_overlap_ratio") {
      const { areas } = this.choose(name);
      const ofRings = areas.filter(({ source }) => !this.isRaster(source));
      const low = Math.max(0, ...ofRings.map(({ shared, cells }) => computeCellShare(shared, cells)!));
      if (ofRings.length < areas.length) return { low, high: 1, maybeNull: here === null };
    }
    if (!grows && !shrinks && !lacksValue)
      return here === null ? NO_VALUE : { low: here, high: here, maybeNull: false };
    const listed = this.isListed(set) ? this.choose(name).waiting : undefined;
    if (measure === "count") {
      const most = listed === undefined ? Number.POSITIVE_INFINITY : here! + listed.length;
      return { low: shrinks ? 0 : here!, high: grows ? most : here!, maybeNull: false };
    }
    if (!("sources" in set)) throw new Error("only area sets have this measure");
    const maybeNull = here === null;
    const anything = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, maybeNull };
    if (typeof measure === "object") {
      if (here === null || "sum" in measure || "avg" in measure || "mean" in measure) return anything;
      return "min" in measure ? { ...anything, high: here } : { ...anything, low: here };
    }
    switch (measure) {
      case "max_overlap_area_m2": {
        const { areas, waiting } = this.choose(name);
        const parts = [...this.uncoveredParts(set), ...waiting.map(({ shared }) => shared)];
        const ofRasters = [...areas, ...waiting].filter(({ source }) => this.isRaster(source));
        const most = [
          ...parts.map((part) => part.size),
          ...ofRasters.map(({ source, shared }) =>
            Math.min(this.plot.size, shared.size + this.measureUncovered(set, source)),
          ),
        ].map((cells) => roundSquareMeters(this.squareMeters(cells)));
        return { low: here!, high: Math.max(here!, ...most), maybeNull };
      }
      case "area_overlap_ratio":
        return {
          low: here!,
          high:
            listed === undefined || listed.some(({ source }) => this.isRaster(source))
              ? 1
              : Math.max(here!, ...listed.map(({ shared, cells }) => computeCellShare(shared, cells)!)),
          maybeNull: this.choose(name).areas.length === 0,
        };
      case "min_distance_m": {
        const { within_m = 0, min_m = 0 } = set;
        const waiting = this.choose(name).waiting.map(({ meters }) => roundMeters(meters));
        const reach = set.within_m === undefined ? 0 : Math.min(roundMeters(this.reach(set)), ...waiting);
        const nearestUnknown = Math.max(reach, min_m);
        return { low: Math.min(here ?? nearestUnknown, nearestUnknown), high: here ?? within_m, maybeNull };
      }
    }
  }

  /** True if the only areas that a set could also hold are known. */
  isListed(set: RulesetSet): boolean {
    if (!("sources" in set) || uniteCells(this.uncoveredParts(set)).size > 0) return false;
    if (this.isBorderOpen(set)) return false;
    return set.within_m === undefined || this.areSurroundingsCovered(set, set.within_m);
  }

  // Sets

  choose(name: string): Chosen {
    let found = this.chosen.get(name);
    if (found === undefined) {
      found = this.select(name);
      this.chosen.set(name, found);
    }
    return found;
  }

  select(name: string): Chosen {
    const set = this.ruleset.sets[name]!;
    if ("sources" in set) return this.selectAreas(name, set);
    const operands = listOperandNames(set).map((operand) => this.choose(operand));
    const regions = operands.map(({ region }) => region);
    const region =
      "union" in set
        ? uniteCells(regions)
        : "intersection" in set
          ? intersectCells(regions)
          : subtractCells(regions[0]!, regions.slice(1));
    const givers = "difference" in set ? operands.slice(0, 1) : operands;
    const areas = new Set(givers.flatMap(({ areas: own }) => own));
    return {
      areas: [...areas].filter(({ shared }) => intersectCells([shared, region]).size > 0),
      unsure: [...new Set(operands.flatMap(({ unsure }) => unsure))],
      waiting: [],
      byNull: new Set(),
      byFact: new Set(),
      byCells: new Set(),
      region,
    };
  }

  selectAreas(name: string, set: AreaSet): Chosen {
    const sources = this.listSources(name);
    const countries = [set.country_iso3 ?? []].flat().map((code) => code.toUpperCase());
    const seen = this.areas.filter(
      ({ source, data }) => sources.includes(source) && this.sees(name, source, data.id),
    );
    const byCells = new Set(seen.filter((area) => this.isUnsettled(set, area)));
    const near = seen.filter((area) => {
      const { cells, shared, meters } = area;
      if (byCells.has(area)) return true;
      if (set.within_m !== undefined) {
        const printed = roundMeters(meters);
        return printed <= set.within_m && printed >= (set.min_m ?? 0);
      }
      if (set.relation === "touches") return meters === 0 && shared.size === 0;
      if (set.relation === "covers") return shared.size === this.plot.size;
      if (set.relation === "covered_by") return shared.size === cells.size;
      return meters === 0;
    });
    const where = set.where as FilterExpression | undefined;
    const absent = (where === undefined ? [] : listFactsRead(where)).filter(
      (fact) => this.declaredValue(fact) === null,
    );
    const chosen = { areas: [] as Area[], unsure: [] as Area[], waiting: [] as Area[] };
    const [byNull, byFact] = [new Set<Area>(), new Set<Area>()];
    for (const area of near) {
      const { source, data } = area;
      const lacksCountry = set.country_iso3 !== undefined && data.country === undefined;
      if (lacksCountry && !byCells.has(area)) {
        this.withoutCountry.set(source, (this.withoutCountry.get(source) ?? new Set()).add(data.id));
      } else if (set.country_iso3 !== undefined && !lacksCountry && !countries.includes(data.country!))
        continue;
      const answers = new Set(
        this.answers(where, area, [...new Set(absent)]).map((answer) =>
          answer === true && lacksCountry ? null : answer,
        ),
      );
      const { unknown = "open" } = set;
      if (answers.has(null) && !byCells.has(area)) chosen.unsure.push(area);
      const memberships = new Set(
        [...answers].map((answer) => answer ?? (unknown === "open" ? null : unknown === "include")),
      );
      if (memberships.size === 1 && memberships.has(true)) {
        if (byCells.has(area)) chosen.waiting.push(area);
        else chosen.areas.push(area);
      } else if (memberships.size > 1 || memberships.has(null)) {
        chosen.waiting.push(area);
        if (memberships.has(null)) byNull.add(area);
        if (answers.size > 1) byFact.add(area);
      }
    }
    return {
      ...chosen,
      byNull,
      byFact,
      byCells,
      region: uniteCells(chosen.areas.map(({ shared }) => shared)),
    };
  }

  /** Every answer that a filter can give for an area, whatever the facts are that were not declared. */
  answers(
    where: FilterExpression | undefined,
    area: Area,
    absent: readonly string[],
  ): readonly (boolean | null)[] {
    if (where === undefined) return [true];
    if (absent.length > 1 && comparesTwoAbsentFacts(where, (fact) => absent.includes(fact))) {
      const open = evaluateFilter(where, area, (fact) => this.declaredValue(fact));
      return open === null ? [true, false] : [open];
    }
    const values = new Map(absent.map((fact) => [fact, this.valuesNear(where, area, fact)]));
    const combine = ([fact, ...others]: readonly string[]): ReadonlyMap<string, AttributeValue>[] =>
      fact === undefined
        ? [new Map()]
        : combine(others).flatMap((rest) =>
            values.get(fact)!.map((value) => new Map([...rest, [fact, value]])),
          );
    return combine(absent).map((facts) =>
      evaluateFilter(where, area, (fact) => facts.get(fact) ?? this.declaredValue(fact)),
    );
  }

  /** Values of a fact that stand for all in a filter of one area. */
  valuesNear(where: FilterExpression, area: Area, fact: string): readonly AttributeValue[] {
    const numbers = new Set<number>();
    const visit = (argument: FilterArgument): void => {
      if (Array.isArray(argument)) argument.forEach(visit);
      else if (typeof argument === "object" && "args" in argument) argument.args.forEach(visit);
      else {
        const value = readScalarArgument(argument as FilterArgument, area, (one) => this.declaredValue(one));
        if (typeof value === "number") numbers.add(value);
        else if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value))
          numbers.add(Date.parse(value) / DAY_MS);
      }
    };
    visit(where);
    const {
      values,
      min = Number.NEGATIVE_INFINITY,
      max = Number.POSITIVE_INFINITY,
    } = this.ruleset.facts?.[fact] ?? {};
    const type = this.findType(fact);
    if (type === "boolean" || type === "document") return [false, true];
    if (type === "text") return values!;
    if (type === "date") {
      const near = [...numbers].filter(Number.isInteger).flatMap((day) => [day - 1, day, day + 1]);
      return [FIRST_DAY, ...near.filter((day) => day > FIRST_DAY && day < LAST_DAY), LAST_DAY].map(formatDay);
    }
    const all = [...numbers].sort((a, b) => a - b);
    const between = all.map((one, i) => (one + (all[i + 1] ?? one + 2)) / 2);
    const least = fact.includes(".") ? Math.max(0, min) : min;
    const inside = [(all[0] ?? 0) - 1, ...all, ...between, least, max].filter(Number.isFinite);
    return inside.filter((one) => one >= least && one <= max);
  }

  /** True if cells that were not examined decide how a value of a raster stands to the plot. */
  isUnsettled(set: AreaSet, { source, shared, cells, meters }: Area): boolean {
    if (!this.isRaster(source) || meters > 0) return false;
    const uncovered = this.measureUncovered(set, source);
    switch (set.relation) {
      case "covered_by":
        return shared.size === cells.size;
      case "touches":
        return uncovered > 0 && shared.size === 0;
      case "covers":
        return uncovered > 0 && shared.size < this.plot.size && shared.size + uncovered >= this.plot.size;
      default:
        return false;
    }
  }

  lookedUp(role: string | undefined) {
    const { scheme = [] } = this.input;
    return [scheme].flat().filter((one) => role === undefined || one.role === role);
  }

  hits(set: string): readonly Hit[] {
    const definition = this.ruleset.sets[set]!;
    if (!("registers" in definition)) return [];
    return this.listSources(set).flatMap((source) =>
      this.listRecords(source)
        .filter(({ id }) => this.sees(set, source, id))
        .flatMap(({ id, name = null, identifiers }) =>
          identifiers.flatMap(({ scheme, value }) =>
            this.lookedUp(definition.asks).flatMap(({ type, value: sent, role }): Hit[] => {
              const [own, other] = [toCanonicalValue(value), toCanonicalValue(sent)];
              const root = definition.match === "root" && type === "br:cnpj" && other.length >= 8;
              const isHit = scheme === type && (root ? own.slice(0, 8) === other.slice(0, 8) : own === other);
              const hit = { source_name: source, source_id: id, name, value, scheme: type };
              return isHit ? [role === undefined ? hit : { ...hit, role }] : [];
            }),
          ),
        ),
    );
  }

  listRecords(source: string): readonly RecordData[] {
    return this.failed.includes(source) ? [] : (this.world.sources[source]!.records ?? []);
  }

  // Evidence

  evidence(check: Check): { undetermined: number; evidence: readonly object[] } {
    const compared = listComparisons(check).flatMap((one): Measurement[] => ("set" in one ? [one] : []));
    const setsOn = (land: Land) => [
      ...new Set(compared.filter(({ on = "plot" }) => on === land).map(({ set }) => set)),
    ];
    const onPlot = this.areaEvidence(setsOn("plot"));
    const onProperty = this.property?.areaEvidence(setsOn("property"));
    return {
      undetermined: onPlot.undetermined + (onProperty?.undetermined ?? 0),
      evidence: [
        ...onPlot.evidence,
        ...(onProperty?.evidence ?? []).map((item) => ({ ...item, on: "property" })),
        ...this.recordEvidence(setsOn("plot")),
      ],
    };
  }

  areaEvidence(names: readonly string[]): { undetermined: number; evidence: readonly object[] } {
    const isNear = (name: string) => "within_m" in this.ruleset.sets[name]!;
    const regions = names.filter((name) => !("registers" in this.ruleset.sets[name]!));
    const shown = (name: string) => [...this.choose(name).areas, ...this.choose(name).unsure];
    const areas = [...new Set(regions.flatMap(shown))];
    const unsure = new Set(regions.flatMap((name) => this.choose(name).unsure));
    const withDistance = new Set(regions.filter(isNear).flatMap(shown));
    areas.sort(
      (a, b) =>
        b.shared.size - a.shared.size ||
        a.meters - b.meters ||
        compareTexts(a.source, b.source) ||
        compareTexts(a.data.id, b.data.id),
    );
    const areaSets = this.setsBehind(regions);
    const areaItems = areas.map((area) => ({
      source_name: area.source,
      source_id: area.data.id,
      name: area.data.name ?? null,
      country_iso3: area.data.country ?? null,
      overlap_area_m2: this.printedArea(area.shared),
      overlap_ratio: computeCellShare(area.shared, this.plot),
      area_overlap_ratio: computeCellShare(area.shared, area.cells),
      ...(this.world.sources[area.source]!.raster !== undefined && {
        cells: area.data.boxes.filter((box) => intersectCells([this.toCells([box]), this.plot]).size > 0)
          .length,
      }),
      ...(withDistance.has(area) && { distance_m: roundMeters(area.meters) }),
      ...(unsure.has(area) && { undetermined: true }),
      ...this.properties(
        areaSets.filter((name) => shown(name).includes(area)),
        area.data.properties,
      ),
    }));
    return { undetermined: unsure.size, evidence: areaItems };
  }

  recordEvidence(names: readonly string[]): readonly object[] {
    const hits = new Map(names.flatMap((name) => this.hits(name)).map((hit) => [toKey(hit), hit]));
    const records = [...hits.values()].sort(
      (a, b) =>
        compareTexts(a.source_name, b.source_name) ||
        compareTexts(a.source_id, b.source_id) ||
        compareTexts(a.value, b.value) ||
        compareTexts(a.scheme, b.scheme) ||
        compareTexts(a.role ?? "", b.role ?? ""),
    );
    return records.map((hit) => ({
      ...hit,
      ...this.properties(
        names.filter((name) => this.hits(name).some((other) => toKey(other) === toKey(hit))),
        this.listRecords(hit.source_name).find(({ id }) => id === hit.source_id)!.properties,
      ),
    }));
  }

  /** Area sets among these, and those that derived sets among these are derived from. */
  setsBehind(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => {
      const set = this.ruleset.sets[name]!;
      return "sources" in set ? [name] : this.setsBehind(listOperandNames(set));
    });
  }

  /** The columns that any of the sets shows. */
  properties(sets: readonly string[], values: AreaData["properties"] = {}): object {
    const definitions = sets.map((name) => this.ruleset.sets[name]!);
    const shows = definitions.filter((set) => "show" in set && set.show !== undefined);
    if (shows.length === 0) return {};
    const columns = shows.flatMap((set) => ("show" in set ? (set.show ?? []) : []));
    return { properties: Object.fromEntries(columns.map((column) => [column, values[column] ?? null])) };
  }

  source(name: string): object {
    if (this.failed.includes(name)) return { source_name: name, status: "failed", matched: 0 };
    const matched = new Set<string>();
    const withoutCountry = new Set<string>();
    let asksCountry = false;
    let overage: boolean | undefined;
    for (const set of this.reached(this.ruleset.checks)) {
      if (!this.listSources(set).includes(name)) continue;
      const definition = this.ruleset.sets[set]!;
      if ("max_age_days" in definition) overage = overage === true || this.isTooOld(definition, name);
    }
    for (const [land, sets] of this.lands(this.ruleset.checks)) {
      for (const set of sets) {
        for (const hit of land.hits(set)) if (hit.source_name === name) matched.add(hit.source_id);
        const definition = this.ruleset.sets[set]!;
        if (!("sources" in definition)) continue;
        asksCountry ||= this.listSources(set).includes(name) && definition.country_iso3 !== undefined;
        for (const { source, data } of land.choose(set).areas) if (source === name) matched.add(data.id);
      }
      for (const id of land.withoutCountry.get(name) ?? []) withoutCountry.add(id);
    }
    const isLeaf = this.world.sources[name]!.records === undefined;
    return {
      source_name: name,
      status: "ok",
      matched: matched.size,
      ...(asksCountry && { without_country: withoutCountry.size }),
      ...(isLeaf && this.input.boxes !== undefined && { coverage: this.coverageWord(name) }),
      ...(isLeaf && this.input.boxes !== undefined && this.isDerived(name) && { coverage_known: "derived" }),
      ...(overage !== undefined && { overage }),
    };
  }

  /** The sources that an area or subject set names, each once. */
  listSources(name: string): readonly string[] {
    const set = this.ruleset.sets[name]!;
    const names = "sources" in set ? set.sources : "registers" in set ? set.registers : [];
    return [...new Set(names.flatMap((one) => this.expand(one)))].sort();
  }

  expand(name: string): readonly string[] {
    return this.world.groups?.[name] ?? [name];
  }

  borders(): NonNullable<World["borders"]> {
    return this.world.borders ?? [];
  }

  plotBoxes(): readonly Box[] {
    return this.input.boxes ?? [];
  }

  toCells(boxes: readonly Box[]): Cells {
    const cells = new Set<number>();
    for (const box of boxes) {
      const [west, south, east, north] = box.map((side) => side * this.fineness) as [
        number,
        number,
        number,
        number,
      ];
      if (![west, south, east, north].every(Number.isInteger)) throw new Error(`no whole cells: ${box}`);
      for (let x = west; x < east; x++) for (let y = south; y < north; y++) cells.add(ROW * x + y + HALF_ROW);
    }
    return cells;
  }

  toBox(cell: number): Box {
    const x = Math.floor(cell / ROW);
    const y = cell - ROW * x - HALF_ROW;
    return [x / this.fineness, y / this.fineness, (x + 1) / this.fineness, (y + 1) / this.fineness];
  }

  squareMeters(cells: number): number {
    return (cells / this.fineness ** 2) * (EAST_METERS * NORTH_METERS);
  }

  printedArea(cells: Cells): number {
    return roundSquareMeters(this.squareMeters(cells.size));
  }
}

interface Range {
  readonly low: number;
  readonly high: number;
  readonly maybeNull: boolean;
}

const NO_VALUE: Range = { low: 1, high: 0, maybeNull: true };

/** The boxes of a raster's cells that hold such. */
export function listRasterBoxes(
  { west, north, cell, columns, cells }: RasterData,
  isSuch: (value: RasterData["cells"][number]) => boolean,
): Box[] {
  return cells.flatMap((value, i): Box[] => {
    if (!isSuch(value)) return [];
    const x = west + cell * (i % columns);
    const y = north - cell * Math.floor(i / columns);
    return [[x, y - cell, x + cell, y]];
  });
}

/** Cells are numbered by rows to the north, of latitudes from -500 to 499. */
const ROW = 1000;
const HALF_ROW = 500;

/** The first and the last day that there are, from 1970. */
const FIRST_DAY = Date.parse("0000-01-01") / DAY_MS;
const LAST_DAY = Date.parse("9999-12-31") / DAY_MS;

/** The status that each reason gives to a check; of several the first counts. */
const STATUS_OF: Readonly<Record<string, string>> = {
  failed: "failed",
  coverage: "not_covered",
  age: "not_covered",
  left_out: "not_covered",
  without: "not_covered",
  null: "undetermined",
  identifier: "undetermined",
  fact: "not_declared",
};

/** Each reason once, in order: of two that differ in a number, that of the larger gap. */
function mergeReasons(reasons: readonly NaiveReason[]): NaiveReason[] {
  const kinds = Object.keys(STATUS_OF);
  const keyOfReason = ({ because, source_name = "", fact = "", pointer = "" }: NaiveReason) =>
    `${kinds.indexOf(because)} ${source_name} ${fact} ${pointer}`;
  const merged = new Map<string, NaiveReason>();
  for (const one of reasons) {
    const key = keyOfReason(one);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, one);
    else if (one.because === "null") merged.set(key, { ...one, areas: known.areas! + one.areas! });
    else if ((one.covered_ratio ?? 1) < (known.covered_ratio ?? 1)) merged.set(key, one);
    else if ((one.max_age_days ?? Infinity) < (known.max_age_days ?? Infinity)) merged.set(key, one);
  }
  return [...merged].sort(([a], [b]) => compareTexts(a, b)).map(([, one]) => one);
}

function decideCheck(
  check: Check,
  judged: readonly Judgement[],
): { readonly yes: boolean; readonly no: boolean; readonly certain: readonly (boolean | undefined)[] } {
  const certain = judged.map(({ holds, fails }) => (holds ? true : fails ? false : undefined));
  const [yes, no] =
    "any" in check
      ? [certain.includes(true), certain.every((one) => one === false)]
      : [certain.every((one) => one === true), certain.includes(false)];
  return { yes, no, certain };
}

/** True if a filter compares two facts of which nobody declared either. */
function comparesTwoAbsentFacts({ args }: FilterExpression, isAbsent: (fact: string) => boolean): boolean {
  const own = args.flatMap((arg) => (typeof arg === "object" && "fact" in arg ? [arg.fact] : []));
  if (new Set(own.filter(isAbsent)).size > 1) return true;
  return args.some(
    (arg) => typeof arg === "object" && "args" in arg && comparesTwoAbsentFacts(arg, isAbsent),
  );
}

interface Identified {
  readonly type: string;
  readonly value: string;
}

/** True if an identifier cannot be one of its scheme, by what Brazil and the US publish. */
export function isMalformed({ type, value }: Identified, match = "equals"): boolean {
  const own = toCanonicalValue(value);
  if (type === "us:ein") return !/^\d{9}$/.test(own);
  if (type === "br:cpf") return !isCpf(own);
  if (type !== "br:cnpj") return false;
  if (match === "root" && /^[0-9A-Z]{8}$/.test(own)) return false;
  if (!/^[0-9A-Z]{12}\d\d$/.test(own)) return true;
  const digits = [...own].map((character) => character.charCodeAt(0) - 48);
  if (digits.every((digit) => digit === digits[0])) return true;
  const digitAfter = (count: number) => {
    const weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2].slice(13 - count);
    const rest = weights.reduce((sum, weight, i) => sum + weight * digits[i]!, 0) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  return digitAfter(12) !== digits[12] || digitAfter(13) !== digits[13];
}

/** An identifier whose leading zeros a spreadsheet dropped, with them; nothing where that is none either. */
function withLostZeros({ type, value }: Identified): { readonly proposed?: string } {
  const digits = toCanonicalValue(value);
  const length = { "br:cnpj": 14, "br:cpf": 11, "us:ein": 9 }[type] ?? 0;
  const proposed = digits.padStart(length, "0");
  const isLost = /^\d+$/.test(digits) && digits.length < length && !isMalformed({ type, value: proposed });
  return isLost ? { proposed } : {};
}

function isCpf(value: string): boolean {
  if (!/^\d{11}$/.test(value) || /^(\d)\1*$/.test(value)) return false;
  return [9, 10].every((count) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += Number(value[i]) * (count + 1 - i);
    return ((sum * 10) % 11) % 10 === Number(value[count]);
  });
}

/** The facts that a comparison reads. */
export function listAllComparedFacts(comparison: Comparison): readonly string[] {
  const { value } = comparison;
  return [
    ...("fact" in comparison ? [comparison.fact] : []),
    ...(typeof value === "object" && "fact" in value ? [value.fact] : []),
  ];
}

function findUncoveredOutcome(check: Check): string {
  return check.uncovered ?? (check.outcome === "NOTICE" ? "NOTICE" : "WARNING");
}

type Land = "plot" | "property";

/** Stands between the name of a set and the metres up to which a comparison measures its areas. */
const REACH = " within ";

/** True if the distance of a set is measured for want of `within_m` only as far as a threshold says. */
function limitsSearchDistance(set: RulesetSet, { measure }: Measurement): boolean {
  if (measure !== "min_distance_m" || !("sources" in set) || set.within_m !== undefined) return false;
  return (set.relation ?? "intersects") === "intersects";
}

/** The ruleset with a set of its own for each comparison of a distance with a number. */
function withReachSets(ruleset: Ruleset): Ruleset {
  const sets: Record<string, RulesetSet> = { ...ruleset.sets };
  const reaching = (one: Comparison): Comparison => {
    if (!("set" in one)) return one;
    const { value = 0 } = one;
    const set = sets[one.set]!;
    if (!limitsSearchDistance(set, one) || typeof value !== "number" || value > 1_000_000) return one;
    const meters = Math.max(value, 0);
    const name = `${one.set}${REACH}${meters}`;
    const { relation: _, ...others } = set as AreaSet;
    sets[name] = { ...others, within_m: meters };
    return { ...one, set: name };
  };
  const checks = ruleset.checks.map((check): Check => {
    if ("all" in check) return { ...check, all: check.all.map(reaching) };
    if ("any" in check) return { ...check, any: check.any.map(reaching) };
    return { ...check, ...reaching(check) } as Check;
  });
  return { ...ruleset, sets, checks };
}

/** The comparisons of a check. */
export function listComparisons(check: Check): readonly Comparison[] {
  return "all" in check ? check.all : "any" in check ? check.any : [check];
}

/** Measurements of a comparison: its left side, its right side, or both. */
export function listMeasurements(comparison: Comparison): readonly Measurement[] {
  const { value } = comparison;
  return [
    ...("set" in comparison ? [comparison] : []),
    ...(typeof value === "object" && "set" in value ? [value] : []),
  ];
}

/** The facts that a comparison reads, but for a document whose absence it reads. */
function listComparedFacts(comparison: Comparison): readonly string[] {
  const { value } = comparison;
  return [
    ...("fact" in comparison && comparison.op !== "not_valid" ? [comparison.fact] : []),
    ...(typeof value === "object" && "fact" in value ? [value.fact] : []),
  ];
}

/** The facts that a filter reads. */
export function listFactsRead(argument: FilterArgument): readonly string[] {
  if (typeof argument !== "object" || Array.isArray(argument)) return [];
  if ("fact" in argument) return [argument.fact];
  return "args" in argument ? argument.args.flatMap(listFactsRead) : [];
}

function toExactValue(value: number): Possible {
  return { value, low: value, high: value, maybeNull: false };
}

/** Compares every value that the left could have with every one of the right; one without a value does not hold. */
function comparePossible(left: Possible, op: string, threshold: Possible): Judgement {
  const samples = (own: Possible, other: Possible): number[] =>
    own.low > own.high
      ? []
      : [own.low, own.high, ...[other.low, other.high].filter((one) => one >= own.low && one <= own.high)];
  const answers = samples(left, threshold).flatMap((one) =>
    samples(threshold, left).map((other) => comparisonHolds(op, one, other)),
  );
  if (left.maybeNull || threshold.maybeNull) answers.push(false);
  const holds = answers.every((answer) => answer);
  return { ...left, threshold, holds, fails: answers.every((answer) => !answer) };
}

/** A value as a verdict tells it: null where neither it nor its comparison is certain. */
function findKnownValue(one: Possible, { holds, fails }: Judgement): number | null {
  const isExact = one.low >= one.high && (one.low > one.high || !one.maybeNull);
  return isExact || holds || fails ? one.value : null;
}

function describeComparison(
  { set, measure = "count", op = ">", of, on, value = 0 }: SetComparison,
  judged: Judgement,
) {
  return {
    set: set.split(REACH)[0]!,
    measure,
    op,
    value: findKnownValue(judged, judged),
    threshold: findKnownValue(judged.threshold, judged),
    ...(of !== undefined && { of }),
    ...(on === "property" && { on }),
    ...(typeof value === "object" && { threshold_of: describeThresholdSource(value) }),
  };
}

function describeThresholdSource(
  value: { readonly fact: string; readonly times?: number } | MeasuredThreshold,
): object {
  const { times = 1 } = value;
  if ("fact" in value) return { fact: value.fact, times };
  const { set, measure = "count", of, on } = value;
  return { set, measure, ...(of !== undefined && { of }), ...(on === "property" && { on }), times };
}

/** A number of days since 1970 as `YYYY-MM-DD`. */
export function formatDay(days: number): string {
  return new Date(days * DAY_MS).toISOString().slice(0, 10);
}

function listOperandNames(set: RulesetSet): readonly string[] {
  if ("union" in set) return set.union;
  if ("intersection" in set) return set.intersection;
  return "difference" in set ? set.difference : [];
}

function uniteCells(sets: readonly Cells[]): Cells {
  return new Set(sets.flatMap((cells) => [...cells]));
}

function intersectCells([first, ...others]: readonly Cells[]): Cells {
  return new Set([...first!].filter((cell) => others.every((other) => other.has(cell))));
}

function subtractCells(first: Cells, others: readonly Cells[]): Cells {
  return new Set([...first].filter((cell) => !others.some((other) => other.has(cell))));
}

/** Metres between boxes, closed; infinite where there are none. */
export function measureMetersBetween(some: readonly Box[], others: readonly Box[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [west, south, east, north] of some) {
    for (const [otherWest, otherSouth, otherEast, otherNorth] of others) {
      const across = Math.max(0, west - otherEast, otherWest - east);
      const along = Math.max(0, south - otherNorth, otherSouth - north);
      least = Math.min(least, Math.hypot(across * EAST_METERS, along * NORTH_METERS));
    }
  }
  return least;
}

function computeCellShare(part: Cells, whole: Cells): number | null {
  return whole.size === 0 ? null : roundRatio(part.size / whole.size);
}

/** Whole days from one instant to another. */
function countWholeDays(from: string, to: string): number {
  return Math.trunc((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

function toKey({ source_name, source_id, value, scheme, role = "" }: Hit): string {
  return [source_name, source_id, value, scheme, role].join("\u0000");
}

function toCanonicalValue(value: string): string {
  return value.replace(/[ ./()-]/g, "").toUpperCase();
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparisonHolds(op: string, a: number | string | boolean, b: number | string | boolean): boolean {
  if (op === ">") return a > b;
  if (op === "<") return a < b;
  if (op === ">=") return !(a < b);
  if (op === "<=") return !(a > b);
  return (op === "=") === (a === b);
}

/** Reads the declared value; null if there is none. */
type FactReader = (fact: string) => AttributeValue;

/** Kleene's three values; null is "no answer". */
function evaluateFilter({ op, args }: FilterExpression, area: Area, facts: FactReader): boolean | null {
  const parts = (): (boolean | null)[] =>
    args.map((arg) => evaluateFilter(arg as FilterExpression, area, facts));
  const read = (i: number): AttributeValue => readScalarArgument(args[i]!, area, facts);
  switch (op) {
    case "and":
      return parts().includes(false) ? false : parts().includes(null) ? null : true;
    case "or":
      return parts().includes(true) ? true : parts().includes(null) ? null : false;
    case "not": {
      const [part] = parts();
      return part === null ? null : !part;
    }
    case "isNull":
      return read(0) === null;
    case "between":
      return evaluateFilter(
        {
          op: "and",
          args: [
            { op: ">=", args: [args[0]!, args[1]!] },
            { op: "<=", args: [args[0]!, args[2]!] },
          ],
        },
        area,
        facts,
      );
    case "in": {
      const value = read(0);
      const items = (args[1] as readonly FilterArgument[]).map((item) =>
        readScalarArgument(item, area, facts),
      );
      return value === null ? null : items.includes(value);
    }
    case "like": {
      const value = read(0);
      return value === null ? null : toRegExp(String(read(1))).test(String(value));
    }
    default: {
      const [a, b] = [read(0), read(1)];
      return a === null || b === null ? null : comparisonHolds(op, a, b);
    }
  }
}

function readScalarArgument(argument: FilterArgument, area: Area, facts: FactReader): AttributeValue {
  if (typeof argument !== "object") return argument;
  if ("date" in argument) return argument.date;
  if ("property" in argument) return readAreaProperty(argument.property, area);
  if ("fact" in argument) return facts(argument.fact);
  const inner = readScalarArgument((argument as FilterExpression).args[0]!, area, facts);
  return inner === null ? null : String(inner).toUpperCase();
}

function readAreaProperty(name: string, { source, category, data }: Area): AttributeValue {
  if (name === "source_name") return source;
  if (name === "source_id") return data.id;
  if (name === "name") return data.name ?? null;
  if (name === "country_iso3") return data.country ?? null;
  if (name === "category") return category;
  return data.properties?.[name] ?? null;
}

function toRegExp(pattern: string): RegExp {
  const source = pattern.replace(/\\(.)|%|_|./gsu, (found, escaped: string | undefined) => {
    if (found === "%") return ".*";
    if (found === "_") return ".";
    return `\\u{${(escaped ?? found).codePointAt(0)!.toString(16)}}`;
  });
  return new RegExp(`^${source}$`, "su");
}
