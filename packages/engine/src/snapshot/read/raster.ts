import { PureSha256 } from "../../base/sha256.ts";
import { DamagedTile } from "../../geometry/raster/damaged-tile.ts";
import { computeTiling, type RasterGrid, TILE_CELLS, type Tiling } from "../../geometry/raster/grid.ts";
import {
  BACKGROUND,
  type CellRuns,
  createCellRuns,
  NODATA,
  type RasterLayer,
  type TileSums,
} from "../../geometry/raster/raster-layer.ts";
import type { ContentRaster } from "../content-digest.ts";
import {
  alignTileOffset,
  computePackedBits,
  GRID_BYTES,
  SECTION,
  TILE_ALIGNMENT,
  TILE_ENTRY_BYTES,
  TILE_HASH_BYTES,
  TILE_KIND,
  tileHeadBytes,
} from "../format.ts";
import { findGridFault } from "../raster/check-grid.ts";
import {
  cellSquareMetersByRow,
  computeTileExtent,
  type TileCells,
  type TileExtent,
} from "../raster/tile-areas.ts";
import { TileEncoder } from "../raster/tile-encoder.ts";
import type { Sha256 } from "../snapshot.ts";
import { createSectionRefuse, type Refuse, throwSnapshotCorrupt } from "./corrupt.ts";
import { fillCellRow, StoredCells, type StoredTiles } from "./raster-cells.ts";
import { findFixedSection, readFiniteNumbers, readSourceBytes, type SnapshotFileView } from "./sections.ts";

/** The layer of a raster: its grid and its index are checked, its tiles when they are first touched. */
export function readRasterLayer(
  file: SnapshotFileView,
  sourceName: string,
  { checksum, cache, sha256 }: Pick<StoredTiles, "checksum" | "cache" | "sha256">,
): RasterLayer & { readonly cells: StoredCells } {
  const areaCount = file.counts.rowCount;
  const grid = readRasterGrid(file);
  const areaSquareMeters = readFiniteNumbers(file, SECTION.AREA_SQUARE_METERS, areaCount);
  const areaCells = readFiniteNumbers(file, SECTION.AREA_CELLS, areaCount);
  const most = grid.columns * grid.rows;
  for (let area = 0; area < areaCount; area++) {
    const cells = areaCells[area]!;
    if (Number.isInteger(cells) && cells >= 0 && cells <= most) continue;
    throwSnapshotCorrupt(
      "raster.cells",
      file.name,
      "AREA_CELLS",
      `${cells} cells of area ${area}`,
      `0 to ${most}`,
    );
  }
  const index = readTileIndex(file, grid, computeTiling(grid), areaCount);
  const hashes = file.unread.get(SECTION.TILE_HASHES)!;
  const cells = new StoredCells({
    sourceName,
    grid,
    areaCount,
    index,
    source: file.source,
    dataOffset: file.unread.get(SECTION.TILE_DATA)!.offset,
    hashesOffset: hashes.offset,
    hashBytes: hashes.byteLength,
    checksum,
    sha256,
    cache,
  });
  return { sourceName, areaCount, grid, cells, areaSquareMeters, areaCells };
}

/** The digest's view of an opened raster. */
export function toContentRaster({
  grid,
  cells,
}: RasterLayer & { readonly cells: StoredCells }): ContentRaster {
  return {
    grid,
    tileCount: cells.tileCount,
    constantValue: (tile) => cells.constantValue(tile),
    hashes: { [Symbol.iterator]: () => cells.hashes() },
  };
}

function readRasterGrid(file: SnapshotFileView): RasterGrid {
  const view = new DataView(file.buffer, findFixedSection(file, SECTION.GRID, GRID_BYTES), GRID_BYTES);
  const f64 = (i: number) => view.getFloat64(8 * i, true);
  const grid = {
    a: f64(0),
    b: f64(1),
    s: f64(2),
    t: f64(3),
    n: f64(4),
    columns: view.getUint32(40, true),
    rows: view.getUint32(44, true),
  };
  const fault = findGridFault(grid);
  if (fault !== undefined)
    throwSnapshotCorrupt("raster.grid", file.name, "GRID", fault.found, fault.expected);
  return grid;
}

function readTileIndex(
  file: SnapshotFileView,
  grid: RasterGrid,
  tiling: Tiling,
  areaCount: number,
): Uint32Array {
  const { name } = file;
  const refuse: Refuse = createSectionRefuse(name, "TILE_INDEX");
  const { tileColumns, tileRows, columnOffset, rowOffset } = tiling;
  const tileCount = tileColumns * tileRows;
  const offset = findFixedSection(file, SECTION.TILE_INDEX, tileCount * TILE_ENTRY_BYTES);
  const index = new Uint32Array(file.buffer, offset, tileCount * 4);
  const isPartlyOff = (at: number, tiles: number, first: number, cells: number) =>
    (at === 0 && first > 0) || (at === tiles - 1 && (first + cells) % TILE_CELLS !== 0);
  let storedCount = 0;
  let end = 0;
  let tile = 0;
  for (let tileRow = 0; tileRow < tileRows; tileRow++) {
    const isRowOff = isPartlyOff(tileRow, tileRows, rowOffset, grid.rows);
    for (let tileColumn = 0; tileColumn < tileColumns; tileColumn++, tile++) {
      const head = index[4 * tile]!;
      const kind = head & 0xff;
      const bits = (head >>> 8) & 0xff;
      const value = head >>> 16;
      const start = index[4 * tile + 1]!;
      const length = index[4 * tile + 2]!;
      if (kind === TILE_KIND.constant) {
        if ((bits | start | length | index[4 * tile + 3]!) !== 0) {
          refuse("tile.constant", `bytes of tile ${tile}, of one value`, "none");
        }
        const isOff = isRowOff || isPartlyOff(tileColumn, tileColumns, columnOffset, grid.columns);
        if (value < areaCount || value >= BACKGROUND ? isOff && value !== NODATA : true) {
          const expected = isOff ? "nodata, as off the grid" : `below ${areaCount}, background or nodata`;
          refuse("tile.value", `the value ${value} of tile ${tile}`, expected);
        }
        continue;
      }
      if (kind !== TILE_KIND.runs && kind !== TILE_KIND.packed) {
        refuse("tile.kind", `kind ${kind} of tile ${tile}`, "0, 1 or 2");
      }
      const count = value + 1;
      const isRuns = kind === TILE_KIND.runs;
      if (count < 2 || count > areaCount + 2 || (isRuns && count > 256)) {
        refuse("tile.values", `${count} values of tile ${tile}`, `2 to ${areaCount + 2}`);
      }
      const expectedBits = isRuns ? 0 : computePackedBits(count);
      if (bits !== expectedBits) {
        refuse("tile.bits", `${bits} bits of tile ${tile}`, `${expectedBits}`);
      }
      if (start * TILE_ALIGNMENT !== end) {
        const found = `offset ${start * TILE_ALIGNMENT} of tile ${tile}`;
        refuse("tile.offset", found, `${end}`);
      }
      const body = length - tileHeadBytes(count);
      const cells = TILE_CELLS * TILE_CELLS;
      const fits = isRuns
        ? body > 2 * TILE_CELLS && body % 2 === 0 && body <= 2 * (TILE_CELLS + cells)
        : body === (cells * bits) / 8;
      if (!fits) {
        const expected = isRuns ? "values, rows and runs" : `values and ${cells} cells of ${bits} bits`;
        refuse("tile.length", `${length} bytes of tile ${tile}`, expected);
      }
      end += alignTileOffset(length);
      storedCount++;
    }
  }
  const { byteLength } = file.unread.get(SECTION.TILE_DATA)!;
  if (byteLength !== end)
    throwSnapshotCorrupt("tile.end", name, "TILE_DATA", `${byteLength} bytes`, `${end}`);
  const hashBytes = file.unread.get(SECTION.TILE_HASHES)!.byteLength;
  const expected = storedCount * TILE_HASH_BYTES;
  if (hashBytes !== expected) {
    throwSnapshotCorrupt(
      "tile.hashes",
      name,
      "TILE_HASHES",
      `${hashBytes} bytes`,
      `${expected}, a digest for each tile`,
    );
  }
  return index;
}

/** Verifies every cell: the digests of the tiles, the sums of each tile, and the areas. */
export function verifyRasterCells(
  file: SnapshotFileView,
  { grid, cells, areaCount, areaCells, areaSquareMeters }: RasterLayer & { readonly cells: StoredCells },
  sha256: () => Sha256 = () => new PureSha256(),
): void {
  const { name } = file;
  const { tiling } = cells;
  const encoder = new TileEncoder(areaCount);
  const runs = createCellRuns();
  const foundCells = new Float64Array(areaCount);
  const foundSquareMeters = new Float64Array(areaCount);
  const blocks = cells.hashes();
  let block = new Uint8Array(0);
  let at = 0;
  let end = 0;
  for (let tileRow = 0; tileRow < tiling.tileRows; tileRow++) {
    const areas = cellSquareMetersByRow(grid, tiling, tileRow);
    for (let tileColumn = 0; tileColumn < tiling.tileColumns; tileColumn++) {
      const tile = tileRow * tiling.tileColumns + tileColumn;
      const extent = computeTileExtent(grid, tiling, tileRow, tileColumn);
      const isStored = cells.constantValue(tile) < 0;
      const sums = readOrCorrupt(name, () => {
        if (isStored) readTileCells(cells, tileRow, tileColumn, extent, runs, encoder.cells);
        return cells.sums(tileRow, tileColumn);
      });
      if (isStored) {
        encoder.encode(extent, areas);
        if (!areSums(encoder, sums)) {
          throwSnapshotCorrupt(
            "content.sums",
            name,
            "TILE_DATA",
            `other sums of tile ${tile}`,
            "those of its cells",
          );
        }
        if (at === block.length) [block, at] = [blocks.next().value as Uint8Array<ArrayBuffer>, 0];
        const leaf = sha256();
        leaf.update(new Uint8Array(encoder.cells.buffer));
        const stored = block.subarray(at, at + TILE_HASH_BYTES);
        if (leaf.digest().some((byte, i) => byte !== stored[i])) {
          throwSnapshotCorrupt(
            "content.tile",
            name,
            "TILE_HASHES",
            `another digest of tile ${tile}`,
            "that of its cells",
          );
        }
        at += TILE_HASH_BYTES;
        end = checkTilePadding(file, cells.tiles.index, tile, end);
      }
      const { values } = sums;
      for (let i = 0; i < values.length && values[i]! < areaCount; i++) {
        foundCells[values[i]!]! += sums.cells[i]!;
        foundSquareMeters[values[i]!]! += sums.squareMeters[i]!;
      }
    }
  }
  for (let area = 0; area < areaCount; area++) {
    if (foundCells[area] !== areaCells[area]) {
      const found = `${areaCells[area]} cells of area ${area}`;
      throwSnapshotCorrupt("content.cells", name, "AREA_CELLS", found, `${foundCells[area]}`);
    }
    if (foundSquareMeters[area] !== areaSquareMeters[area]) {
      const found = `${areaSquareMeters[area]} m² of area ${area}`;
      throwSnapshotCorrupt(
        "content.squareMeters",
        name,
        "AREA_SQUARE_METERS",
        found,
        `${foundSquareMeters[area]}`,
      );
    }
  }
}

/** The bytes between a tile and the next are zero. @returns where the next begins */
function checkTilePadding(file: SnapshotFileView, index: Uint32Array, tile: number, start: number): number {
  const end = start + index[4 * tile + 2]!;
  const next = alignTileOffset(end);
  const { offset } = file.unread.get(SECTION.TILE_DATA)!;
  if (readSourceBytes(file.source, offset + end, next - end).some((byte) => byte !== 0)) {
    throwSnapshotCorrupt("content.padding", file.name, "TILE_DATA", `bytes after tile ${tile}`, "zeros");
  }
  return next;
}

/** A tile that is damaged makes the whole file one that is. */
function readOrCorrupt<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedTile)) throw error;
    return throwSnapshotCorrupt("content.damaged", name, "TILE_DATA", error.message, "sound tiles");
  }
}

/** Reads the cells of a tile, as its digest takes them in. */
function readTileCells(
  cells: StoredCells,
  tileRow: number,
  tileColumn: number,
  { firstRow, endRow, firstColumn, endColumn }: TileExtent,
  runs: CellRuns,
  into: TileCells,
): void {
  const row = tileRow * TILE_CELLS - cells.tiling.rowOffset;
  const west = tileColumn * TILE_CELLS - cells.tiling.columnOffset;
  into.fill(NODATA);
  for (let r = firstRow; r < endRow; r++) {
    cells.readRow(row + r, west + firstColumn, west + endColumn, runs);
    fillCellRow(into, r * TILE_CELLS + firstColumn, firstColumn, west, runs);
  }
}

/** True if cells that were encoded again have the same sums as their tile states, to the bit. */
function areSums({ values, cellCounts, squareMeters, valueCount }: TileEncoder, sums: TileSums): boolean {
  const count = cellCounts[valueCount - 1] === 0 ? valueCount - 1 : valueCount;
  return (
    sums.values.length === count &&
    sums.values.every(
      (value, i) =>
        value === values[i] && sums.cells[i] === cellCounts[i] && sums.squareMeters[i] === squareMeters[i],
    )
  );
}
