import type { CellPatches } from "@groundrule/engine";
import {
  BACKGROUND,
  cellSquareMetersByRow,
  computeTiling,
  NODATA,
  type RasterGrid,
  TILE_CELLS,
} from "@groundrule/engine/internal";
import { findRunEnd } from "../manifest/value-table.ts";
import { type Band, nodataValue } from "./band-reader.ts";

const SQUARE_METERS_PER_HECTARE = 10_000;

/**
 * Finds the patches of a grid that are smaller than asked: cells of one area that hang together, by union and find over
 * the runs of each row (Rosenfeld and Pfaltz 1966). Such a patch becomes background. But if it touches the unknown, a cell
 * that is nodata or lies off the grid, it may go on there: then it becomes nodata.
 *
 * All bands go to `measure` first, then, read again, to `drop`. Memory: 13 bytes a label; a label is a run that no run of its
 * area lies north of.
 */
export class PatchSieve {
  readonly #grid: RasterGrid;
  readonly #areaCount: number;
  readonly #reach: number;
  readonly #leastSquareMeters: number;
  readonly #isTurn: boolean;
  #parents: Uint32Array = new Uint32Array(1024);
  #squareMeters: Float64Array = new Float64Array(1024);
  /** By label, 1: a cell of the patch touches the unknown. */
  #touching: Uint8Array = new Uint8Array(1024);
  #labelCount = 0;
  #above: Row = createEmptyRow();
  #here: Row = createEmptyRow();
  /** Patches that became background. */
  dropped = 0;
  /** Patches that became nodata, since nobody knows how large they are. */
  unknown = 0;

  constructor(grid: RasterGrid, areaCount: number, { neighbours, min_ha }: CellPatches) {
    this.#grid = grid;
    this.#areaCount = areaCount;
    this.#reach = neighbours === 8 ? 1 : 0;
    this.#leastSquareMeters = min_ha * SQUARE_METERS_PER_HECTARE;
    this.#isTurn = grid.columns * grid.s === 360 * grid.n;
    this.#startPass();
  }

  /** First pass: the area of each patch, and whether it touches the unknown. */
  measure(band: Band): void {
    if (band.parts.length === 0) {
      this.#skipRow(true);
      return;
    }
    const areas = this.#cellAreas(band.firstRow);
    for (let r = 0; r < band.rows; r++) {
      this.#readRow(band, r, true);
      const { count, starts, ends, labels } = this.#here;
      for (let i = 0; i < count; i++) this.#squareMeters[labels[i]!]! += (ends[i]! - starts[i]!) * areas(r);
      if (this.#isTurn) this.#joinAround();
      this.#markTouching();
    }
  }

  /** Between the passes: what all labels of a patch have together. */
  turn(): void {
    this.#skipRow(true);
    for (let label = this.#labelCount - 1; label > 0; label--) {
      const root = this.#find(label);
      if (root === label) continue;
      this.#squareMeters[root]! += this.#squareMeters[label]!;
      this.#touching[root]! |= this.#touching[label]!;
    }
    for (let label = 0; label < this.#labelCount; label++) {
      if (this.#find(label) !== label || !this.#isSmall(label)) continue;
      if (this.#touching[label] === 1) this.unknown++;
      else this.dropped++;
    }
    this.#startPass();
  }

  /** Second pass: turns the cells of small patches into background or nodata. */
  drop(band: Band): void {
    if (band.parts.length === 0) {
      this.#skipRow(false);
      return;
    }
    for (let r = 0; r < band.rows; r++) {
      this.#readRow(band, r, false);
      const { count, starts, ends, labels } = this.#here;
      let p = 0;
      for (let i = 0; i < count; i++) {
        while (band.parts[p]!.to <= starts[i]!) p++;
        const root = this.#find(labels[i]!);
        if (!this.#isSmall(root)) continue;
        const { cells, from, to } = band.parts[p]!;
        const at = r * (to - from) - from;
        cells.fill(this.#touching[root] === 1 ? NODATA : BACKGROUND, at + starts[i]!, at + ends[i]!);
      }
    }
  }

  #startPass(): void {
    this.#labelCount = 0;
    // North of the first row nothing is known.
    this.#setUnknown(this.#here);
  }

  #setUnknown(row: Row): void {
    row.count = 0;
    row.unknownCount = 0;
    row.isBeyondWestUnknown = true;
    this.#addUnknown(row, 0, this.#grid.columns + 1);
  }

  /** Goes over rows of which nothing is known. */
  #skipRow(isFirst: boolean): void {
    [this.#above, this.#here] = [this.#here, this.#above];
    this.#setUnknown(this.#here);
    if (isFirst) this.#markTouching();
  }

  #isSmall(root: number): boolean {
    return this.#squareMeters[root]! < this.#leastSquareMeters;
  }

  #cellAreas(firstRow: number): (row: number) => number {
    const tiling = computeTiling(this.#grid);
    const line = firstRow + tiling.rowOffset;
    const tileRow = Math.floor(line / TILE_CELLS);
    const areas = cellSquareMetersByRow(this.#grid, tiling, tileRow);
    return (row) => areas[line - tileRow * TILE_CELLS + row]!;
  }

  /** Reads the runs of the next row. Both passes give a run the same label: one of a run north of it, else a new one. */
  #readRow({ parts }: Band, r: number, isFirst: boolean): void {
    [this.#above, this.#here] = [this.#here, this.#above];
    const { count: aboveCount, starts, ends, values, labels } = this.#above;
    const here = this.#here;
    const reach = this.#reach;
    here.count = 0;
    here.unknownCount = 0;
    let first = 0;
    /** Where the unknown before the next part begins. */
    let unknownFrom = 0;
    for (const { cells, from, to } of parts) {
      if (from > unknownFrom) this.#addUnknown(here, unknownFrom, from);
      const nodata = nodataValue(cells);
      const at = r * (to - from) - from;
      for (let column = from; column < to; ) {
        const value = cells[at + column]!;
        const start = column;
        column = findRunEnd(cells, at + start, at + to) - at;
        if (value === nodata) this.#addUnknown(here, start, column);
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
      unknownFrom = to;
    }
    if (isFirst) this.#closeRow(here, unknownFrom);
  }

  /** Adds what lies east of the last part, and off the grid: on one that goes round the earth its other end. */
  #closeRow(row: Row, unknownFrom: number): void {
    const { columns } = this.#grid;
    if (unknownFrom < columns) this.#addUnknown(row, unknownFrom, columns);
    const { unknownCount, unknownStarts, unknownEnds } = row;
    const isWestKnown = unknownCount === 0 || unknownStarts[0]! > 0;
    const isEastKnown = unknownCount === 0 || unknownEnds[unknownCount - 1]! < columns;
    // Beyond each end lies the other one on a turn, else what no file reaches.
    const [isBeyondWestKnown, isBeyondEastKnown] = this.#isTurn ? [isEastKnown, isWestKnown] : [false, false];
    if (!isBeyondEastKnown) this.#addUnknown(row, columns, columns + 1);
    row.isBeyondWestUnknown = !isBeyondWestKnown;
  }

  #addUnknown(row: Row, from: number, to: number): void {
    row.unknownStarts[row.unknownCount] = from;
    row.unknownEnds[row.unknownCount++] = to;
  }

  /** Marks the labels of this row and the row above that touch the unknown of either. */
  #markTouching(): void {
    const [here, above] = [this.#here, this.#above];
    const reach = this.#reach;
    // Along a row cells share an edge where one run ends as the other begins; across rows, where they overlap.
    this.#mark(here, here, 1);
    this.#mark(here, above, reach);
    this.#mark(above, here, reach);
  }

  #mark(areas: Row, unknown: Row, reach: number): void {
    const { count, starts, ends, labels } = areas;
    const { unknownCount, unknownStarts, unknownEnds } = unknown;
    let u = 0;
    for (let i = 0; i < count; i++) {
      while (u < unknownCount && unknownEnds[u]! + reach <= starts[i]!) u++;
      const isTouching = u < unknownCount && unknownStarts[u]! < ends[i]! + reach;
      const isAtWest = unknown.isBeyondWestUnknown && starts[i]! < reach;
      if (isTouching || isAtWest) this.#touching[labels[i]!] = 1;
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
    for (const [east, west] of pairs as [Row, Row][]) {
      const last = east.count - 1;
      if (last < 0 || west.count === 0 || east.ends[last] !== columns || west.starts[0] !== 0) continue;
      if (east.values[last] === west.values[0]) this.#join(east.labels[last]!, west.labels[0]!);
    }
  }

  #newLabel(isFirst: boolean): number {
    const label = this.#labelCount++;
    if (!isFirst) return label;
    if (label === this.#parents.length) {
      this.#parents = copyInto(this.#parents, new Uint32Array(2 * label));
      this.#squareMeters = copyInto(this.#squareMeters, new Float64Array(2 * label));
      this.#touching = copyInto(this.#touching, new Uint8Array(2 * label));
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

/** The runs of a row: of areas, with their labels, and of the unknown. */
interface Row {
  count: number;
  readonly starts: number[];
  readonly ends: number[];
  readonly values: number[];
  readonly labels: number[];
  unknownCount: number;
  readonly unknownStarts: number[];
  readonly unknownEnds: number[];
  /** True if the cell west of the first column is unknown. */
  isBeyondWestUnknown: boolean;
}

function createEmptyRow(): Row {
  return {
    count: 0,
    starts: [],
    ends: [],
    values: [],
    labels: [],
    unknownCount: 0,
    unknownStarts: [],
    unknownEnds: [],
    isBeyondWestUnknown: true,
  };
}

function copyInto<Numbers extends Uint32Array | Float64Array | Uint8Array>(
  from: Numbers,
  into: Numbers,
): Numbers {
  into.set(from);
  return into;
}
