import { doubled } from "../../base/doubled.ts";

/**
 * Pairs of a node of an area ring's tree and a node of the plot's, least key first.
 *
 * A binary heap of keys and the entries they belong to; not a LeastQueue: the tie and the second item which
 * that one moves cost the search 3 to 5 % of its time.
 */
export class PairQueue {
  length = 0;
  // For each entry: area ring, node in it as (index · 16 + level), shift of its longitudes, plot node.
  rings: Int32Array = new Int32Array(256);
  nodes: Uint32Array = new Uint32Array(256);
  shifts: Float64Array = new Float64Array(256);
  plotNodes: Int32Array = new Int32Array(256);
  #entryCount = 0;
  #keys = new Float64Array(256);
  #entries = new Int32Array(256);

  clear(): void {
    this.length = 0;
    this.#entryCount = 0;
  }

  /** The least key in the queue, which is not empty. */
  get leastKey(): number {
    return this.#keys[0]!;
  }

  push(key: number, ring: number, node: number, shift: number, plotNode: number): void {
    const entry = this.#entryCount++;
    if (entry === this.rings.length) this.#growEntries();
    this.rings[entry] = ring;
    this.nodes[entry] = node;
    this.shifts[entry] = shift;
    this.plotNodes[entry] = plotNode;

    let at = this.length++;
    if (at === this.#keys.length) {
      this.#keys = doubled(this.#keys);
      this.#entries = doubled(this.#entries);
    }
    const keys = this.#keys;
    const entries = this.#entries;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      entries[at] = entries[parent]!;
      at = parent;
    }
    keys[at] = key;
    entries[at] = entry;
  }

  /** Takes out the entry of the least key. */
  pop(): number {
    const keys = this.#keys;
    const entries = this.#entries;
    const top = entries[0]!;
    const length = --this.length;
    const key = keys[length]!;
    const entry = entries[length]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && keys[child + 1]! < keys[child]!) child++;
      if (keys[child]! >= key) break;
      keys[at] = keys[child]!;
      entries[at] = entries[child]!;
      at = child;
    }
    keys[at] = key;
    entries[at] = entry;
    return top;
  }

  #growEntries(): void {
    this.rings = doubled(this.rings);
    this.nodes = doubled(this.nodes);
    this.shifts = doubled(this.shifts);
    this.plotNodes = doubled(this.plotNodes);
  }
}
