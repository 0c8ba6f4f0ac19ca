export type { MultiPolygonGeometry, OverlapGeometry } from "@groundrule/engine";
export type { Meta } from "./answer-members.ts";
export * from "./components.ts";
export * from "./country.ts";
export * from "./decisions.ts";
export { schemaRef } from "./described-shape.ts";
export * from "./distance.ts";
export * from "./error-codes.ts";
export * from "./evaluate.ts";
export type {
  EvaluateRequestOptions,
  EvaluationTerms,
  InlineRuleset,
  SavedRuleset,
} from "./evaluation-terms.ts";
export * from "./health.ts";
export * from "./intersections.ts";
export * from "./job-limits.ts";
export * from "./job-upload.ts";
export * from "./jobs.ts";
export * from "./limits.ts";
export * from "./me.ts";
export * from "./media-types.ts";
export * from "./missing-groups.ts";
export * from "./pagination.ts";
export * from "./parse-request.ts";
export * from "./plan.ts";
export * from "./problem.ts";
export * from "./rulesets.ts";
export * from "./sources.ts";
export * from "./storable-text.ts";
export * from "./subjects.ts";
export * from "./usage.ts";
export * from "./validate.ts";
