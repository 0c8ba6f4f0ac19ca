import type { PlotCollection } from "@groundrule/contract";
import type { RoleScheme, Scheme } from "@groundrule/engine";

// What callers write: bodies and queries as they may be sent, before the service has read them.

/** A GeoJSON geometry, or a Feature around one: those of `@types/geojson`, literals, parsed JSON. */
export type GeometryInput = object;

/** Which part of a list is asked for. */
export interface PageQuery {
  /** From 1, the default. */
  readonly page?: number | undefined;
  /** 1 to 200; the service's default is 25. */
  readonly page_size?: number | undefined;
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
  /** What the applicant declares, by the names under which the ruleset asks for it; null is not declared. */
  readonly facts?: Readonly<Record<string, FactValue | null>> | undefined;
  /** The land that the plot is part of: a Polygon or MultiPolygon that covers it, in the same CRS. */
  readonly property?: GeometryInput | undefined;
}

/** The value of a fact; a day is written `YYYY-MM-DD`. */
export type FactValue = boolean | number | string | FactDocument;

/** A document that an applicant brings: declared, not examined. */
export interface FactDocument {
  /** Its number or name. */
  readonly id: string;
  readonly issuer: string;
  /** The first day of its validity, `YYYY-MM-DD`. */
  readonly issued_on: string;
  /** The last day of its validity, `YYYY-MM-DD`; absent: without end. */
  readonly valid_until?: string | undefined;
  /** The land that it speaks of, square metres. */
  readonly area_m2?: number | undefined;
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

interface AreaFilter {
  /** ISO 3166-1 alpha-3; only areas of this country. */
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
  /** Which geometry each feature carries; the service's default is `overlap`. */
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
  /** Only this register; otherwise all that are available. */
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
  /** The system that is to take the plots. */
  readonly profile?: "eudr" | undefined;
  /** What the plots produce: a point of `cattle` may be larger. */
  readonly commodity?: string | undefined;
  readonly crs?: string | undefined;
  /** Hectares around each point: whether the points can be judged with it. */
  readonly area_ha?: number | undefined;
  readonly ruleset?: object | undefined;
}

/** Body of `POST /v1/jobs`: at most 10,000 plots and 10 MiB. */
export type CreateJobBody = EvaluationTerms & {
  /** The plots, a GeoJSON FeatureCollection. */
  readonly plots: PlotCollection;
};

/** Body of `POST /v1/rulesets`: the ruleset with the name it is published under. */
export interface CreateRulesetBody {
  readonly name: string;
  /** Absent: the next free one. */
  readonly version?: number | undefined;
  readonly description?: string | undefined;
  /** What the policy does not examine; every verdict repeats this text. */
  readonly not_examined?: readonly string[] | undefined;
  /** What is selected, by name. */
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
  /** Decisions of `/v1/evaluate` that came to this. */
  readonly verdict?: "COMPLIANT" | "WARNING" | "NON_COMPLIANT" | undefined;
  /** A name, `name@version`, or a digest of 64 hexadecimal digits. */
  readonly ruleset?: string | undefined;
  /** The id of a decision: those that were charged before it; instead of a page. */
  readonly before?: string | undefined;
}
