/** A map of bounded size: what was used longest ago makes room. */
export class RecentlyUsed<Key, Value extends object> {
  /** In order of use, the latest last. */
  readonly #kept = new Map<Key, Value>();
  readonly #most: number;

  /** @param most entries that are kept, at least 1 */
  constructor(most: number) {
    this.#most = most;
  }

  /** Using a value keeps it longer. */
  get(key: Key): Value | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  /** Keeps a value, in the place of what was used longest ago where there are too many. */
  set(key: Key, value: Value): void {
    if (!this.#kept.delete(key) && this.#kept.size >= this.#most) {
      const [oldest] = this.#kept.keys();
      this.#kept.delete(oldest!);
    }
    this.#kept.set(key, value);
  }

  /** The value that is kept, or the one made now; what `make` throws is thrown on, and nothing is kept. */
  getOrMake(key: Key, make: () => Value): Value {
    const kept = this.get(key);
    if (kept !== undefined) return kept;
    const made = make();
    this.set(key, made);
    return made;
  }
}
