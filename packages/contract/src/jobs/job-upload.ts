import * as z from "zod";
import { namedPart } from "../described-shape.ts";
import {
  type EvaluationTerms,
  NAMES_ONE_RULESET,
  namesOneRuleset,
  ONE_RULESET,
  termsSchemas,
  toTerms,
} from "../questions/evaluation-terms.ts";
import { createPlotsSchema, type PlotCollection } from "../reading/validate.ts";

/** Maximum plots of a job. */
export const JOB_PLOTS_MAX = 10_000;
/** Maximum bytes of the upload of a job. */
export const JOB_BYTES_MAX: number = 10 * 1024 * 1024;
/** Maximum characters of the id of a plot in a job. */
export const JOB_PLOT_ID_MAX_LENGTH = 256;

/** Body of `POST /v1/jobs` in JSON. In NDJSON its first line has the terms, and every other line is a plot. */
export interface CreateJobRequest extends EvaluationTerms {
  /** Faults of single features are reported in the results. */
  readonly plots: PlotCollection;
}

/** The first line of an upload in NDJSON. */
export const jobTermsSchema: z.ZodType<EvaluationTerms, unknown> = z
  .strictObject(termsSchemas)
  .refine(namesOneRuleset, NAMES_ONE_RULESET)
  .meta(ONE_RULESET)
  .transform(toTerms);

export const createJobRequestSchema: z.ZodType<CreateJobRequest, unknown> = z
  .strictObject({
    plots: namedPart("JobPlots", createPlotsSchema(JOB_PLOTS_MAX)).describe(
      "The plots, a GeoJSON FeatureCollection: a fault of a plot is reported as the result of that plot",
    ),
    ...termsSchemas,
  })
  .refine(namesOneRuleset, NAMES_ONE_RULESET)
  .meta(ONE_RULESET)
  .transform(({ plots, ...terms }) => ({ plots, ...toTerms(terms) }));
