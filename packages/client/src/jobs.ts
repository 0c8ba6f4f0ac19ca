import type { Job, JobPausedReason, JobResponse, JobResult, JobsResponse } from "@groundrule/contract";
import { type Call, call, createJsonCall } from "./call.ts";
import { JobPausedError, NetworkError } from "./errors.ts";
import type { CallOptions, KeyedOptions, Settings } from "./options.ts";
import { iterateItems } from "./pages.ts";
import { addKeyMembers, formatQuery, type Keyed } from "./questions.ts";
import { readJsonLines } from "./read-answer.ts";
import type { CreateJobBody, PageQuery } from "./wire/requests.ts";

/** Options for waiting for a job. */
export interface WaitOptions extends CallOptions {
  /**
   * Minimum and maximum time between two requests for the job, milliseconds; it grows from one to the other. Default
   * 500 and 15,000.
   */
  readonly pollMs?: readonly [least: number, most: number] | undefined;
}

/** Options of a job's results. */
export interface ResultsOptions extends WaitOptions {
  /** Number of the first plot, from 0. Default 0. */
  readonly from?: number | undefined;
  /** Lines per request, 1 to 1,000. Default 200. */
  readonly limit?: number | undefined;
}

/** Jobs: verdicts on many plots, evaluated by the service in the background. */
export interface Jobs {
  /**
   * Creates a job. Repeating the request under the same key returns the same job.
   *
   * Fails: as every call of {@link Client}.
   */
  create(body: CreateJobBody, options?: KeyedOptions): Promise<Keyed<JobResponse>>;
  /**
   * Returns the current state of a job.
   *
   * @param id of the job
   *
   * Fails: as every call of {@link Client}.
   */
  get(id: string, options?: CallOptions): Promise<JobResponse>;
  /**
   * A page of the jobs, newest first.
   *
   * Fails: as every call of {@link Client}.
   */
  list(query?: PageQuery, options?: CallOptions): Promise<JobsResponse>;
  /**
   * Every job, newest first.
   *
   * Fails: as every call of {@link Client}.
   */
  each(query?: Pick<PageQuery, "page_size">, options?: CallOptions): AsyncGenerator<Job, void, undefined>;
  /**
   * Yields a line for each plot in the order of the upload, as they become available, to the end of the job. Requests
   * are repeated for lines that the service does not have yet.
   *
   * @param id of the job
   *
   * Fails: JobPausedError if the job waits for a person, after the lines before have been yielded; as every call of
   * {@link Client}.
   */
  results(id: string, options?: ResultsOptions): AsyncGenerator<JobResult, void, undefined>;
  /**
   * Ends a job; what was charged stays, and a job that has ended stays as it is.
   *
   * @param id of the job
   *
   * Fails: as every call of {@link Client}.
   */
  cancel(id: string, options?: CallOptions): Promise<JobResponse>;
  /**
   * Waits until a job is `done`, `cancelled`, or `paused` for a reason that only a person can resolve.
   *
   * @param id of the job
   *
   * Fails: as every call of {@link Client}.
   */
  wait(id: string, options?: WaitOptions): Promise<Job>;
}

/** Reasons that resolve by themselves, or when an operator repairs the service. */
const PASSING: readonly (JobPausedReason | undefined)[] = ["storage_unavailable", "edition_missing"];

const LINES_MAX = 1_000;
const LINES_DEFAULT = 200;

export function createJobsClient(settings: Settings): Jobs {
  async function ask<Body>(request: Call<Body>, options?: CallOptions): Promise<Body> {
    return (await call(settings, request, options)).body;
  }

  const jobs: Jobs = {
    async create(body, options) {
      const request: Call<JobResponse> = { ...createJsonCall("/v1/jobs", body), isKeyed: true };
      return addKeyMembers(await call(settings, request, options));
    },
    get: (id, options) => ask(createJsonCall(formatJobPath(id)), options),
    list: (query, options) => ask(createJsonCall(`/v1/jobs${formatQuery(query)}`), options),
    each: (query, options) =>
      iterateItems(
        (page) => jobs.list({ ...query, page }, options),
        ({ id }) => id,
      ),
    cancel: (id, options) =>
      ask({ ...createJsonCall(`${formatJobPath(id)}/cancel`), method: "POST" }, options),
    async wait(id, options = {}) {
      const poll = new Poll(settings, options);
      for (;;) {
        const { data } = await jobs.get(id, options);
        if (isOver(data) || isStuck(data)) return data;
        await poll.wait();
      }
    },
    async *results(id, options = {}) {
      const poll = new Poll(settings, options);
      let from = options.from ?? 0;
      let limit = Math.min(options.limit ?? LINES_DEFAULT, LINES_MAX);
      for (;;) {
        // Read before the lines: if it says that the job is over, all its lines exist.
        const { data: job } = await jobs.get(id, options);
        for (;;) {
          const page = await fetchResultLines(settings, id, from, limit, options);
          limit = page.limit;
          from = page.nextFrom;
          yield* page.lines;
          if (page.lines.length > 0) poll.begin();
          if (page.lines.length < limit) break;
        }
        if (isOver(job) || from >= job.plots) return;
        if (isStuck(job)) throw new JobPausedError(job);
        await poll.wait();
      }
    },
  };
  return jobs;
}

async function fetchResultLines(
  settings: Settings,
  id: string,
  from: number,
  limit: number,
  options: CallOptions,
): Promise<{ readonly lines: JobResult[]; readonly nextFrom: number; readonly limit: number }> {
  const request: Call<{ readonly lines: JobResult[]; readonly nextFrom: number }> = {
    method: "GET",
    path: `${formatJobPath(id)}/results${formatQuery({ from, limit })}`,
    accept: "application/x-ndjson",
    read: (received) => readJsonLines<JobResult>(received, from),
  };
  try {
    return { ...(await call(settings, request, options)).body, limit };
  } catch (error) {
    const isTooMuch = error instanceof NetworkError && error.reason === "too_large";
    if (!isTooMuch || limit === 1) throw error;
    return await fetchResultLines(settings, id, from, Math.ceil(limit / 2), options);
  }
}

/** Schedules the next request: less and less often, and more often again after something new. */
class Poll {
  readonly #settings: Settings;
  readonly #signal: AbortSignal | undefined;
  readonly #least: number;
  readonly #most: number;
  #next: number;

  constructor(settings: Settings, { pollMs = [500, 15_000], signal }: WaitOptions) {
    const [least, most] = pollMs;
    if (!(least >= 1 && most >= least && most < 2 ** 31)) {
      throw new TypeError("pollMs: expected the least and the most milliseconds, [500, 15000] for example");
    }
    this.#settings = settings;
    this.#signal = signal;
    this.#least = least;
    this.#most = most;
    this.#next = least;
  }

  begin(): void {
    this.#next = this.#least;
  }

  async wait(): Promise<void> {
    const jittered = this.#next * (0.75 + this.#settings.random() / 2);
    this.#next = Math.min(this.#most, this.#next * 2);
    await this.#settings.sleep(Math.ceil(jittered), this.#signal);
    this.#signal?.throwIfAborted();
  }
}

function formatJobPath(id: string): string {
  return `/v1/jobs/${encodeURIComponent(id)}`;
}

function isOver({ status }: Job): boolean {
  return status === "done" || status === "cancelled";
}

function isStuck({ status, paused_reason }: Job): boolean {
  return status === "paused" && !PASSING.includes(paused_reason);
}
