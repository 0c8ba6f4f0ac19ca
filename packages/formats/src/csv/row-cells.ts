/** The cells of a row by their columns, as a map that is not made: only the index is shared by all rows. */
export class RowCells implements ReadonlyMap<string, string> {
  readonly #indexOf: ReadonlyMap<string, number>;
  readonly #cells: readonly string[];

  constructor(indexOf: ReadonlyMap<string, number>, cells: readonly string[]) {
    this.#indexOf = indexOf;
    this.#cells = cells;
  }

  get size(): number {
    return Math.min(this.#indexOf.size, this.#cells.length);
  }

  get(column: string): string | undefined {
    const index = this.#indexOf.get(column);
    return index === undefined ? undefined : this.#cells[index];
  }

  has(column: string): boolean {
    return this.get(column) !== undefined;
  }

  forEach(told: (value: string, key: string, map: ReadonlyMap<string, string>) => void): void {
    for (const [column, cell] of this.entries()) told(cell, column, this);
  }

  *entries(): MapIterator<[string, string]> {
    for (const [column, index] of this.#indexOf) {
      const cell = this.#cells[index];
      if (cell !== undefined) yield [column, cell];
    }
  }

  *keys(): MapIterator<string> {
    for (const [column] of this.entries()) yield column;
  }

  *values(): MapIterator<string> {
    for (const [, cell] of this.entries()) yield cell;
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }
}
