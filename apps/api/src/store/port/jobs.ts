import type { JobPausedReason, JobStatus } from "@groundrule/contract";
import type { PeriodUsage } from "../../ledger/arbitrate.ts";
import type { HoldingExcess } from "../../ledger/holdings.ts";
import type { Scope } from "../../ledger/scope.ts";
import type { SubscriptionStatus } from "../../ledger/subscription.ts";

/**
 * Jobs: verdicts on many plots, uploaded at once and charged one by one.
 *
 * The idempotency keys of the plots (`formatJobKey`), in any state, record which are answered: a plot whose key is stored is
 * never evaluated for a charge again. Answers are those of the decisions.
 */
export interface JobReads {
  /** Also finds an expired job, without its texts: then `nowMs` is not before `expiresAtMs`. */
  findJob(question: { readonly scope: Scope; readonly jobId: string }): Promise<StoredJob | undefined>;
  /** Finds the job created under an idempotency key, even if it has expired. */
  findJobByKey(question: {
    readonly scope: Scope;
    readonly idempotencyKey: string;
  }): Promise<JobSummary | undefined>;
  /** Newest first, without expired jobs. */
  listJobs(question: {
    readonly scope: Scope;
    /** From 1. */
    readonly page: number;
    readonly pageSize: number;
  }): Promise<{ readonly items: readonly JobSummary[]; readonly totalCount: number }>;
  /** Paused jobs of all organizations that have not expired, oldest first. */
  pausedJobs(question: object): Promise<readonly JobSummary[]>;
  /**
   * Plots that are not answered and not recorded as refused or degraded, in order, after number `after`.
   *
   * Fails: `STORAGE_UNAVAILABLE` if a stored upload differs from the one that was sent.
   */
  pendingJobPlots(question: {
    readonly jobId: string;
    /** A plot's number; -1 to start with the first. */
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly JobPlot[]>;
  /**
   * Lines in order from plot number `from` up to the first plot without a line; in an ended job every plot has one.
   * Fewer than `limit` if the lines are long (8 MiB) or the job has no more. Undefined for an unknown job; no lines for
   * an expired one.
   */
  listJobResults(question: {
    readonly scope: Scope;
    readonly jobId: string;
    readonly from: number;
    readonly limit: number;
  }): Promise<{ readonly job: JobSummary; readonly lines: readonly JobResultRow[] } | undefined>;
  /** JSON texts of the editions that unfinished jobs are pinned to. */
  pinnedEditions(question: object): Promise<readonly string[]>;
}

export interface JobWrites {
  /** First step of {@link JobStore.createJob}. */
  beginJob(
    input: Omit<NewJob, "plots"> & {
      /** Bytes that the job counts for among its scope's holdings. */
      readonly bytes: number;
    },
  ): Promise<CreatedJob | { readonly kind: "begun" }>;
  /** Writes plots of a job that was begun and is not visible yet. */
  addJobPlots(input: {
    readonly jobId: string;
    /** Number of the first plot. */
    readonly from: number;
    readonly batch: readonly NewJobPlot[];
  }): Promise<void>;
  /** Last step: makes the job and all its plots visible. */
  openJob(
    input: Omit<NewJob, "plots"> & {
      /** Number of plots that were written. */
      readonly plots: number;
    },
  ): Promise<CreatedJob>;
  /**
   * Ends an unfinished job; charges made so far stay. Nothing is charged for it once this resolves. Undefined for an
   * unknown job.
   */
  cancelJob(input: { readonly scope: Scope; readonly jobId: string }): Promise<JobSummary | undefined>;
  /**
   * Claims an unfinished job, neither paused nor expired, whose lease is free or has ended, from the organization that
   * has waited longest for a turn. The job is then `running`.
   */
  claimJob(input: {
    readonly owner: string;
    readonly leaseMs: number;
    /**
     * True if no other process serves the store: then every other owner is gone and its leases are over. Default false.
     */
    readonly isAlone?: boolean;
  }): Promise<StoredJob | undefined>;
  /** False if the owner has lost the job: it ended, or another process has claimed it. */
  renewJob(input: {
    readonly jobId: string;
    readonly owner: string;
    readonly leaseMs: number;
  }): Promise<boolean>;
  /**
   * Ends a lease. A job that is `done` has a line for each plot.
   *
   * @returns false if the owner had already lost the job; nothing was changed then
   */
  releaseJob(
    input: { readonly jobId: string; readonly owner: string } & (
      | { readonly state: "done" | "queued" }
      | { readonly state: "paused"; readonly reason: JobPausedReason }
    ),
  ): Promise<boolean>;
  /** Queues a paused job again. False if it is not paused. */
  resumeJob(input: { readonly jobId: string }): Promise<boolean>;
  /**
   * Records how often plots were tried, and the final result of those without a verdict. Plots that were answered,
   * recorded or ended in the meantime stay as they are.
   */
  noteJobLines(input: { readonly jobId: string; readonly lines: readonly NewJobLine[] }): Promise<void>;
  /**
   * Deletes a batch of the uploaded plots of ended jobs, done or cancelled: their lines stay until they expire.
   *
   * @returns true if there is more to delete
   */
  shedUploads(input: object): Promise<{ readonly remains: boolean }>;
  /**
   * Deletes a batch of the uploads and error lines of expired jobs, and of staged jobs that were never opened.
   *
   * @returns true if there is more to delete
   */
  expireJobs(input: object): Promise<{ readonly remains: boolean }>;
}

/** Operations that take several transactions. */
export interface JobStore {
  /**
   * Writes a job and its plots. They are staged, and become visible all at once and durably when this resolves; a
   * concurrent charge waits for a few hundred plots at most.
   */
  createJob(input: NewJob): Promise<CreatedJob>;
}

export interface NewJob {
  /** Chosen by the caller: `job_` and 32 hex digits. */
  readonly id: string;
  readonly scope: Scope;
  readonly apiKeyId: string;
  readonly idempotencyKey: string;
  /** Identifies equal uploads. */
  readonly fingerprint: string;
  /** Name of a saved ruleset. */
  readonly rulesetName: string | null;
  readonly rulesetVersion: number | null;
  /** The digest as in verdicts. */
  readonly rulesetDigest: string;
  /** JSON texts of the terms under which every plot is evaluated. */
  readonly ruleset: string;
  readonly options: string;
  readonly editions: string;
  readonly groups: string;
  readonly live: string;
  readonly referenceId: string | null;
  /** The instant of the verdicts; default the store's time. */
  readonly evaluatedAtMs?: number;
  /** At least one. A plot's number is its place. */
  readonly plots: readonly NewJobPlot[];
  /** Maximum unfinished jobs of the scope. Default 2. */
  readonly unfinishedLimit?: number;
  /** Maximum bytes of the scope's jobs, including this one. Default that of {@link DEFAULT_HOLDING_LIMITS}. */
  readonly bytesLimit?: number;
}

export type NewJobPlot =
  | {
      readonly id: string | number;
      /** JSON of the evaluation's input for the plot. */
      readonly input: string;
    }
  /** A plot that is never evaluated, with the JSON of its error line. */
  | { readonly id: string | number; readonly error: string };

export type CreatedJob =
  | { readonly kind: "created"; readonly job: StoredJob }
  /** `met`: the same job was sent under this key before; `conflict`: a different one. The job may have expired. */
  | { readonly kind: "met" | "conflict"; readonly job: StoredJob }
  | { readonly kind: "limit"; readonly unfinished: number }
  | { readonly kind: "held"; readonly excess: HoldingExcess }
  /** Nothing could be charged for the job now. */
  | { readonly kind: "inactive"; readonly subscription: Exclude<SubscriptionStatus, "active"> }
  | { readonly kind: "over-quota"; readonly period: PeriodUsage; readonly nowMs: number };

/** A job without its stored terms. */
export interface JobSummary
  extends Pick<
    NewJob,
    | "id"
    | "scope"
    | "apiKeyId"
    | "idempotencyKey"
    | "fingerprint"
    | "rulesetName"
    | "rulesetVersion"
    | "rulesetDigest"
    | "editions"
    | "referenceId"
  > {
  readonly evaluatedAtMs: number;
  readonly state: JobStatus;
  /** Set if the job is paused. */
  readonly pausedReason: JobPausedReason | null;
  readonly plots: number;
  /** Number of plots with a decision, each of one unit. */
  readonly answered: number;
  readonly invalid: number;
  readonly degraded: number;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  readonly expiresAtMs: number;
  /** The store's time when this was read. */
  readonly nowMs: number;
}

/** A job with its terms, which are empty once it has expired. */
export interface StoredJob extends JobSummary, Pick<NewJob, "ruleset" | "options" | "groups" | "live"> {}

export interface JobPlot {
  /** From 0. */
  readonly number: number;
  readonly id: string | number;
  readonly input: string;
  readonly attempts: number;
}

export interface NewJobLine {
  readonly number: number;
  readonly attempts: number;
  /** Absent if the plot is to be tried again. */
  readonly failure?: {
    readonly status: "invalid" | "degraded";
    /** JSON of the error line. */
    readonly error: string;
  };
}

/** A plot and its result. */
export type JobResultRow = {
  readonly number: number;
  /** Null once erased. */
  readonly id: string | number | null;
} & (
  | { readonly status: "answered"; readonly decisionId: string; readonly response: string }
  | { readonly status: "invalid" | "degraded"; readonly error: string }
  /** The plot was answered and the answer has been erased since; without a decision, its error line was. */
  | { readonly status: "erased"; readonly decisionId: string | null }
  | { readonly status: "cancelled" }
);
