/**
 * A priority queue: a binary heap of pairs of items, the least key first, the lesser tie first among
 * equal keys. What is equal in both comes in an order that depends on nothing but what was pushed and
 * popped before.
 */
export class LeastQueue {
  #length = 0;
  #keys = new Float64Array(INITIAL_CAPACITY);
  #ties = new Float64Array(INITIAL_CAPACITY);
  #items = new Int32Array(INITIAL_CAPACITY);
  #others = new Int32Array(INITIAL_CAPACITY);

  get length(): number {
    return this.#length;
  }

  /** Key of the first pair; the queue must not be empty. */
  get key(): number {
    return this.#keys[0]!;
  }

  get tie(): number {
    return this.#ties[0]!;
  }

  get item(): number {
    return this.#items[0]!;
  }

  get other(): number {
    return this.#others[0]!;
  }

  clear(): void {
    this.#length = 0;
  }

  /**
   * @param key no NaN, like `tie`
   * @param item an integer of 32 bits, like `other`
   */
  push(key: number, tie: number, item: number, other: number): void {
    let at = this.#length++;
    if (at === this.#keys.length) this.#grow();
    const keys = this.#keys;
    const ties = this.#ties;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! < key || (keys[parent] === key && ties[parent]! <= tie)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, key, tie, item, other);
  }

  /** Takes out the first pair; there is one. */
  pop(): void {
    const length = --this.#length;
    const keys = this.#keys;
    const ties = this.#ties;
    const key = keys[length]!;
    const tie = ties[length]!;
    const item = this.#items[length]!;
    const other = this.#others[length]!;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      const next = child + 1;
      if (
        next < length &&
        (keys[next]! < keys[child]! || (keys[next] === keys[child] && ties[next]! < ties[child]!))
      ) {
        child = next;
      }
      if (keys[child]! > key || (keys[child] === key && ties[child]! >= tie)) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, key, tie, item, other);
  }

  /** Drops the pairs that are not to be kept. */
  keep(isKept: (item: number, other: number) => boolean): void {
    const [length, keys, ties, items, others] = [
      this.#length,
      this.#keys.slice(),
      this.#ties.slice(),
      this.#items.slice(),
      this.#others.slice(),
    ];
    this.#length = 0;
    for (let k = 0; k < length; k++) {
      if (isKept(items[k]!, others[k]!)) this.push(keys[k]!, ties[k]!, items[k]!, others[k]!);
    }
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#keys[from]!, this.#ties[from]!, this.#items[from]!, this.#others[from]!);
  }

  #set(at: number, key: number, tie: number, item: number, other: number): void {
    this.#keys[at] = key;
    this.#ties[at] = tie;
    this.#items[at] = item;
    this.#others[at] = other;
  }

  #grow(): void {
    const [keys, ties, items, others] = [this.#keys, this.#ties, this.#items, this.#others];
    const capacity = 2 * keys.length;
    this.#keys = new Float64Array(capacity);
    this.#ties = new Float64Array(capacity);
    this.#items = new Int32Array(capacity);
    this.#others = new Int32Array(capacity);
    this.#keys.set(keys);
    this.#ties.set(ties);
    this.#items.set(items);
    this.#others.set(others);
  }
}

const INITIAL_CAPACITY = 64;
