import type { Coverage } from "../../snapshot/coverage.ts";
import { computeAgeDays } from "../../sources/age.ts";
import type { PlotCoverage, Uncovered } from "../../sources/plot-coverage.ts";
import { type EngineSource, findLeftOut, findSourceCoverage } from "../../sources/source-table.ts";
import { roundMeters, roundRatio } from "../../verdict/rounding.ts";
import type { OpenReason } from "../../verdict/verdict.ts";
import type { AreaSetPlan, SetPlan, SubjectSetPlan } from "../compile/compile.ts";

/** Unknown content of an area set's sources. */
export interface UnknownAreas {
  /**
   * The part of the plot that each entry of the set does not cover, and the part of each of `leftOut`; those that are
   * empty are absent.
   */
  readonly uncovered: readonly Uncovered[];
  /** Sources whose build left out features that may be selected. */
  readonly leftOut: readonly LeftOutOfSource[];
  /** Square metres of it, of the entry of each source by name; of several entries the most. Absent: 0. */
  readonly uncoveredBySource: ReadonlyMap<string, number>;
  /** Metres to the nearest point that some entry does not cover, or less; 0 of a set without `within_m`. */
  readonly reachMeters: number;
  /** True if areas that share no area with the plot, and that the set would select, may be missing. */
  readonly isSurroundingsOpen: boolean;
  /** Names of its sources that are too old. */
  readonly tooOld: ReadonlySet<string>;
}

/** The features that a build left out, and that may be selected. */
export interface LeftOutOfSource {
  readonly sourceName: string;
  /** Their number; of a set with `within_m`, those among them that may lie near the plot. */
  readonly areas: number;
  /** The part of the plot that they may cover, one of `uncovered`; undefined where they may only lie near it. */
  readonly part: Uncovered | undefined;
}

interface ExaminedEntry {
  readonly part: Uncovered;
  /** To the nearest point that it does not cover, where distances matter. */
  readonly reachMeters: number;
  /** True if the plot, which is covered, touches cells that were not examined. */
  readonly isBorderOpen: boolean;
}

/**
 * Unknown content of sources at the instant of one evaluation: land outside their coverage, and data that is too old.
 */
export class UnknownContent {
  readonly #coverage: PlotCoverage | undefined;
  readonly #nowMs: number;
  readonly #ofAreas = new Map<AreaSetPlan, UnknownAreas>();

  /**
   * @param coverage absent where no set of the plan is one of areas
   * @param nowMs the instant of the evaluation
   */
  constructor(coverage: PlotCoverage | undefined, nowMs: number) {
    this.#coverage = coverage;
    this.#nowMs = nowMs;
  }

  ofAreas(set: AreaSetPlan): UnknownAreas {
    let unknown = this.#ofAreas.get(set);
    if (unknown === undefined) {
      unknown = this.#examine(set);
      this.#ofAreas.set(set, unknown);
    }
    return unknown;
  }

  /** True if a register of the set is missing, or is too old to prove anything by its silence. */
  isOpen(set: SubjectSetPlan): boolean {
    return set.registers.some((source) => !("snapshot" in source) || this.#isTooOld(source, set));
  }

  /** Why registers of a set could contain what they do not report; failures apart. */
  registerReasons(set: SubjectSetPlan): OpenReason[] {
    return set.registers.flatMap((source) => this.#sourceReasons(source, set));
  }

  /**
   * Why sources of a set could contain what they do not report; failures apart.
   *
   * @param isPart whether another set is made of it, or a ratio is taken of it: its old sources matter then even where
   *   others cover the plot
   * @param isUnreached whether a distance is compared that nothing limits
   * @param unsettled names of rasters of whose values it matters how far they go
   */
  reasons(
    set: AreaSetPlan,
    isPart: boolean,
    isUnreached: boolean,
    unsettled: ReadonlySet<string>,
  ): OpenReason[] {
    const { whole } = this.#coverageHere();
    const leftOut = this.ofAreas(set).leftOut.map(
      ({ sourceName, areas }): OpenReason => ({ because: "left_out", source_name: sourceName, areas }),
    );
    const ofEntries = set.entries.flatMap((entry, i): OpenReason[] => {
      const omitted = entry.flatMap(listOmissionReasons);
      if (omitted.length > 0 || entry.some((source) => "failed" in source)) return omitted;
      const { part, reachMeters, isBorderOpen } = this.#examineEntry(entry, set);
      const isEndless =
        isUnreached || isBorderOpen || entry.some(({ manifest }) => unsettled.has(manifest.source_name));
      const isOpen = isEndless || part.region !== undefined || !isReached(reachMeters, set);
      const ofSources = isOpen || isPart ? entry.flatMap((source) => this.#sourceReasons(source, set)) : [];
      if (!isOpen) return ofSources;
      const anyAge = this.#examineEntry(entry, { ...set, maxAgeDays: undefined });
      if (!isEndless && anyAge.part.region === undefined && isReached(anyAge.reachMeters, set))
        return ofSources;
      const { squareMeters } = whole;
      const covered = squareMeters === 0 ? 0 : 1 - anyAge.part.squareMeters / squareMeters;
      const covered_ratio = roundRatio(Math.min(Math.max(covered, 0), 1));
      return [{ because: "coverage", source_name: set.entryNames[i]!, covered_ratio }, ...ofSources];
    });
    return [...leftOut, ...ofEntries];
  }

  #sourceReasons(source: EngineSource, set: AreaSetPlan | SubjectSetPlan): OpenReason[] {
    if ("without" in source) return listOmissionReasons(source);
    const { source_name } = source.manifest;
    if ("failed" in source || !this.#isTooOld(source, set)) return [];
    const age_days = computeAgeDays(source, this.#nowMs);
    const max_age_days = set.maxAgeDays!;
    return [{ because: "age", source_name, ...(age_days !== undefined && { age_days }), max_age_days }];
  }

  /** True if a source is too old for one of the sets; undefined if no set limits its age. */
  overage(source: EngineSource, sets: readonly SetPlan[]): boolean | undefined {
    let overage: boolean | undefined;
    for (const set of sets) {
      if (limitsAge(set, source)) overage = overage === true || this.#isTooOld(source, set);
    }
    return overage;
  }

  #coverageHere(): PlotCoverage {
    if (this.#coverage === undefined) throw new Error("a set of areas was examined without a plot");
    return this.#coverage;
  }

  /** The parts of the plot, and around it, that an entry does not cover. */
  #examineEntry(entry: readonly EngineSource[], set: AreaSetPlan): ExaminedEntry {
    const coverage = this.#coverageHere();
    const covering = this.#findCoverages(entry, set);
    const part = covering === undefined ? coverage.whole : coverage.uncovered(covering);
    if (set.within === undefined) {
      const isTouching = set.relation === "intersects" || set.relation === "touches";
      const isCovered = isTouching && covering !== undefined && part.region === undefined;
      return { part, reachMeters: Infinity, isBorderOpen: isCovered && coverage.isBorderOpen(covering) };
    }
    const reachMeters = covering === undefined ? 0 : coverage.reach(covering, set.within.maxMeters);
    return { part, reachMeters, isBorderOpen: false };
  }

  #examine(set: AreaSetPlan): UnknownAreas {
    const coverage = this.#coverageHere();
    const maxMeters = set.within?.maxMeters;
    const uncovered: Uncovered[] = [];
    const uncoveredBySource = new Map<string, number>();
    let isBorderOpen = false;
    let reachMeters = maxMeters === undefined ? 0 : Infinity;
    for (const entry of set.entries) {
      const { part, reachMeters: reach, isBorderOpen: isOpen } = this.#examineEntry(entry, set);
      isBorderOpen ||= isOpen;
      reachMeters = Math.min(reachMeters, reach);
      if (part.region === undefined) continue;
      uncovered.push(part);
      for (const { manifest } of entry) {
        const most = Math.max(uncoveredBySource.get(manifest.source_name) ?? 0, part.squareMeters);
        uncoveredBySource.set(manifest.source_name, most);
      }
    }
    const leftOut: LeftOutOfSource[] = [];
    for (const { source } of set.sources) {
      const boxes = findLeftOut(source);
      if (boxes === undefined) continue;
      const { source_name: sourceName } = source.manifest;
      const onPlot = coverage.leftOut(boxes);
      if (onPlot !== undefined) uncovered.push(onPlot.part);
      const near = maxMeters === undefined ? undefined : coverage.leftOutNear(boxes, maxMeters);
      if (near !== undefined) reachMeters = Math.min(reachMeters, near.reachMeters);
      const areas = near?.areas ?? onPlot?.areas ?? 0;
      if (areas > 0) leftOut.push({ sourceName, areas, part: onPlot?.part });
    }
    const tooOld =
      set.maxAgeDays === undefined
        ? NONE
        : new Set(
            set.sources.flatMap(({ source }) =>
              this.#isTooOld(source, set) ? [source.manifest.source_name] : [],
            ),
          );
    return {
      uncovered,
      leftOut,
      uncoveredBySource,
      reachMeters,
      isSurroundingsOpen: isBorderOpen || (maxMeters !== undefined && !isFarther(reachMeters, maxMeters)),
      tooOld,
    };
  }

  /**
   * The coverages of an entry's members that are not too old, and that the set takes; undefined where a member failed or
   * is left out.
   */
  #findCoverages(entry: readonly EngineSource[], set: AreaSetPlan): readonly Coverage[] | undefined {
    const coverages: Coverage[] = [];
    for (const source of entry) {
      // The other members of a group do not answer for it.
      if ("failed" in source || "without" in source) return undefined;
      const coverage = this.#isTooOld(source, set) ? undefined : findSourceCoverage(source);
      if (coverage === undefined || (set.isDeclaredOnly && !isDeclared(coverage))) continue;
      coverages.push(coverage);
    }
    return coverages;
  }

  #isTooOld(source: EngineSource, set: SetPlan): boolean {
    if (set.kind === "derived" || set.maxAgeDays === undefined) return false;
    // The edition that a failed source will answer with may be of any age.
    const age = "snapshot" in source ? computeAgeDays(source, this.#nowMs) : undefined;
    return age === undefined || age > set.maxAgeDays;
  }
}

/** The reason for an open check that a left-out source gives. */
function listOmissionReasons(source: EngineSource): OpenReason[] {
  return "without" in source ? [{ because: "without", source_name: source.manifest.source_name }] : [];
}

/** Cells that are not nodata declare themselves that they were examined. */
function isDeclared(coverage: Coverage): boolean {
  return coverage.extent !== "undeclared" && coverage.known !== "derived";
}

const NONE: ReadonlySet<string> = new Set();

function limitsAge(set: SetPlan, source: EngineSource): boolean {
  if (set.kind === "derived" || set.maxAgeDays === undefined) return false;
  return set.kind === "area"
    ? set.sources.some((member) => member.source === source)
    : set.registers.includes(source);
}

/** True if the surroundings of a plot that a set with a distance considers are covered. */
function isReached(reachMeters: number, { within }: AreaSetPlan): boolean {
  return within === undefined || isFarther(reachMeters, within.maxMeters);
}

/** As distances are printed. */
function isFarther(meters: number, thanMeters: number): boolean {
  return meters === Infinity || roundMeters(meters) > thanMeters;
}
