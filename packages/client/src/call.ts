import { ApiError, type CallFacts, NetworkError } from "./errors.ts";
import { type Received, type Sent, sendRequestOnce } from "./exchange.ts";
import {
  createIdempotencyKey,
  type KeyedOptions,
  type KeyRefusal,
  type Settings,
  toCallSettings,
  toIdempotencyKey,
} from "./options.ts";
import { computeRetryDelayMs, decideNextStep, type NextStep } from "./policy.ts";
import { findProblem, readJsonAnswer, Unreadable } from "./read-answer.ts";

/** A call of an endpoint. */
export interface Call<Body> {
  readonly method: "GET" | "POST";
  /** Path from `/v1/…` on, with the query. */
  readonly path: string;
  readonly accept: string;
  /** JSON text. */
  readonly body?: string;
  /** True if it takes effect once, however often it is sent. */
  readonly isKeyed?: boolean;
  /** Parses the answer. Fails: {@link Unreadable}. */
  readonly read: (received: Received) => Body;
  /** Returns true if a source failed, so that another attempt may return more. */
  readonly isDegraded?: (body: Body) => boolean;
}

/**
 * A call with a JSON answer that has an object in `data`.
 *
 * @param body of a `POST`; absent for a `GET`
 */
export function createJsonCall<Body>(path: string, body?: object): Call<Body> {
  return {
    method: body === undefined ? "GET" : "POST",
    path,
    accept: "application/json",
    ...(body !== undefined && { body: JSON.stringify(body) }),
    read: (received) => readJsonAnswer(received, "data"),
  };
}

/** An answer with the facts about it that are not in the body. */
export interface Answered<Body> {
  readonly body: Body;
  readonly headers: Headers;
  readonly idempotencyKey: string | undefined;
}

/**
 * Sends the request until there is an answer, or another attempt is pointless. Every attempt has the same bytes and
 * key.
 *
 * Fails: ApiError and NetworkError of the last attempt; the signal's reason if the caller aborts; TypeError on invalid
 * options.
 */
export async function call<Body>(
  shared: Settings,
  request: Call<Body>,
  options: KeyedOptions = {},
): Promise<Answered<Body>> {
  const settings = toCallSettings(shared, options);
  const key = request.isKeyed === true ? toIdempotencyKey(options.idempotencyKey) : undefined;
  const time = new CallTime(settings);
  try {
    return await sendWithRetries(settings, request, options.signal, key, time);
  } catch (error) {
    const isLeave = error instanceof ApiError && options.newKeyAfter?.includes(error.code as KeyRefusal);
    if (key === undefined || !isLeave) throw error;
    return await sendWithRetries(settings, request, options.signal, createIdempotencyKey(), time);
  }
}

async function sendWithRetries<Body>(
  settings: Settings,
  request: Call<Body>,
  signal: AbortSignal | undefined,
  key: string | undefined,
  time: CallTime,
): Promise<Answered<Body>> {
  const sent = buildSentRequest(settings, request, key);
  let degraded: Answered<Body> | undefined;
  let failures = 0;
  for (let sends = 1; ; sends++) {
    const facts = { attempts: sends, idempotencyKey: key };
    const attempt = await attemptCall(settings, request, sent, time, signal, facts);
    if (attempt.step === "done") return attempt.answered;
    if (attempt.step === "degraded") degraded = attempt.answered;
    if (attempt.step !== "wait") failures++;
    const isOver = attempt.step === "final" || failures >= settings.attempts;
    const error = "error" in attempt ? attempt.error : undefined;
    if (!isOver && (await time.waits(sends, error?.retryAfterSeconds, signal))) continue;
    // A partial answer is better than none: one source failed, the others answered.
    if (degraded !== undefined) return degraded;
    throw error;
  }
}

type Attempted<Body> =
  | { readonly step: "done" | "degraded"; readonly answered: Answered<Body> }
  | { readonly step: NextStep; readonly error: ApiError | NetworkError };

async function attemptCall<Body>(
  settings: Settings,
  request: Call<Body>,
  sent: Sent,
  time: CallTime,
  signal: AbortSignal | undefined,
  facts: CallFacts,
): Promise<Attempted<Body>> {
  try {
    const received = await sendRequestOnce(
      settings,
      sent,
      Math.min(settings.timeoutMs, time.left()),
      signal,
      facts,
    );
    const body = readAnswerBody(request, received, facts);
    const answered = { body, headers: received.headers, idempotencyKey: facts.idempotencyKey };
    return { step: request.isDegraded?.(body) === true ? "degraded" : "done", answered };
  } catch (error) {
    if (error instanceof ApiError || error instanceof NetworkError)
      return { step: decideNextStep(error), error };
    throw error;
  }
}

function readAnswerBody<Body>(request: Call<Body>, received: Received, facts: CallFacts): Body {
  const { status, retryAfterSeconds } = received;
  const isSuccess = status >= 200 && status < 300;
  const problem = isSuccess ? undefined : findProblem(received);
  if (problem !== undefined) throw new ApiError(problem, status, retryAfterSeconds, facts);
  if (!isSuccess) {
    const message = `something other than the service answered with status ${status}`;
    throw new NetworkError("not_the_service", message, facts, { status, retryAfterSeconds });
  }
  try {
    return request.read(received);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new NetworkError(error.reason, error.message, facts, { status, retryAfterSeconds });
  }
}

function buildSentRequest<Body>({ baseUrl }: Settings, request: Call<Body>, key: string | undefined): Sent {
  return {
    method: request.method,
    url: `${baseUrl}${request.path}`,
    headers: {
      Accept: request.accept,
      ...(request.body !== undefined && { "Content-Type": "application/json" }),
      ...(key !== undefined && { "Idempotency-Key": key }),
    },
    body: request.body,
  };
}

/** The time budget of one call. Waits count at their planned length, however fast the host's clock or sleep runs. */
class CallTime {
  readonly #settings: Settings;
  readonly #start = performance.now();
  #planned = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Remaining milliseconds, at least 1. */
  left(): number {
    const passed = Math.max(performance.now() - this.#start, this.#planned);
    return Math.max(1, Math.floor(this.#settings.deadlineMs - passed));
  }

  /**
   * Waits before the next attempt; returns false, without waiting, if there is not enough time for one.
   *
   * @param sends attempts so far
   */
  async waits(
    sends: number,
    retryAfterSeconds: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { maxWaitMs, random, sleep } = this.#settings;
    const delay = computeRetryDelayMs(sends, retryAfterSeconds, random());
    if ((retryAfterSeconds ?? 0) * 1000 > maxWaitMs || delay >= this.left()) return false;
    this.#planned += delay;
    await sleep(delay, signal);
    signal?.throwIfAborted();
    return true;
  }
}
