import type { Coverage } from "../../snapshot/coverage.ts";
import type { PlotCoverage, Uncovered } from "../../sources/plot-coverage.ts";
import { ageDays } from "../../sources/source-outcome.ts";
import { coverageOf, type EngineSource } from "../../sources/source-table.ts";
import { printedDistance } from "../../verdict/rounding.ts";
import type { AreaSetPlan, SetPlan, SubjectSetPlan } from "../compile.ts";

/** What an area set's sources may hold beyond what they tell. */
export interface UnknownAreas {
  /** The part of the plot that each entry of the set does not cover; entries that cover it all are left out. */
  readonly uncovered: readonly Uncovered[];
  /** Metres to the nearest point that some entry does not cover, or less; 0 of a set without `within_m`. */
  readonly reachMeters: number;
  /** Whether areas beyond the plot that the set would select may be missing. */
  readonly isSurroundingsOpen: boolean;
  /** Names of its sources that are too old. */
  readonly tooOld: ReadonlySet<string>;
}

/** What is not known of sources at the instant of one evaluation: where they do not speak, or spoke too long ago. */
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

  /** Whether a register of the set failed, or is too old to prove anything by its silence. */
  isOpen(set: SubjectSetPlan): boolean {
    return set.registers.some((source) => "failed" in source || this.#isTooOld(source, set));
  }

  /** Whether a source is too old for one of the sets; undefined where none asks. */
  overage(source: EngineSource, sets: readonly SetPlan[]): boolean | undefined {
    let overage: boolean | undefined;
    for (const set of sets) {
      if (limitsAgeOf(set, source)) overage = overage === true || this.#isTooOld(source, set);
    }
    return overage;
  }

  #examine(set: AreaSetPlan): UnknownAreas {
    const coverage = this.#coverage;
    if (coverage === undefined) throw new Error("a set of areas was examined without a plot");
    const maxMeters = set.within?.maxMeters;
    const uncovered: Uncovered[] = [];
    let reachMeters = maxMeters === undefined ? 0 : Infinity;
    for (const entry of set.entries) {
      const covering = this.#coveragesOf(entry, set);
      const part = covering === undefined ? coverage.whole : coverage.uncovered(covering);
      if (part.region !== undefined) uncovered.push(part);
      if (maxMeters === undefined || reachMeters === 0) continue;
      const reach = covering === undefined ? 0 : coverage.reach(covering, maxMeters);
      reachMeters = Math.min(reachMeters, reach);
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
      reachMeters,
      isSurroundingsOpen: maxMeters !== undefined && !isFarther(reachMeters, maxMeters),
      tooOld,
    };
  }

  /** The coverages of an entry's members that are not too old, and that the set takes; undefined where a member failed. */
  #coveragesOf(entry: readonly EngineSource[], set: AreaSetPlan): readonly Coverage[] | undefined {
    const coverages: Coverage[] = [];
    for (const source of entry) {
      if ("failed" in source) return undefined;
      const coverage = this.#isTooOld(source, set) ? undefined : coverageOf(source);
      if (coverage === undefined || (set.isDeclaredOnly && !isDeclared(coverage))) continue;
      coverages.push(coverage);
    }
    return coverages;
  }

  #isTooOld(source: EngineSource, set: SetPlan): boolean {
    if (set.kind === "derived" || set.maxAgeDays === undefined) return false;
    // The edition that a failed source will answer with may be of any age.
    const age = "failed" in source ? undefined : ageDays(source, this.#nowMs);
    return age === undefined || age > set.maxAgeDays;
  }
}

/** Cells that are not nodata declare themselves that they were examined. */
function isDeclared(coverage: Coverage): boolean {
  return coverage.extent !== "undeclared" && coverage.known !== "derived";
}

const NONE: ReadonlySet<string> = new Set();

function limitsAgeOf(set: SetPlan, source: EngineSource): boolean {
  if (set.kind === "derived" || set.maxAgeDays === undefined) return false;
  return set.kind === "area"
    ? set.sources.some((member) => member.source === source)
    : set.registers.includes(source);
}

/** As distances are printed. */
function isFarther(meters: number, thanMeters: number): boolean {
  return meters === Infinity || printedDistance(meters) > thanMeters;
}
