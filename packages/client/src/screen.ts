import type { ErrorCode, EvaluateResponse } from "@groundrule/contract";
import { ApiError, NetworkError } from "./errors.ts";
import type { QuestionOptions } from "./options.ts";
import type { Keyed, Questions } from "./questions.ts";
import type { EvaluateQuery, EvaluationInput, EvaluationTerms } from "./wire/requests.ts";

/** A plot to screen. */
export interface ScreenPlot {
  /** Any value that identifies it; returned with its answer. */
  readonly id?: string | number | undefined;
  readonly input: EvaluationInput;
  /** Stored with the plot's decision, at most 128 characters. */
  readonly reference_id?: string | undefined;
}

/** Options of screening many plots. */
export type ScreenOptions = Omit<EvaluationTerms, "reference_id"> &
  Omit<QuestionOptions<EvaluateQuery>, "idempotencyKey"> & {
    /** A ruleset of the catalog, `name` or `name@version`. */
    readonly ruleset_id?: string | undefined;
    /** A ruleset in full, in place of `ruleset_id`. */
    readonly ruleset?: object | undefined;
    /** Plots evaluated at once, 1 to 64. Default 4. */
    readonly concurrency?: number | undefined;
    /**
     * Name of the run, 1 to 100 of `A-Z a-z 0-9 _ : . -`. The key of each plot is made from it and the plot's number:
     * for 24 hours, the same plots under the same name are answered from earlier charges.
     */
    readonly run?: string | undefined;
  };

/** The result of a plot. */
export type Screened =
  | {
      readonly status: "answered";
      /** Number of the plot, from 0. */
      readonly number: number;
      /** The plot's own id. */
      readonly id: string | number | undefined;
      /** The answer, as from `evaluate`. */
      readonly response: Keyed<EvaluateResponse>;
    }
  | {
      readonly status: "refused";
      /** Number of the plot, from 0. */
      readonly number: number;
      /** The plot's own id. */
      readonly id: string | number | undefined;
      /** ApiError, NetworkError, or TypeError for a plot that cannot be sent. */
      readonly error: Error;
    };

/** Refusals that every later plot would meet too. */
const OF_ALL: readonly ErrorCode[] = [
  "API_KEY_EXPIRED",
  "API_KEY_INVALID",
  "API_KEY_REVOKED",
  "AUTHENTICATION_REQUIRED",
  "FORBIDDEN",
  "QUOTA_EXCEEDED",
  "RULESET_INVALID",
  "RULESET_NOT_FOUND",
  "SCOPE_INSUFFICIENT",
  "SUBSCRIPTION_INACTIVE",
  "UNCHARGED_LIMIT_REACHED",
];

/** Buffered answers per concurrent request, while an earlier plot is still being evaluated. */
const BUFFERED_EACH = 8;
/** Minimum number of consecutive plots without an answer after which the service counts as gone. */
const GONE_AFTER = 3;

const RUN_NAME = /^[A-Za-z0-9_:.-]{1,100}$/;

/** See `Client.screen`. */
export async function* screenPlots(
  evaluate: Questions["evaluate"],
  plots: Iterable<ScreenPlot> | AsyncIterable<ScreenPlot>,
  options: ScreenOptions,
): AsyncGenerator<Screened, void, undefined> {
  const { concurrency = 4, run, signal } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64) {
    throw new TypeError(`concurrency: expected a whole number from 1 to 64, found ${String(concurrency)}`);
  }
  if (run !== undefined && !RUN_NAME.test(run)) {
    throw new TypeError("run: expected 1 to 100 of the characters A-Z a-z 0-9 _ : . -");
  }
  const screening = new Screening(evaluate, plots, options, concurrency);
  const abort = () => screening.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    yield* screening.answers();
  } finally {
    signal?.removeEventListener("abort", abort);
    screening.abort(new Error("nobody takes the answers any more"));
  }
}

class Screening {
  readonly #evaluate: Questions["evaluate"];
  readonly #options: ScreenOptions;
  readonly #concurrency: number;
  readonly #source: Iterator<ScreenPlot> | AsyncIterator<ScreenPlot>;
  readonly #ended = new AbortController();
  readonly #aborted: Promise<never>;
  /** Started plots in order, whose answers have not been consumed. */
  readonly #window: Promise<Screened>[] = [];
  #number = 0;
  #asking = 0;
  #taking: Promise<void> | undefined;
  /** True once `plots` has ended. */
  #isEnded: boolean = false;
  /** The reason why no more plots are read. */
  #stop: { readonly error: unknown } | undefined;
  #unreached = 0;

  constructor(
    evaluate: Questions["evaluate"],
    plots: Iterable<ScreenPlot> | AsyncIterable<ScreenPlot>,
    options: ScreenOptions,
    concurrency: number,
  ) {
    this.#evaluate = evaluate;
    this.#options = options;
    this.#concurrency = concurrency;
    this.#source = Symbol.asyncIterator in plots ? plots[Symbol.asyncIterator]() : plots[Symbol.iterator]();
    this.#aborted = new Promise((_, reject) => {
      const { signal } = this.#ended;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    this.#aborted.catch(() => {});
  }

  /** Aborts requests in progress, and the source of plots if it has not ended. */
  abort(reason: unknown): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(reason);
    if (this.#isEnded) return;
    this.#isEnded = true;
    // A source that hangs or fails at its end does not delay the caller.
    Promise.resolve()
      .then(() => this.#source.return?.())
      .catch(() => {});
  }

  async *answers(): AsyncGenerator<Screened, void, undefined> {
    for (;;) {
      this.#take();
      const first = this.#window[0] ?? this.#taking;
      if (first === undefined) break;
      const screened = await Promise.race([first, this.#aborted]);
      if (screened === undefined) continue;
      void this.#window.shift();
      this.#judge(screened);
      yield screened;
    }
    if (this.#stop !== undefined) throw this.#stop.error;
  }

  /** Starts as many plots as there is room for; reads the source one plot at a time. */
  #take(): void {
    if (this.#taking !== undefined || !this.#hasRoom()) return;
    this.#taking = this.#takeWhileRoom().finally(() => {
      this.#taking = undefined;
    });
  }

  #hasRoom(): boolean {
    const isOpen = !this.#isEnded && this.#stop === undefined;
    const bufferSize = this.#concurrency * BUFFERED_EACH;
    return isOpen && this.#asking < this.#concurrency && this.#window.length < bufferSize;
  }

  async #takeWhileRoom(): Promise<void> {
    try {
      while (this.#hasRoom()) {
        const next = await this.#source.next();
        if (this.#ended.signal.aborted) return;
        if (next.done === true) {
          this.#isEnded = true;
          return;
        }
        this.#begin(next.value);
      }
    } catch (error) {
      this.#isEnded = true;
      this.#stop ??= { error };
    }
  }

  #begin(plot: ScreenPlot): void {
    this.#asking++;
    const pending = this.#ask(plot, this.#number++).finally(() => {
      this.#asking--;
      this.#take();
    });
    pending.catch(() => {});
    this.#window.push(pending);
  }

  async #ask(plot: ScreenPlot, number: number): Promise<Screened> {
    const { concurrency: _, run, ruleset, ruleset_id, options, signal: __, ...call } = this.#options;
    // A value that is no object is refused by the service, with its place.
    const { id, input, reference_id } = Object(plot) as ScreenPlot;
    try {
      const terms = { ruleset, ruleset_id, options, reference_id } as EvaluationTerms;
      const response = await this.#evaluate(
        { ...terms, input },
        {
          ...call,
          signal: this.#ended.signal,
          ...(run !== undefined && { idempotencyKey: `screen:${run}:${number}` }),
        },
      );
      return { status: "answered", number, id, response };
    } catch (error) {
      this.#ended.signal.throwIfAborted();
      return { status: "refused", number, id, error: error as Error };
    }
  }

  /** Stops reading plots if the rest would fail in the same way. Plots in progress are still yielded. */
  #judge(screened: Screened): void {
    const error = screened.status === "refused" ? screened.error : undefined;
    this.#unreached = error instanceof NetworkError ? this.#unreached + 1 : 0;
    const isGone = this.#unreached >= Math.max(GONE_AFTER, this.#concurrency);
    if (isGone || (error instanceof ApiError && OF_ALL.includes(error.code))) this.#stop ??= { error };
  }
}
