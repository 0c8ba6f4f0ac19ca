import { EVIDENCE_DEFAULT, type JobPausedReason, JSON_TYPE, type Limits } from "@groundrule/contract";
import { DataError } from "@groundrule/node";
import type {
  AnsweredBody,
  BodyTask,
  EngineHost,
  PlainRefusal,
  SavedBody,
  SentBody,
} from "@groundrule/service";
import type { ChargeOutcome, Charging, Execution } from "../charging/charging.ts";
import { formatJobKey } from "../ledger/job-key.ts";
import type { JobPlot, NewJobLine, StoredJob } from "../store/port/jobs.ts";
import type { Store } from "../store/port/port.ts";
import { JobEngine, type OpenArchive } from "./job-engine.ts";
import { type JobTerms, readJobTerms } from "./job-terms.ts";
import { toDegradedError, toPlotError } from "./plot-errors.ts";

/** The part of the store that jobs need. */
export type JobRunStore = Pick<
  Store,
  | "claimJob"
  | "expireJobs"
  | "kind"
  | "listApiKeys"
  | "noteJobLines"
  | "openGate"
  | "pausedJobs"
  | "pendingJobPlots"
  | "releaseJob"
  | "renewJob"
  | "resumeJob"
  | "shedUploads"
>;

export interface JobPorts {
  readonly store: JobRunStore;
  readonly charging: Charging;
  readonly engine: Pick<EngineHost, "answer">;
  /** Absent: only the current editions can be used. */
  readonly openArchive?: OpenArchive | undefined;
  readonly engineVersion: string;
  readonly limits?: Limits | undefined;
  /** Resolves after that many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Called with the state of each source after an answer. */
  readonly onSources: (sources: AnsweredBody["sources"]) => void;
}

export interface RunSettings {
  /** Plots of a job that are evaluated at once. */
  readonly underWay: number;
  /** Waits before a plot's further attempts, milliseconds; attempts are one more than waits. */
  readonly retryAfterMs: readonly number[];
  /** Waits while the store takes no charges, milliseconds; the last one repeats. */
  readonly storageRetryMs: readonly number[];
}

/** The state in which a run leaves its job. */
export type RunEnd =
  | { readonly state: "done" }
  /** Left to another process, or to this one later. */
  | { readonly state: "queued" }
  | { readonly state: "paused"; readonly reason: JobPausedReason };

/** Plots read from the store at a time. */
const PAGE = 128;
/** Error lines written at a time. */
const NOTED = 64;

/**
 * Runs a job whose lease this process has: evaluates its pending plots in order, a few at a time, and charges each.
 *
 * The run may end at any moment, and two processes may run the same job: a plot's key is charged once and stays, and
 * everything else is read from the store again.
 */
export class JobRun {
  readonly #job: StoredJob;
  readonly #ports: JobPorts;
  readonly #settings: RunSettings;
  readonly #engine: JobEngine;
  readonly #taskOf: (plot: Pick<JobPlot, "input">) => BodyTask;
  readonly #stopping = new AbortController();
  #end: RunEnd | undefined;
  #lines: NewJobLine[] = [];
  /** True if some plots must be tried again. */
  #remains = false;
  #storageFailures = 0;

  constructor(job: StoredJob, ports: JobPorts, settings: RunSettings) {
    this.#job = job;
    this.#ports = ports;
    this.#settings = settings;
    const terms = readJobTerms(job);
    this.#engine = new JobEngine(terms, ports.engine, ports.openArchive);
    this.#taskOf = createPlotTaskBuilder(job, terms, ports);
  }

  /** Ends the run once the plots in progress have finished; plots not yet charged are not charged. */
  stop(end: RunEnd): void {
    this.#end ??= end;
    this.#stopping.abort();
  }

  /** Fails: as the store does, with `StoreError`, if it cannot be read; also on a bug of the service. */
  async run(): Promise<RunEnd> {
    try {
      for (const waitMs of [0, ...this.#settings.retryAfterMs]) {
        if (waitMs > 0) await this.#wait(waitMs);
        if (this.#end !== undefined) return this.#end;
        const remains = await this.#pass();
        if (this.#end !== undefined) return this.#end;
        if (!remains) return { state: "done" };
      }
      // Recorded plots may have failed fewer times than allowed.
      return { state: "queued" };
    } finally {
      await this.#engine.close();
    }
  }

  #stopped(): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  /** Tries every pending plot once. @returns true if some must be tried again */
  async #pass(): Promise<boolean> {
    this.#remains = false;
    const plots = this.#pending();
    const work = async (): Promise<void> => {
      for (let next = await plots.next(); next.done !== true; next = await plots.next()) {
        await this.#settle(next.value);
      }
    };
    const workers = Array.from({ length: this.#settings.underWay }, () =>
      work().catch((error: unknown) => {
        this.stop({ state: "queued" });
        throw error;
      }),
    );
    const ended = await Promise.allSettled(workers);
    await this.#noteLines();
    for (const worker of ended) if (worker.status === "rejected") throw worker.reason;
    return this.#remains;
  }

  async *#pending(): AsyncGenerator<JobPlot, void, undefined> {
    let after = -1;
    while (this.#end === undefined) {
      const page = await this.#ports.store.pendingJobPlots({ jobId: this.#job.id, after, limit: PAGE });
      for (const plot of page) {
        if (this.#end !== undefined) return;
        yield plot;
      }
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.number;
    }
  }

  /** Evaluates and charges a plot, or records why it got no verdict. */
  async #settle(plot: JobPlot): Promise<void> {
    while (this.#end === undefined) {
      const outcome = await this.#charge(plot);
      if (outcome.kind === "refused" && WAITING.has(outcome.code)) {
        await this.#waitForStorage();
        continue;
      }
      // The service is full or stopping, or has no data yet. Releasing the job would mean taking it again at once.
      if (outcome.kind === "plot refused" && PAUSING.has(outcome.refusal.code)) {
        await this.#wait(this.#settings.storageRetryMs[0]!);
        continue;
      }
      this.#storageFailures = 0;
      await this.#conclude(plot, outcome);
      return;
    }
  }

  async #charge(plot: JobPlot): Promise<PlotOutcome> {
    const { charging, engine } = this.#ports;
    const task = this.#taskOf(plot);
    let known: string | undefined;
    const fingerprint = async (): Promise<string> => {
      if (known !== undefined) return known;
      const identified = await engine.answer({ ...task, step: "identify" });
      if (identified.kind === "refused") throw new PlotRefused(identified.refusal);
      if (identified.kind !== "identified")
        throw new Error(`a plot was ${identified.kind}, expected it identified`);
      return identified.fingerprint;
    };
    const { signal } = this.#stopping;
    const execute = async (): Promise<Execution<FailedSources>> => {
      const result = await this.#engine.answer(task, signal);
      if (result === "missing") throw new DataError("EDITION_MISSING", "no archive was given");
      if (result.kind === "refused") throw new PlotRefused(result.refusal);
      if (result.kind !== "answered") throw new Error(`a plot was ${result.kind}, expected it answered`);
      known = result.fingerprint;
      this.#ports.onSources(result.sources);
      if (!result.complete) return { kind: "uncharged", answer: listFailedSources(result.sources) };
      const { request, response, digests, referenceId } = result;
      return { kind: "complete", request, response, mediaType: task.mediaType, digests, referenceId };
    };
    try {
      const { scope, id } = this.#job;
      const key = formatJobKey(id, plot.number);
      const isGone = (): boolean => signal.aborted;
      return await charging.charge(
        // For a plot without a verdict, the results list only the sources that failed.
        {
          ...{ scope, key, isFinal: true, tellsUncharged: false },
          ...{ fingerprint, route: PLOT_ROUTE, requestId: id, isGone },
        },
        execute,
      );
    } catch (error) {
      if (error instanceof PlotRefused) return { kind: "plot refused", refusal: error.refusal };
      if (!(error instanceof DataError)) throw error;
      this.stop({ state: "paused", reason: "edition_missing" });
      return { kind: "abandoned" };
    }
  }

  async #conclude(plot: JobPlot, outcome: PlotOutcome): Promise<void> {
    switch (outcome.kind) {
      case "uncharged":
        return this.#noteFailed(plot, { status: "degraded", error: toDegradedError(outcome.answer) });
      case "plot refused":
        return this.#noteRefused(plot, outcome.refusal);
      case "refused": {
        const reason = PAUSES[outcome.code];
        if (reason !== undefined) this.stop({ state: "paused", reason });
        // The plot was tried too often to be tried now. Every other refusal of this kind means that it was charged.
        this.#remains ||= outcome.details.reason === "attempts";
        return;
      }
      default:
        return;
    }
  }

  async #noteRefused(plot: JobPlot, refusal: PlainRefusal): Promise<void> {
    const failure = { status: "invalid", error: toPlotError(refusal) } as const;
    // Another worker may succeed, so one more attempt is made.
    if (refusal.code === "EVALUATION_ABORTED") await this.#noteFailed(plot, failure);
    else await this.#note({ number: plot.number, attempts: plot.attempts + 1, failure });
  }

  /** Records a failed attempt, so that the plot is tried again up to the limit. */
  async #noteFailed(
    { number, attempts: before }: JobPlot,
    failure: NonNullable<NewJobLine["failure"]>,
  ): Promise<void> {
    const attempts = before + 1;
    const isLast = attempts > this.#settings.retryAfterMs.length;
    this.#remains ||= !isLast;
    await this.#note({ number, attempts, ...(isLast && { failure }) });
  }

  async #note(line: NewJobLine): Promise<void> {
    this.#lines.push(line);
    if (this.#lines.length >= NOTED) await this.#noteLines();
  }

  async #noteLines(): Promise<void> {
    if (this.#lines.length === 0) return;
    const lines = this.#lines;
    this.#lines = [];
    await this.#ports.store.noteJobLines({ jobId: this.#job.id, lines });
  }

  /** Releases the job if storage has failed for so long that another process may try. */
  async #waitForStorage(): Promise<void> {
    const { storageRetryMs } = this.#settings;
    const waitMs = storageRetryMs[Math.min(this.#storageFailures, storageRetryMs.length - 1)]!;
    if (this.#storageFailures++ >= storageRetryMs.length * this.#settings.underWay) {
      this.stop({ state: "paused", reason: "storage_unavailable" });
      return;
    }
    await this.#wait(waitMs);
  }

  /** Waits that long, or until the run is stopped. */
  async #wait(milliseconds: number): Promise<void> {
    await Promise.race([this.#ports.sleep(milliseconds), this.#stopped()]);
  }
}

/** Refusals of a plot that have nothing to do with it. */
const PAUSING: ReadonlySet<string> = new Set(["DATA_UNAVAILABLE", "OVERLOADED"]);

/** Refusals of a charge that soon resolve by themselves. */
const WAITING: ReadonlySet<string> = new Set([
  "IDEMPOTENCY_IN_PROGRESS",
  "OUTCOME_UNKNOWN",
  "STORAGE_UNAVAILABLE",
]);

const PAUSES: Readonly<Record<string, JobPausedReason>> = {
  QUOTA_EXCEEDED: "quota_exceeded",
  SUBSCRIPTION_INACTIVE: "subscription_inactive",
};

type FailedSources = readonly string[];

type PlotOutcome =
  | ChargeOutcome<FailedSources>
  | { readonly kind: "plot refused"; readonly refusal: PlainRefusal };

/** Thrown through charging, which neither charges nor counts a refused plot. */
class PlotRefused extends Error {
  readonly refusal: PlainRefusal;

  constructor(refusal: PlainRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

function listFailedSources(sources: AnsweredBody["sources"]): FailedSources {
  return sources.flatMap(({ source_name, status }) => (status === "failed" ? [source_name] : []));
}

/** The route whose answers the verdicts of a job are. */
const PLOT_ROUTE = "/v1/evaluate";

/** Makes the plots of a job the requests for verdicts that callers would send one by one, at the job's instant. */
function createPlotTaskBuilder(
  job: StoredJob,
  { options }: JobTerms,
  { engineVersion, limits }: { readonly engineVersion: string; readonly limits?: Limits | undefined },
): (plot: Pick<JobPlot, "input">) => BodyTask {
  const { rulesetName: name, rulesetVersion: version, ruleset, referenceId, scope } = job;
  const saved: SavedBody | undefined =
    name === null || version === null ? undefined : { name, version, body: ruleset };
  const named =
    saved === undefined ? `"ruleset":${ruleset}` : `"ruleset_id":"${saved.name}@${saved.version}"`;
  const rest = [
    named,
    ...(options === null ? [] : [`"options":${JSON.stringify(options)}`]),
    ...(referenceId === null ? [] : [`"reference_id":${JSON.stringify(referenceId)}`]),
  ].join();
  const call: Omit<BodyTask, "body"> = {
    step: "answer",
    route: PLOT_ROUTE,
    query: { evidence_limit: EVIDENCE_DEFAULT, lint: false, explain: false },
    mediaType: JSON_TYPE,
    requestId: job.id,
    engineVersion,
    now: new Date(job.evaluatedAtMs).toISOString(),
    organization: scope.organization,
    mode: scope.mode,
    inBackground: true,
    ...(limits !== undefined && { limits }),
    ...(saved !== undefined && { saved }),
  };
  return ({ input }) => ({ ...call, body: toSentBody(`{"input":${input},${rest}}`) });
}

/** Texts from here on are shared with the thread that parses them. */
const SHARED_FROM_CHARACTERS = 65_536;

function toSentBody(text: string): SentBody {
  const bytes = Buffer.from(text);
  if (bytes.length < SHARED_FROM_CHARACTERS) return bytes.toString("latin1");
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
