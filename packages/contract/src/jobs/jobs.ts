import {
  answerShapes,
  array,
  choice,
  type Described,
  describedAs,
  named,
  nullable,
  number,
  objectOf,
  optional,
  type Shape,
  text,
  union,
  type ValueOf,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { countShape, createdAtShape, faultShape, instantShape, referenceIdShape } from "../answer-members.ts";
import { evaluateResponseShape } from "../questions/evaluate.ts";
import { type PageQuery, pagedShape, pageShape } from "../reading/pagination.ts";
import { wholeNumberParameter } from "../reading/query-parameters.ts";
import { JOB_RESULTS_MAX } from "./job-limits.ts";
import { JOB_PLOTS_MAX } from "./job-upload.ts";

const statusShape = choice("queued", "running", "paused", "done", "cancelled");
/** The state of a job: `done` and `cancelled` are final. */
export type JobStatus = ValueOf<typeof statusShape>;

const pausedReasonShape = choice(
  "quota_exceeded",
  "subscription_inactive",
  "key_revoked",
  "key_expired",
  "storage_unavailable",
  "edition_missing",
);
/** The reason why a job is paused. It resumes by itself once the reason no longer applies. */
export type JobPausedReason = ValueOf<typeof pausedReasonShape>;

const jobMembers = {
  id: describedAs(text(), "Its identifier, which begins with `job_`"),
  status: describedAs(statusShape, "Where the job stands; `done` and `cancelled` are final"),
  paused_reason: optional(pausedReasonShape, "Why the job is waiting"),
  plots: describedAs(countShape, "Number of plots in the job"),
  answered: describedAs(countShape, "Number of plots with an answer so far"),
  invalid: describedAs(countShape, "Number of plots that could not be evaluated; they are not charged"),
  degraded: describedAs(countShape, "Number of plots whose answer stayed degraded; they are not charged"),
  charged: describedAs(countShape, "Number of plots that were charged so far"),
  created_at: createdAtShape,
  finished_at: describedAs(
    nullable(instantShape),
    "When the job ended, ISO 8601 UTC; null while it is neither done nor cancelled",
  ),
  expires_at: describedAs(instantShape, "When the upload and its errors are deleted, ISO 8601 UTC"),
  ruleset: describedAs(
    named("JobRuleset", () =>
      objectOf({
        name: describedAs(nullable(text()), "Its name; null where it has none"),
        version: describedAs(
          nullable(countShape),
          "Version of a saved ruleset; null of one that was sent along",
        ),
        digest: describedAs(text(), "SHA-256 of its sets and checks, every default written out"),
      }),
    ),
    "The ruleset that the plots are evaluated with",
  ),
  editions: describedAs(
    array(
      named("JobEdition", () =>
        objectOf({
          source_name: answerShapes.sourceName,
          edition: describedAs(text(), answerShapes.edition.description),
        }),
      ),
    ),
    "The editions that the job is evaluated on",
  ),
  evaluated_at: describedAs(instantShape, "The instant of the evaluations, ISO 8601 UTC"),
  reference_id: referenceIdShape,
};

/** The current state of a job. */
export interface Job extends Described<typeof jobMembers> {}

export const jobShape: Shape<Job> = named("Job", () => objectOf(jobMembers));

export const jobResponseShape = objectOf({ data: jobShape });
/** Answer of `POST /v1/jobs`, `GET /v1/jobs/{id}` and `POST /v1/jobs/{id}/cancel`. */
export type JobResponse = ValueOf<typeof jobResponseShape>;

export const jobsResponseShape = pagedShape(jobShape);
/** Answer of `GET /v1/jobs`, newest first. */
export type JobsResponse = ValueOf<typeof jobsResponseShape>;

const lineMembers = {
  number: describedAs(countShape, "Place of the plot in the upload, from 0"),
  id: describedAs(
    union([text(), number(), choice(null)]),
    "The plot's own id, or its place in the upload from 1; null once erased",
  ),
};

const errorMembers = {
  code: answerShapes.code,
  message: answerShapes.message,
  errors: describedAs(array(faultShape), "Each fault with its place"),
};
/** The reason why a plot got no verdict, in the form of a problem. */
export interface JobError extends Described<typeof errorMembers> {}

const answerMembers = {
  ...lineMembers,
  status: choice("answered"),
  decision_id: describedAs(text(), "Identifier of the decision, which is the stored answer"),
  response: describedAs(evaluateResponseShape, "The body that `POST /v1/evaluate` answers with"),
};
/** A plot with a verdict. */
export interface JobAnswer extends Described<typeof answerMembers> {}

const failureMembers = {
  ...lineMembers,
  status: describedAs(
    choice("invalid", "degraded"),
    "`invalid`: the plot is refused as it is; `degraded`: a source failed in every try",
  ),
  error: describedAs(
    named("JobError", () => objectOf(errorMembers)),
    "Why the plot got no verdict",
  ),
};
/** A plot without a verdict, which was not charged. */
export interface JobFailure extends Described<typeof failureMembers> {}

const nothingMembers = {
  ...lineMembers,
  status: describedAs(
    choice("erased", "cancelled"),
    "`erased`: it was charged, and its answer is gone; `cancelled`: nobody looked at it",
  ),
  decision_id: optional(text(), "The decision, if the plot was charged"),
};
/** A charged plot whose answer is erased, or one that was not answered before the job was cancelled. */
export interface JobNothing extends Described<typeof nothingMembers> {}

/** A line of a job's results, one per plot. */
export type JobResult = JobAnswer | JobFailure | JobNothing;

export const jobResultShape: Shape<JobResult> = named("JobResult", () =>
  union<[JobAnswer, JobFailure, JobNothing]>([
    named("JobAnswer", () => objectOf(answerMembers)),
    named("JobFailure", () => objectOf(failureMembers)),
    named("JobNothing", () => objectOf(nothingMembers)),
  ]),
);

/** Query of `GET /v1/jobs/{id}/results`. */
export interface JobResultsQuery {
  /** Number of the first plot, from 0. */
  readonly from: number;
  readonly limit: number;
}

/** Query of `GET /v1/jobs`. */
export const jobsQuerySchema: z.ZodType<PageQuery, unknown> = z.strictObject(pageShape);

export const jobResultsQuerySchema: z.ZodType<JobResultsQuery, unknown> = z.strictObject({
  from: wholeNumberParameter(0, JOB_PLOTS_MAX).default(0).describe("Number of the first plot, from 0"),
  limit: wholeNumberParameter(1, JOB_RESULTS_MAX).default(JOB_RESULTS_MAX).describe("Most lines"),
});
