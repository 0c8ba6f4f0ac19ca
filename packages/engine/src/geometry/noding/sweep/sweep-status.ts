import { doubled } from "../../../base/doubled.ts";

/**
 * The edges a sweep line meets, in order along it from south to north.
 *
 * They stand in blocks of at most 64, the blocks in a list of their own: a search halves that list, then
 * a block, and looks at nothing but edges; to put one in moves half a block on average. A **slot** is
 * where an edge stands; what is put in or taken out below an edge, in its block, moves it to another.
 */
export class SweepStatus {
  /** How many edges the line meets. */
  size: number = 0;
  /** The edge in each slot: those of block b from `b << BLOCK_BITS` on. */
  edges: Int32Array = new Int32Array(BLOCK_SIZE * INITIAL_BLOCKS);
  /** Blocks from south to north, none of them empty. */
  order: Int32Array = new Int32Array(INITIAL_BLOCKS);
  blockCount: number = 0;
  /** For each block: the number of edges in it, and its neighbours. */
  sizes: Int32Array = new Int32Array(INITIAL_BLOCKS);
  #below: Int32Array = new Int32Array(INITIAL_BLOCKS);
  #above: Int32Array = new Int32Array(INITIAL_BLOCKS);
  /** Block of each edge; −1 for those not on the line. */
  readonly #blockOf: Int32Array;
  #used = 0;
  #free = NONE;

  /** @param edgeCount edges are numbered below this */
  constructor(edgeCount: number) {
    this.#blockOf = new Int32Array(edgeCount).fill(NONE);
  }

  /** The slot of an edge, −1 if it is not on the line. */
  slotOf(edge: number): number {
    const block = this.#blockOf[edge]!;
    if (block === NONE) return NONE;
    const { edges } = this;
    let slot = block << BLOCK_BITS;
    while (edges[slot] !== edge) slot++;
    return slot;
  }

  /** The slot above a slot, the lowest of all above −1; −1 for none. */
  above(slot: number): number {
    if (slot === NONE) return this.blockCount === 0 ? NONE : this.order[0]! << BLOCK_BITS;
    const block = slot >> BLOCK_BITS;
    if ((slot & BLOCK_MASK) + 1 < this.sizes[block]!) return slot + 1;
    const next = this.#above[block]!;
    return next === NONE ? NONE : next << BLOCK_BITS;
  }

  /** The slot below a slot, −1 for none. */
  below(slot: number): number {
    if ((slot & BLOCK_MASK) > 0) return slot - 1;
    const previous = this.#below[slot >> BLOCK_BITS]!;
    return previous === NONE ? NONE : (previous << BLOCK_BITS) + this.sizes[previous]! - 1;
  }

  /** The edge in a slot, −1 for none. */
  edgeAt(slot: number): number {
    return slot === NONE ? NONE : this.edges[slot]!;
  }

  /** Puts an edge just above a slot, lowest of all for −1; returns its slot. */
  insertAbove(slot: number, edge: number): number {
    this.size++;
    if (this.blockCount === 0) {
      const first = this.#allocate();
      this.#below[first] = NONE;
      this.#above[first] = NONE;
      this.order[0] = first;
      this.blockCount = 1;
    }
    let at = slot === NONE ? this.order[0]! << BLOCK_BITS : slot + 1;
    // Above the last of a full block is the place after it, which is in no block of its own.
    let block = slot === NONE ? this.order[0]! : slot >> BLOCK_BITS;
    if (this.sizes[block] === BLOCK_SIZE) {
      const upper = this.#split(block);
      const place = at - (block << BLOCK_BITS);
      if (place > BLOCK_SIZE / 2) {
        block = upper;
        at = (upper << BLOCK_BITS) + place - BLOCK_SIZE / 2;
      }
    }
    const { edges } = this;
    for (let k = (block << BLOCK_BITS) + this.sizes[block]!; k > at; k--) edges[k] = edges[k - 1]!;
    edges[at] = edge;
    this.#blockOf[edge] = block;
    this.sizes[block]!++;
    return at;
  }

  /** Takes the edge in a slot off the line. */
  remove(slot: number): void {
    this.size--;
    const { edges } = this;
    const block = slot >> BLOCK_BITS;
    this.#blockOf[edges[slot]!] = NONE;
    const last = (block << BLOCK_BITS) + --this.sizes[block]!;
    for (let k = slot; k < last; k++) edges[k] = edges[k + 1]!;
    if (this.sizes[block] === 0) this.#drop(block);
  }

  /** Puts another edge into a slot. The edge in it must be forgotten first, or put into another slot. */
  put(slot: number, edge: number): void {
    this.edges[slot] = edge;
    this.#blockOf[edge] = slot >> BLOCK_BITS;
  }

  /** Removes an edge from the line; its slot can be reused. */
  forget(edge: number): void {
    this.#blockOf[edge] = NONE;
  }

  /** Exchanges the edges of a slot and the slot above it. */
  swapWithAbove(slot: number): void {
    const over = this.above(slot);
    const edge = this.edges[slot]!;
    this.put(slot, this.edges[over]!);
    this.put(over, edge);
  }

  #split(block: number): number {
    const upper = this.#allocate();
    const half = BLOCK_SIZE / 2;
    const { edges, sizes } = this;
    for (let k = 0; k < half; k++) {
      const edge = edges[(block << BLOCK_BITS) + half + k]!;
      edges[(upper << BLOCK_BITS) + k] = edge;
      this.#blockOf[edge] = upper;
    }
    sizes[block] = half;
    sizes[upper] = half;
    const next = this.#above[block]!;
    this.#below[upper] = block;
    this.#above[upper] = next;
    this.#above[block] = upper;
    if (next !== NONE) this.#below[next] = upper;
    const rank = this.order.indexOf(block);
    this.order.copyWithin(rank + 2, rank + 1, this.blockCount++);
    this.order[rank + 1] = upper;
    return upper;
  }

  #drop(block: number): void {
    const under = this.#below[block]!;
    const over = this.#above[block]!;
    if (under !== NONE) this.#above[under] = over;
    if (over !== NONE) this.#below[over] = under;
    const rank = this.order.indexOf(block);
    this.order.copyWithin(rank, rank + 1, this.blockCount--);
    this.#above[block] = this.#free;
    this.#free = block;
  }

  #allocate(): number {
    if (this.#free !== NONE) {
      const block = this.#free;
      this.#free = this.#above[block]!;
      return block;
    }
    if (this.#used === this.sizes.length) {
      this.edges = doubled(this.edges);
      this.order = doubled(this.order);
      this.sizes = doubled(this.sizes);
      this.#below = doubled(this.#below);
      this.#above = doubled(this.#above);
    }
    return this.#used++;
  }
}

/** No slot, no edge. */
export const NONE = -1;

export const BLOCK_BITS = 6;
const BLOCK_SIZE: number = 1 << BLOCK_BITS;
const BLOCK_MASK: number = BLOCK_SIZE - 1;
const INITIAL_BLOCKS = 4;
