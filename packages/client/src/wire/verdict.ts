import type {
  Bbox,
  GeometryInput,
  Meta,
  MultiPolygonGeometry,
  PlotGeometry,
  Properties,
  RoleScheme,
} from "./shared.ts";

/** What a check comes to where it triggers, worst first. */
export type Outcome = "NON_COMPLIANT" | "WARNING" | "NOTICE";
/** The word of a verdict. `DEGRADED`: a failed source could still change it. */
export type VerdictStatus = "COMPLIANT" | "WARNING" | "NON_COMPLIANT" | "DEGRADED";
/** Worst outcome that is already certain, whatever the failed sources hold. */
export type AtLeast = "COMPLIANT" | "WARNING" | "NON_COMPLIANT";
/** How a measure is compared with its threshold. */
export type ComparisonOperator = ">" | ">=" | "<" | "<=" | "=" | "<>";

/** How much of the plot a source speaks of; `undeclared`: nobody says where, and it is assumed to cover the plot. */
export type SourceCoverage = "full" | "partial" | "none" | "undeclared";

/** How one source took part in an answer. */
export interface SourceOutcome {
  readonly source_name: string;
  /** `failed`: the source could not be asked. */
  readonly status: "ok" | "failed";
  /** Digest of the edition asked; absent where the source failed to open. */
  readonly edition?: string;
  readonly collected_at?: string;
  /** Whole days between `collected_at` and the evaluation. */
  readonly age_days?: number;
  /** Areas or records of this source in the answer. */
  readonly matched: number;
  /** Features of the source that are not in the edition, since they could not be stored; absent where not known. */
  readonly left_out?: number;
  /** Areas left out because they carry no country while a country was asked for. */
  readonly without_country?: number;
  readonly coverage?: SourceCoverage;
  /** Nobody declared its coverage: it was assumed from the countries of the areas. */
  readonly coverage_known?: "derived";
  /** Whether it is too old for a set with `max_age_days`. */
  readonly overage?: boolean;
  /** What of its theme the source holds, as its manifest says. */
  readonly scope?: string;
  /** Its areas or records are made up. */
  readonly fictional?: true;
  /** Why the source failed. */
  readonly reason?: string;
}

/** What names an area in an answer. */
export interface NamedArea {
  readonly source_name: string;
  readonly source_id: string;
  /** Null where the source has none. */
  readonly name: string | null;
  readonly country_iso3: string | null;
}

/** What an area and the plot have in common. */
export interface AreaOverlap {
  readonly overlap_area_m2: number;
  readonly overlap_ratio: number;
  readonly area_overlap_ratio: number | null;
}

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

/** One comparison of a check: the measured value against its threshold. */
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
  /** The check's outcome where it triggered, what it says of uncovered plots where it is `not_covered`; else null. */
  readonly outcome: Outcome | null;
  /** Whether its condition holds. */
  readonly triggered: boolean;
  /** `failed`: a failed source could still change it; `not_covered`: what its sources do not speak of could. */
  readonly status: "ok" | "failed" | "not_covered";
  /** Share of the plot that all entries of its sets cover; where it is `not_covered` and reaches sets of areas. */
  readonly covered_ratio?: number;
  /** In the order of the ruleset. */
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

/** The verdict on one plot. */
export interface Verdict {
  /** The worst outcome of all checks, or `DEGRADED`. */
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
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** SHA-256 of the canonical JSON of what decides; null under the reference kernel. */
  readonly digest: string | null;
  readonly semantics: number;
  /** ISO 8601 UTC. */
  readonly evaluated_at: string;
}

/** What is evaluated: a plot, identifiers or both. */
export interface EvaluationInput {
  /** Polygon, MultiPolygon, or with `area_ha` Point or MultiPoint. */
  readonly geometry?: GeometryInput | undefined;
  /** Coordinate reference system of the positions; default: longitude and latitude on WGS 84. */
  readonly crs?: string | undefined;
  /** Hectares around each point, 0.0001 to 100,000. Required with points, refused with anything else. */
  readonly area_ha?: number | undefined;
  /** The country of the plot, ISO 3166-1 alpha-3. It changes no verdict. */
  readonly country_iso3?: string | undefined;
  /** Identifiers of the subjects behind the plot, at most 32. */
  readonly scheme?: RoleScheme | readonly RoleScheme[] | undefined;
}

/** How a verdict is reached. */
export interface EvaluateRequestOptions {
  /** Whether sources without declared coverage count as covering no plot. Default false: they count as covering every plot. */
  readonly strict_coverage?: boolean | undefined;
}

/** A ruleset: one of the catalog by `name` or `name@version`, or one sent along; exactly one of the two. */
export type RulesetChoice =
  | {
      /** `name` or `name@version`. */
      readonly ruleset_id: string;
      readonly ruleset?: undefined;
    }
  | {
      readonly ruleset: object;
      /** Left out. */
      readonly ruleset_id?: undefined;
    };

/** What every plot of a request is judged by. */
export type EvaluationTerms = RulesetChoice & {
  readonly options?: EvaluateRequestOptions | undefined;
  /** The caller's own name for the request, at most 128 characters; echoed. */
  readonly reference_id?: string | undefined;
};

/** Body of `POST /v1/evaluate`. */
export type EvaluateBody = EvaluationTerms & { readonly input: EvaluationInput };

/** Query of `POST /v1/evaluate`. */
export interface EvaluateQuery {
  /** Evidence items a check, 1 to 200; the service's default is 20. */
  readonly evidence_limit?: number | undefined;
  /** Report likely mistakes in the ruleset in `meta.lint`. */
  readonly lint?: boolean | undefined;
}

/** Answer of `POST /v1/evaluate`. */
export interface EvaluateResponse {
  readonly data: Verdict & { readonly reference_id: string | null };
  readonly meta: Meta;
  readonly errors: readonly never[];
}

/** The same answer as `application/geo+json`: one feature an evidence item, the verdict beside them. */
export interface EvaluateFeatures {
  readonly type: "FeatureCollection";
  readonly features: readonly EvidenceFeature[];
  readonly data: EvaluateResponse["data"];
  readonly meta: Meta;
}

/** An evidence item as a GeoJSON feature. */
export interface EvidenceFeature {
  readonly type: "Feature";
  /** The area clipped to the plot; null for subjects, where nothing is shared, and where `geometry_status` says why. */
  readonly geometry: MultiPolygonGeometry | null;
  readonly properties: Evidence & OfCheck & { readonly geometry_status?: "too_complex" };
}

/** What a feature tells of the check it is evidence of. */
export interface OfCheck {
  readonly check_id: string;
  readonly outcome: Outcome | null;
  /** Colour of the check, `#rrggbb`, from the ruleset's palette. */
  readonly color: string;
}
