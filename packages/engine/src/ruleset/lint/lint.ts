import { EngineError } from "../../base/errors.ts";
import { isCommonProperty } from "../../sources/common-properties.ts";
import { isLive } from "../../sources/live-source.ts";
import { type EngineSource, isRasterSource, type SourceTable } from "../../sources/source-table.ts";
import { sourceAcceptsScheme } from "../../subjects/look-up.ts";
import { canonicalJson } from "../../verdict/canonical-json.ts";
import { roundAttributeNumber } from "../../verdict/rounding.ts";
import { createPropertyLookUp, isOpenAreas, type OpenAreas } from "../certain/column-values.ts";
import { findInFacts } from "../certain/fact-findings.ts";
import { type LintFinding, LintFindings } from "../certain/findings.ts";
import { comparisonWithDefaults, compileRuleset } from "../compile/compile.ts";
import { expandWithoutLeftOut, type LeftOut, resolveLeftOut } from "../compile/left-out.ts";
import { DARK_BACKGROUND } from "../compile/palette.ts";
import { compileFilter, getFilterTree } from "../parse/cql2.ts";
import { getFactName } from "../parse/fact-types.ts";
import { type RulesetFaultCode, RulesetFaults } from "../parse/faults.ts";
import { listComparisons, listSetOperands, parseRuleset } from "../parse/parse.ts";
import type {
  AreaSet,
  Check,
  Comparison,
  DerivedSet,
  Filter,
  FilterArgument,
  Ruleset,
  RulesetSet,
  SubjectSet,
} from "../parse/schema.ts";
import { computeContrast } from "./contrast.ts";
import { LIKELY_KILOMETERS_BELOW, lintChecks } from "./lint-check.ts";
import { lintCoverage } from "./lint-coverage.ts";
import { lintFilter } from "./lint-filter.ts";
import { lintRasterCounts, lintRasterDates } from "./lint-rasters.ts";

/**
 * Findings for the author of a ruleset, given what the sources hold now: faults that keep it from compiling, then
 * parts that probably do not mean what the author meant. At most 100 findings: faults, sets, checks, colours, each in
 * its order.
 *
 * @param input JSON text or value; what cannot be read is a finding, never an exception
 * @param without names of sources and groups that evaluations are to do without: nothing in them is looked at
 */
export function lintOnSources(
  table: SourceTable,
  input: unknown,
  without: readonly string[] = [],
): readonly LintFinding[] {
  const findings = new LintFindings();
  const ruleset = readOrReport(() => parseRuleset(input), findings);
  if (ruleset === undefined) return findings.list;
  const leftOut =
    without.length === 0 ? NONE : readOrReport(() => resolveLeftOut(table, ruleset, without), findings);
  if (leftOut === undefined) return findings.list;
  readOrReport(() => compileRuleset(table, input, { without }), findings);
  new RulesetLinter(table, ruleset, findings, leftOut).lint();
  return findings.list;
}

const NONE: LeftOut = new Map();

function readOrReport<Value>(read: () => Value, findings: LintFindings): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    for (const { pointer, code, message } of error.details.faults ?? []) {
      findings.add({ code: code as RulesetFaultCode, severity: "error", pointer, message });
    }
    return undefined;
  }
}

/** A comparison without what a check around it has. */
function pickComparisonMembers(comparison: Comparison): Comparison {
  const names = ["set", "measure", "of", "on", "fact", "op", "value"];
  return Object.fromEntries(
    Object.entries(comparison).filter(([name]) => names.includes(name)),
  ) as Comparison;
}

/** A set such that two that select the same by the same filter are equal, in text or not. */
function toComparableSet(set: RulesetSet): RulesetSet {
  return "sources" in set && set.where !== undefined ? { ...set, where: getFilterTree(set.where) } : set;
}

class RulesetLinter {
  readonly #table: SourceTable;
  readonly #leftOut: LeftOut;
  readonly #ruleset: Ruleset;
  readonly #findings: LintFindings;
  /** Sets of areas that select none of the editions in use. */
  readonly #unmatched = new Set<string>();

  constructor(table: SourceTable, ruleset: Ruleset, findings: LintFindings, leftOut: LeftOut) {
    this.#table = table;
    this.#leftOut = leftOut;
    this.#ruleset = ruleset;
    this.#findings = findings;
  }

  lint(): void {
    const { sets, checks } = this.#ruleset;
    const used = this.#usedSets();
    const first = new Map<string, string>();
    for (const [name, set] of Object.entries(sets)) {
      const pointer = `/sets/${name}`;
      if (!used.has(name))
        this.#findings.warn("SET_UNUSED", pointer, `no check uses set "${name}"`, "use the set or remove it");
      const same = canonicalJson(toComparableSet(set));
      const earlier = first.get(same);
      if (earlier !== undefined)
        this.#findings.info("SET_DUPLICATE", pointer, `set "${name}" is the same as set "${earlier}"`);
      else first.set(same, name);
      if ("sources" in set) {
        const isNever = this.#areaSet(set, pointer);
        if (isNever && set.unknown !== "include") this.#unmatched.add(name);
      } else if ("registers" in set) this.#subjectSet(set, pointer);
      else this.#derivedSet(set, pointer);
    }
    lintChecks(checks, sets, this.#unmatched, this.#findings);
    findInFacts(this.#ruleset, this.#findings);
    lintUnusedFacts(this.#ruleset, this.#findings);
    lintRasterCounts(checks, sets, (set) => this.#findRaster(set), this.#findings);
    this.#duplicateChecks(checks);
    this.#colors(checks);
  }

  #usedSets(): ReadonlySet<string> {
    const { sets, checks } = this.#ruleset;
    const used = new Set<string>();
    const use = (name: string): void => {
      if (used.has(name)) return;
      used.add(name);
      const set = sets[name]!;
      if (!("sources" in set) && !("registers" in set)) listSetOperands(set).names.forEach(use);
    };
    for (const { comparison } of checks.flatMap((check) => listComparisons(check).comparisons)) {
      const { value } = comparison;
      for (const side of [comparison, typeof value === "object" ? value : undefined]) {
        if (side === undefined || !("set" in side)) continue;
        use(side.set);
        if (side.of !== undefined) use(side.of);
      }
    }
    return used;
  }

  /** True if the filter of the set is certainly true of no area. */
  #areaSet(set: AreaSet, pointer: string): boolean {
    const sources = this.#sources(set.sources, `${pointer}/sources`);
    const open = sources.filter(isOpenAreas);
    this.#states(sources, open, pointer);
    this.#distance(set, pointer);
    if (set.unknown !== undefined && set.where === undefined) {
      const message = '"unknown" has no effect without "where"';
      this.#findings.info("UNKNOWN_UNUSED", `${pointer}/unknown`, message);
    }
    const entries = set.sources.map((name) => ({ name, sources: this.#expand(name) }));
    lintCoverage(entries, `${pointer}/sources`, this.#findings);
    const isWhole = open.length === sources.length;
    this.#countries(set, pointer, open, isWhole);
    const isNever = lintFilter(set, pointer, createPropertyLookUp(open), isWhole, this.#findings);
    lintRasterDates(set, pointer, open, this.#findings);
    lintHiddenProperties(set, pointer, open, this.#findings);
    return isNever;
  }

  /** The name of a raster of a set; undefined where it has none. */
  #findRaster({ sources }: AreaSet): string | undefined {
    const members = sources.flatMap((name) => this.#expand(name));
    return members.find(isRasterSource)?.manifest.source_name;
  }

  #expand(name: string): readonly EngineSource[] {
    return expandWithoutLeftOut(this.#table, this.#leftOut, name) ?? [];
  }

  /** Every source for a list of names; names that the compiler refused are left out. */
  #sources(names: readonly string[], pointer: string): readonly EngineSource[] {
    const found = new Set<EngineSource>();
    for (const [i, name] of names.entries()) {
      const members = this.#expand(name);
      if (members.length > 0 && members.every((member) => found.has(member))) {
        const message = `"${name}" adds no source: the names before it already include its sources`;
        this.#findings.info("SOURCE_REPEATED", `${pointer}/${i}`, message);
      }
      for (const member of members) found.add(member);
    }
    return [...found];
  }

  #states(sources: readonly EngineSource[], open: readonly OpenAreas[], pointer: string): void {
    for (const source of sources) this.#failed(source, `${pointer}/sources`);
    for (const { manifest, snapshot } of open) {
      if (snapshot.meta.feature_count > 0) continue;
      const message = `source "${manifest.source_name}" currently contains no areas`;
      this.#findings.warn("SOURCE_EMPTY", `${pointer}/sources`, message);
    }
  }

  #failed(source: EngineSource, pointer: string): void {
    if (!("failed" in source) || isLive(source)) return;
    const { source_name } = source.manifest;
    const message = `source "${source_name}" could not be opened (${source.failed}), so every verdict is DEGRADED`;
    this.#findings.warn("SOURCE_FAILED", pointer, message);
  }

  #distance({ within_m }: AreaSet, pointer: string): void {
    if (within_m === undefined || within_m === 0 || within_m >= LIKELY_KILOMETERS_BELOW) return;
    const hint = `for ${within_m} km write ${roundAttributeNumber(within_m * 1000)}`;
    this.#findings.info(
      "UNIT_SUSPICIOUS",
      `${pointer}/within_m`,
      `found ${within_m}, which is read as metres`,
      hint,
    );
  }

  #countries({ country_iso3 }: AreaSet, pointer: string, open: readonly OpenAreas[], isWhole: boolean): void {
    if (country_iso3 === undefined || !isWhole || open.length === 0) return;
    const covered = new Set(open.flatMap(({ snapshot }) => snapshot.meta.country_coverage));
    const codes = typeof country_iso3 === "string" ? [country_iso3] : country_iso3;
    const hint =
      covered.size === 0
        ? "their areas have no country at all; map a country column in the manifest of each source"
        : `their areas are in ${[...covered].sort().slice(0, 12).join(", ")}${covered.size > 12 ? " and others" : ""}`;
    for (const [i, code] of codes.entries()) {
      if (covered.has(code.toUpperCase())) continue;
      const at = `${pointer}/country_iso3${typeof country_iso3 === "string" ? "" : `/${i}`}`;
      const message = `no source of the set has an area in ${code.toUpperCase()}`;
      this.#findings.warn("COUNTRY_EMPTY", at, message, hint);
    }
    for (const source of open) {
      const { nullCount } = source.values.summary("country_iso3")!;
      const { feature_count } = source.snapshot.meta;
      if (nullCount === 0 || nullCount === feature_count) continue;
      this.#findings.warn(
        "NULLS_IN_COLUMN",
        `${pointer}/country_iso3`,
        `${nullCount} of ${feature_count} areas of "${source.manifest.source_name}" have no country`,
        'they leave checks open: fill the column, or set "unknown" to "exclude" or "include"',
      );
    }
  }

  #subjectSet({ registers, match }: SubjectSet, pointer: string): void {
    const sources = this.#sources(registers, `${pointer}/registers`);
    for (const source of sources) this.#failed(source, `${pointer}/registers`);
    if (match === "root" && sources.length > 0 && !sources.some((s) => sourceAcceptsScheme(s, "br:cnpj"))) {
      const message = 'no register of the set contains "br:cnpj", the only scheme that has a root';
      this.#findings.warn("ROOT_UNUSED", `${pointer}/match`, message, 'write "match": "equals"');
    }
  }

  #derivedSet(set: DerivedSet, pointer: string): void {
    const { op, names } = listSetOperands(set);
    for (const [i, name] of names.entries()) {
      if (names.indexOf(name) === i) continue;
      const isEmpty = op === "difference" && names[0] === name;
      const message = `"${name}" is listed twice${isEmpty ? ", so the set is empty" : ""}`;
      this.#findings.warn("OPERAND_REPEATED", `${pointer}/${op}/${i}`, message);
    }
  }

  #duplicateChecks(checks: readonly Check[]): void {
    const first = new Map<string, number>();
    for (const [i, check] of checks.entries()) {
      const { mode, comparisons } = listComparisons(check);
      const shown = comparisons.map(({ comparison }) =>
        canonicalJson(comparisonWithDefaults(pickComparisonMembers(comparison), this.#ruleset.facts ?? {})),
      );
      const key = canonicalJson([shown.length === 1 ? "all" : mode, ...shown.sort()]);
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, i);
      else {
        const message = `check "${check.id}" is the same as check "${checks[earlier]!.id}"`;
        this.#findings.warn("CHECK_DUPLICATE", `/checks/${i}`, message);
      }
    }
  }

  #colors(checks: readonly Check[]): void {
    const first = new Map<string, string>();
    for (const [i, { id, color: sent }] of checks.entries()) {
      if (sent === undefined) continue;
      const [pointer, color] = [`/checks/${i}/color`, sent.toLowerCase()];
      const earlier = first.get(color);
      if (earlier === undefined) first.set(color, id);
      else
        this.#findings.info("COLOR_REPEATED", pointer, `check "${earlier}" already has the colour ${color}`);
      const ground = ["#ffffff", DARK_BACKGROUND].find(
        (background) => computeContrast(color, background) < 3,
      );
      if (ground === undefined) continue;
      const message = `${color} has a contrast of less than 3:1 on ${ground === DARK_BACKGROUND ? "a dark" : "a white"} background`;
      this.#findings.info("COLOR_CONTRAST", pointer, message, "leave the colour out, and one is assigned");
    }
  }
}

/** Finds facts that nothing reads. */
function lintUnusedFacts({ facts, sets, checks }: Ruleset, findings: LintFindings): void {
  if (facts === undefined) return;
  const used = new Set<string>();
  for (const set of Object.values(sets)) {
    if ("sources" in set && set.where !== undefined)
      for (const fact of listFilterFacts(set.where)) used.add(getFactName(fact));
  }
  for (const { comparison } of checks.flatMap((check) => listComparisons(check).comparisons)) {
    const { value } = comparison;
    if (typeof value === "object" && "fact" in value) used.add(getFactName(value.fact));
    if ("fact" in comparison) used.add(getFactName(comparison.fact));
  }
  for (const name of Object.keys(facts)) {
    if (used.has(name)) continue;
    findings.warn(
      "FACT_UNUSED",
      `/facts/${name}`,
      `no check reads the fact "${name}"`,
      "use the fact or remove it",
    );
  }
}

function listFilterFacts(where: Filter): string[] {
  const found = (argument: FilterArgument): string[] => {
    if (typeof argument !== "object" || Array.isArray(argument)) return [];
    if ("fact" in argument) return [argument.fact];
    return "op" in argument ? argument.args.flatMap(found) : [];
  };
  return found(getFilterTree(where));
}

/**
 * Finds properties that every area has, where a source of the set has a column of the same name with other values:
 * the filter has no answer for those areas.
 */
function lintHiddenProperties(
  { where, country_iso3 }: AreaSet,
  pointer: string,
  open: readonly OpenAreas[],
  findings: LintFindings,
): void {
  const read = new Map<string, string>();
  if (country_iso3 !== undefined) read.set("country_iso3", `${pointer}/country_iso3`);
  if (where !== undefined) {
    const at = `${pointer}/where`;
    for (const name of compileFilter(where, at, () => undefined, new RulesetFaults()).properties) {
      if (!read.has(name)) read.set(name, at);
    }
  }
  for (const [name, at] of read) {
    if (!isCommonProperty(name)) continue;
    for (const { manifest, snapshot, values } of open) {
      const count = values.hidden(name);
      if (count === 0) continue;
      findings.warn(
        "COLUMN_HIDDEN",
        at,
        `"${name}" is a property of every area, and in ${count} of ${snapshot.meta.feature_count} areas of "${manifest.source_name}" the column of that name has another value: it is not known which is meant`,
        "rename the column in the manifest of the source, under read.rename",
      );
    }
  }
}
