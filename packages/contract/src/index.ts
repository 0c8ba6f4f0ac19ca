export type { MultiPolygonGeometry, OverlapGeometry } from "@groundrule/engine";
export type { Meta } from "./answer-members.ts";
export * from "./components.ts";
export * from "./country.ts";
export * from "./decisions.ts";
export { PART_NAME, schemaRef } from "./described-shape.ts";
export * from "./error-codes.ts";
export * from "./health.ts";
export * from "./jobs/job-limits.ts";
export * from "./jobs/job-upload.ts";
export * from "./jobs/jobs.ts";
export * from "./limits.ts";
export * from "./me.ts";
export * from "./problem.ts";
export * from "./questions/distance.ts";
export * from "./questions/evaluate.ts";
export type {
  EvaluateRequestOptions,
  EvaluationTerms,
  InlineRuleset,
  SavedRuleset,
} from "./questions/evaluation-terms.ts";
export * from "./questions/intersections.ts";
export * from "./questions/missing-groups.ts";
export * from "./questions/plan.ts";
export * from "./questions/subjects.ts";
export * from "./reading/media-types.ts";
export * from "./reading/pagination.ts";
export * from "./reading/parse-request.ts";
export * from "./reading/storable-text.ts";
export * from "./reading/validate.ts";
export * from "./rulesets.ts";
export * from "./sources.ts";
export * from "./usage.ts";
