import { setImmediate } from "node:timers/promises";

/** Most that one commit serves; more would make the first wait for the last. */
const GROUP_LIMIT = 64;

/** Longest that a group waits for items that are on their way, milliseconds. */
const COMPANY_MS = 5;
/** Items come so often that it is worth waiting for them, milliseconds from one to the next. */
const DENSE_MS = 2;
/** What a gap counts for in the mean of the last ones, and the longest that counts. */
const GAP_WEIGHT = 1 / 16;
const LONGEST_GAP_MS = 100;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits items in groups, one group at a time. While one is being flushed the next gathers. An item that is
 * alone goes at once, together with those of the same turn of the event loop. Where items come close upon each
 * other, a group that no commit holds back waits as long as more are on their way than have come: a commit
 * costs the same for one as for many.
 */
export class GroupCommit<Item, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly ((settle: Settle<Result>) => void)[]>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #draining: Promise<void> | undefined;
  /** How many may be on their way, as whoever came last tells. */
  #company: () => number = nobody;
  /** Hears that an item came while the group waits for company. */
  #onItem: (() => void) | undefined;
  #gapMs = LONGEST_GAP_MS;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** @param commit gives, per item and in order, how it ends; rejects where all end alike */
  constructor(commit: (items: readonly Item[]) => Promise<readonly ((settle: Settle<Result>) => void)[]>) {
    this.#commit = commit;
  }

  /** @param company how many more may be on their way */
  add(item: Item, company: () => number = nobody): Promise<Result> {
    const nowMs = performance.now();
    this.#gapMs += (Math.min(nowMs - this.#lastMs, LONGEST_GAP_MS) - this.#gapMs) * GAP_WEIGHT;
    this.#lastMs = nowMs;
    this.#company = company;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#draining ??= this.#drain();
      this.#onItem?.();
    });
  }

  get isIdle(): boolean {
    return this.#draining === undefined;
  }

  async #drain(): Promise<void> {
    await setImmediate();
    while (this.#waiting.length > 0) {
      await this.#gather();
      const group = this.#waiting.splice(0, GROUP_LIMIT);
      try {
        const endings = await this.#commit(group.map(({ item }) => item));
        group.forEach((waiting, i) => {
          endings[i]!(waiting);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#draining = undefined;
  }

  async #gather(): Promise<void> {
    if (!this.#isExpecting()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, COMPANY_MS);
      this.#onItem = () => {
        if (this.#isExpecting()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onItem = undefined;
  }

  /** More on their way than have come: the group that they make is the larger one. */
  #isExpecting(): boolean {
    const { length } = this.#waiting;
    return length < GROUP_LIMIT && this.#gapMs < DENSE_MS && this.#company() > length;
  }
}

function nobody(): number {
  return 0;
}

export interface Settle<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
