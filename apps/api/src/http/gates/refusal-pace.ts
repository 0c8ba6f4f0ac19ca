/** Refusals a second that one is given at once. */
const AT_ONCE = 100;
const SECOND_MS = 1_000;
/** As long as `Retry-After` says. */
const HOLD_MS = 2_000;

/**
 * Holds refusals back from who asks again as soon as it is refused: refusing takes a good part of what
 * answering takes, and who waits asks nothing meanwhile.
 */
export class RefusalPace {
  readonly #steadyMs: () => number;
  /** Refusals of this second. */
  readonly #refused = new Map<string, number>();
  #sinceMs: number;

  /** @param steadyMs milliseconds of a clock that is never set */
  constructor(steadyMs: () => number) {
    this.#steadyMs = steadyMs;
    this.#sinceMs = steadyMs();
  }

  /** Resolves when who is refused may be told so: at once, or, where it was told very often, a while later. */
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
