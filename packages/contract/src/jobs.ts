import type { Fault } from "@groundrule/engine";
import * as z from "zod";
import { type EvaluateResponse, evaluateResponseSchema } from "./evaluate.ts";
import { JOB_RESULTS_MAX } from "./job-limits.ts";
import { JOB_PLOTS_MAX } from "./job-upload.ts";
import { instantSchema } from "./members.ts";
import { type PageQuery, type Pagination, pageShape, paginationSchema } from "./pagination.ts";
import { faultSchema } from "./problem.ts";
import { wholeNumberParameter } from "./query-parameters.ts";

/** Where a job stands: `done` and `cancelled` are final. */
export type JobStatus = "queued" | "running" | "paused" | "done" | "cancelled";

/** Why a job is paused. It goes on by itself once the reason has passed. */
export type JobPausedReason =
  | "quota_exceeded"
  | "subscription_inactive"
  | "key_revoked"
  | "key_expired"
  | "storage_unavailable"
  | "edition_missing";

/** A job, as it stands. */
export interface Job {
  /** `job_` and what tells it from all others. */
  readonly id: string;
  readonly status: JobStatus;
  /** Where the status is `paused`. */
  readonly paused_reason?: JobPausedReason;
  /** Plots of the upload. */
  readonly plots: number;
  /** Plots with a verdict. Each was charged as one unit. */
  readonly answered: number;
  /** Plots that are refused; never charged. */
  readonly invalid: number;
  /** Plots whose verdict stayed DEGRADED through every try; never charged. */
  readonly degraded: number;
  /** Units. */
  readonly charged: number;
  readonly created_at: string;
  /** Null while it is neither done nor cancelled. */
  readonly finished_at: string | null;
  /** When upload and error lines are deleted, and `JOB_EXPIRED` is what is told of the job. */
  readonly expires_at: string;
  /** Name and version of a saved one. */
  readonly ruleset: {
    readonly name: string | null;
    readonly version: number | null;
    /** Of its canonical text, 64 hexadecimal digits. */
    readonly digest: string;
  };
  /** Those that every plot is examined with. */
  readonly editions: readonly { readonly source_name: string; readonly edition: string }[];
  /** The instant that every verdict is of. */
  readonly evaluated_at: string;
  readonly reference_id: string | null;
}

/** Answer of `POST /v1/jobs`, `GET /v1/jobs/{id}` and `POST /v1/jobs/{id}/cancel`. */
export interface JobResponse {
  readonly data: Job;
}

/** Answer of `GET /v1/jobs`, newest first. */
export interface JobsResponse {
  readonly data: { readonly items: readonly Job[]; readonly pagination: Pagination };
}

/** Query of `GET /v1/jobs/{id}/results`. */
export interface JobResultsQuery {
  /** Number of the first plot, from 0. */
  readonly from: number;
  readonly limit: number;
}

/** A line of a job's results, one a plot. */
export type JobResult = JobAnswer | JobFailure | JobNothing;

interface JobLine {
  /** Of the plot, from 0 in the order of the upload. */
  readonly number: number;
  /** The plot's own, or its place in the upload from 1; null once erased. */
  readonly id: string | number | null;
}

/** A plot with a verdict. */
export interface JobAnswer extends JobLine {
  readonly status: "answered";
  readonly decision_id: string;
  /** The body that `POST /v1/evaluate` answers with. */
  readonly response: EvaluateResponse;
}

/** A plot that got none, and was not charged. */
export interface JobFailure extends JobLine {
  /** `invalid`: the plot is refused as it is; `degraded`: a source failed in every try. */
  readonly status: "invalid" | "degraded";
  readonly error: JobError;
}

/** A plot that was charged and whose answer is erased, or one that was not answered before the job was cancelled. */
export interface JobNothing extends JobLine {
  /** `erased`: it was charged, and its answer is gone; `cancelled`: nobody looked at it. */
  readonly status: "erased" | "cancelled";
  /** Where it was charged. */
  readonly decision_id?: string;
}

/** Why a plot got no verdict, told as a problem is. */
export interface JobError {
  readonly code: string;
  readonly message: string;
  readonly errors: readonly Fault[];
}

/** Query of `GET /v1/jobs`. */
export const jobsQuerySchema: z.ZodType<PageQuery, unknown> = z.strictObject(pageShape);

export const jobResultsQuerySchema: z.ZodType<JobResultsQuery, unknown> = z.strictObject({
  from: wholeNumberParameter(0, JOB_PLOTS_MAX).default(0).describe("Number of the first plot, from 0"),
  limit: wholeNumberParameter(1, JOB_RESULTS_MAX).default(JOB_RESULTS_MAX).describe("Most lines"),
});

export const jobSchema: z.ZodType<Job> = z.strictObject({
  id: z.string(),
  status: z.enum(["queued", "running", "paused", "done", "cancelled"]),
  paused_reason: z
    .enum([
      "quota_exceeded",
      "subscription_inactive",
      "key_revoked",
      "key_expired",
      "storage_unavailable",
      "edition_missing",
    ])
    .exactOptional(),
  plots: z.int(),
  answered: z.int(),
  invalid: z.int(),
  degraded: z.int(),
  charged: z.int(),
  created_at: instantSchema,
  finished_at: instantSchema.nullable(),
  expires_at: instantSchema,
  ruleset: z.strictObject({ name: z.string().nullable(), version: z.int().nullable(), digest: z.string() }),
  editions: z.array(z.strictObject({ source_name: z.string(), edition: z.string() })),
  evaluated_at: instantSchema,
  reference_id: z.string().nullable(),
});

export const jobResponseSchema: z.ZodType<JobResponse> = z.strictObject({ data: jobSchema });

export const jobsResponseSchema: z.ZodType<JobsResponse> = z.strictObject({
  data: z.strictObject({ items: z.array(jobSchema), pagination: paginationSchema }),
});

const lineShape = {
  number: z.int().describe("Place of the plot in the upload, from 0"),
  id: z.union([z.string(), z.number()]).nullable(),
};

export const jobResultSchema: z.ZodType<JobResult> = z.union([
  z.strictObject({
    ...lineShape,
    status: z.literal("answered"),
    decision_id: z.string(),
    response: evaluateResponseSchema,
  }),
  z.strictObject({
    ...lineShape,
    status: z.enum(["invalid", "degraded"]),
    error: z.strictObject({ code: z.string(), message: z.string(), errors: z.array(faultSchema) }),
  }),
  z.strictObject({
    ...lineShape,
    status: z.enum(["erased", "cancelled"]),
    decision_id: z.string().exactOptional(),
  }),
]);
