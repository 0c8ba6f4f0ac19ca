import type { Fault, Pagination } from "./shared.ts";
import type { EvaluateResponse, EvaluationTerms } from "./verdict.ts";

/** Plots as GeoJSON: what is wrong with one of its features is told of that one. */
export interface PlotCollection {
  readonly type: "FeatureCollection";
  /** The plots, each a Feature. */
  readonly features: readonly unknown[];
  /** CRS of the positions in the manner before RFC 7946. */
  readonly crs?: unknown;
}

/** Body of `POST /v1/jobs`: at most 10,000 plots and 10 MiB. */
export type CreateJobBody = EvaluationTerms & {
  /** The plots, a GeoJSON FeatureCollection. */
  readonly plots: PlotCollection;
};

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

/** A plot whose answer is erased, or one that was not answered before the job was cancelled. */
export interface JobNothing extends JobLine {
  /** `erased`: its answer is gone; `cancelled`: nobody looked at it. */
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
