import { setImmediate } from "node:timers/promises";

/** Maximum items per commit; with more, the first would wait for the last. */
const GROUP_LIMIT = 64;

/** Maximum time a group waits for items that are on their way, milliseconds. */
const COMPANY_MS = 5;
/** Mean interval between items below which waiting for more is worthwhile, milliseconds. */
const DENSE_MS = 2;
/** Weight of one interval in the running mean, and the longest interval that counts. */
const GAP_WEIGHT = 1 / 16;
const LONGEST_GAP_MS = 100;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits items in groups, one group at a time. While one group is being committed the next one gathers. A lone item is
 * committed at once, together with the others of its turn of the event loop. When items arrive in quick succession, a
 * group that could start waits while more items are on their way than have arrived: a commit costs the same for one
 * item as for many.
 */
export class GroupCommit<Item, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly ((settle: Settle<Result>) => void)[]>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #draining: Promise<void> | undefined;
  /** Number of items on their way, as supplied with the latest item. */
  #company: () => number = returnZero;
  /** Called when an item arrives while the group waits for more. */
  #onItem: (() => void) | undefined;
  #gapMs = LONGEST_GAP_MS;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** @param commit returns, per item and in order, how it ends; rejects if all end alike */
  constructor(commit: (items: readonly Item[]) => Promise<readonly ((settle: Settle<Result>) => void)[]>) {
    this.#commit = commit;
  }

  /** @param company returns how many more items may be on their way */
  add(item: Item, company: () => number = returnZero): Promise<Result> {
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

  /** True if more items are on their way than have arrived: they will form the larger group. */
  #isExpecting(): boolean {
    const { length } = this.#waiting;
    return length < GROUP_LIMIT && this.#gapMs < DENSE_MS && this.#company() > length;
  }
}

function returnZero(): number {
  return 0;
}

export interface Settle<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
