import { FairQueue } from "@groundrule/node/internal";

/**
 * Spreads work over turns of the event loop: work beyond the limit of a turn waits for the next, and lanes take turns.
 * However much arrives at once, the thread's other work runs in between, and a sender of few requests does not wait
 * behind a sender of many.
 */
export class LoopTurns {
  readonly #most: number;
  readonly #waiting = new FairQueue<() => void>();
  #left: number;
  #due: NodeJS.Immediate | undefined;

  /** @param most maximum pieces of work per turn */
  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Calls `work` now, or in a later turn. */
  take(lane: string, work: () => void): void {
    this.#due ??= setImmediate(() => this.#next());
    if (this.#left > 0) {
      this.#left--;
      work();
    } else this.#waiting.push(lane, work);
  }

  #next(): void {
    this.#due = undefined;
    this.#left = this.#most;
    if (this.#waiting.size === 0) return;
    this.#due = setImmediate(() => this.#next());
    while (this.#left > 0 && this.#waiting.size > 0) {
      this.#left--;
      this.#waiting.shift()!();
    }
  }
}
