import type { JobPausedReason } from "@groundrule/contract";
import type { JobStanding, StoredJob } from "../store/port/jobs.ts";
import type { Store, StoredApiKey } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { type JobPorts, JobRun, type RunEnd, type RunSettings } from "./run-job.ts";

export interface JobRunnerPorts extends JobPorts {
  /** Names this process among those that share the store; never the same twice. */
  readonly owner: string;
  /** Hears what becomes of jobs. */
  readonly onEvent: (event: JobEvent) => void;
  /** Hears of our own errors. */
  readonly report: (error: unknown) => void;
}

/** A step in the life of a job, for the log. */
export interface JobEvent {
  readonly jobId: string;
  readonly organization: string;
  readonly mode: string;
  readonly event: "started" | "resumed" | RunEnd["state"];
  /** Why it is paused. */
  readonly reason?: string;
}

export interface JobSettings extends RunSettings {
  /** Jobs that this process runs at once. */
  readonly atOnce: number;
  /** How long a job belongs to a process that is heard of no more, milliseconds. */
  readonly leaseMs: number;
  /** How often the store is asked for jobs to run, milliseconds. */
  readonly lookMs: number;
  /** How often it is asked whether paused jobs can go on, and whether the key of a running one is in force, milliseconds. */
  readonly examineMs: number;
  /** How often uploads of jobs that have ended or expired are looked for, milliseconds: they go within a minute. */
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
  /** Looks for jobs now: one was made, or can go on. */
  wake(): void;
  /** Runs a job no further: it has ended. */
  drop(jobId: string): void;
  /** What it does now, for metrics. */
  standing(): JobRunnerStanding;
  /** Takes no more jobs, lets plots under way end, and gives every lease back. */
  stop(): Promise<void>;
}

/**
 * Runs the jobs of a store, a few at a time, beside other processes that do: each job belongs to one of them at a time,
 * by a lease. What a process leaves behind, another finds when the lease is over.
 */
export function startJobRunner(ports: JobRunnerPorts, given: Partial<JobSettings> = {}): JobRunner {
  const runner = new Runner(ports, { ...DEFAULT_JOBS, ...given });
  const running = [runner.takeJobs(), runner.examinePaused(), runner.tidy()];
  return {
    wake: () => runner.wake(),
    drop: (jobId) => runner.drop(jobId),
    standing: () => ({ running: runner.running, events: runner.events }),
    stop: async () => {
      runner.stop();
      await Promise.all(running);
    },
  };
}

export interface JobRunnerStanding {
  /** Jobs that this process runs. */
  readonly running: number;
  /** How often a job of this process came to that. */
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
    // One process serves a file.
    const isAlone = store.kind === "sqlite";
    while (!this.#stopping.signal.aborted) {
      const isFull = this.#runs.size >= atOnce;
      const job = isFull ? undefined : await this.#try(() => store.claimJob({ owner, leaseMs, isAlone }));
      if (job === undefined) await Promise.race([this.#pause(lookMs), this.#woken()]);
      // One that runs here already: its lease was over because this process was halted, and is now renewed.
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
        const obstacle = await this.#try(async () => (await obstacleOf(store, job)) ?? "none");
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

  /** When a job was paused here for want of storage or an edition; nothing tells when those are back. */
  readonly #pausedMs = new Map<string, number>();

  /** Whether a job that met no obstacle is tried again now. */
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

  /** Undefined where what is stored of it cannot be read: its lease then stands until it is over. */
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
      // A bug, or a store that reads nothing: the job is left to whoever finds the lease over.
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

  /** Keeps the lease, and ends the run where it is lost or the key of the job is no longer in force. */
  async #watch(job: StoredJob, run: JobRun, signal: AbortSignal): Promise<void> {
    const { store, owner } = this.#ports;
    const { leaseMs, examineMs } = this.#settings;
    const ended = new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    let renewedMs = performance.now();
    while (!signal.aborted) {
      const obstacle = await this.#try(async () => (await keyObstacleOf(store, job)) ?? "none");
      if (obstacle !== undefined && obstacle !== "none") run.stop({ state: "paused", reason: obstacle });
      if (performance.now() - renewedMs > leaseMs / 3) {
        const isOurs = await this.#try(() => store.renewJob({ jobId: job.id, owner, leaseMs }));
        if (isOurs === true) renewedMs = performance.now();
        else if (isOurs === false) run.stop({ state: "queued" });
      }
      await Promise.race([this.#ports.sleep(examineMs), ended]);
    }
  }

  /** Undefined where the store does not answer; it is asked again later. */
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

/** How soon a job is tried again that waits for storage or an edition. */
const TRY_AGAIN_MS = 10_000;

type ObstacleStore = Pick<Store, "listApiKeys" | "openGate">;

/**
 * What keeps a job from being charged now; undefined where nothing does. A key that was rotated is followed by its
 * successors.
 *
 * Fails: as the store does.
 */
async function obstacleOf(
  store: ObstacleStore,
  job: Pick<JobStanding, "scope" | "apiKeyId">,
): Promise<JobPausedReason | undefined> {
  const ofKey = await keyObstacleOf(store, job);
  if (ofKey !== undefined) return ofKey;
  const gate = await store.openGate({ scope: job.scope, key: null });
  if (gate === undefined || gate.subscription !== "active") return "subscription_inactive";
  return gate.period.used >= gate.period.quota ? "quota_exceeded" : undefined;
}

/** The part of {@link obstacleOf} that no charge tells of. */
async function keyObstacleOf(
  store: Pick<Store, "listApiKeys">,
  { scope, apiKeyId }: Pick<JobStanding, "scope" | "apiKeyId">,
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
