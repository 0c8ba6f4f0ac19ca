import type {
  EvaluateRequestOptions,
  PlotCollection,
  CreateRulesetQuery as ReadCreateRulesetQuery,
  EvaluateQuery as ReadEvaluateQuery,
  IntersectionsQuery as ReadIntersectionsQuery,
  PageQuery as ReadPageQuery,
  RulesetsQuery as ReadRulesetsQuery,
} from "@groundrule/contract";
import type { EvaluationInput } from "@groundrule/engine";

// The types of requests: bodies and queries as callers write them, before the service has parsed them. What a body holds
// is described in the contract and the engine.

export type {
  CreateRulesetBody,
  DistanceRequest as DistanceBody,
  EvaluateRequestOptions,
  IntersectionsRequest as IntersectionsBody,
  SubjectsRequest as SubjectsBody,
  ValidateRequest as ValidateBody,
} from "@groundrule/contract";
export type { EvaluationInput, FactDocument, FactValue, GeometryInput } from "@groundrule/engine";

/** A query as callers write it: what has a default may be left out. */
type Written<Query> = { readonly [Name in keyof Query]?: Query[Name] | undefined };

/** The requested part of a list. */
export type PageQuery = Written<ReadPageQuery>;

/** A ruleset: one of the catalog by `name` or `name@version`, or an inline one; exactly one of the two. */
export type RulesetChoice =
  | {
      /** `name` or `name@version`. */
      readonly ruleset_id: string;
      /** Left out. */
      readonly ruleset?: undefined;
    }
  | {
      /** The ruleset in full: its sets and checks. */
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
export type EvaluateQuery = Written<Omit<ReadEvaluateQuery, "explain">>;

/** Query of `POST /v1/intersections`. */
export type IntersectionsQuery = Written<Omit<ReadIntersectionsQuery, "explain">>;

/** Body of `POST /v1/jobs`: at most 10,000 plots and 10 MiB. */
export type CreateJobBody = EvaluationTerms & {
  /** The plots, a GeoJSON FeatureCollection. */
  readonly plots: PlotCollection;
};

/** Query of `POST /v1/rulesets`. */
export type CreateRulesetQuery = Written<ReadCreateRulesetQuery>;

/** Query of `GET /v1/rulesets`. */
export type RulesetsQuery = Written<ReadRulesetsQuery>;

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
