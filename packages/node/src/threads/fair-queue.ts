/**
 * A queue of several lanes: first come, first served within a lane, and lanes take turns. A lane with many
 * items delays only itself.
 */
export class FairQueue<Item> {
  /** Lanes in the order of their turns; none is empty. */
  #lanes = new Map<string, Item[]>();
  #size = 0;

  /** Number of waiting items in all lanes. */
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

  /**
   * Returns taken but unused items to the queue: in front of their lanes, whose turn is next.
   *
   * @param taken in the order in which they were taken
   */
  putBack(taken: readonly (readonly [lane: string, item: Item])[]): void {
    if (taken.length === 0) return;
    const lanes = new Map<string, Item[]>();
    for (const [lane, item] of taken) {
      const items = lanes.get(lane);
      if (items === undefined) lanes.set(lane, [item]);
      else items.push(item);
    }
    for (const [lane, items] of this.#lanes) lanes.set(lane, [...(lanes.get(lane) ?? []), ...items]);
    this.#lanes = lanes;
    this.#size += taken.length;
  }

  /**
   * Takes the first item of the lane whose turn it is.
   *
   * @param mayPass returns true if a lane may have its turn now, with its first item; a lane that may not keeps its
   *   place
   */
  shift(mayPass: (lane: string, first: Item) => boolean = () => true): Item | undefined {
    for (const [lane, items] of this.#lanes) {
      if (!mayPass(lane, items[0]!)) continue;
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

  /** Removes an item from its `lane`, at any position. */
  delete(lane: string, item: Item): void {
    const items = this.#lanes.get(lane);
    const at = items?.lastIndexOf(item) ?? -1;
    if (items === undefined || at === -1) return;
    items.splice(at, 1);
    if (items.length === 0) this.#lanes.delete(lane);
    this.#size--;
  }

  /** Number of waiting items in the longest lane. */
  longest(): number {
    let longest = 0;
    for (const items of this.#lanes.values()) longest = Math.max(longest, items.length);
    return longest;
  }

  /** Number of waiting items in a `lane`. */
  sizeOf(lane: string): number {
    return this.#lanes.get(lane)?.length ?? 0;
  }
}
