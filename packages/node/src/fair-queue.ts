/**
 * A queue of several lanes: first come, first served within a lane, and lanes take turns. A lane with many
 * items delays only itself.
 */
export class FairQueue<Item> {
  /** In the order of their turns; none is empty. */
  readonly #lanes = new Map<string, Item[]>();
  #size = 0;

  /** How many items wait in all lanes together. */
  get size(): number {
    return this.#size;
  }

  /** Puts an item behind all others of its `lane`, which need not exist yet. */
  push(lane: string, item: Item): void {
    const items = this.#lanes.get(lane);
    if (items === undefined) this.#lanes.set(lane, [item]);
    else items.push(item);
    this.#size++;
  }

  /** Puts an item before all others of its `lane`. */
  unshift(lane: string, item: Item): void {
    const items = this.#lanes.get(lane);
    if (items === undefined) this.#lanes.set(lane, [item]);
    else items.unshift(item);
    this.#size++;
  }

  /**
   * Takes the first item of the lane whose turn it is.
   *
   * @param mayPass whether a lane may have its turn now; a lane that may not keeps its place
   */
  shift(mayPass: (lane: string) => boolean = () => true): Item | undefined {
    for (const [lane, items] of this.#lanes) {
      if (!mayPass(lane)) continue;
      const item = items.shift();
      this.#lanes.delete(lane);
      if (items.length > 0) this.#lanes.set(lane, items);
      this.#size--;
      return item;
    }
    return undefined;
  }

  /** Takes the last item of the longest lane, if that lane has more than `moreThan` items. */
  popLongest(moreThan: number): Item | undefined {
    let longest: [lane: string, items: Item[]] | undefined;
    for (const entry of this.#lanes) {
      if (entry[1].length > Math.max(moreThan, longest?.[1].length ?? 0)) longest = entry;
    }
    if (longest === undefined) return undefined;
    const item = longest[1].at(-1)!;
    this.delete(longest[0], item);
    return item;
  }

  /** Removes an item from its `lane`, wherever it is in it. */
  delete(lane: string, item: Item): void {
    const items = this.#lanes.get(lane);
    const at = items?.lastIndexOf(item) ?? -1;
    if (items === undefined || at === -1) return;
    items.splice(at, 1);
    if (items.length === 0) this.#lanes.delete(lane);
    this.#size--;
  }

  /** How many items wait in the longest lane. */
  longest(): number {
    let longest = 0;
    for (const items of this.#lanes.values()) longest = Math.max(longest, items.length);
    return longest;
  }

  /** How many items wait in a `lane`. */
  sizeOf(lane: string): number {
    return this.#lanes.get(lane)?.length ?? 0;
  }
}
