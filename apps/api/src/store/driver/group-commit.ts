import { setImmediate } from "node:timers/promises";

/** Most that one commit serves; more would make the first wait for the last. */
const GROUP_LIMIT = 64;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits items in groups, one group at a time. While one is being flushed the next gathers, so
 * groups grow with the load and nobody waits for company: an item that finds no commit under way
 * goes at once, together with those of the same turn of the event loop.
 */
export class GroupCommit<Item, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly ((settle: Settle<Result>) => void)[]>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #draining: Promise<void> | undefined;

  /** @param commit gives, per item and in order, how it ends; rejects where all end alike */
  constructor(commit: (items: readonly Item[]) => Promise<readonly ((settle: Settle<Result>) => void)[]>) {
    this.#commit = commit;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  get isIdle(): boolean {
    return this.#draining === undefined;
  }

  async #drain(): Promise<void> {
    await setImmediate();
    while (this.#waiting.length > 0) {
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
}

export interface Settle<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
