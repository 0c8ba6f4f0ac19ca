import {
  JOB_RETENTION_MS,
  JOB_UNFINISHED_MS,
  JOBS_UNFINISHED_MAX,
  type JobStatus,
} from "@groundrule/contract";
import type { Scope } from "../src/ledger/scope.ts";
import type { JobResultRow, NewJob, NewJobLine } from "../src/store/port/jobs.ts";

/** A job as the model has it: nothing is stored but what was done to it. */
export interface ModelJob {
  readonly sent: NewJob;
  readonly createdAtMs: number;
  readonly plots: ModelPlot[];
  state: JobStatus;
  owner: string | undefined;
  leaseUntilMs: number;
  turn: number;
  finishedAtMs: number | null;
  expiresAtMs: number;
  /** The plots that were sent are gone. */
  isShed: boolean;
}

interface ModelPlot {
  id: string | number | null;
  readonly input: string | null;
  error: string | null;
  status: "invalid" | "degraded" | null;
  attempts: number;
  isErased: boolean;
  decision: { readonly id: string; readonly atMs: number; isErased: boolean } | undefined;
}

/**
 * Jobs as they are meant to be, told as simply as can be: no keys, no rows, no locks. What the store does is compared
 * with it, step by step.
 */
export class JobModel {
  nowMs: number;
  readonly jobs: ModelJob[] = [];
  #turns = 0;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  isExpired(job: ModelJob): boolean {
    return this.nowMs >= job.expiresAtMs;
  }

  #isUnfinished(job: ModelJob): boolean {
    return job.finishedAtMs === null && !this.isExpired(job);
  }

  of(scope: Scope): readonly ModelJob[] {
    return this.jobs.filter(({ sent }) => isSame(sent.scope, scope));
  }

  create(sent: NewJob): string {
    const before = this.of(sent.scope).find((job) => job.sent.idempotencyKey === sent.idempotencyKey);
    if (before !== undefined) return before.sent.fingerprint === sent.fingerprint ? "met" : "conflict";
    const unfinished = this.of(sent.scope).filter((job) => this.#isUnfinished(job));
    if (unfinished.length >= JOBS_UNFINISHED_MAX) return "limit";
    this.jobs.push({
      sent,
      createdAtMs: this.nowMs,
      plots: sent.plots.map((plot) => ({
        id: plot.id,
        input: "error" in plot ? null : plot.input,
        error: "error" in plot ? plot.error : null,
        status: "error" in plot ? "invalid" : null,
        attempts: 0,
        isErased: false,
        decision: undefined,
      })),
      state: "queued",
      owner: undefined,
      leaseUntilMs: 0,
      turn: 0,
      finishedAtMs: null,
      expiresAtMs: this.nowMs + JOB_UNFINISHED_MS,
      isShed: false,
    });
    return "created";
  }

  charge(job: ModelJob, number: number, scope: Scope, decisionId: string): string {
    const plot = job.plots[number];
    if (!isSame(scope, job.sent.scope) || plot === undefined) return "withdrawn";
    if (plot.decision !== undefined) return "taken";
    if (plot.status !== null || !this.#isUnfinished(job)) return "withdrawn";
    plot.decision = { id: decisionId, atMs: this.nowMs, isErased: false };
    return "charged";
  }

  note(job: ModelJob, { number, attempts, failure }: NewJobLine): void {
    const plot = job.plots[number];
    if (plot === undefined || !this.#isUnfinished(job)) return;
    if (plot.decision !== undefined || plot.status !== null) return;
    Object.assign(plot, { attempts, status: failure?.status ?? null, error: failure?.error ?? null });
  }

  claim(owner: string, leaseMs: number): ModelJob | undefined {
    const turnOf = ({ sent }: ModelJob): number => {
      const own = this.jobs.filter((job) => job.sent.scope.organization === sent.scope.organization);
      return Math.max(...own.map(({ turn }) => turn));
    };
    const [next] = this.jobs
      .filter((job) => this.#isUnfinished(job) && job.state !== "paused")
      .filter((job) => job.owner === undefined || job.leaseUntilMs <= this.nowMs)
      .sort(
        (a, b) =>
          turnOf(a) - turnOf(b) ||
          a.turn - b.turn ||
          a.createdAtMs - b.createdAtMs ||
          (a.sent.id < b.sent.id ? -1 : 1),
      );
    if (next === undefined) return undefined;
    Object.assign(next, { state: "running", owner, leaseUntilMs: this.nowMs + leaseMs, turn: ++this.#turns });
    return next;
  }

  #holds(job: ModelJob, owner: string): boolean {
    return this.#isUnfinished(job) && job.state === "running" && job.owner === owner;
  }

  renew(job: ModelJob, owner: string, leaseMs: number): boolean {
    if (!this.#holds(job, owner)) return false;
    job.leaseUntilMs = this.nowMs + leaseMs;
    return true;
  }

  /** `refused`: it is not done. */
  release(job: ModelJob, owner: string, state: "done" | "queued" | "paused"): boolean | "refused" {
    if (!this.#holds(job, owner)) return false;
    if (state === "done") {
      if (job.plots.some(({ status, decision }) => status === null && decision === undefined))
        return "refused";
      this.#end(job, "done");
    } else {
      job.state = state;
    }
    job.owner = undefined;
    return true;
  }

  resume(job: ModelJob): boolean {
    if (!this.#isUnfinished(job) || job.state !== "paused") return false;
    job.state = "queued";
    return true;
  }

  cancel(job: ModelJob): void {
    if (this.#isUnfinished(job)) this.#end(job, "cancelled");
  }

  #end(job: ModelJob, state: "done" | "cancelled"): void {
    const expiresAtMs = this.isExpired(job) ? job.expiresAtMs : this.nowMs + JOB_RETENTION_MS;
    Object.assign(job, { state, owner: undefined, finishedAtMs: this.nowMs, expiresAtMs });
  }

  erase(organization: string, beforeMs: number): void {
    for (const job of this.jobs) {
      if (job.sent.scope.organization !== organization) continue;
      for (const { decision } of job.plots) {
        if (decision !== undefined && decision.atMs < beforeMs) decision.isErased = true;
      }
      if (job.createdAtMs >= beforeMs) continue;
      if (job.finishedAtMs === null) this.#end(job, "cancelled");
      for (const plot of job.plots) Object.assign(plot, { id: null, error: null, isErased: true });
    }
  }

  shed(): void {
    for (const job of this.jobs) job.isShed ||= job.finishedAtMs !== null;
  }

  pending(job: ModelJob): readonly number[] {
    if (job.isShed || job.plots.some(({ isErased }) => isErased)) return [];
    return job.plots.flatMap(({ status, decision }, number) =>
      status === null && decision === undefined ? [number] : [],
    );
  }

  /** The results that a reader sees, but for the texts of answers. */
  lines(job: ModelJob): readonly Omit<JobResultRow, "response">[] {
    if (this.isExpired(job)) return [];
    const lines: Omit<JobResultRow, "response">[] = [];
    for (const [number, { id, status, error, decision }] of job.plots.entries()) {
      if (decision !== undefined) {
        const outcome = decision.isErased ? "erased" : "answered";
        lines.push({ number, id, status: outcome, decisionId: decision.id } as (typeof lines)[number]);
      } else if (status !== null) {
        const erased = { number, id, status: "erased", decisionId: null } as const;
        lines.push(error === null ? erased : ({ number, id, status, error } as (typeof lines)[number]));
      } else if (job.finishedAtMs !== null) {
        lines.push({ number, id, status: "cancelled" });
      } else {
        break;
      }
    }
    return lines;
  }
}

function isSame(a: Scope, b: Scope): boolean {
  return a.organization === b.organization && a.mode === b.mode;
}
