import type { JobPausedReason, JobStatus } from "@groundrule/contract";
import type { PeriodUsage } from "../../ledger/arbitrate.ts";
import type { HoldingExcess } from "../../ledger/holdings.ts";
import type { Scope } from "../../ledger/scope.ts";
import type { SubscriptionStatus } from "../../ledger/subscription.ts";

/**
 * Jobs: verdicts on many plots, asked for at once and charged one by one.
 *
 * What is answered is known from the idempotency keys of the plots (`jobKey`), in whatever state they are: a plot
 * whose key is stored is never evaluated for a charge again. Answers are those of the decisions.
 */
export interface JobReads {
  /** One that has expired too, without its texts: then `nowMs` is not before `expiresAtMs`. */
  findJob(question: { readonly scope: Scope; readonly jobId: string }): Promise<StoredJob | undefined>;
  /** The one that was created under an idempotency key, also when it has expired. */
  findJobByKey(question: {
    readonly scope: Scope;
    readonly idempotencyKey: string;
  }): Promise<JobStanding | undefined>;
  /** Newest first, without those that have expired. */
  listJobs(question: {
    readonly scope: Scope;
    /** From 1. */
    readonly page: number;
    readonly pageSize: number;
  }): Promise<{ readonly items: readonly JobStanding[]; readonly totalCount: number }>;
  /** Of every organization, those that are paused and have not expired, oldest first. */
  pausedJobs(question: object): Promise<readonly JobStanding[]>;
  /**
   * Plots that are neither answered nor noted as refused or degraded, in order, from the one after `after`.
   *
   * Fails: `STORAGE_UNAVAILABLE` where an upload is not the one that was sent.
   */
  pendingJobPlots(question: {
    readonly jobId: string;
    /** A plot's number; -1: from the first. */
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly JobPlot[]>;
  /**
   * Lines in order from the plot of number `from` up to the first that has none yet; in a job that has ended all have
   * one. Fewer than `limit` where they are long (8 MiB) or the job holds no more. Undefined for an unknown job, no
   * lines of one that has expired.
   */
  listJobResults(question: {
    readonly scope: Scope;
    readonly jobId: string;
    readonly from: number;
    readonly limit: number;
  }): Promise<{ readonly job: JobStanding; readonly lines: readonly JobResultRow[] } | undefined>;
  /** JSON texts that tell the editions which unfinished jobs are pinned to. */
  pinnedEditions(question: object): Promise<readonly string[]>;
}

export interface JobWrites {
  /** First step of {@link JobStore.createJob}. */
  beginJob(
    input: Omit<NewJob, "plots"> & {
      /** That the job counts for among what its scope holds. */
      readonly bytes: number;
    },
  ): Promise<CreatedJob | { readonly kind: "begun" }>;
  /** Writes plots of a job that was begun, and that nobody sees yet. */
  addJobPlots(input: {
    readonly jobId: string;
    /** Number of the first. */
    readonly from: number;
    readonly lot: readonly NewJobPlot[];
  }): Promise<void>;
  /** Last step: the job and all its plots are there. */
  openJob(
    input: Omit<NewJob, "plots"> & {
      /** How many were written. */
      readonly plots: number;
    },
  ): Promise<CreatedJob>;
  /**
   * Ends a job that is unfinished; what was charged stays. Nothing is charged for it once this resolves. Undefined
   * for an unknown one.
   */
  cancelJob(input: { readonly scope: Scope; readonly jobId: string }): Promise<JobStanding | undefined>;
  /**
   * Takes an unfinished job, neither paused nor expired, whose lease is free or over: of the organization whose turn
   * was longest ago. It is then `running`.
   */
  claimJob(input: {
    readonly owner: string;
    readonly leaseMs: number;
    /** Whether nobody else serves the store: then every other owner is gone, and its leases are over. Default false. */
    readonly isAlone?: boolean;
  }): Promise<StoredJob | undefined>;
  /** False where the job is no longer the owner's: it ended, or another has taken it. */
  renewJob(input: {
    readonly jobId: string;
    readonly owner: string;
    readonly leaseMs: number;
  }): Promise<boolean>;
  /**
   * Ends a lease. A job that is `done` has a line for each plot.
   *
   * @returns false where the job was no longer the owner's; nothing happened then
   */
  releaseJob(
    input: { readonly jobId: string; readonly owner: string } & (
      | { readonly state: "done" | "queued" }
      | { readonly state: "paused"; readonly reason: JobPausedReason }
    ),
  ): Promise<boolean>;
  /** Queues a paused job again. False where it is not paused. */
  resumeJob(input: { readonly jobId: string }): Promise<boolean>;
  /**
   * Notes how often plots were tried, and what is final of those that get no verdict. What was answered, noted or
   * ended meanwhile stays as it is.
   */
  noteJobLines(input: { readonly jobId: string; readonly lines: readonly NewJobLine[] }): Promise<void>;
  /**
   * Takes a step in deleting the plots that were sent with jobs which have ended, done or cancelled: their lines stay
   * until they expire.
   *
   * @returns whether there is more to delete
   */
  shedUploads(input: object): Promise<{ readonly remains: boolean }>;
  /**
   * Takes a step in deleting the uploads and error lines of expired jobs, and what was staged and never opened.
   *
   * @returns whether there is more to delete
   */
  expireJobs(input: object): Promise<{ readonly remains: boolean }>;
}

/** What takes several transactions. */
export interface JobStore {
  /**
   * Writes a job and its plots. They are written aside, and are there all at once and durably when this resolves; a
   * charge in the meantime waits for a few hundred plots at most.
   */
  createJob(input: NewJob): Promise<CreatedJob>;
}

export interface NewJob {
  /** Chosen by the asker: `job_` and 32 hex digits. */
  readonly id: string;
  readonly scope: Scope;
  readonly apiKeyId: string;
  readonly idempotencyKey: string;
  /** What makes two uploads the same. */
  readonly fingerprint: string;
  /** Of a saved ruleset. */
  readonly rulesetName: string | null;
  readonly rulesetVersion: number | null;
  /** As verdicts carry it. */
  readonly rulesetDigest: string;
  /** JSON texts: what every plot is judged by. */
  readonly ruleset: string;
  readonly options: string;
  readonly editions: string;
  readonly groups: string;
  readonly live: string;
  readonly referenceId: string | null;
  /** The instant that verdicts are of; default the store's time. */
  readonly evaluatedAtMs?: number;
  /** At least one. Their numbers are their places. */
  readonly plots: readonly NewJobPlot[];
  /** Most unfinished jobs of the scope. Default 2. */
  readonly unfinishedLimit?: number;
  /** Most bytes of jobs that the scope may hold, this one included. Default that of {@link DEFAULT_HOLDING_LIMITS}. */
  readonly bytesLimit?: number;
}

export type NewJobPlot =
  | {
      readonly id: string | number;
      /** JSON of what the plot is evaluated on. */
      readonly input: string;
    }
  /** One that is never evaluated; JSON of what is told of it. */
  | { readonly id: string | number; readonly error: string };

export type CreatedJob =
  | { readonly kind: "created"; readonly job: StoredJob }
  /** The same was sent under this key before; `conflict`: another. The job may have expired. */
  | { readonly kind: "met" | "conflict"; readonly job: StoredJob }
  | { readonly kind: "limit"; readonly unfinished: number }
  | { readonly kind: "held"; readonly excess: HoldingExcess }
  /** Nothing could be charged for it now. */
  | { readonly kind: "inactive"; readonly subscription: Exclude<SubscriptionStatus, "active"> }
  | { readonly kind: "over-quota"; readonly period: PeriodUsage; readonly nowMs: number };

/** What a job is, without the texts that its plots are judged by. */
export interface JobStanding
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
  /** Where it is paused. */
  readonly pausedReason: JobPausedReason | null;
  readonly plots: number;
  /** Plots with a decision, each of one unit. */
  readonly answered: number;
  readonly invalid: number;
  readonly degraded: number;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  readonly expiresAtMs: number;
  /** The store's time when this was read. */
  readonly nowMs: number;
}

/** A job; its texts are empty once it has expired. */
export interface StoredJob extends JobStanding, Pick<NewJob, "ruleset" | "options" | "groups" | "live"> {}

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
  /** Absent where the plot is tried again. */
  readonly failure?: {
    readonly status: "invalid" | "degraded";
    /** JSON of what is told of it. */
    readonly error: string;
  };
}

/** A plot, and what became of it. */
export type JobResultRow = {
  readonly number: number;
  /** Null once erased. */
  readonly id: string | number | null;
} & (
  | { readonly status: "answered"; readonly decisionId: string; readonly response: string }
  | { readonly status: "invalid" | "degraded"; readonly error: string }
  /** Answered, and the answer is erased since; without a decision: an error line that is. */
  | { readonly status: "erased"; readonly decisionId: string | null }
  | { readonly status: "cancelled" }
);
