import { compareStrings } from "../../base/ascending.ts";
import { FAULT_LIMIT } from "../../base/errors.ts";
import { formatSuggestion } from "../../base/nearest-name.ts";
import { describeValue } from "../../shape/describe-value.ts";
import type { ColumnType, SourceKind } from "../../snapshot/manifest.ts";
import {
  type AreaReader,
  COMMON_PROPERTIES,
  createCommonReader,
  isCommonProperty,
} from "../../sources/common-properties.ts";
import { type EngineSource, isRasterSource, type SourceTable } from "../../sources/source-table.ts";
import type { Territories } from "../../sources/territories.ts";
import { jsonDigest } from "../../verdict/digest.ts";
import type { ComparisonOperator, Groups, Outcome } from "../../verdict/verdict.ts";
import { createColumnReader } from "../measures/columns.ts";
import { getMeasuredColumn, getMeasureWord, type Measure } from "../measures/measures.ts";
import { type CompiledFilter, compileFilter, getFilterTree, type PropertyTypes } from "../parse/cql2.ts";
import { EVALUATED_ON, type FactDeclarations, findReferencedType } from "../parse/fact-types.ts";
import { RulesetFaults } from "../parse/faults.ts";
import { listComparisons, listSetOperands, parseRuleset } from "../parse/parse.ts";
import type {
  AreaSet,
  Check,
  Comparison,
  DerivedSet,
  DocumentOperator,
  FactComparison,
  FactOperand,
  FactType,
  MeasuredThreshold,
  Measurement,
  Relation,
  Ruleset,
  SetComparison,
  SubjectSet,
  Unknown,
} from "../parse/schema.ts";
import { findCarriedOrigin } from "./carried-origin.ts";
import { expandWithoutLeftOut, type LeftOut, resolveLeftOut } from "./left-out.ts";
import type { CompileOptions, RulesetOrigin } from "./policy.ts";

/** A ruleset made ready for the sources of one engine. */
export interface RulesetPlan {
  /** SHA-256 of {sets, checks} after defaults. */
  readonly digest: string;
  readonly ruleset: Ruleset;
  readonly facts: FactDeclarations;
  readonly origin: RulesetOrigin | undefined;
  /** Names of the sources and groups that it does without, ascending. */
  readonly without: readonly string[];
  /** Every source the ruleset names, once, ascending by name; groups stand for their members. */
  readonly sources: readonly EngineSource[];
  readonly territories: Territories;
  /** The groups that the ruleset names, ascending, with their members; undefined where it names none. */
  readonly groups: Groups | undefined;
  /** The sets that checks reach; a set comes after those it is made of. */
  readonly sets: readonly SetPlan[];
  /** Those of them that the plot is measured on. */
  readonly plotSets: readonly SetPlan[];
  /** Those of them that the property is measured on. */
  readonly propertySets: readonly SetPlan[];
  readonly checks: readonly CheckPlan[];
}

export type SetPlan = RegionSetPlan | SubjectSetPlan;
/** Sets whose areas make a region. */
export type RegionSetPlan = AreaSetPlan | DerivedSetPlan;

export interface AreaSetPlan {
  readonly kind: "area";
  readonly name: string;
  readonly sources: readonly AreaSetSource[];
  /** For each name of the set: its source, or the members of its group. */
  readonly entries: readonly (readonly EngineSource[])[];
  /** The name of each entry. */
  readonly entryNames: readonly string[];
  readonly relation: Relation;
  /** Takes the place of `relation` where present. Metres, inclusive, of the printed distance. */
  readonly within: { readonly minMeters: number; readonly maxMeters: number } | undefined;
  readonly where: CompiledFilter | undefined;
  readonly unknown: Unknown;
  readonly maxAgeDays: number | undefined;
  /** True if a coverage that nobody declared covers nothing. */
  readonly isDeclaredOnly: boolean;
  /** Columns that the evidence shows. */
  readonly show: readonly string[];
  /** Upper-case ISO 3166-1 alpha-3. */
  readonly countries: ReadonlySet<string> | undefined;
}

export interface AreaSetSource {
  readonly source: EngineSource;
  /** How each property of the set's filter is read from an area of this source; none where it failed. */
  readonly readers: readonly AreaReader[];
  /** How the country of an area is read; absent where the source failed. */
  readonly country?: AreaReader;
}

export interface DerivedSetPlan {
  readonly kind: "derived";
  readonly name: string;
  readonly op: "union" | "intersection" | "difference";
  readonly operands: readonly RegionSetPlan[];
}

export interface SubjectSetPlan {
  readonly kind: "subject";
  readonly name: string;
  readonly registers: readonly EngineSource[];
  readonly match: "equals" | "root";
  readonly asks: string | undefined;
  readonly maxAgeDays: number | undefined;
  /** Columns that the evidence shows. */
  readonly show: readonly string[];
}

/** The number of days, the place of a text among its values and so on; see `factNumber`. */
export interface FactPlan {
  /** As the ruleset names it. */
  readonly fact: string;
  readonly type: FactType;
}

export interface CheckPlan extends ComparedSets {
  readonly id: string;
  readonly title: string | undefined;
  readonly outcome: Outcome;
  /** Where it is open for want of coverage. */
  readonly uncovered: Outcome;
  readonly mode: "all" | "any";
  readonly comparisons: readonly ComparisonPlan[];
  readonly onProperty: ComparedSets;
  /**
   * Declared facts that it reads, each once, under the names that it uses; the day of the evaluation is not among
   * them.
   */
  readonly facts: readonly FactPlan[];
}

/** The sets that a check compares with the plot, or with the property. */
export interface ComparedSets {
  /** Each once. */
  readonly compared: readonly SetPlan[];
  /**
   * Area sets among those sets, and among the sets from which they are made, whose columns the evidence of the check
   * shows.
   */
  readonly showing: readonly AreaSetPlan[];
}

export interface ComparisonPlan {
  readonly left: MeasuredPlan | FactPlan;
  readonly op: ComparisonOperator | DocumentOperator;
  readonly right: ThresholdPlan;
}

/** A measure of a set. */
export interface MeasuredPlan {
  readonly set: SetPlan;
  readonly measure: Measure;
  readonly of: RegionSetPlan | undefined;
  readonly on: "plot" | "property";
  /**
   * For a distance of a set without `within_m`: the metres up to which `set` selects areas for this comparison, so that
   * no value means farther; `unreached` where the threshold does not limit them.
   */
  readonly reach?: number | "unreached";
}

/** The right side of a comparison. */
export type ThresholdPlan =
  | {
      /** As the ruleset has it. */
      readonly value: number | string | boolean | undefined;
    }
  | (MeasuredPlan & { readonly times: number })
  | (FactPlan & { readonly times: number });

/** The purpose for which a ruleset is compiled, besides the sources. */
export interface CompiledFor extends CompileOptions {
  readonly origin?: RulesetOrigin | undefined;
}

/**
 * Resolves a ruleset's sources and groups, checks its columns' types and makes its filters ready.
 *
 * @param input JSON text or value
 * @param origin what verdicts name it by; absent: what it carries, as presets do
 * Fails: `RULESET_INVALID` with every fault; `SOURCE_UNKNOWN` where nothing but the names or kinds of
 * sources is wrong. A failed source has a name, a kind and types, and causes neither.
 */
export function compileRuleset(
  table: SourceTable,
  input: unknown,
  { origin = findCarriedOrigin(input), without = [], isAccepted = origin !== undefined }: CompiledFor = {},
): RulesetPlan {
  const ruleset = parseRuleset(input);
  const compiler = new Compiler(table, ruleset, isAccepted, without);
  const { territories } = table;
  const facts = ruleset.facts ?? {};
  return {
    digest: rulesetDigest(ruleset),
    ruleset,
    facts,
    origin,
    without: compiler.without,
    territories,
    ...compiler.compile(),
  };
}

/**
 * Digest of a parsed ruleset's sets, facts and checks, every default written out; order of members is no matter. The
 * translations of titles are left out: to translate a ruleset changes no verdict.
 *
 * Fails: `VALIDATION_FAILED` for a number that is not finite and text with half a surrogate pair; a ruleset that
 * was parsed holds neither.
 */
export function rulesetDigest({ sets, facts, checks }: Ruleset): string {
  return jsonDigest({
    ...(facts !== undefined && { facts }),
    sets: Object.fromEntries(
      Object.entries(sets).map(([name, set]) => {
        if ("sources" in set) return [name, areaSetWithDefaults(set)];
        return [name, "registers" in set ? { match: "equals", ...set } : set];
      }),
    ),
    checks: checks.map((check) => checkWithDefaults(check, facts ?? {})),
  });
}

/** An area set as its digest covers it. */
type DigestedAreaSet = Omit<AreaSet, "unknown"> & { readonly unknown: Unknown | "excluded" };

function areaSetWithDefaults({ country_iso3, where, unknown, ...set }: AreaSet): DigestedAreaSet {
  const countries = typeof country_iso3 === "string" ? [country_iso3] : country_iso3;
  return {
    unknown: where === undefined ? UNKNOWN_WITHOUT_FILTER[unknown ?? "open"] : (unknown ?? "open"),
    ...(set.within_m === undefined ? { relation: "intersects" } : { min_m: 0 }),
    ...(countries !== undefined && { country_iso3: countries.map((code) => code.toUpperCase()) }),
    ...(where !== undefined && { where: getFilterTree(where) }),
    ...set,
  };
}

/** Sets without a filter had digests with `exclude` before `unknown` mattered to them: those of the default keep it. */
const UNKNOWN_WITHOUT_FILTER = { open: "exclude", exclude: "excluded", include: "include" } as const;

function checkWithDefaults({ titles: _, ...check }: Check, facts: FactDeclarations): Check {
  const whole = (comparison: Comparison): Comparison => comparisonWithDefaults(comparison, facts);
  if ("all" in check) return { ...check, all: check.all.map(whole) };
  if ("any" in check) return { ...check, any: check.any.map(whole) };
  return { ...check, ...whole(check) };
}

/** Every default written out; the value of a fact is left out where there is none: of a document. */
export function comparisonWithDefaults(comparison: Comparison, facts: FactDeclarations): WholeComparison {
  const { value } = comparison;
  if ("fact" in comparison) {
    const type = findReferencedType(facts, comparison.fact);
    if (type === "document") return { op: "valid", ...comparison };
    return { op: "=", ...comparison, value: value === undefined ? true : thresholdWithDefaults(value) };
  }
  const { on, ...measurement } = comparison;
  return {
    measure: "count",
    op: ">",
    ...measurement,
    ...(on === "property" && { on }),
    value: value === undefined ? 0 : thresholdWithDefaults(value),
  } as WholeComparison;
}

type WholeComparison =
  | (SetComparison & Required<Pick<SetComparison, "measure" | "op" | "value">>)
  | (FactComparison & Required<Pick<FactComparison, "op">>);

function thresholdWithDefaults<Threshold extends NonNullable<FactComparison["value"]>>(
  threshold: Threshold,
): Threshold {
  if (typeof threshold !== "object") return threshold;
  if ("fact" in threshold) return { times: 1, ...threshold };
  const { on, ...measured } = threshold as MeasuredThreshold;
  return { measure: "count", times: 1, ...measured, ...(on === "property" && { on }) } as Threshold;
}

class Compiler {
  readonly #table: SourceTable;
  readonly #ruleset: Ruleset;
  readonly #facts: FactDeclarations;
  readonly #faults = new RulesetFaults();
  readonly #named = new Map<string, EngineSource>();
  readonly #unknown = new Set<string>();
  readonly #groups = new Map<string, readonly string[]>();
  readonly #plans = new Map<string, SetPlan>();
  /** Sets up to the threshold of a comparison, by name and metres. */
  readonly #reached = new Map<string, AreaSetPlan>();
  readonly #isAccepted: boolean;
  readonly #leftOut: LeftOut;

  /**
   * @param isAccepted whether it was accepted before: it is not refused for what only new ones are refused for
   * @param without names of sources and groups to do without
   */
  constructor(table: SourceTable, ruleset: Ruleset, isAccepted: boolean, without: readonly string[]) {
    this.#table = table;
    this.#isAccepted = isAccepted;
    this.#leftOut = resolveLeftOut(table, ruleset, without);
    this.#ruleset = ruleset;
    this.#facts = ruleset.facts ?? {};
  }

  /** Names of what the ruleset does without, each once, ascending. */
  get without(): readonly string[] {
    return [...this.#leftOut.keys()];
  }

  compile(): Pick<RulesetPlan, "sources" | "groups" | "sets" | "plotSets" | "propertySets" | "checks"> {
    for (const name of Object.keys(this.#ruleset.sets)) this.#set(name);
    const checks = this.#ruleset.checks.map((check, i) => this.#check(check, `/checks/${i}`));
    this.#faults.throwIfAny({ unknown_sources: [...this.#unknown].sort() });
    const sources = listDistinctSources([[...this.#named.values()]]);
    const groups = this.#groups.size === 0 ? undefined : toSortedRecord(this.#groups);
    return {
      sources,
      groups,
      sets: [...new Set(checks.flatMap((check) => [...findSetsReachedBy(check)]))],
      plotSets: listSetsReachedOn(checks, "plot"),
      propertySets: listSetsReachedOn(checks, "property"),
      checks,
    };
  }

  #set(name: string): SetPlan {
    const known = this.#plans.get(name);
    if (known !== undefined) return known;
    const set = this.#ruleset.sets[name];
    if (set === undefined) throw new Error(`set ${name} was accepted by the parser`);
    const pointer = `/sets/${name}`;
    const plan =
      "sources" in set
        ? this.#areaSet(name, set, pointer)
        : "registers" in set
          ? this.#subjectSet(name, set, pointer)
          : this.#derivedSet(name, set);
    this.#plans.set(name, plan);
    return plan;
  }

  #regionSet(name: string): RegionSetPlan {
    const plan = this.#set(name);
    if (plan.kind === "subject") throw new Error(`subject set ${name} was accepted as a region`);
    return plan;
  }

  #derivedSet(name: string, set: DerivedSet): DerivedSetPlan {
    const { op, names } = listSetOperands(set);
    return { kind: "derived", name, op, operands: names.map((operand) => this.#regionSet(operand)) };
  }

  #subjectSet(name: string, set: SubjectSet, pointer: string): SubjectSetPlan {
    const registers = listDistinctSources(
      this.#resolve(set.registers, "subject_register", `${pointer}/registers`),
    );
    const show = this.#shown(registers, set.show, `${pointer}/show`);
    const { match = "equals", asks, max_age_days: maxAgeDays } = set;
    return { kind: "subject", name, registers, match, asks, maxAgeDays, show };
  }

  #areaSet(name: string, set: AreaSet, pointer: string): AreaSetPlan {
    const entries = this.#resolve(set.sources, "leaf", `${pointer}/sources`);
    const sources = listDistinctSources(entries);
    if (set.within_m !== undefined) this.#refuseDistances(sources, `${pointer}/within_m`);
    const where =
      set.where === undefined
        ? undefined
        : compileFilter(set.where, `${pointer}/where`, this.#propertyTypes(sources), this.#faults, (fact) =>
            toColumnType(findReferencedType(this.#facts, fact)),
          );
    const countries = typeof set.country_iso3 === "string" ? [set.country_iso3] : set.country_iso3;
    return {
      kind: "area",
      name,
      entries,
      entryNames: set.sources,
      sources: sources.map((source) => createAreaSetSource(source, where)),
      relation: set.relation ?? "intersects",
      within: set.within_m === undefined ? undefined : { minMeters: set.min_m ?? 0, maxMeters: set.within_m },
      where,
      unknown: set.unknown ?? "open",
      maxAgeDays: set.max_age_days,
      isDeclaredOnly: set.coverage === "declared",
      show: this.#shown(sources, set.show, `${pointer}/show`),
      countries: countries === undefined ? undefined : new Set(countries.map((code) => code.toUpperCase())),
    };
  }

  #refuseDistances(sources: readonly EngineSource[], pointer: string): void {
    for (const source of sources.filter(isRasterSource)) {
      const message = `found a distance to areas of "${source.manifest.source_name}", a raster, expected sources of areas with rings; name rasters in a set of their own, without within_m`;
      this.#faults.add(pointer, "RASTER_DISTANCE", message);
    }
  }

  /** The sources for each name; for a list with wrong names, those of the right ones. */
  #resolve(names: readonly string[], kind: SourceKind, pointer: string): EngineSource[][] {
    const entries: EngineSource[][] = [];
    for (const [i, name] of names.entries()) {
      const members = expandWithoutLeftOut(this.#table, this.#leftOut, name);
      if (members === undefined) {
        const expected = kind === "leaf" ? "a leaf or a group" : "a subject_register or a group";
        if (this.#unknown.size < FAULT_LIMIT) this.#unknown.add(name);
        this.#faults.add(`${pointer}/${i}`, "SOURCE_UNKNOWN", () => {
          const meant = formatSuggestion(name, this.#listNames(kind));
          return `found ${describeValue(name)}, which is not an available source, expected ${expected}${meant}`;
        });
        continue;
      }
      const entry: EngineSource[] = [];
      entries.push(entry);
      const isGroup = !this.#leftOut.has(name) && this.#table.find(name) === undefined;
      if (isGroup) this.#groups.set(name, this.#table.groups().get(name)!);
      for (const source of members) {
        if (source.manifest.kind === kind) {
          entry.push(source);
          this.#named.set(source.manifest.source_name, source);
        } else {
          const whole = isGroup ? `group "${name}" with ` : "";
          const [is, expected, member] =
            kind === "leaf"
              ? ["a subject_register", "a leaf", "registers"]
              : ["a leaf", "a subject_register", "sources"];
          const message = `found ${whole}"${source.manifest.source_name}", ${is}, expected ${expected}; name it under "${member}"`;
          this.#faults.add(`${pointer}/${i}`, "SOURCE_KIND", message);
        }
      }
    }
    return entries;
  }

  /** The columns that a set shows: each once, and each a column of every source. */
  #shown(
    sources: readonly EngineSource[],
    columns: readonly string[] | undefined,
    pointer: string,
  ): readonly string[] {
    for (const [i, column] of (columns ?? []).entries()) {
      for (const source of sources) {
        const types = findColumnTypes(source);
        if (types === undefined || types.has(column)) continue;
        this.#addColumnUnknown(`${pointer}/${i}`, column, source, types.keys());
        break;
      }
    }
    return [...new Set(columns)];
  }

  #addColumnUnknown(pointer: string, column: string, source: EngineSource, known: Iterable<string>): void {
    const name = source.manifest.source_name;
    this.#faults.add(pointer, "COLUMN_UNKNOWN", () => {
      const meant = formatSuggestion(column, known);
      return `found ${describeValue(column)}, which source "${name}" does not have, expected a column that every source of the set has${meant}`;
    });
  }

  #listNames(kind: SourceKind): string[] {
    return this.#table
      .names()
      .filter((name) => this.#table.expand(name)?.every(({ manifest }) => manifest.kind === kind));
  }

  /** A property has one type in all sources of a set; a failed source without known columns accepts any. */
  #propertyTypes(sources: readonly EngineSource[]): PropertyTypes {
    return (property, pointer) => {
      if (isCommonProperty(property)) return "string";
      return this.#columnType(sources, property, pointer);
    };
  }

  #columnType(sources: readonly EngineSource[], column: string, pointer: string): ColumnType | undefined {
    let first: { readonly type: ColumnType; readonly source: string } | undefined;
    for (const source of sources) {
      const types = findColumnTypes(source);
      if (types === undefined) continue;
      const type = types.get(column);
      const name = source.manifest.source_name;
      if (type === undefined) {
        this.#addColumnUnknown(pointer, column, source, [...types.keys(), ...COMMON_PROPERTIES]);
        return undefined;
      }
      if (first !== undefined && first.type !== type) {
        const message = `found "${column}", a ${first.type} in "${first.source}" and a ${type} in "${name}", expected the same type in every source of the set`;
        this.#faults.add(pointer, "TYPE_MISMATCH", message);
        return undefined;
      }
      first ??= { type, source: name };
    }
    return first?.type;
  }

  #check(check: Check, checkPointer: string): CheckPlan {
    const { mode, comparisons: sent } = listComparisons(check);
    const comparisons = sent.map(({ comparison, pointer }) =>
      this.#comparison(comparison, `${checkPointer}${pointer}`),
    );
    const lefts = comparisons.map(({ left }) => left).filter((left) => "set" in left);
    const setsOn = (land: MeasuredPlan["on"]): ComparedSets => {
      const compared = [...new Set(lefts.filter(({ on }) => on === land).map(({ set }) => set))];
      const showing = [...findSetsReachedFrom(compared)].filter(
        (set) => set.kind === "area" && set.show.length > 0,
      );
      return { compared, showing: showing as AreaSetPlan[] };
    };
    return {
      id: check.id,
      title: check.title,
      outcome: check.outcome,
      uncovered: check.uncovered ?? (check.outcome === "NOTICE" ? "NOTICE" : "WARNING"),
      mode,
      comparisons,
      ...setsOn("plot"),
      onProperty: setsOn("property"),
      facts: this.#collectFacts(comparisons),
    };
  }

  #comparison(sent: Comparison, pointer: string): ComparisonPlan {
    const comparison = comparisonWithDefaults(sent, this.#facts);
    const { op, value } = comparison;
    if (typeof value !== "object") {
      const left =
        "fact" in comparison ? this.#fact(comparison) : this.#measured(comparison, pointer, value as number);
      return { left, op, right: { value } };
    }
    const left = "fact" in comparison ? this.#fact(comparison) : this.#measured(comparison, pointer);
    const { times = 1 } = value;
    const right = "fact" in value ? this.#fact(value) : this.#measured(value, `${pointer}/value`);
    return { left, op, right: { ...right, times } };
  }

  #collectFacts(comparisons: readonly ComparisonPlan[]): FactPlan[] {
    const facts = new Set(
      comparisons.flatMap(({ left, right }) => [...listFactsRead(left), ...listFactsRead(right)]),
    );
    facts.delete(EVALUATED_ON);
    return [...facts].map((fact) => this.#fact({ fact }));
  }

  #fact({ fact }: FactOperand): FactPlan {
    return { fact, type: findReferencedType(this.#facts, fact)! };
  }

  /** @param threshold the number that it is compared with, where it is one */
  #measured(sent: Measurement, pointer: string, threshold?: number): MeasuredPlan {
    const { set: name, measure = "count", of, on = "plot" } = sent;
    const set = this.#set(name);
    if (typeof measure !== "string" && set.kind === "area") {
      const sources = set.sources.map(({ source }) => source);
      const word = getMeasureWord(measure);
      const at = `${pointer}/measure/${word}`;
      const type = this.#columnType(sources, getMeasuredColumn(measure), at);
      if (type !== undefined && type !== "number") {
        const message = `found "${getMeasuredColumn(measure)}", a ${type}, expected a column of numbers for "${word}"`;
        this.#faults.add(at, "TYPE_MISMATCH", message);
      }
    }
    const plan = { set, measure, of: of === undefined ? undefined : this.#regionSet(of), on };
    if (measure !== "min_distance_m" || !hasNoReach(set)) return plan;
    return { ...plan, ...this.#reaching(set, pointer, threshold) };
  }

  /** The set up to the threshold of a distance, or a fault where the threshold does not limit it. */
  #reaching(
    set: AreaSetPlan,
    pointer: string,
    threshold: number | undefined,
  ): Pick<MeasuredPlan, "set"> & Required<Pick<MeasuredPlan, "reach">> {
    const raster = set.sources.find(({ source }) => isRasterSource(source));
    if (threshold !== undefined && threshold <= REACH_METERS_LIMIT && raster === undefined) {
      const meters = Math.max(threshold, 0);
      const key = `${set.name} ${meters}`;
      let reached = this.#reached.get(key);
      if (reached === undefined) {
        reached = { ...set, within: { minMeters: 0, maxMeters: meters } };
        this.#reached.set(key, reached);
      }
      return { set: reached, reach: meters };
    }
    // One that was accepted before is answered as far as it can be.
    if (this.#isAccepted) return { set, reach: "unreached" };
    if (raster !== undefined) {
      this.#refuseDistances([raster.source], `${pointer}/measure`);
    } else {
      const found = threshold === undefined ? "a threshold that is no number" : `the threshold ${threshold}`;
      const message = `found the distance of set "${set.name}" compared with ${found}, expected a number of at most ${REACH_METERS_LIMIT} m, or a set with within_m: write how far the set looks`;
      this.#faults.add(`${pointer}/measure`, "DISTANCE_UNLIMITED", message);
    }
    return { set, reach: "unreached" };
  }
}

/** Greatest distance up to which a comparison measures areas, metres. */
const REACH_METERS_LIMIT = 1_000_000;

/** True if a set selects only areas that meet the plot, not for a relation that it names. */
function hasNoReach(set: SetPlan): set is AreaSetPlan {
  return set.kind === "area" && set.within === undefined && set.relation === "intersects";
}

/** The measures of a check: those it compares, and those it compares with. */
export function listMeasuredPlans({ comparisons }: Pick<CheckPlan, "comparisons">): MeasuredPlan[] {
  return comparisons.flatMap(({ left, right }) => [left, right].filter((each) => "set" in each));
}

/** The sets that a measure names: the one it measures, and the one that a ratio is taken of. */
function listMeasuredSets({ set, of }: MeasuredPlan): SetPlan[] {
  return of === undefined ? [set] : [set, of];
}

/** The facts that one side of a comparison is, or is measured by. */
export function listFactsRead(side: MeasuredPlan | ThresholdPlan | FactPlan): readonly string[] {
  if ("fact" in side) return [side.fact];
  if ("value" in side) return [];
  return [...findSetsReachedFrom(listMeasuredSets(side))].flatMap((set) =>
    set.kind === "area" ? (set.where?.facts ?? []) : [],
  );
}

/** The sets that checks reach on the plot, or on the property, each once. */
export function listSetsReachedOn(
  checks: readonly Pick<CheckPlan, "comparisons">[],
  on: MeasuredPlan["on"],
): SetPlan[] {
  const measured = checks.flatMap(listMeasuredPlans).filter((each) => each.on === on);
  return [...findSetsReachedFrom(measured.flatMap(listMeasuredSets))];
}

/** The sets that a check reaches: those it compares or names by `of`, and what they are made of, each once. */
export function findSetsReachedBy(check: Pick<CheckPlan, "comparisons">): ReadonlySet<SetPlan> {
  return findSetsReachedFrom(listMeasuredPlans(check).flatMap(listMeasuredSets));
}

/** The sets that sets are made of, themselves among them, each once. */
function findSetsReachedFrom(sets: Iterable<SetPlan>): ReadonlySet<SetPlan> {
  const reached = new Set<SetPlan>();
  const visit = (set: SetPlan): void => {
    if (reached.has(set)) return;
    if (set.kind === "derived") set.operands.forEach(visit);
    reached.add(set);
  };
  for (const set of sets) visit(set);
  return reached;
}

function toColumnType(type: FactType | undefined): ColumnType | undefined {
  if (type === "document") return undefined;
  return type === "text" ? "string" : type;
}

/** Has no prototype, so that a group may have any name. */
function toSortedRecord(groups: ReadonlyMap<string, readonly string[]>): Groups {
  const sorted: Record<string, readonly string[]> = Object.create(null);
  for (const name of [...groups.keys()].sort()) sorted[name] = groups.get(name)!;
  return sorted;
}

/** The sources of entries, each once, ascending. */
function listDistinctSources(entries: readonly (readonly EngineSource[])[]): EngineSource[] {
  return [...new Set(entries.flat())].sort((a, b) =>
    compareStrings(a.manifest.source_name, b.manifest.source_name),
  );
}

/** A source as a set with a filter reads its areas. */
export function createAreaSetSource(source: EngineSource, where: CompiledFilter | undefined): AreaSetSource {
  if (!("snapshot" in source) || source.snapshot.kind !== "leaf") return { source, readers: [] };
  const { snapshot } = source;
  const readers = (where?.properties ?? []).map((name) =>
    isCommonProperty(name) ? createCommonReader(snapshot, name) : createColumnReader(snapshot, name),
  );
  return { source, readers, country: createCommonReader(snapshot, "country_iso3") };
}

/**
 * The country of an area of a member; null if it has none, or if its source has a column with another one.
 *
 * @param member open
 */
export function readKnownCountry({ country }: AreaSetSource, area: number): string | null {
  return (country!(area) ?? null) as string | null;
}

/** Column types of a source; undefined if a failed source's manifest does not list them. */
function findColumnTypes(source: EngineSource): ReadonlyMap<string, ColumnType> | undefined {
  if ("snapshot" in source) {
    return new Map(source.snapshot.attributes.columns.map(({ name, type }) => [name, type]));
  }
  const { columns } = source.manifest;
  return columns === undefined ? undefined : new Map(Object.entries(columns));
}
