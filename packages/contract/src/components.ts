import type * as z from "zod";
import { countrySchema } from "./country.ts";
import { decisionDigestsSchema, decisionSummarySchema } from "./decisions.ts";
import { areaEvidenceSchema, checkResultSchema, subjectEvidenceSchema, verdictSchema } from "./evaluate.ts";
import { jobResultSchema, jobSchema } from "./jobs.ts";
import {
  geometrySchema,
  lintFindingSchema,
  metaSchema,
  overlapSchema,
  plotFeatureSchema,
  plotSchema,
  roleSchemeSchema,
  schemeSchema,
  sourceOutcomeSchema,
  warningSchema,
} from "./members.ts";
import { paginationSchema } from "./pagination.ts";
import { planSchema } from "./plan.ts";
import { faultSchema } from "./problem.ts";
import {
  inlineRulesetSchema,
  paletteSchema,
  rulesetChecksSchema,
  rulesetSetsSchema,
  rulesetSummarySchema,
} from "./rulesets.ts";
import { sourceEntrySchema } from "./sources.ts";
import { subjectMatchSchema } from "./subjects.ts";

type Components = Readonly<Record<string, z.ZodType>>;

/** Parts of requests that have a name in the description of the service. */
export const REQUEST_COMPONENTS: Components = {
  CountryCode: countrySchema,
  Geometry: geometrySchema,
  Plot: plotSchema,
  PlotFeature: plotFeatureSchema,
  RoleScheme: roleSchemeSchema,
  Ruleset: inlineRulesetSchema,
  RulesetChecks: rulesetChecksSchema,
  RulesetSets: rulesetSetsSchema,
  Scheme: schemeSchema,
};

/** Parts of answers that have one. */
export const RESPONSE_COMPONENTS: Components = {
  AreaEvidence: areaEvidenceSchema,
  CheckResult: checkResultSchema,
  DecisionDigests: decisionDigestsSchema,
  DecisionSummary: decisionSummarySchema,
  Fault: faultSchema,
  Job: jobSchema,
  JobResult: jobResultSchema,
  LintFinding: lintFindingSchema,
  Meta: metaSchema,
  OverlapGeometry: overlapSchema,
  Pagination: paginationSchema,
  Palette: paletteSchema,
  Plan: planSchema,
  RulesetSummary: rulesetSummarySchema,
  Source: sourceEntrySchema,
  SourceOutcome: sourceOutcomeSchema,
  SubjectEvidence: subjectEvidenceSchema,
  SubjectMatch: subjectMatchSchema,
  Verdict: verdictSchema,
  Warning: warningSchema,
};
