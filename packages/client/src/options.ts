import type { ErrorCode } from "@groundrule/contract";

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Settings of a client. Times are in milliseconds. */
export interface ClientOptions {
  /** Address of the service, e.g. `https://groundrule.example.com`; with a path if the service is below one. */
  readonly baseUrl: string | URL;
  /** Sent as `Authorization: Bearer …`; it appears in no error and in no property of the client. */
  readonly apiKey: string;
  /** Maximum attempts per request, 1 to 100. Default 5. Waits requested by the service do not count. */
  readonly attempts?: number | undefined;
  /** Maximum time for one attempt, including its body. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum time for a call with all its attempts and waits. Default 300,000. */
  readonly deadlineMs?: number | undefined;
  /** Longest wait accepted from a `Retry-After`; a call that would wait longer fails at once. Default 60,000. */
  readonly maxWaitMs?: number | undefined;
  /** Maximum bytes of an answer. Default 67,108,864; the service itself sends at most half of that. */
  readonly maxAnswerBytes?: number | undefined;
  /** Replaces the host's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Replaces timers, for waits between attempts. Rejects with the signal's reason when it aborts. */
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Replaces `Math.random`, for the jitter of waits. */
  readonly random?: (() => number) | undefined;
}

/** Settings of one call that differ from the client's. */
export interface CallOptions {
  /** Aborts the call at any point; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum attempts for the request. */
  readonly attempts?: number | undefined;
  /** Maximum time for one attempt, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Maximum time for the whole call, milliseconds. */
  readonly deadlineMs?: number | undefined;
}

/** Refusals of a key after which a request may be charged a second time with the caller's consent. */
export type KeyRefusal = Extract<
  ErrorCode,
  "IDEMPOTENCY_KEY_CONFLICT" | "IDEMPOTENCY_KEY_EXHAUSTED" | "IDEMPOTENCY_REPLAY_EXPIRED"
>;

/** Options of calls that take effect once, however often they are sent. */
export interface KeyedOptions extends CallOptions {
  /**
   * The caller's name for this call: 8 to 128 of `A-Z a-z 0-9 _ : . -`. Default: a new one. Store it to continue after
   * a crash: the same request under the same key is charged once.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Refusals of the key after which to send the request again under a new key. It may then be charged a second time, so
   * the default is none.
   */
  readonly newKeyAfter?: readonly KeyRefusal[] | undefined;
}

/** Options of a question. */
export interface QuestionOptions<Query> extends KeyedOptions {
  /** Query parameters. */
  readonly query?: Query | undefined;
}

/** Every option with its value. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly maxWaitMs: number;
  readonly maxAnswerBytes: number;
  readonly fetch: Fetch;
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random: () => number;
}

/** Maximum delay of a timer: a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
const IDEMPOTENCY_KEY = /^[A-Za-z0-9_:.-]{8,128}$/;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Fails: TypeError that describes the fault and never contains the key. */
export function toSettings(options: ClientOptions): Settings {
  if (typeof options.apiKey !== "string" || !VISIBLE_ASCII.test(options.apiKey)) {
    throw new TypeError("apiKey: expected the text of an API key, without spaces or line breaks");
  }
  return {
    baseUrl: parseBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    attempts: checkWholeNumber("attempts", options.attempts ?? 5, 100),
    timeoutMs: checkWholeNumber("timeoutMs", options.timeoutMs ?? 60_000, TIMER_MAX_MS),
    deadlineMs: checkWholeNumber("deadlineMs", options.deadlineMs ?? 300_000, TIMER_MAX_MS),
    maxWaitMs: checkWholeNumber("maxWaitMs", options.maxWaitMs ?? 60_000, TIMER_MAX_MS),
    maxAnswerBytes: checkWholeNumber("maxAnswerBytes", options.maxAnswerBytes ?? 64 * 1024 * 1024, 2 ** 40),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
  };
}

/** The settings of one call. Fails: as {@link toSettings}. */
export function toCallSettings(settings: Settings, call: CallOptions): Settings {
  return {
    ...settings,
    attempts: checkWholeNumber("attempts", call.attempts ?? settings.attempts, 100),
    timeoutMs: checkWholeNumber("timeoutMs", call.timeoutMs ?? settings.timeoutMs, TIMER_MAX_MS),
    deadlineMs: checkWholeNumber("deadlineMs", call.deadlineMs ?? settings.deadlineMs, TIMER_MAX_MS),
  };
}

/** The given key, or a new one. Fails: TypeError if the service would not accept it. */
export function toIdempotencyKey(key: string | undefined): string {
  if (key === undefined) return createIdempotencyKey();
  if (typeof key === "string" && IDEMPOTENCY_KEY.test(key)) return key;
  throw new TypeError("idempotencyKey: expected 8 to 128 of the characters A-Z a-z 0-9 _ : . -");
}

/** A unique key: 128 random bits. `randomUUID` exists on secure pages only, so it is not used. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function parseBaseUrl(key: string | URL): string {
  const expected = "baseUrl: expected an http or https address without user, query or fragment";
  let url: URL;
  try {
    url = new URL(key);
  } catch {
    throw new TypeError(expected);
  }
  const isPlain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!/^https?:$/.test(url.protocol) || !isPlain) throw new TypeError(expected);
  return url.href.endsWith("/") ? url.href.slice(0, -1) : url.href;
}

function checkWholeNumber(name: string, value: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  throw new TypeError(`${name}: expected a whole number from 1 to ${most}, found ${String(value)}`);
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
