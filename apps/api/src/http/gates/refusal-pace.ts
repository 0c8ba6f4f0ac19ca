/** Refusals per second that a caller receives without delay. */
const AT_ONCE = 100;
const SECOND_MS = 1_000;
/** The value of `Retry-After`. */
const HOLD_MS = 2_000;

/**
 * Delays refusals to callers that repeat a request as soon as it is refused: refusing costs nearly as much as
 * answering, and a waiting caller sends nothing.
 */
export class RefusalPace {
  readonly #steadyMs: () => number;
  /** Refusals in the current second, by caller. */
  readonly #refused = new Map<string, number>();
  #sinceMs: number;

  /** @param steadyMs steady clock, milliseconds; it is never set */
  constructor(steadyMs: () => number) {
    this.#steadyMs = steadyMs;
    this.#sinceMs = steadyMs();
  }

  /** Resolves when the refusal may be sent: at once, or after a delay if the caller was refused very often. */
  async hold(who: string): Promise<void> {
    const nowMs = this.#steadyMs();
    if (nowMs - this.#sinceMs >= SECOND_MS) {
      this.#refused.clear();
      this.#sinceMs = nowMs;
    }
    const count = (this.#refused.get(who) ?? 0) + 1;
    this.#refused.set(who, count);
    if (count > AT_ONCE) await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
  }
}
