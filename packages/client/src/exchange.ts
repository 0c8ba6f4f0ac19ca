import { type CallFacts, NetworkError, type NetworkFailure } from "./errors.ts";
import type { Settings } from "./options.ts";

/** A request with the same bytes at every attempt. */
export interface Sent {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A whole answer, from the service or anything else. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly retryAfterSeconds: number | undefined;
}

/**
 * Sends a request once and reads the whole answer.
 *
 * @param timeoutMs for the whole exchange
 *
 * Fails: NetworkError; the signal's reason if the caller aborts.
 */
export async function sendRequestOnce(
  settings: Settings,
  sent: Sent,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  call: CallFacts,
): Promise<Received> {
  signal?.throwIfAborted();
  const attempt = new Attempt(timeoutMs, signal);
  try {
    return await fetchReceived(settings, sent, attempt, call);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof NetworkError) throw error;
    const where = new URL(sent.url).host;
    if (attempt.isTimedOut)
      throw createNetworkError("timeout", `no whole answer of ${where} within ${timeoutMs} ms`, call);
    const reason = attempt.hasAnswer ? "cut" : "connection";
    const what = attempt.hasAnswer ? "the connection broke within the answer" : describeNotReached(sent.url);
    throw new NetworkError(reason, `${what} (${where})`, call, {}, error);
  } finally {
    attempt.end();
  }
}

/** Browsers do not reveal to a page why they withhold an answer, so the message lists possible reasons. */
function describeNotReached(url: string): string {
  const { origin } = globalThis as { readonly origin?: unknown };
  const isOfPage = typeof origin !== "string" || origin === new URL(url).origin;
  return isOfPage
    ? "the service was not reached"
    : `the service was not reached, or its setting cors_origins does not name this page's origin, ${origin}`;
}

async function fetchReceived(
  settings: Settings,
  { method, url, headers, body }: Sent,
  attempt: Attempt,
  call: CallFacts,
): Promise<Received> {
  const pending = settings.fetch(url, {
    method,
    headers: { ...headers, Authorization: `Bearer ${settings.apiKey}` },
    ...(body !== undefined && { body }),
    redirect: "manual",
    signal: attempt.signal,
  });
  // A `fetch` that ignores its signal may still answer when nobody waits any more.
  pending.then((late) => {
    if (attempt.signal.aborted) late.body?.cancel().catch(ignore);
  }, ignore);
  const response = await attempt.within(pending);
  attempt.hasAnswer = true;
  const { status } = response;
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    response.body?.cancel().catch(ignore);
    throw createNetworkError(
      "redirect",
      "the answer points to another address; the key is not sent there",
      call,
      status,
    );
  }
  const bytes = await readLimitedBody(response, settings.maxAnswerBytes, attempt, call);
  return {
    status,
    headers: response.headers,
    bytes,
    retryAfterSeconds: retryAfterSeconds(response.headers, Date.now()),
  };
}

async function readLimitedBody(
  response: Response,
  most: number,
  attempt: Attempt,
  call: CallFacts,
): Promise<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return new Uint8Array(0);
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await attempt.within(reader.read());
      if (done) return joinChunks(parts, length);
      length += value.byteLength;
      if (length > most)
        throw createNetworkError("too_large", `the answer exceeds ${most} bytes`, call, response.status);
      parts.push(value);
    }
  } catch (error) {
    reader.cancel().catch(ignore);
    throw error;
  }
}

function joinChunks(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

function createNetworkError(
  reason: NetworkFailure,
  message: string,
  call: CallFacts,
  status?: number,
): NetworkError {
  return new NetworkError(reason, message, call, status === undefined ? {} : { status });
}

function ignore(): void {}

/** The time limit and abort signals of one attempt, enforced even if `fetch` ignores them. */
class Attempt {
  readonly #ended: Promise<never>;
  readonly #abort = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  #stop: () => void = ignore;
  isTimedOut = false;
  hasAnswer = false;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#ended = new Promise((_, reject) => {
      this.#stop = () => {
        this.#abort.abort();
        reject(new Error("ended"));
      };
    });
    this.#ended.catch(ignore);
    this.#timer = setTimeout(() => {
      this.isTimedOut = true;
      this.#stop();
    }, timeoutMs);
    caller?.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  within<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.#ended]);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#stop);
  }
}

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses `Retry-After` to seconds (RFC 9110, 10.2.3), at least 0; undefined if it is malformed. A date is measured from
 * the answer's own `Date`, so that a wrong clock on this side does not matter.
 *
 * @param now milliseconds since 1970, if the answer has no `Date`
 */
function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const value = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const until = parseHttpDate(value);
  if (until === undefined) return undefined;
  return Math.max(0, Math.ceil((until - (parseHttpDate(headers.get("Date")) ?? now)) / 1000));
}

function parseHttpDate(text: string | null): number | undefined {
  if (text === null || !HTTP_DATE.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
