import { DamagedTile } from "../../geometry/raster/damaged-tile.ts";
import {
  computeTiling,
  type RasterGrid,
  TILE_CELLS,
  TILE_SHIFT,
  type Tiling,
} from "../../geometry/raster/grid.ts";
import {
  addCellRun,
  BACKGROUND,
  type CellRuns,
  createCellRuns,
  NODATA,
  type RasterCells,
  type TileSums,
} from "../../geometry/raster/raster-layer.ts";
import { TILE_ALIGNMENT, TILE_HASH_BYTES, TILE_KIND, tileHeadBytes } from "../format.ts";
import {
  cellSquareMetersByRow,
  computeTileExtent,
  createTileCells,
  sumTileSquareMeters,
  type TileCells,
  type TileExtent,
} from "../raster/tile-areas.ts";
import type { Crc32, RangeReader, Sha256 } from "../snapshot.ts";
import { readSourceBytes } from "./sections.ts";
import type { CachedRaster, TileCache } from "./tile-cache.ts";

/** Places of the tiles of a raster, from the index. Its entries are checked. */
export interface StoredTiles {
  readonly sourceName: string;
  readonly grid: RasterGrid;
  readonly areaCount: number;
  /** Four words an entry; the first is kind, bits and value. */
  readonly index: Uint32Array;
  readonly source: Uint8Array | RangeReader;
  /** Where TILE_DATA begins in the file. */
  readonly dataOffset: number;
  /** Where TILE_HASHES begins in the file, and its bytes. */
  readonly hashesOffset: number;
  readonly hashBytes: number;
  readonly checksum: Crc32;
  /** If present, the cells of each tile that is touched are checked against their digest. */
  readonly sha256?: (() => Sha256) | undefined;
  readonly cache: TileCache;
}

const MASK: number = TILE_CELLS - 1;
const CELLS: number = TILE_CELLS * TILE_CELLS;
/** Units of work of a tile that a row passes; packed cells take one for each so many bits, as a power of two. */
const PASSED_UNITS = 3;
const BITS_A_UNIT = 6;
const NOT_CACHED: CachedRaster = { firstKey: 0, corner: 0 };

/** The tiles of a raster in place, or read one by one. A tile is checked when it is first touched, or read again. */
export class StoredCells implements RasterCells {
  readonly tiling: Tiling;
  readonly tiles: StoredTiles;
  readonly #index: Uint32Array;
  readonly #cache: TileCache;
  /** For tiles that are read one by one. */
  readonly #range: RangeReader | undefined;
  /** For tiles that are read by range: their place in the cache. */
  readonly #cached: CachedRaster;
  /** For tiles in memory: which of them are checked. */
  readonly #checked: Uint8Array;
  /** The tile that was opened last: where its bytes lie, by ones and by twos. */
  #bytes: Uint8Array;
  #units: Uint16Array;
  /** Where the tile begins in the latter. */
  #start = 0;
  #tile = 0;
  /** The leaf of the tile that is checked against its digest, and the place of each tile's digest. */
  #leaf: { readonly cells: TileCells; readonly places: Uint32Array } | undefined;
  /** Square metres of a whole tile in each row of tiles: of the first column, of those between, of the last. */
  readonly #whole: Float64Array;

  constructor(tiles: StoredTiles) {
    const { grid, index, source, dataOffset, cache } = tiles;
    this.tiles = tiles;
    this.tiling = computeTiling(grid);
    this.#index = index;
    this.#cache = cache;
    this.#whole = new Float64Array(3 * this.tiling.tileRows).fill(-1);
    if (source instanceof Uint8Array) {
      this.#range = undefined;
      this.#cached = NOT_CACHED;
      this.#checked = new Uint8Array(index.length / 4);
      const start = source.byteOffset + dataOffset;
      this.#bytes = new Uint8Array(source.buffer, start, source.length - dataOffset);
      this.#units = new Uint16Array(source.buffer, start, (source.length - dataOffset) >> 1);
    } else {
      this.#range = source;
      this.#cached = cache.addRaster();
      this.#checked = new Uint8Array(0);
      this.#bytes = new Uint8Array(0);
      this.#units = new Uint16Array(0);
    }
  }

  get tileCount(): number {
    return this.#index.length / 4;
  }

  /** The value that all cells of a tile hold; -1 where they hold several. */
  constantValue(tile: number): number {
    const head = this.#index[4 * tile]!;
    return (head & 0xff) === TILE_KIND.constant ? head >>> 16 : -1;
  }

  tileBytes(tileRow: number, tileColumn: number): number {
    return this.#index[4 * (tileRow * this.tiling.tileColumns + tileColumn) + 2]!;
  }

  readRow(row: number, from: number, to: number, runs: CellRuns): number {
    const { columnOffset, rowOffset, tileColumns } = this.tiling;
    const index = this.#index;
    const tileRow = (row + rowOffset) >> TILE_SHIFT;
    const end = to + columnOffset;
    let column = from + columnOffset;
    let tileColumn = column >> TILE_SHIFT;
    let tile = tileRow * tileColumns + tileColumn;
    let units = 0;
    runs.count = 0;
    while (column < end) {
      const west = tileColumn << TILE_SHIFT;
      const stop = end < west + TILE_CELLS ? end : west + TILE_CELLS;
      const head = index[4 * tile]!;
      const kind = head & 0xff;
      units += PASSED_UNITS;
      if (kind === TILE_KIND.constant) addCellRun(runs, stop - columnOffset, head >>> 16);
      else {
        this.#open(tile, tileRow, tileColumn);
        const inRow = (row + rowOffset) & MASK;
        const base = west - columnOffset;
        if (kind === TILE_KIND.runs) this.#readRuns(head, inRow, column - west, stop - west, base, runs);
        else {
          this.#readPacked(head, inRow, column - west, stop - west, base, runs);
          units += ((stop - column) * ((head >>> 8) & 0xff)) >> BITS_A_UNIT;
        }
      }
      column = stop;
      tileColumn++;
      tile++;
    }
    return units;
  }

  sums(tileRow: number, tileColumn: number): TileSums {
    const tile = tileRow * this.tiling.tileColumns + tileColumn;
    const value = this.constantValue(tile);
    if (value >= 0) return this.#constantSums(tileRow, tileColumn, value);
    this.#open(tile, tileRow, tileColumn);
    const { buffer, byteOffset } = this.#bytes;
    const start = byteOffset + 2 * this.#start;
    const count = (this.#index[4 * tile]! >>> 16) + 1;
    const cells = new Uint32Array(buffer, start + 8 * count, count);
    // Nodata, the greatest value, has no cell where it is only what lies off the grid.
    const valueCount = cells[count - 1] === 0 ? count - 1 : count;
    const values = new Uint16Array(buffer, start + 12 * count, valueCount);
    const squareMeters = new Float64Array(buffer, start, valueCount);
    if (this.#range === undefined) return { values, cells: cells.subarray(0, valueCount), squareMeters };
    // The slot may hold another tile soon.
    return { values: values.slice(), cells: cells.slice(0, valueCount), squareMeters: squareMeters.slice() };
  }

  /** The digests of the tiles that hold several values, in order, in blocks. */
  *hashes(): Generator<Uint8Array> {
    const { source, hashesOffset, hashBytes } = this.tiles;
    for (let at = 0; at < hashBytes; at += HASH_BLOCK) {
      yield readSourceBytes(source, hashesOffset + at, Math.min(HASH_BLOCK, hashBytes - at));
    }
  }

  /** The digests of `count` of the tiles that hold several values, from the `first` of them on. */
  digests(first: number, count: number): Uint8Array {
    const { source, hashesOffset } = this.tiles;
    return readSourceBytes(source, hashesOffset + first * TILE_HASH_BYTES, count * TILE_HASH_BYTES);
  }

  #constantSums(tileRow: number, tileColumn: number, value: number): TileSums {
    const { grid } = this.tiles;
    const extent = computeTileExtent(grid, this.tiling, tileRow, tileColumn);
    const last = this.tiling.tileColumns - 1;
    const place = 3 * tileRow + (tileColumn === 0 ? 0 : tileColumn === last ? 2 : 1);
    if (this.#whole[place]! < 0) {
      this.#whole[place] = sumTileSquareMeters(extent, cellSquareMetersByRow(grid, this.tiling, tileRow));
    }
    return {
      values: Uint16Array.of(value),
      cells: Uint32Array.of(countTileCells(extent)),
      squareMeters: Float64Array.of(this.#whole[place]!),
    };
  }

  /** Makes a tile of several values the one that was opened last. */
  #open(tile: number, tileRow: number, tileColumn: number): void {
    const range = this.#range;
    this.#tile = tile;
    if (range === undefined) {
      this.#start = this.#index[4 * tile + 1]! * UNITS;
      if (this.#checked[tile] === 0) {
        const start = 2 * this.#start;
        this.#check(
          tile,
          tileRow,
          tileColumn,
          this.#bytes.subarray(start, start + this.#index[4 * tile + 2]!),
        );
        if (this.tiles.sha256 !== undefined) this.#attest(tile, tileRow, tileColumn, this.tiles.sha256);
        this.#checked[tile] = 1;
      }
      return;
    }
    const cache = this.#cache;
    const key = this.#cached.firstKey + tile;
    const slot = cache.slotOf(this.#cached, tileRow, tileColumn, key);
    if (!cache.holds(slot, key)) {
      const offset = this.tiles.dataOffset + this.#index[4 * tile + 1]! * TILE_ALIGNMENT;
      let bytes: Uint8Array;
      try {
        bytes = cache.read(slot, range, offset, this.#index[4 * tile + 2]!);
      } catch (error) {
        throw this.#damaged(tileRow, tileColumn, (error as Error).message);
      }
      this.#check(tile, tileRow, tileColumn, bytes);
      this.#bytes = cache.bytes(slot);
      this.#units = cache.units(slot);
      if (this.tiles.sha256 !== undefined) this.#attest(tile, tileRow, tileColumn, this.tiles.sha256);
      cache.keep(slot, key);
    }
    this.#bytes = cache.bytes(slot);
    this.#units = cache.units(slot);
  }

  /** Refuses the tile that was opened last where its cells are not those of its digest. */
  #attest(tile: number, tileRow: number, tileColumn: number, sha256: () => Sha256): void {
    this.#leaf ??= { cells: createTileCells(this.tiles.areaCount), places: this.#places() };
    const { cells, places } = this.#leaf;
    const runs = createCellRuns();
    const head = this.#index[4 * tile]!;
    for (let row = 0; row < TILE_CELLS; row++) {
      runs.count = 0;
      if ((head & 0xff) === TILE_KIND.runs) this.#readRuns(head, row, 0, TILE_CELLS, 0, runs);
      else this.#readPacked(head, row, 0, TILE_CELLS, 0, runs);
      fillCellRow(cells, row * TILE_CELLS, 0, 0, runs);
    }
    const hash = sha256();
    hash.update(new Uint8Array(cells.buffer));
    const offset = this.tiles.hashesOffset + places[tile]! * TILE_HASH_BYTES;
    const stored = readSourceBytes(this.tiles.source, offset, TILE_HASH_BYTES);
    if (hash.digest().some((byte, i) => byte !== stored[i])) {
      throw this.#damaged(tileRow, tileColumn, "its cells are not those that its digest names");
    }
  }

  /** For each tile, how many before it are stored. */
  #places(): Uint32Array {
    const places = new Uint32Array(this.tileCount);
    for (let tile = 1; tile < places.length; tile++) {
      places[tile] = places[tile - 1]! + (this.constantValue(tile - 1) < 0 ? 1 : 0);
    }
    return places;
  }

  #readRuns(head: number, row: number, from: number, to: number, west: number, runs: CellRuns): void {
    const units = this.#units;
    const count = (head >>> 16) + 1;
    const values = this.#start + 6 * count;
    const starts = this.#start + countHeadUnits(count);
    let run = starts + TILE_CELLS + units[starts + row]!;
    // Ends with the row, whose last run ends in the last column.
    while (units[run]! >>> 8 < from) run++;
    for (let before = from; before < to; run++) {
      const unit = units[run]!;
      const end = (unit >>> 8) + 1;
      const code = unit & 0xff;
      if (end <= before || code >= count) throw this.#misread();
      addCellRun(runs, west + (end < to ? end : to), units[values + code]!);
      before = end;
    }
  }

  #readPacked(head: number, row: number, from: number, to: number, west: number, runs: CellRuns): void {
    const units = this.#units;
    const count = (head >>> 16) + 1;
    const bits = (head >>> 8) & 0xff;
    const values = this.#start + 6 * count;
    const body = this.#start + countHeadUnits(count);
    if (bits === 16) {
      const cells = body + row * TILE_CELLS;
      for (let c = from; c < to; c++) {
        const code = units[cells + c]!;
        if (code >= count) throw this.#misread();
        addCellRun(runs, west + c + 1, units[values + code]!);
      }
      return;
    }
    const bytes = this.#bytes;
    const mask = (1 << bits) - 1;
    const ones = 0xff / mask;
    const shift = bits === 8 ? 0 : bits === 4 ? 1 : bits === 2 ? 2 : 3;
    const perByte = 1 << shift;
    const inByte = perByte - 1;
    const cells = 2 * body + row * (TILE_CELLS >> shift);
    let code = (bytes[cells + (from >> shift)]! >> ((from & inByte) * bits)) & mask;
    let fill = code * ones;
    let c = from + 1;
    while (c < to) {
      // Whole bytes of the same code at once.
      if ((c & inByte) === 0) {
        while (c < to && bytes[cells + (c >> shift)] === fill) c += perByte;
        if (c >= to) break;
      }
      const next = (bytes[cells + (c >> shift)]! >> ((c & inByte) * bits)) & mask;
      if (next !== code) {
        if (code >= count) throw this.#misread();
        addCellRun(runs, west + c, units[values + code]!);
        code = next;
        fill = code * ones;
      }
      c++;
    }
    if (code >= count) throw this.#misread();
    addCellRun(runs, west + to, units[values + code]!);
  }

  /** Refuses a tile that is not what a writer writes, but for columns and codes of cells, which reading looks at. */
  #check(tile: number, tileRow: number, tileColumn: number, bytes: Uint8Array): void {
    const { areaCount, grid, checksum } = this.tiles;
    const fail = (found: string, expected: string): never => {
      throw this.#damaged(tileRow, tileColumn, `found ${found}, expected ${expected}`);
    };
    const stored = this.#index[4 * tile + 3]!;
    const crc = checksum(bytes, 0) >>> 0;
    if (crc !== stored) fail(`CRC-32 ${crc}`, `${stored}`);
    const head = this.#index[4 * tile]!;
    const count = (head >>> 16) + 1;
    const { buffer, byteOffset } = bytes;
    const squareMeters = new Float64Array(buffer, byteOffset, count);
    const cells = new Uint32Array(buffer, byteOffset + 8 * count, count);
    const values = new Uint16Array(buffer, byteOffset + 12 * count, count);
    const extent = computeTileExtent(grid, this.tiling, tileRow, tileColumn);
    const total = countTileCells(extent);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i]!;
      if (value >= areaCount && value < BACKGROUND) fail(`the value ${value}`, `below ${areaCount}`);
      if (i > 0 && value <= values[i - 1]!) fail(`the value ${value} after ${values[i - 1]}`, "an order");
      if (cells[i] === 0 && !(value === NODATA && total < CELLS)) fail(`no cell of value ${value}`, "one");
      if (!(squareMeters[i]! >= 0 && squareMeters[i]! < EARTH)) fail(`${squareMeters[i]} m²`, "an area");
      sum += cells[i]!;
    }
    if (sum !== total) fail(`${sum} cells`, `${total}`);
    const body = bytes.subarray(tileHeadBytes(count));
    if ((head & 0xff) === TILE_KIND.runs) checkTileRuns(body, fail);
  }

  /** The tile that was opened last has runs out of order, or a code of no value. */
  #misread(): DamagedTile {
    const { tileColumns } = this.tiling;
    const tileRow = Math.floor(this.#tile / tileColumns);
    return this.#damaged(tileRow, this.#tile % tileColumns, "found other runs or codes than are written");
  }

  #damaged(tileRow: number, tileColumn: number, why: string): DamagedTile {
    const { sourceName } = this.tiles;
    const place = `the tile in row ${tileRow}, column ${tileColumn} of its raster is damaged`;
    return new DamagedTile(sourceName, `${place}: ${why}`);
  }
}

/**
 * Fills a row of cells with runs. In bytes, background is the low byte of what it is elsewhere, and so is nodata.
 *
 * @param at where the column `from` goes
 * @param west what is subtracted from the columns of runs
 */
export function fillCellRow(cells: TileCells, at: number, from: number, west: number, runs: CellRuns): void {
  let column = from;
  for (let i = 0; i < runs.count; i++) {
    const end = runs.ends[i]! - west;
    cells.fill(runs.values[i]!, at + column - from, at + end - from);
    column = end;
  }
}

type Fail = (found: string, expected: string) => never;

/** The runs of the rows follow each other and end in the last column; a row may have those of the row before it. */
function checkTileRuns(body: Uint8Array, fail: Fail): void {
  const units = new Uint16Array(body.buffer, body.byteOffset, body.length >> 1);
  const runCount = units.length - TILE_CELLS;
  let start = 0;
  if (units[0] !== 0) fail(`run ${units[0]} at the start of row 0`, "0");
  for (let row = 1; row <= TILE_CELLS; row++) {
    const next = row < TILE_CELLS ? units[row]! : runCount;
    if (next === start && row < TILE_CELLS) continue;
    const isEnd = next > start && next <= runCount && units[TILE_CELLS + next - 1]! >>> 8 === MASK;
    if (!isEnd) fail(`run ${next} after ${start} at the start of row ${row}`, "one behind the end of a row");
    start = next;
  }
}

function countTileCells({ firstRow, endRow, firstColumn, endColumn }: TileExtent): number {
  return (endRow - firstRow) * (endColumn - firstColumn);
}

/** Units of two bytes before the cells of a stored tile. */
function countHeadUnits(count: number): number {
  return (7 * count + 7) & ~7;
}

/** Units of two bytes in what offsets of tiles are counted in. */
const UNITS: number = TILE_ALIGNMENT / 2;
/** Square metres that no tile takes. */
const EARTH = 5.2e14;
const HASH_BLOCK: number = TILE_HASH_BYTES * 4096;
