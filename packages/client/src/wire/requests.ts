import type { PlotCollection } from "@groundrule/contract";
import type { RoleScheme, Scheme } from "@groundrule/engine";

// The types of requests: bodies and queries as callers write them, before the service has parsed them.

/** A GeoJSON geometry, or a Feature around one: those of `@types/geojson`, literals, parsed JSON. */
export type GeometryInput = object;

/** The requested part of a list. */
export interface PageQuery {
  /** From 1, the default. */
  readonly page?: number | undefined;
  /** 1 to 200; the service's default is 25. */
  readonly page_size?: number | undefined;
}

/** The subject of an evaluation: a plot, identifiers or both. */
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
  /** Facts that the applicant declares, by their names in the ruleset; null: not declared. */
  readonly facts?: Readonly<Record<string, FactValue | null>> | undefined;
  /** The land that the plot is part of: a Polygon or MultiPolygon that covers it, in the same CRS. */
  readonly property?: GeometryInput | undefined;
}

/** The value of a fact; a day is written `YYYY-MM-DD`. */
export type FactValue = boolean | number | string | FactDocument;

/** A document of the applicant: declared, not examined. */
export interface FactDocument {
  /** Its number or name. */
  readonly id: string;
  readonly issuer: string;
  /** The first day of its validity, `YYYY-MM-DD`. */
  readonly issued_on: string;
  /** The last day of its validity, `YYYY-MM-DD`; absent: without end. */
  readonly valid_until?: string | undefined;
  /** The land that it covers, square metres. */
  readonly area_m2?: number | undefined;
}

/** Options of an evaluation. */
export interface EvaluateRequestOptions {
  /**
   * True if sources without declared coverage count as covering no plot. Default false: they count as covering every
   * plot.
   */
  readonly strict_coverage?: boolean | undefined;
}

/** A ruleset: one of the catalog by `name` or `name@version`, or an inline one; exactly one of the two. */
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

/** The terms under which every plot of a request is evaluated. */
export type EvaluationTerms = RulesetChoice & {
  readonly options?: EvaluateRequestOptions | undefined;
  /** The caller's own name for the request, at most 128 characters; echoed. */
  readonly reference_id?: string | undefined;
};

/** Body of `POST /v1/evaluate`. */
export type EvaluateBody = EvaluationTerms & { readonly input: EvaluationInput };

/** Query of `POST /v1/evaluate`. */
export interface EvaluateQuery {
  /** Evidence items per check, 1 to 200; the service's default is 20. */
  readonly evidence_limit?: number | undefined;
  /** Report likely mistakes in the ruleset in `meta.lint`. */
  readonly lint?: boolean | undefined;
}

interface AreaFilter {
  /** ISO 3166-1 alpha-3: only areas of this country. */
  readonly reference_areas_country_iso3?: string | undefined;
  /** Only this source, or the members of this group. */
  readonly reference_areas_source?: string | undefined;
  /** The caller's own name for the request, at most 128 characters; echoed. */
  readonly reference_id?: string | undefined;
}

/** Body of `POST /v1/intersections`. */
export interface IntersectionsBody extends AreaFilter {
  readonly input: { readonly geometry: GeometryInput; readonly crs?: string | undefined };
}

/** Query of `POST /v1/intersections`. */
export interface IntersectionsQuery {
  /** The geometry of each feature; the service's default is `overlap`. */
  readonly geometry?: "overlap" | "area" | "none" | undefined;
}

/** Body of `POST /v1/distance`. */
export interface DistanceBody extends AreaFilter {
  readonly input: {
    readonly geometry: GeometryInput;
    readonly crs?: string | undefined;
    /** Inclusive, metres; default 0. */
    readonly min_distance_m?: number | undefined;
    /** Inclusive, metres. */
    readonly max_distance_m: number;
  };
}

/** Body of `POST /v1/subjects`. */
export interface SubjectsBody {
  readonly input: { readonly scheme: Scheme };
  /** Only this register; otherwise all available ones. */
  readonly subject_source?: string | undefined;
  /** `equals` (default): the canonical values are equal. `ilike`: `%` matches any characters. */
  readonly match_op?: "equals" | "ilike" | undefined;
  /** The caller's own name for the request, at most 128 characters; echoed. */
  readonly reference_id?: string | undefined;
}

/** Body of `POST /v1/validate`: a geometry, plots, a ruleset, or several of them. */
export interface ValidateBody {
  readonly geometry?: GeometryInput | undefined;
  /** At most 1,000 plots, checked one by one and against each other. */
  readonly plots?: PlotCollection | undefined;
  /** The system that is to accept the plots. */
  readonly profile?: "eudr" | undefined;
  /** The product of the plots: a point of `cattle` may be larger. */
  readonly commodity?: string | undefined;
  readonly crs?: string | undefined;
  /** Hectares around each point, to check that the points can be evaluated with it. */
  readonly area_ha?: number | undefined;
  readonly ruleset?: object | undefined;
}

/** Body of `POST /v1/jobs`: at most 10,000 plots and 10 MiB. */
export type CreateJobBody = EvaluationTerms & {
  /** The plots, a GeoJSON FeatureCollection. */
  readonly plots: PlotCollection;
};

/** Body of `POST /v1/rulesets`: the ruleset with the name under which it is published. */
export interface CreateRulesetBody {
  readonly name: string;
  /** Absent: the next free one. */
  readonly version?: number | undefined;
  readonly description?: string | undefined;
  /** Aspects that the policy does not examine; every verdict repeats this text. */
  readonly not_examined?: readonly string[] | undefined;
  /** The selections, by name. */
  readonly sets: object;
  /** The conditions, in order. */
  readonly checks: readonly unknown[];
}

/** Query of `POST /v1/rulesets`. */
export interface CreateRulesetQuery {
  /** Report likely mistakes in the ruleset in `data.lint`. */
  readonly lint?: boolean | undefined;
}

/** Query of `GET /v1/rulesets`. */
export interface RulesetsQuery extends PageQuery {
  /** Only the versions of this ruleset. */
  readonly name?: string | undefined;
}

/** Query of `GET /v1/decisions`. */
export interface DecisionsQuery extends PageQuery {
  /** Earliest instant, inclusive, ISO 8601 UTC. */
  readonly from?: string | Date | undefined;
  /** Latest instant, exclusive, ISO 8601 UTC. */
  readonly to?: string | Date | undefined;
  readonly reference_id?: string | undefined;
  readonly request_id?: string | undefined;
  /** Only decisions of `/v1/evaluate` with this verdict. */
  readonly verdict?: "COMPLIANT" | "WARNING" | "NON_COMPLIANT" | undefined;
  /** A name, `name@version`, or a digest of 64 hexadecimal digits. */
  readonly ruleset?: string | undefined;
  /** The id of a decision: lists those charged before it, in place of a page. */
  readonly before?: string | undefined;
}
