/** Numbers positions in the order they are first seen; equal ones (−0 equals 0) get one number. */
export class PositionTable {
  readonly x: number[] = [];
  readonly y: number[] = [];
  #slots: Int32Array = new Int32Array(1024).fill(-1);
  readonly #bits = new Float64Array(2);
  readonly #words = new Uint32Array(this.#bits.buffer);

  get count(): number {
    return this.x.length;
  }

  /** The number of the position, a new one if it was not seen before. */
  idOf(x: number, y: number): number {
    let slot = this.#slotOf(x, y);
    const known = this.#slots[slot]!;
    if (known !== -1) return known;
    const id = this.x.length;
    this.x.push(x);
    this.y.push(y);
    if (this.x.length * 2 > this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
      for (let other = 0; other < id; other++)
        this.#slots[this.#slotOf(this.x[other]!, this.y[other]!)] = other;
      slot = this.#slotOf(x, y);
    }
    this.#slots[slot] = id;
    return id;
  }

  /** The slot that holds the position, or the free one where it belongs. */
  #slotOf(x: number, y: number): number {
    this.#bits[0] = x + 0;
    this.#bits[1] = y + 0;
    const [a, b, c, d] = this.#words as unknown as [number, number, number, number];
    let hash = Math.imul(a ^ (b >>> 15), 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
    hash = Math.imul(hash ^ (hash >>> 13) ^ c, 0x27d4eb2f) ^ Math.imul(d ^ (c >>> 15), 0x165667b1);
    hash ^= hash >>> 16;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let id = this.#slots[slot]!; id !== -1; id = this.#slots[slot]!) {
      if (this.x[id] === x && this.y[id] === y) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
