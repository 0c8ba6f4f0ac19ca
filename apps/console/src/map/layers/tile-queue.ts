import type { Answerer } from "../../answering/answerer.ts";

/**
 * Tiles requested per second, after the initial burst: at a limit of 50 requests a second this leaves room for
 * evaluations.
 */
const PER_SECOND = 25;
const BURST = 40;

export interface TileQueueOptions {
  /** Maximum concurrent requests. */
  readonly concurrency?: number;
  /** Maximum bytes of cached tiles. */
  readonly keptBytes?: number;
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

interface Wanted {
  readonly key: string;
  readonly source: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly abort: AbortController;
  readonly result: Promise<Uint8Array | undefined>;
  readonly settle: { resolve(tile: Uint8Array | undefined): void; reject(error: unknown): void };
  waiters: number;
  attempts: number;
}

/** Maximum attempts for a tile while the service reports too many requests. */
const ATTEMPTS = 5;
const GREATEST_PAUSE_SECONDS = 30;

/**
 * The tiles of reference layers, requested no faster than the answerer allows.
 *
 * The newest request is served first, because it is what the map shows now. Concurrent requests for the same tile share
 * one call. When the service refuses because of the number of requests, everything pauses as long as it demands, and
 * refused tiles are requested again.
 */
export class TileQueue {
  readonly #answerer: Pick<Answerer, "tile">;
  readonly #options: Required<TileQueueOptions>;
  readonly #open = new Map<string, Wanted>();
  readonly #waiting: Wanted[] = [];
  /** Sources that are not available to the caller, with the error. */
  readonly #refused = new Map<string, unknown>();
  readonly #kept = new Map<string, Uint8Array | undefined>();
  #keptBytes = 0;
  #running = 0;
  #tokens: number = BURST;
  #filledAt: number;
  #pausedUntil = 0;
  #isSleeping: boolean = false;
  #isClosed: boolean = false;

  constructor(answerer: Pick<Answerer, "tile">, options: TileQueueOptions = {}) {
    this.#answerer = answerer;
    this.#options = {
      concurrency: 6,
      keptBytes: 48_000_000,
      now: () => performance.now(),
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      ...options,
    };
    this.#filledAt = this.#options.now();
  }

  /**
   * The tile from the answerer; `undefined` if it has none.
   *
   * Fails: as the answerer does; with an `AbortError` once `signal` is aborted or the queue is closed.
   */
  get(source: string, z: number, x: number, y: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const key = `${z}/${x}/${y}/${source}`;
    if (signal.aborted || this.#isClosed) return Promise.reject(tileAbortError());
    if (this.#refused.has(source)) return Promise.reject(this.#refused.get(source));
    if (this.#kept.has(key)) return Promise.resolve(this.#reuse(key));
    let wanted = this.#open.get(key);
    if (wanted === undefined) {
      const { promise: result, ...settle } = Promise.withResolvers<Uint8Array | undefined>();
      wanted = {
        key,
        source,
        z,
        x,
        y,
        abort: new AbortController(),
        result,
        settle,
        waiters: 0,
        attempts: 0,
      };
      this.#open.set(key, wanted);
      this.#waiting.push(wanted);
      // The callers receive the rejection; it is not unhandled.
      result.catch(() => {});
    }
    wanted.waiters++;
    this.#serve();
    return this.#leaveOnAbort(wanted, signal);
  }

  /** Aborts pending requests. Later calls fail with an `AbortError`. */
  close(): void {
    this.#isClosed = true;
    for (const wanted of [...this.#open.values()]) this.#giveUp(wanted);
    this.#kept.clear();
  }

  async #leaveOnAbort(wanted: Wanted, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const left = Promise.withResolvers<never>();
    const leave = () => {
      left.reject(tileAbortError());
      wanted.waiters--;
      if (wanted.waiters === 0) this.#giveUp(wanted);
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([wanted.result, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #giveUp(wanted: Wanted): void {
    if (this.#open.get(wanted.key) !== wanted) return;
    this.#open.delete(wanted.key);
    const place = this.#waiting.indexOf(wanted);
    if (place >= 0) this.#waiting.splice(place, 1);
    wanted.abort.abort();
    wanted.settle.reject(tileAbortError());
  }

  #serve(): void {
    const { concurrency, now } = this.#options;
    this.#fill(now());
    while (this.#waiting.length > 0 && this.#running < concurrency) {
      const wait = this.#secondsUntilFree(now());
      if (wait > 0) {
        void this.#serveLater(wait);
        return;
      }
      this.#tokens--;
      void this.#ask(this.#waiting.pop()!);
    }
  }

  #fill(now: number): void {
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#filledAt) / 1000) * PER_SECOND);
    this.#filledAt = now;
  }

  #secondsUntilFree(now: number): number {
    if (now < this.#pausedUntil) return (this.#pausedUntil - now) / 1000;
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) / PER_SECOND;
  }

  async #serveLater(seconds: number): Promise<void> {
    if (this.#isSleeping) return;
    this.#isSleeping = true;
    await this.#options.sleep(Math.ceil(seconds * 1000));
    this.#isSleeping = false;
    this.#serve();
  }

  async #ask(wanted: Wanted): Promise<void> {
    this.#running++;
    wanted.attempts++;
    try {
      const { source, z, x, y, abort } = wanted;
      const tile = await this.#answerer.tile(source, z, x, y, abort.signal);
      if (this.#open.get(wanted.key) === wanted) {
        this.#open.delete(wanted.key);
        this.#keep(wanted.key, tile);
        wanted.settle.resolve(tile);
      }
    } catch (error) {
      this.#failed(wanted, error);
    } finally {
      this.#running--;
      this.#serve();
    }
  }

  #failed(wanted: Wanted, error: unknown): void {
    if (this.#open.get(wanted.key) !== wanted) return;
    if (isFinal(error)) this.#refuse(wanted.source, error);
    const pause = computeRetryPauseSeconds(error);
    if (pause === undefined || wanted.attempts >= ATTEMPTS) {
      this.#open.delete(wanted.key);
      wanted.settle.reject(error);
      return;
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.now() + pause * 1000);
    this.#waiting.push(wanted);
  }

  #refuse(source: string, error: unknown): void {
    this.#refused.set(source, error);
    for (const waiting of this.#waiting.filter((each) => each.source === source)) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      this.#open.delete(waiting.key);
      waiting.settle.reject(error);
    }
  }

  #keep(key: string, tile: Uint8Array | undefined): void {
    this.#kept.set(key, tile);
    this.#keptBytes += tile?.byteLength ?? 0;
    for (const [oldest, bytes] of this.#kept) {
      if (this.#keptBytes <= this.#options.keptBytes && this.#kept.size <= 4000) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes?.byteLength ?? 0;
    }
  }

  #reuse(key: string): Uint8Array | undefined {
    const tile = this.#kept.get(key);
    this.#kept.delete(key);
    this.#kept.set(key, tile);
    return tile;
  }
}

/** True if every other tile of the source would be refused too: the source is not available to this caller. */
function isFinal(error: unknown): boolean {
  const status = (error as { status?: unknown } | null)?.status;
  return status === 401 || status === 403 || status === 404;
}

/** How long to wait before the next attempt; `undefined` if another attempt is pointless. */
function computeRetryPauseSeconds(error: unknown): number | undefined {
  const { code, status, retryAfterSeconds } = (error ?? {}) as {
    code?: unknown;
    status?: unknown;
    retryAfterSeconds?: unknown;
  };
  const isBusy = code === "RATE_LIMIT_EXCEEDED" || status === 429 || status === 503;
  if (!isBusy) return undefined;
  const isStated = typeof retryAfterSeconds === "number" && retryAfterSeconds >= 0 ? retryAfterSeconds : 1;
  return Math.min(Math.max(isStated, 0.1), GREATEST_PAUSE_SECONDS);
}

function tileAbortError(): DOMException {
  return new DOMException("the tile is no longer wanted", "AbortError");
}
