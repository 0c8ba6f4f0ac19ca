/** A map of bounded size, which drops the entry that was used longest ago. */
export class RecentlyUsed<Key, Value extends object> {
  /** Entries in order of use, the latest last. */
  readonly #kept = new Map<Key, Value>();
  readonly #most: number;

  /** @param most maximum entries, at least 1 */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns a value, which then counts as used. */
  get(key: Key): Value | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  /** Stores a value. If there are too many, drops the one that was used longest ago. */
  set(key: Key, value: Value): void {
    if (!this.#kept.delete(key) && this.#kept.size >= this.#most) {
      const [oldest] = this.#kept.keys();
      this.#kept.delete(oldest!);
    }
    this.#kept.set(key, value);
  }

  /**
   * Returns the stored value, or the one that `make` returns, which is then stored. If `make` throws, the error is
   * rethrown and nothing is stored.
   */
  getOrMake(key: Key, make: () => Value): Value {
    const kept = this.get(key);
    if (kept !== undefined) return kept;
    const made = make();
    this.set(key, made);
    return made;
  }
}
