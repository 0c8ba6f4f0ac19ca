import type { Bbox } from "../geometry/earth/bbox.ts";
import type { OverlapGeometry } from "../geometry/overlap/overlap-geometry.ts";
import type { PlotGeometry, Warning } from "../geometry/plot/plot.ts";
import type { AttributeValue } from "../snapshot/snapshot.ts";

/** What a check comes to where it triggers, worst first. */
export type Outcome = "NON_COMPLIANT" | "WARNING" | "NOTICE";
/** The word of a verdict. `DEGRADED`: a failed source could still change it. */
export type VerdictStatus = "COMPLIANT" | "WARNING" | "NON_COMPLIANT" | "DEGRADED";
/** Worst outcome that is already certain, whatever the failed sources hold. */
export type AtLeast = "COMPLIANT" | "WARNING" | "NON_COMPLIANT";
/** How a measure is compared with its threshold. */
export type ComparisonOperator = ">" | ">=" | "<" | "<=" | "=" | "<>";

/**
 * How much of the plot a source speaks of: all but a tolerance, some, no more than a tolerance; `undeclared`:
 * nobody says where it speaks, and it is assumed to cover the plot.
 */
export type SourceCoverage = "full" | "partial" | "none" | "undeclared";

/** How one source took part in an answer. */
export interface SourceOutcome {
  readonly source_name: string;
  /** `failed`: the source could not be asked. */
  readonly status: "ok" | "failed";
  /** Digest of the edition asked; absent where the source failed to open. */
  readonly edition?: string;
  readonly collected_at?: string;
  /** Whole days between `collected_at` and `now`. */
  readonly age_days?: number;
  /** Areas or records of this source in the answer. */
  readonly matched: number;
  /**
   * Features or rows of the source that are not in the edition, since they could not be stored; absent
   * where that is not known, as of editions built before it was kept.
   */
  readonly left_out?: number;
  /** Areas left out because they carry no country while a country was asked for. */
  readonly without_country?: number;
  /** How much of the plot the source covers; only of open sources of areas, where the input has a plot. */
  readonly coverage?: SourceCoverage;
  /** Nobody declared its coverage: it was assumed from the countries of the areas. */
  readonly coverage_known?: "derived";
  /** Whether it is too old for a set with `max_age_days`; only where the checks reach such a set of it. */
  readonly overage?: boolean;
  /** What of its theme the source holds, as its manifest says; absent where it says nothing. */
  readonly scope?: string;
  /** Its areas or records are made up. */
  readonly fictional?: true;
  /** Why the source failed. */
  readonly reason?: string;
}

/** Names of groups, ascending, each with the names of its members, ascending. */
export type Groups = Readonly<Record<string, readonly string[]>>;

/** What names an area in an answer. */
export interface NamedArea {
  readonly source_name: string;
  readonly source_id: string;
  /** Its name; null where the source has none. */
  readonly name: string | null;
  readonly country_iso3: string | null;
}

/** What an area and the plot have in common. */
export interface AreaOverlap {
  readonly overlap_area_m2: number;
  readonly overlap_ratio: number;
  readonly area_overlap_ratio: number | null;
}

/** Values of a source's columns, by name. */
export type Properties = Readonly<Record<string, AttributeValue>>;

/** An area that a check found. */
export interface AreaEvidence extends NamedArea, AreaOverlap {
  readonly edition: string;
  /** Present for sets with `within_m`. */
  readonly distance_m?: number;
  /** The area's `where` has no answer (a value it needs is null). */
  readonly undetermined?: true;
  /** The columns that the sets of the check ask evidence to show; absent where they show none. */
  readonly properties?: Properties;
}

/** A record that a check found. */
export interface SubjectEvidence {
  readonly source_name: string;
  readonly source_id: string;
  /** Name of the record; null where it has none. */
  readonly name: string | null;
  /** The register's own spelling of the identifier. */
  readonly value: string;
  readonly scheme: string;
  /** The role that the input gave the identifier. */
  readonly role?: string;
  /** The columns that the sets of the check ask evidence to show; absent where they show none. */
  readonly properties?: Properties;
}

/** What a check found: areas of area sets, records of registers. */
export type Evidence = AreaEvidence | SubjectEvidence;

/** Tells evidence of an area from evidence of a record. */
export function isAreaEvidence(evidence: Evidence): evidence is AreaEvidence {
  return "overlap_area_m2" in evidence;
}

/** One comparison of a check: the measured (printed) value against its threshold. */
export interface ComparisonResult {
  readonly set: string;
  /** The measure's name, or `{"sum": "column"}` and its kin. */
  readonly measure: string | Readonly<Record<string, string>>;
  readonly op: ComparisonOperator;
  /** Null where the measure has no value (empty set, zero denominator, failed source). */
  readonly value: number | null;
  /** What it is compared with. */
  readonly threshold: number;
  /** The set whose region is the denominator of `overlap_ratio`, where not the plot. */
  readonly of?: string;
}

/** What became of one check. */
export interface CheckResult {
  /** As in the ruleset. */
  readonly id: string;
  /** As in the ruleset. */
  readonly title?: string;
  /**
   * The check's own outcome where it triggered, what it says of plots that are not covered where its status is
   * `not_covered`; else null.
   */
  readonly outcome: Outcome | null;
  /** Whether its condition holds. */
  readonly triggered: boolean;
  /**
   * `failed`: a failed source could still change this check; `not_covered`: what lies where its sources do not
   * speak, or has come up since they were collected, could.
   */
  readonly status: "ok" | "failed" | "not_covered";
  /** Share of the plot that all entries of its sets cover; where it is `not_covered` and reaches sets of areas. */
  readonly covered_ratio?: number;
  /** Its comparisons, in the order of the ruleset. */
  readonly comparisons: readonly ComparisonResult[];
  /** Areas whose `where` has no answer. */
  readonly undetermined: number;
  readonly evidence: readonly Evidence[];
  /** How many evidence items there are before the limit. */
  readonly evidence_total: number;
}

/** What was evaluated. */
export interface VerdictInput {
  /** SHA-256 of the positions, `crs` and `area_ha` as sent, and the canonical schemes. */
  readonly digest: string;
  /** Area of the plot on the ellipsoid, square metres; absent without a polygon. */
  readonly area_m2?: number;
  readonly bbox?: Bbox;
  /** The discs that were evaluated in place of points; `area_m2` and `bbox` are those of the discs. */
  readonly disc?: PlotGeometry;
}

/** The answer of an evaluation, member for member as it travels in `data`. */
export interface Verdict {
  /** The word: the worst outcome of all checks, or `DEGRADED`. */
  readonly verdict: VerdictStatus;
  /** `degraded`: a failed source could still change some check. */
  readonly status: "ok" | "degraded";
  readonly at_least: AtLeast;
  /** Which ruleset was evaluated. */
  readonly ruleset: {
    /** Null where it has none. */
    readonly name: string | null;
    /** Version of a saved ruleset; null of one that was sent along. */
    readonly version: number | null;
    /** SHA-256 of its sets and checks, every default written out. */
    readonly digest: string;
    /** What the ruleset does not examine, in its own words. */
    readonly not_examined?: readonly string[];
  };
  readonly input: VerdictInput;
  /** In the order of the ruleset. */
  readonly checks: readonly CheckResult[];
  /** Every source that the ruleset names, ascending by name. */
  readonly sources: readonly SourceOutcome[];
  /** The groups that the ruleset names, with the sources that were queried for each; absent where it names none. */
  readonly groups?: Groups;
  /** SHA-256 of the canonical JSON of what decides; null under the reference kernel. */
  readonly digest: string | null;
  readonly semantics: number;
  /** The `now` that was handed in. */
  readonly evaluated_at: string;
}

/** What a policy answers: the verdict, and what belongs beside it rather than in it. Frozen but for coordinates. */
export interface Evaluation extends Verdict {
  /** Where they were asked for: one an area that is evidence of some check, in the order of the checks. */
  readonly overlaps?: readonly EvidenceOverlap[];
  readonly warnings: readonly Warning[];
}

/** The verdict of an evaluation alone, as it travels and is recorded. */
export function verdictOf({ overlaps: _, warnings: __, ...verdict }: Evaluation): Verdict {
  return verdict;
}

/** The part of an area of the evidence that lies in the plot. */
export interface EvidenceOverlap {
  readonly source_name: string;
  readonly source_id: string;
  /** Null with `geometry_status` where it exceeds what work is left to the answer, and where there is none. */
  readonly geometry: OverlapGeometry | null;
  readonly geometry_status?: "too_complex";
}
