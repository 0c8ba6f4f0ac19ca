import type { CellPatches } from "@groundrule/engine";
import {
  BACKGROUND,
  cellSquareMeters,
  type RasterGrid,
  TILE_CELLS,
  tilingOf,
} from "@groundrule/engine/internal";
import type { Band } from "./band-reader.ts";
import { type Cells, runEnd } from "./value-table.ts";

const SQUARE_METERS_PER_HECTARE = 10_000;

/**
 * Finds the patches of a grid that are smaller than asked, and turns them into background: cells of one area that hang
 * together, by union and find over the runs of each row (Rosenfeld and Pfaltz 1966). All bands are handed to `measure` first,
 * then, read again, to `drop`. Memory: 12 bytes a label; a label is a run that no run of its area lies north of.
 */
export class PatchSieve {
  readonly #grid: RasterGrid;
  readonly #areaCount: number;
  readonly #reach: number;
  readonly #leastSquareMeters: number;
  readonly #isTurn: boolean;
  #parents: Uint32Array = new Uint32Array(1024);
  #squareMeters: Float64Array = new Float64Array(1024);
  #labelCount = 0;
  #above: Runs = { count: 0, starts: [], ends: [], values: [], labels: [] };
  #here: Runs = { count: 0, starts: [], ends: [], values: [], labels: [] };
  /** Patches that became background. */
  dropped = 0;

  constructor(grid: RasterGrid, areaCount: number, { neighbours, min_ha }: CellPatches) {
    this.#grid = grid;
    this.#areaCount = areaCount;
    this.#reach = neighbours === 8 ? 1 : 0;
    this.#leastSquareMeters = min_ha * SQUARE_METERS_PER_HECTARE;
    this.#isTurn = grid.columns * grid.s === 360 * grid.n;
  }

  /** First pass: the area of each patch. */
  measure({ cells, firstRow, rows }: Band): void {
    const { columns } = this.#grid;
    const areas = this.#cellAreas(firstRow);
    for (let r = 0; r < rows; r++) {
      this.#readRow(cells, r * columns, true);
      const { count, starts, ends, labels } = this.#here;
      for (let i = 0; i < count; i++) this.#squareMeters[labels[i]!]! += (ends[i]! - starts[i]!) * areas(r);
      if (this.#isTurn) this.#joinAround();
    }
  }

  /** Between the passes: what all labels of a patch have together. */
  turn(): void {
    for (let label = this.#labelCount - 1; label > 0; label--) {
      const root = this.#find(label);
      if (root !== label) this.#squareMeters[root]! += this.#squareMeters[label]!;
    }
    for (let label = 0; label < this.#labelCount; label++) {
      if (this.#find(label) === label && this.#isSmall(label)) this.dropped++;
    }
    this.#labelCount = 0;
    this.#above.count = 0;
    this.#here.count = 0;
  }

  /** Second pass: turns the cells of small patches into background. */
  drop({ cells, rows }: Band): void {
    const { columns } = this.#grid;
    for (let r = 0; r < rows; r++) {
      this.#readRow(cells, r * columns, false);
      const { count, starts, ends, labels } = this.#here;
      for (let i = 0; i < count; i++) {
        if (this.#isSmall(this.#find(labels[i]!)))
          cells.fill(BACKGROUND, r * columns + starts[i]!, r * columns + ends[i]!);
      }
    }
  }

  #isSmall(root: number): boolean {
    return this.#squareMeters[root]! < this.#leastSquareMeters;
  }

  #cellAreas(firstRow: number): (row: number) => number {
    const tiling = tilingOf(this.#grid);
    const line = firstRow + tiling.rowOffset;
    const tileRow = Math.floor(line / TILE_CELLS);
    const areas = cellSquareMeters(this.#grid, tiling, tileRow);
    return (row) => areas[line - tileRow * TILE_CELLS + row]!;
  }

  /** Reads the runs of the next row. Both passes give a run the same label: one of a run north of it, else a new one. */
  #readRow(cells: Cells, at: number, isFirst: boolean): void {
    [this.#above, this.#here] = [this.#here, this.#above];
    const { columns } = this.#grid;
    const { count: aboveCount, starts, ends, values, labels } = this.#above;
    const here = this.#here;
    const reach = this.#reach;
    here.count = 0;
    let first = 0;
    for (let column = 0; column < columns; ) {
      const value = cells[at + column]!;
      const start = column;
      column = runEnd(cells, at + start, at + columns) - at;
      if (value >= this.#areaCount) continue;
      while (first < aboveCount && ends[first]! + reach <= start) first++;
      let label = -1;
      for (let i = first; i < aboveCount && starts[i]! < column + reach; i++) {
        if (values[i] !== value) continue;
        if (label === -1) label = labels[i]!;
        else if (isFirst) this.#join(label, labels[i]!);
        else break;
      }
      if (label === -1) label = this.#newLabel(isFirst);
      here.starts[here.count] = start;
      here.ends[here.count] = column;
      here.values[here.count] = value;
      here.labels[here.count++] = label;
    }
  }

  /** On a grid that goes round the earth the last column is the first one's neighbour. */
  #joinAround(): void {
    const [here, above] = [this.#here, this.#above];
    const { columns } = this.#grid;
    const pairs =
      this.#reach === 0
        ? [[here, here]]
        : [
            [here, here],
            [here, above],
            [above, here],
          ];
    for (const [east, west] of pairs as [Runs, Runs][]) {
      const last = east.count - 1;
      if (last < 0 || west.count === 0 || east.ends[last] !== columns || west.starts[0] !== 0) continue;
      if (east.values[last] === west.values[0]) this.#join(east.labels[last]!, west.labels[0]!);
    }
  }

  #newLabel(isFirst: boolean): number {
    const label = this.#labelCount++;
    if (!isFirst) return label;
    if (label === this.#parents.length) {
      this.#parents = grown(this.#parents, new Uint32Array(2 * label));
      this.#squareMeters = grown(this.#squareMeters, new Float64Array(2 * label));
    }
    this.#parents[label] = label;
    return label;
  }

  #find(label: number): number {
    const parents = this.#parents;
    let root = label;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  }

  /** The lower label stands for both, so that `turn` meets each label after those that it stands for. */
  #join(a: number, b: number): void {
    const [one, other] = [this.#find(a), this.#find(b)];
    if (one < other) this.#parents[other] = one;
    else this.#parents[one] = other;
  }
}

interface Runs {
  count: number;
  readonly starts: number[];
  readonly ends: number[];
  readonly values: number[];
  readonly labels: number[];
}

function grown<Numbers extends Uint32Array | Float64Array>(from: Numbers, into: Numbers): Numbers {
  into.set(from);
  return into;
}
