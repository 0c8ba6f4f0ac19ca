/**
 * The numbers of positions from west to east, on a meridian from south to north; equal ones by number.
 *
 * Many are sorted by digits: the range of their longitudes is cut into 2³² cells, which hardly ever hold two
 * different ones, and only cells that do are looked into, in the same way. O(n) for positions of real places, at worst O(n log n)
 * for each 2³²th of the range that positions crowd into.
 *
 * @param x longitudes, finite
 * @param y latitudes, finite
 */
export function sortPositions(x: Float64Array, y: Float64Array): Int32Array {
  const count = x.length;
  const order = new Int32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  if (count > 1) new PositionSort(x, y, order).sort(0, count);
  return order;
}

class PositionSort {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #order: Int32Array;
  readonly #nextOrder: Int32Array;
  #keys = NO_KEYS;
  #nextKeys = NO_KEYS;
  #counts = NO_KEYS;

  constructor(x: Float64Array, y: Float64Array, order: Int32Array) {
    this.#x = x;
    this.#y = y;
    this.#order = order;
    this.#nextOrder = new Int32Array(order.length);
  }

  /** Sorts the numbers from `start` to before `end` of the order. */
  sort(start: number, end: number): void {
    if (end - start < SORTED_BY_DIGITS) this.#insert(start, end);
    else if (!this.#sortByDigits(this.#x, start, end)) this.#sortByDigits(this.#y, start, end);
  }

  /** @returns false where all are equal in the ordinate */
  #sortByDigits(ordinate: Float64Array, start: number, end: number): boolean {
    const order = this.#order;
    let low = ordinate[order[start]!]!;
    let high = low;
    for (let k = start + 1; k < end; k++) {
      const value = ordinate[order[k]!]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low === high) return false;
    const scale = GREATEST_KEY / (high - low);
    // Numbers so large or so close that their range or its inverse is no double.
    if (!(scale > 0 && scale < Infinity)) {
      order
        .subarray(start, end)
        .sort((p, q) => (this.#isBefore(p, q) ? -1 : this.#isBefore(q, p) ? 1 : p - q));
    } else {
      this.#setKeys(ordinate, start, end, low, scale);
      this.#byDigits(start, end);
      this.#sortRuns(start, end);
    }
    return true;
  }

  #setKeys(ordinate: Float64Array, start: number, end: number, low: number, scale: number): void {
    if (this.#keys.length === 0) {
      this.#keys = new Uint32Array(this.#order.length);
      this.#nextKeys = new Uint32Array(this.#order.length);
      this.#counts = new Uint32Array(3 << DIGIT_BITS);
    }
    const order = this.#order;
    const keys = this.#keys;
    // Rounding keeps order, so a greater number never has a lesser key.
    for (let k = start; k < end; k++) keys[k] = Math.min((ordinate[order[k]!]! - low) * scale, GREATEST_KEY);
  }

  /** Sorts by keys, the least significant of three digits first. */
  #byDigits(start: number, end: number): void {
    const counts = this.#counts.fill(0);
    const keys = this.#keys;
    for (let k = start; k < end; k++) {
      const key = keys[k]!;
      counts[key & DIGIT_MASK]!++;
      counts[(1 << DIGIT_BITS) + ((key >>> DIGIT_BITS) & DIGIT_MASK)]!++;
      counts[(2 << DIGIT_BITS) + (key >>> (2 * DIGIT_BITS))]!++;
    }
    for (let digit = 0; digit < 3; digit++) {
      let before = start;
      for (let k = digit << DIGIT_BITS; k < (digit + 1) << DIGIT_BITS; k++) {
        const count = counts[k]!;
        counts[k] = before;
        before += count;
      }
    }
    this.#distribute(0, this.#order, this.#keys, this.#nextOrder, this.#nextKeys, start, end);
    this.#distribute(1, this.#nextOrder, this.#nextKeys, this.#order, this.#keys, start, end);
    this.#distribute(2, this.#order, this.#keys, this.#nextOrder, this.#nextKeys, start, end);
    this.#order.set(this.#nextOrder.subarray(start, end), start);
    this.#keys.set(this.#nextKeys.subarray(start, end), start);
  }

  #distribute(
    digit: number,
    from: Int32Array,
    fromKeys: Uint32Array,
    to: Int32Array,
    toKeys: Uint32Array,
    start: number,
    end: number,
  ): void {
    const counts = this.#counts;
    const shift = digit * DIGIT_BITS;
    const base = digit << DIGIT_BITS;
    for (let k = start; k < end; k++) {
      const key = fromKeys[k]!;
      const at = counts[base + ((key >>> shift) & DIGIT_MASK)]!++;
      to[at] = from[k]!;
      toKeys[at] = key;
    }
  }

  /** Sorts what shares a key. Of each run's keys only the last is needed once the run is known. */
  #sortRuns(start: number, end: number): void {
    for (let first = start; first < end; ) {
      const key = this.#keys[first]!;
      let next = first + 1;
      while (next < end && this.#keys[next] === key) next++;
      if (next - first > 1) this.sort(first, next);
      first = next;
    }
  }

  #insert(start: number, end: number): void {
    const order = this.#order;
    for (let k = start + 1; k < end; k++) {
      const one = order[k]!;
      let at = k;
      for (; at > start && this.#isBefore(one, order[at - 1]!); at--) order[at] = order[at - 1]!;
      order[at] = one;
    }
  }

  #isBefore(p: number, q: number): boolean {
    const px = this.#x[p]!;
    const qx = this.#x[q]!;
    return px < qx || (px === qx && this.#y[p]! < this.#y[q]!);
  }
}

const DIGIT_BITS = 11;
const DIGIT_MASK = (1 << DIGIT_BITS) - 1;
const GREATEST_KEY = 4294967295;
const NO_KEYS = new Uint32Array(0);
/** From so many positions on counting digits is quicker than comparing. */
const SORTED_BY_DIGITS = 64;
