/** Integers of 32 bits that are added one by one: four bytes each, at most half as much again unused. */
export class IntList {
  length: number = 0;
  #values: Int32Array = new Int32Array(64);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Int32Array(this.length + (this.length >> 1));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  clear(): void {
    this.length = 0;
  }

  /** The values so far; stale once one is added. */
  get values(): Int32Array {
    return this.#values.subarray(0, this.length);
  }
}
