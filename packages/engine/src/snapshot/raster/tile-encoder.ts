import { TILE_CELLS } from "../../geometry/raster/grid.ts";
import { BACKGROUND } from "../../geometry/raster/raster-layer.ts";
import { computePackedBits, TILE_KIND, tileHeadBytes } from "../format.ts";
import { createTileCells, type TileCells, type TileExtent } from "./tile-areas.ts";

const CELLS = TILE_CELLS * TILE_CELLS;

/** Stores tiles, each in the form that takes the fewest bytes. */
export class TileEncoder {
  /** The cells to encode, row by row; nodata off the grid. In bytes a value is the low one of what it is in two. */
  readonly cells: TileCells;
  /** The values of the tile that was encoded last, ascending, each with its cells on the grid and their area. */
  readonly values: Uint16Array;
  readonly cellCounts: Uint32Array;
  readonly squareMeters: Float64Array;
  valueCount = 0;
  kind = 0;
  bits = 0;
  /** Several cells to a word. */
  readonly #words: Int32Array;
  readonly #perWord: number;
  /** A word whose cells all hold 1. */
  readonly #ones: number;
  /** Number of a value in order of first use, plus one; 0 where it does not occur. */
  readonly #codes: Uint32Array;
  readonly #used: Uint16Array;
  readonly #counts: Uint32Array;
  readonly #sums: Float64Array;
  /** Cells of the last row by number of the value, and which numbers it has. */
  readonly #rowCounts: Uint16Array;
  readonly #rowCodes: Uint16Array;
  readonly #rowStarts = new Uint32Array(TILE_CELLS);
  readonly #runCodes = new Uint16Array(CELLS);
  readonly #runLasts = new Uint8Array(CELLS);
  readonly #places: Uint16Array;
  readonly #out: ArrayBuffer;

  constructor(areaCount: number) {
    this.cells = createTileCells(areaCount);
    const bytes = this.cells.BYTES_PER_ELEMENT;
    const most = bytes === 1 ? 256 : CELLS;
    this.#words = new Int32Array(this.cells.buffer);
    this.#perWord = 4 / bytes;
    this.#ones = bytes === 1 ? 0x0101_0101 : 0x0001_0001;
    this.values = new Uint16Array(most);
    this.cellCounts = new Uint32Array(most);
    this.squareMeters = new Float64Array(most);
    this.#codes = new Uint32Array(most);
    this.#used = new Uint16Array(most);
    this.#counts = new Uint32Array(most);
    this.#sums = new Float64Array(most);
    this.#rowCounts = new Uint16Array(most);
    this.#rowCodes = new Uint16Array(TILE_CELLS);
    this.#places = new Uint16Array(most);
    this.#out = new ArrayBuffer(tileHeadBytes(most) + CELLS * bytes);
  }

  /** The value that all cells hold; -1 where they hold several. */
  constantValue(): number {
    const words = this.#words;
    const first = words[0]!;
    if (first !== Math.imul(this.cells[0]!, this.#ones)) return -1;
    for (let i = 1; i < words.length; i++) if (words[i] !== first) return -1;
    return toCellValue(this.cells[0]!, this.#perWord);
  }

  /**
   * Encodes a tile of several values.
   *
   * @param areas square metres of a cell in each row
   * @returns the bytes to store, which the next tile overwrites
   */
  encode(extent: TileExtent, areas: Float64Array): Uint8Array {
    const runCount = this.#findRuns(extent, areas);
    this.#sortValues();
    const { valueCount } = this;
    const bits = computePackedBits(valueCount);
    const packedBytes = (CELLS * bits) / 8;
    const runBytes = 2 * TILE_CELLS + 2 * runCount;
    const head = tileHeadBytes(valueCount);
    this.#writeHead(head);
    if (valueCount <= 256 && runBytes < packedBytes) {
      this.kind = TILE_KIND.runs;
      this.bits = 0;
      this.#writeRuns(head, runCount);
      return new Uint8Array(this.#out, 0, head + runBytes);
    }
    this.kind = TILE_KIND.packed;
    this.bits = bits;
    this.#writePacked(head);
    return new Uint8Array(this.#out, 0, head + packedBytes);
  }

  /** Finds the runs of each row, and sums up cells and areas. @returns the number of runs */
  #findRuns({ firstRow, endRow, firstColumn, endColumn }: TileExtent, areas: Float64Array): number {
    const cells = this.cells;
    const words = this.#words;
    const perWord = this.#perWord;
    const wordMask = perWord - 1;
    const wordShift = perWord === 4 ? 2 : 1;
    const rowWords = TILE_CELLS / perWord;
    const ones = this.#ones;
    const codes = this.#codes;
    const used = this.#used;
    const counts = this.#counts;
    const sums = this.#sums;
    const rowCounts = this.#rowCounts;
    const rowCodes = this.#rowCodes;
    const rowStarts = this.#rowStarts;
    const runCodes = this.#runCodes;
    const runLasts = this.#runLasts;
    let valueCount = 0;
    let runCount = 0;
    let rowCodeCount = 0;
    for (let row = 0; row < TILE_CELLS; row++) {
      const isOn = row >= firstRow && row < endRow;
      const start = row * TILE_CELLS;
      let same = 0;
      if (row > 0) {
        const word = row * rowWords;
        while (same < rowWords && words[word + same] === words[word + same - rowWords]) same++;
      }
      // A first row on the grid may be equal to those off it, and has counts of its own all the same.
      if (same === rowWords && row !== firstRow) {
        rowStarts[row] = rowStarts[row - 1]!;
      } else {
        if (same === rowWords) runCount = rowStarts[row - 1]!;
        rowStarts[row] = runCount;
        for (let k = 0; k < rowCodeCount; k++) rowCounts[rowCodes[k]!] = 0;
        rowCodeCount = 0;
        for (let c = 0; c < TILE_CELLS; ) {
          const cell = cells[start + c]!;
          let end = c + 1;
          while ((end & wordMask) !== 0 && cells[start + end] === cell) end++;
          if ((end & wordMask) === 0) {
            const word = Math.imul(cell, ones);
            while (end < TILE_CELLS && words[(start + end) >> wordShift] === word) end += perWord;
            while (end < TILE_CELLS && cells[start + end] === cell) end++;
          }
          let code = codes[cell]! - 1;
          if (code < 0) {
            code = valueCount++;
            codes[cell] = valueCount;
            used[code] = cell;
            counts[code] = 0;
            sums[code] = 0;
          }
          runCodes[runCount] = code;
          runLasts[runCount++] = end - 1;
          const from = c > firstColumn ? c : firstColumn;
          const on = (end < endColumn ? end : endColumn) - from;
          if (on > 0) {
            if (rowCounts[code] === 0) rowCodes[rowCodeCount++] = code;
            rowCounts[code]! += on;
          }
          c = end;
        }
      }
      if (!isOn) continue;
      const area = areas[row]!;
      for (let k = 0; k < rowCodeCount; k++) {
        const code = rowCodes[k]!;
        counts[code]! += rowCounts[code]!;
        sums[code]! += rowCounts[code]! * area;
      }
    }
    for (let k = 0; k < rowCodeCount; k++) rowCounts[rowCodes[k]!] = 0;
    this.valueCount = valueCount;
    return runCount;
  }

  /** Puts the values in ascending order, and makes room for the next tile. */
  #sortValues(): void {
    const { valueCount, values, cellCounts, squareMeters } = this;
    const cells = this.#used.subarray(0, valueCount);
    for (let code = 0; code < valueCount; code++) this.#codes[cells[code]!] = 0;
    // Codes in the order of their values, which is that of the cells.
    const order = Array.from(cells.keys()).sort((i, j) => cells[i]! - cells[j]!);
    for (let place = 0; place < valueCount; place++) {
      const code = order[place]!;
      values[place] = toCellValue(cells[code]!, this.#perWord);
      cellCounts[place] = this.#counts[code]!;
      squareMeters[place] = this.#sums[code]!;
      this.#places[code] = place;
    }
  }

  #writeHead(head: number): void {
    const { valueCount } = this;
    const out = this.#out;
    new Float64Array(out, 0, valueCount).set(this.squareMeters.subarray(0, valueCount));
    new Uint32Array(out, 8 * valueCount, valueCount).set(this.cellCounts.subarray(0, valueCount));
    new Uint16Array(out, 12 * valueCount, valueCount).set(this.values.subarray(0, valueCount));
    new Uint8Array(out, 14 * valueCount, head - 14 * valueCount).fill(0);
  }

  #writeRuns(head: number, runCount: number): void {
    const starts = new Uint16Array(this.#out, head, TILE_CELLS);
    for (let row = 0; row < TILE_CELLS; row++) starts[row] = this.#rowStarts[row]!;
    const runs = new Uint16Array(this.#out, head + 2 * TILE_CELLS, runCount);
    for (let i = 0; i < runCount; i++) {
      runs[i] = this.#places[this.#runCodes[i]!]! | (this.#runLasts[i]! << 8);
    }
  }

  #writePacked(head: number): void {
    const { cells, bits } = this;
    for (let place = 0; place < this.valueCount; place++) {
      this.#codes[toWriterCell(this.values[place]!, this.#perWord)] = place;
    }
    if (bits === 16) {
      const out = new Uint16Array(this.#out, head, CELLS);
      for (let i = 0; i < CELLS; i++) out[i] = this.#codes[cells[i]!]!;
    } else {
      const out = new Uint8Array(this.#out, head, (CELLS * bits) / 8);
      const perByte = 8 / bits;
      for (let i = 0, k = 0; k < CELLS; i++) {
        let byte = 0;
        for (let p = 0; p < perByte; p++) byte |= this.#codes[cells[k++]!]! << (p * bits);
        out[i] = byte;
      }
    }
    for (let place = 0; place < this.valueCount; place++) {
      this.#codes[toWriterCell(this.values[place]!, this.#perWord)] = 0;
    }
  }
}

/** The value of a cell of the writer's width, in the reader's numbering. */
function toCellValue(cell: number, perWord: number): number {
  return perWord === 4 && cell >= 254 ? cell - 254 + BACKGROUND : cell;
}

function toWriterCell(value: number, perWord: number): number {
  return perWord === 4 ? value & 0xff : value;
}
