import { doubled } from "../../base/doubled.ts";

/** Numbers positions in the order they are first seen; equal ones (−0 equals 0) get one number. */
export class PositionTable {
  count: number = 0;
  #x: Float64Array = new Float64Array(512);
  #y: Float64Array = new Float64Array(512);
  /** Twice as many as there is room for positions. */
  #slots: Int32Array = new Int32Array(1024).fill(-1);
  readonly #bits = new Float64Array(2);
  readonly #words = new Uint32Array(this.#bits.buffer);

  /** Positions by number, those so far; stale once one is added. */
  get x(): Float64Array {
    return this.#x.subarray(0, this.count);
  }

  get y(): Float64Array {
    return this.#y.subarray(0, this.count);
  }

  /** The number of the position, a new one if it was not seen before. */
  idOf(x: number, y: number): number {
    const slot = this.#slotOf(x, y);
    const known = this.#slots[slot]!;
    if (known !== -1) return known;
    if (this.count === this.#x.length) {
      this.#grow();
      return this.idOf(x, y);
    }
    const id = this.count++;
    this.#x[id] = x;
    this.#y[id] = y;
    this.#slots[slot] = id;
    return id;
  }

  #grow(): void {
    this.#x = doubled(this.#x);
    this.#y = doubled(this.#y);
    this.#slots = new Int32Array(2 * this.#x.length).fill(-1);
    for (let id = 0; id < this.count; id++) this.#slots[this.#slotOf(this.#x[id]!, this.#y[id]!)] = id;
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
      if (this.#x[id] === x && this.#y[id] === y) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
