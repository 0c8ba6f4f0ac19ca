import { EngineError } from "../../base/errors.ts";
import { PureSha256 } from "../../base/sha256.ts";
import { computeTiling, type RasterGrid, TILE_CELLS, type Tiling } from "../../geometry/raster/grid.ts";
import { BACKGROUND, MAX_RASTER_AREAS, NODATA } from "../../geometry/raster/raster-layer.ts";
import type { CoverageInput } from "../coverage.ts";
import { crc32 } from "../crc32.ts";
import {
  alignTileOffset,
  GRID_BYTES,
  SECTION,
  TILE_ALIGNMENT,
  TILE_ENTRY,
  TILE_ENTRY_BYTES,
  TILE_KIND,
} from "../format.ts";
import type { SourceManifest } from "../manifest.ts";
import { findGridFault } from "../raster/check-grid.ts";
import {
  cellSquareMetersByRow,
  computeTileExtent,
  sumTileSquareMeters,
  type TileExtent,
} from "../raster/tile-areas.ts";
import { TileEncoder } from "../raster/tile-encoder.ts";
import type { Crc32, RasterAreaInput, RasterSnapshotWriter, Sha256, SnapshotFile } from "../snapshot.ts";
import { Chunked } from "./chunked.ts";
import { assertUnfinished, checkManifest } from "./draft.ts";
import type { MeasuredPieces } from "./lay-out.ts";
import type { Piece, Spill } from "./spill.ts";
import { LeafCollector } from "./writer.ts";
import type { WriterOptions } from "./writer-options.ts";

/**
 * Builds a snapshot of a raster. The same manifest, areas and cells give the same bytes, and the same edition on
 * whatever part of a lattice the grid begins.
 *
 * Memory: one tile, and 16 to 48 bytes a tile of the grid; the tiles go to `options.spill`.
 *
 * @param areas the areas, by the numbers that cells hold, from 0
 *
 * Fails: `VALIDATION_FAILED` for a manifest that is not one of an area source, for a grid that is none, for too many
 * areas, and for an attribute, identifier or country that a snapshot cannot hold.
 */
export function createRasterWriter(
  manifest: SourceManifest,
  grid: RasterGrid,
  areas: readonly RasterAreaInput[],
  options: WriterOptions = {},
): RasterSnapshotWriter {
  const checked = checkManifest(manifest, "leaf");
  const fault = findGridFault(grid);
  if (fault !== undefined) throwValidationFailed(`found a grid with ${fault.found}`, fault.expected);
  if (areas.length > MAX_RASTER_AREAS)
    throwValidationFailed(`found ${areas.length} areas`, `at most ${MAX_RASTER_AREAS}`);
  return new RasterWriter(checked, grid, areas, options);
}

class RasterWriter implements RasterSnapshotWriter {
  readonly #grid: RasterGrid;
  readonly #tiling: Tiling;
  readonly #areaCount: number;
  #row = 0;
  /** The tile of this row that comes next. */
  #tileColumn = 0;
  /** Let go of by `finish`. */
  #draft: RasterDraft | undefined;

  constructor(
    manifest: SourceManifest,
    grid: RasterGrid,
    areas: readonly RasterAreaInput[],
    options: WriterOptions,
  ) {
    this.#grid = grid;
    this.#tiling = computeTiling(grid);
    this.#areaCount = areas.length;
    const leaf = new LeafCollector(manifest, options);
    for (const area of areas) {
      leaf.addCountry(area);
      leaf.addRow(area);
    }
    const { tileColumns, tileRows } = this.#tiling;
    const tiles = new TileCollector(tileColumns * tileRows, areas.length, options);
    this.#draft = { leaf, encoder: new TileEncoder(areas.length), tiles };
  }

  get nextRows(): number {
    const border = TILE_CELLS - ((this.#tiling.rowOffset + this.#row) % TILE_CELLS);
    return Math.min(border, this.#grid.rows - this.#row);
  }

  add(band: Uint8Array | Uint16Array): void {
    this.addPart(band, 0, this.#grid.columns);
    this.endBand();
  }

  addPart(cells: Uint8Array | Uint16Array, from: number, to: number): void {
    const { encoder, tiles } = assertUnfinished(this.#draft);
    const { columnOffset, rowOffset, tileColumns } = this.#tiling;
    const { nextRows } = this;
    const tileAt = (column: number) => (column + columnOffset) / TILE_CELLS;
    const firstTile = Math.floor(tileAt(from));
    const endTile = Math.ceil(tileAt(to));
    const isOnTiles =
      (from === 0 || tileAt(from) === firstTile) && (to === this.#grid.columns || tileAt(to) === endTile);
    if (!(isOnTiles && from < to && firstTile >= this.#tileColumn && endTile <= tileColumns)) {
      throw new Error(`found the columns ${from} to ${to}, expected tiles east of those before`);
    }
    if (nextRows === 0 || cells.length !== nextRows * (to - from)) {
      throw new Error(`found ${cells.length} cells, expected ${nextRows} rows of ${to - from}`);
    }
    const width = encoder.cells.BYTES_PER_ELEMENT;
    if (cells.BYTES_PER_ELEMENT > width) this.#checkWide(cells);
    else if (cells.BYTES_PER_ELEMENT < width) throw new Error("expected cells of two bytes");
    const tileRow = Math.floor((rowOffset + this.#row) / TILE_CELLS);
    const areas = cellSquareMetersByRow(this.#grid, this.#tiling, tileRow);
    tiles.skip(firstTile - this.#tileColumn);
    for (let tileColumn = firstTile; tileColumn < endTile; tileColumn++) {
      const extent = computeTileExtent(this.#grid, this.#tiling, tileRow, tileColumn);
      const { firstRow, endRow, firstColumn, endColumn } = extent;
      const columnsOn = endColumn - firstColumn;
      if (columnsOn < TILE_CELLS || endRow - firstRow < TILE_CELLS) encoder.cells.fill(NODATA);
      const west = tileColumn * TILE_CELLS + firstColumn - columnOffset - from;
      for (let r = firstRow; r < endRow; r++) {
        const at = (r - firstRow) * (to - from) + west;
        // A cell of two bytes that is stored in one loses its high byte, which was checked to be redundant.
        encoder.cells.set(cells.subarray(at, at + columnsOn), r * TILE_CELLS + firstColumn);
      }
      this.#addTile(tiles, encoder, extent, areas);
    }
    this.#tileColumn = endTile;
  }

  endBand(): void {
    const { tiles } = assertUnfinished(this.#draft);
    tiles.skip(this.#tiling.tileColumns - this.#tileColumn);
    this.#tileColumn = 0;
    this.#row += this.nextRows;
  }

  #addTile(tiles: TileCollector, encoder: TileEncoder, extent: TileExtent, areas: Float64Array): void {
    const value = encoder.constantValue();
    if (value >= 0) {
      if (value >= this.#areaCount && value < BACKGROUND) this.#refuseValue(value);
      tiles.addConstant(value, extent, areas);
      return;
    }
    const bytes = encoder.encode(extent, areas);
    for (const each of encoder.values.subarray(0, encoder.valueCount)) {
      if (each >= this.#areaCount && each < BACKGROUND) this.#refuseValue(each);
    }
    tiles.addStored(bytes, encoder);
  }

  /** Cells of two bytes where one is enough. */
  #checkWide(band: Uint8Array | Uint16Array): void {
    for (const cell of band) if (cell >= this.#areaCount && cell < BACKGROUND) this.#refuseValue(cell);
  }

  #refuseValue(cell: number): never {
    return throwValidationFailed(
      `found the value ${cell} in a cell`,
      `below ${this.#areaCount}, background or nodata`,
    );
  }

  finish(coverageInput?: CoverageInput): SnapshotFile {
    const { leaf, tiles } = assertUnfinished(this.#draft);
    if (this.nextRows > 0) throw new Error(`${this.#row} of ${this.#grid.rows} rows were added`);
    this.#draft = undefined;
    const raster = {
      grid: this.#grid,
      tileCount: tiles.count,
      constantValue: (tile: number) => tiles.constantValue(tile),
      hashes: tiles.hashes.bytes(),
    };
    return leaf.finish("raster", coverageInput, {
      content: { raster },
      counts: {},
      sections: [[SECTION.GRID, [encodeGrid(this.#grid)]], ...tiles.sections()],
    });
  }
}

interface RasterDraft {
  readonly leaf: LeafCollector;
  readonly encoder: TileEncoder;
  readonly tiles: TileCollector;
}

/** Bytes of tiles that are kept together. */
const BLOCK_BYTES = 1 << 20;
/** Most bytes of all tiles: their offsets are counted in {@link TILE_ALIGNMENT} bytes, in 32 bits. */
const MAX_TILE_DATA: number = 0x1_0000_0000 * TILE_ALIGNMENT;

/** The index, the digests and the bytes of the tiles, and what they sum up to. */
class TileCollector {
  readonly count: number;
  readonly hashes: Chunked<Uint8Array> = new Chunked(Uint8Array);
  readonly #index: DataView<ArrayBuffer>;
  readonly #areaCells: Float64Array;
  readonly #areaSquareMeters: Float64Array;
  readonly #crc32: Crc32;
  readonly #sha256: () => Sha256;
  readonly #spill: Spill | undefined;
  readonly #blocks: Piece[] = [];
  #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;
  #dataBytes = 0;
  #added = 0;

  constructor(count: number, areaCount: number, options: WriterOptions) {
    this.count = count;
    this.#index = new DataView(new ArrayBuffer(count * TILE_ENTRY_BYTES));
    fillWithNodata(this.#index);
    this.#areaCells = new Float64Array(areaCount);
    this.#areaSquareMeters = new Float64Array(areaCount);
    this.#crc32 = options.crc32 ?? crc32;
    this.#sha256 = options.sha256 ?? (() => new PureSha256());
    this.#spill = options.spill;
  }

  constantValue(tile: number): number {
    const entry = tile * TILE_ENTRY_BYTES;
    const isConstant = this.#index.getUint8(entry + TILE_ENTRY.kind) === TILE_KIND.constant;
    return isConstant ? this.#index.getUint16(entry + TILE_ENTRY.value, true) : -1;
  }

  /** Goes on after tiles of nodata alone. */
  skip(tiles: number): void {
    this.#added += tiles;
  }

  addConstant(value: number, extent: TileExtent, areas: Float64Array): void {
    this.#index.setUint16(this.#added++ * TILE_ENTRY_BYTES + TILE_ENTRY.value, value, true);
    if (value >= BACKGROUND) return;
    const { firstRow, endRow, firstColumn, endColumn } = extent;
    this.#areaCells[value]! += (endRow - firstRow) * (endColumn - firstColumn);
    this.#areaSquareMeters[value]! += sumTileSquareMeters(extent, areas);
  }

  addStored(bytes: Uint8Array, encoder: TileEncoder): void {
    const { kind, bits, valueCount, values, cells, cellCounts, squareMeters } = encoder;
    const entry = this.#added++ * TILE_ENTRY_BYTES;
    const index = this.#index;
    if (this.#dataBytes + bytes.length > MAX_TILE_DATA) {
      throwValidationFailed("found more bytes of tiles", `at most ${MAX_TILE_DATA}`);
    }
    index.setUint8(entry + TILE_ENTRY.kind, kind);
    index.setUint8(entry + TILE_ENTRY.bits, bits);
    index.setUint16(entry + TILE_ENTRY.value, valueCount - 1, true);
    index.setUint32(entry + TILE_ENTRY.offset, this.#dataBytes / TILE_ALIGNMENT, true);
    index.setUint32(entry + TILE_ENTRY.byteLength, bytes.length, true);
    index.setUint32(entry + TILE_ENTRY.crc32, this.#crc32(bytes, 0), true);
    const leaf = this.#sha256();
    leaf.update(new Uint8Array(cells.buffer));
    this.hashes.append(leaf.digest());
    for (let i = 0; i < valueCount && values[i]! < BACKGROUND; i++) {
      this.#areaCells[values[i]!]! += cellCounts[i]!;
      this.#areaSquareMeters[values[i]!]! += squareMeters[i]!;
    }
    this.#append(bytes);
    this.#append(PADDING.subarray(0, alignTileOffset(bytes.length) - bytes.length));
  }

  sections(): [number, readonly Piece[] | MeasuredPieces][] {
    this.#endBlock();
    const viewBytes = (array: Float64Array) => new Uint8Array(array.buffer);
    return [
      [SECTION.AREA_SQUARE_METERS, [viewBytes(this.#areaSquareMeters)]],
      [SECTION.AREA_CELLS, [viewBytes(this.#areaCells)]],
      [SECTION.TILE_INDEX, [new Uint8Array(this.#index.buffer)]],
      [SECTION.TILE_HASHES, this.hashes.bytes()],
      // Each tile has a checksum in the index.
      [SECTION.TILE_DATA, { pieces: this.#blocks, byteLength: this.#dataBytes, crc32: 0 }],
    ];
  }

  #append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      if (this.#filled === BLOCK_BYTES) this.#endBlock();
      const taken = bytes.subarray(done, done + BLOCK_BYTES - this.#filled);
      this.#block.set(taken, this.#filled);
      this.#filled += taken.length;
      done += taken.length;
    }
    this.#dataBytes += bytes.length;
  }

  #endBlock(): void {
    const length = this.#filled;
    if (length === 0) return;
    this.#filled = 0;
    const spill = this.#spill;
    if (spill === undefined) {
      this.#blocks.push(this.#block.subarray(0, length));
      this.#block = new Uint8Array(BLOCK_BYTES);
      return;
    }
    const place = spill.write(this.#block.subarray(0, length));
    this.#blocks.push(() => {
      const bytes = new Uint8Array(length);
      spill.read(place, bytes);
      return bytes;
    });
  }
}

const PADDING = new Uint8Array(TILE_ALIGNMENT);

/** Makes each entry of an index that of a tile of nodata alone. */
function fillWithNodata(index: DataView<ArrayBuffer>): void {
  if (index.byteLength === 0) return;
  index.setUint16(TILE_ENTRY.value, NODATA, true);
  const bytes = new Uint8Array(index.buffer);
  for (let filled = TILE_ENTRY_BYTES; filled < bytes.length; filled *= 2) {
    bytes.copyWithin(filled, 0, Math.min(filled, bytes.length - filled));
  }
}

function encodeGrid({ a, b, s, t, n, columns, rows }: RasterGrid): Uint8Array {
  const view = new DataView(new ArrayBuffer(GRID_BYTES));
  for (const [i, number] of [a, b, s, t, n].entries()) view.setFloat64(8 * i, number, true);
  view.setUint32(40, columns, true);
  view.setUint32(44, rows, true);
  return new Uint8Array(view.buffer);
}

function throwValidationFailed(found: string, expected: string): never {
  throw new EngineError("VALIDATION_FAILED", `${found}, expected ${expected}`, { found, expected });
}
