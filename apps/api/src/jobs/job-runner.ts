import type { JobPausedReason } from "@groundrule/contract";
import type { JobSummary, StoredJob } from "../store/port/jobs.ts";
import type { Store, StoredApiKey } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { type JobPorts, JobRun, type RunEnd, type RunSettings } from "./run-job.ts";

export interface JobRunnerPorts extends JobPorts {
  /** Unique id of this process among those that share the store. */
  readonly owner: string;
  /** Called with each event in the life of a job. */
  readonly onEvent: (event: JobEvent) => void;
  /** Called with errors that are bugs of the service. */
  readonly report: (error: unknown) => void;
}

/** An event in the life of a job, for the log. */
export interface JobEvent {
  readonly jobId: string;
  readonly organization: string;
  readonly mode: string;
  readonly event: "started" | "resumed" | RunEnd["state"];
  /** The reason, for a paused job. */
  readonly reason?: string;
}

export interface JobSettings extends RunSettings {
  /** Maximum jobs that this process runs at once. */
  readonly atOnce: number;
  /** How long a job's lease lasts after its process last renewed it, milliseconds. */
  readonly leaseMs: number;
  /** Interval between queries for jobs to run, milliseconds. */
  readonly lookMs: number;
  /**
   * Interval between checks that paused jobs can resume and that the keys of running jobs are in force, milliseconds.
   */
  readonly examineMs: number;
  /** Interval between searches for uploads of ended or expired jobs, milliseconds; they are deleted within a minute. */
  readonly tidyMs: number;
}

export const DEFAULT_JOBS: JobSettings = {
  atOnce: 2,
  underWay: 4,
  leaseMs: 6_000,
  lookMs: 1_000,
  examineMs: 1_000,
  tidyMs: 30_000,
  retryAfterMs: [2_000, 10_000],
  storageRetryMs: [250, 1_000, 4_000],
};

export interface JobRunner {
  /** Looks for jobs now: call it when a job was created or can resume. */
  wake(): void;
  /** Stops running a job that has ended. */
  drop(jobId: string): void;
  /** The runner's current figures, for metrics. */
  figures(): JobRunnerFigures;
  /** Takes no more jobs, lets plots in progress finish, and releases every lease. */
  stop(): Promise<void>;
}

/**
 * Runs the jobs of a store, a few at a time, together with other processes that share it: a lease gives each job to one
 * process at a time. When a process dies, another takes its jobs once their leases end.
 */
export function startJobRunner(ports: JobRunnerPorts, settings: Partial<JobSettings> = {}): JobRunner {
  const runner = new Runner(ports, { ...DEFAULT_JOBS, ...settings });
  const running = [runner.takeJobs(), runner.examinePaused(), runner.tidy()];
  return {
    wake: () => runner.wake(),
    drop: (jobId) => runner.drop(jobId),
    figures: () => ({ running: runner.running, events: runner.events }),
    stop: async () => {
      runner.stop();
      await Promise.all(running);
    },
  };
}

export interface JobRunnerFigures {
  /** Number of jobs that this process runs. */
  readonly running: number;
  /** Number of events of each kind in this process. */
  readonly events: ReadonlyMap<JobEvent["event"], number>;
}

class Runner {
  readonly events = new Map<JobEvent["event"], number>();
  readonly #ports: JobRunnerPorts;
  readonly #settings: JobSettings;
  readonly #runs = new Map<string, { readonly run: JobRun; readonly ended: Promise<void> }>();
  readonly #stopping = new AbortController();
  #waking: (() => void) | undefined;

  constructor(ports: JobRunnerPorts, settings: JobSettings) {
    this.#ports = ports;
    this.#settings = settings;
  }

  wake(): void {
    this.#waking?.();
  }

  get running(): number {
    return this.#runs.size;
  }

  drop(jobId: string): void {
    this.#runs.get(jobId)?.run.stop({ state: "queued" });
  }

  stop(): void {
    this.#stopping.abort();
    this.wake();
    for (const { run } of this.#runs.values()) run.stop({ state: "queued" });
  }

  async takeJobs(): Promise<void> {
    const { store, owner } = this.#ports;
    const { atOnce, leaseMs, lookMs } = this.#settings;
    // A SQLite file is served by one process only.
    const isAlone = store.kind === "sqlite";
    while (!this.#stopping.signal.aborted) {
      const isFull = this.#runs.size >= atOnce;
      const job = isFull ? undefined : await this.#try(() => store.claimJob({ owner, leaseMs, isAlone }));
      if (job === undefined) await Promise.race([this.#pause(lookMs), this.#woken()]);
      // The job already runs here: its lease ended while this process was suspended, and is renewed now.
      else if (!this.#runs.has(job.id)) this.#begin(job);
    }
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
  }

  async examinePaused(): Promise<void> {
    const { store } = this.#ports;
    while (!this.#stopping.signal.aborted) {
      const jobs = (await this.#try(() => store.pausedJobs({}))) ?? [];
      for (const job of jobs) {
        if (this.#stopping.signal.aborted) return;
        const obstacle = await this.#try(async () => (await findChargeObstacle(store, job)) ?? "none");
        if (obstacle !== "none" || !this.#mayResume(job.id, job.pausedReason)) continue;
        if ((await this.#try(() => store.resumeJob({ jobId: job.id }))) === true) {
          this.#tell(job, { event: "resumed" });
          this.wake();
        }
      }
      await this.#pause(this.#settings.examineMs);
    }
  }

  async tidy(): Promise<void> {
    const { store } = this.#ports;
    while (!this.#stopping.signal.aborted) {
      const shed = await this.#try(() => store.shedUploads({}));
      const expired = await this.#try(() => store.expireJobs({}));
      if (shed?.remains !== true && expired?.remains !== true) await this.#pause(this.#settings.tidyMs);
    }
  }

  /** When this process paused a job for lack of storage or an edition; no event reports their return. */
  readonly #pausedMs = new Map<string, number>();

  /** True if a job without an obstacle is to be tried again now. */
  #mayResume(jobId: string, reason: string | null): boolean {
    if (reason !== "storage_unavailable" && reason !== "edition_missing") return true;
    const pausedMs = this.#pausedMs.get(jobId);
    if (pausedMs !== undefined && performance.now() - pausedMs < TRY_AGAIN_MS) return false;
    this.#pausedMs.delete(jobId);
    return true;
  }

  #begin(job: StoredJob): void {
    const run = this.#open(job);
    if (run === undefined) return;
    this.#tell(job, { event: "started" });
    const ended = this.#run(job, run).finally(() => {
      this.#runs.delete(job.id);
      this.wake();
    });
    this.#runs.set(job.id, { run, ended });
    if (this.#stopping.signal.aborted) run.stop({ state: "queued" });
  }

  /** Undefined if the stored job cannot be read: its lease then stays until it ends. */
  #open(job: StoredJob): JobRun | undefined {
    try {
      return new JobRun(job, this.#ports, this.#settings);
    } catch (error) {
      this.#ports.report(error);
      return undefined;
    }
  }

  async #run(job: StoredJob, run: JobRun): Promise<void> {
    const { store, owner, report } = this.#ports;
    const watching = new AbortController();
    const watched = this.#watch(job, run, watching.signal);
    let end: RunEnd = { state: "queued" };
    try {
      end = await run.run();
    } catch (error) {
      // A bug, or a store that cannot be read: another process takes the job when the lease ends.
      report(error);
      await this.#pause(this.#settings.leaseMs / 3);
    } finally {
      watching.abort();
      await watched;
    }
    if (end.state === "paused") this.#pausedMs.set(job.id, performance.now());
    const released = await this.#try(() => store.releaseJob({ jobId: job.id, owner, ...end }));
    if (released === true) {
      this.#tell(job, { event: end.state, ...(end.state === "paused" && { reason: end.reason }) });
    }
  }

  /** Renews the lease; ends the run if the lease is lost or the job's key is no longer in force. */
  async #watch(job: StoredJob, run: JobRun, signal: AbortSignal): Promise<void> {
    const { store, owner } = this.#ports;
    const { leaseMs, examineMs } = this.#settings;
    const ended = new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    let renewedMs = performance.now();
    while (!signal.aborted) {
      const obstacle = await this.#try(async () => (await findKeyObstacle(store, job)) ?? "none");
      if (obstacle !== undefined && obstacle !== "none") run.stop({ state: "paused", reason: obstacle });
      if (performance.now() - renewedMs > leaseMs / 3) {
        const isOurs = await this.#try(() => store.renewJob({ jobId: job.id, owner, leaseMs }));
        if (isOurs === true) renewedMs = performance.now();
        else if (isOurs === false) run.stop({ state: "queued" });
      }
      await Promise.race([this.#ports.sleep(examineMs), ended]);
    }
  }

  /** Undefined if the store does not respond; the call is repeated later. */
  async #try<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreError)) this.#ports.report(error);
      return undefined;
    }
  }

  #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener("abort", end);
        resolve();
      };
      signal.addEventListener("abort", end);
      void this.#ports.sleep(milliseconds).then(end);
    });
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#waking = resolve;
    });
  }

  #tell(job: Pick<StoredJob, "id" | "scope">, event: Pick<JobEvent, "event" | "reason">): void {
    const { organization, mode } = job.scope;
    this.events.set(event.event, (this.events.get(event.event) ?? 0) + 1);
    this.#ports.onEvent({ jobId: job.id, organization, mode, ...event });
  }
}

/** How soon a job that lacks storage or an edition is tried again. */
const TRY_AGAIN_MS = 10_000;

type ObstacleStore = Pick<Store, "listApiKeys" | "openGate">;

/**
 * The reason why a job cannot be charged now; undefined if it can. A key that was rotated is followed by its
 * successors.
 *
 * Fails: as the store does.
 */
async function findChargeObstacle(
  store: ObstacleStore,
  job: Pick<JobSummary, "scope" | "apiKeyId">,
): Promise<JobPausedReason | undefined> {
  const ofKey = await findKeyObstacle(store, job);
  if (ofKey !== undefined) return ofKey;
  const gate = await store.openGate({ scope: job.scope, key: null });
  if (gate === undefined || gate.subscription !== "active") return "subscription_inactive";
  return gate.period.used >= gate.period.quota ? "quota_exceeded" : undefined;
}

/** The part of {@link findChargeObstacle} that no charge tells of. */
async function findKeyObstacle(
  store: Pick<Store, "listApiKeys">,
  { scope, apiKeyId }: Pick<JobSummary, "scope" | "apiKeyId">,
): Promise<"key_revoked" | "key_expired" | undefined> {
  const keys = await store.listApiKeys({ organization: scope.organization });
  const byId = new Map(keys.map((key) => [key.id, key]));
  // A chain is as long as there are keys, at most.
  let key: StoredApiKey | undefined = byId.get(apiKeyId);
  for (let left = keys.length; left > 0 && key !== undefined; left--) {
    if (key.revokedAtMs !== null) return "key_revoked";
    if (key.expiresAtMs === null || key.nowMs < key.expiresAtMs) return undefined;
    if (key.successorId === null) return "key_expired";
    key = byId.get(key.successorId);
  }
  return "key_revoked";
}
