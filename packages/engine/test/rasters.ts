import { createSeededRandom } from "@groundrule/testing/random";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import type { RasterGrid } from "../src/geometry/raster/grid.ts";
import { BACKGROUND, createCellRuns, NODATA, type RasterLayer } from "../src/geometry/raster/raster-layer.ts";
import type { SourceManifest } from "../src/snapshot/manifest.ts";
import { verifySnapshot } from "../src/snapshot/read/reader.ts";
import {
  isRaster,
  type RangeReader,
  type RasterAreaInput,
  type RasterSnapshot,
  type SnapshotFile,
} from "../src/snapshot/snapshot.ts";
import { createRasterWriter } from "../src/snapshot/write/raster-writer.ts";
import type { WriterOptions } from "../src/snapshot/write/writer-options.ts";

/** Content of a raster: an area's number, {@link BACKGROUND} or {@link NODATA} for each cell, row by row. */
export interface RasterContent {
  readonly grid: RasterGrid;
  readonly areaCount: number;
  readonly cells: Uint16Array;
}

/** The areas "1", "2", … of a raster. */
export function makeRasterAreas(count: number): RasterAreaInput[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `${i + 1}`,
    name: `Value ${i + 1}`,
    countryIso3: i % 3 === 1 ? "DOM" : null,
    properties: { value: i + 1 },
  }));
}

export const RASTER_MANIFEST: SourceManifest = { source_name: "test:raster", kind: "leaf", category: "loss" };

/** Writes a raster from cells of a width, by default one byte where that is enough. */
export function writeRaster(
  { grid, areaCount, cells }: RasterContent,
  options: WriterOptions = {},
  manifest: SourceManifest = RASTER_MANIFEST,
  width: 1 | 2 = areaCount <= 254 ? 1 : 2,
): SnapshotFile {
  const writer = createRasterWriter(manifest, grid, makeRasterAreas(areaCount), options);
  const stored = width === 1 ? Uint8Array.from(cells) : cells;
  for (let row = 0; writer.nextRows > 0; ) {
    const rows = writer.nextRows;
    writer.add(stored.subarray(row * grid.columns, (row + rows) * grid.columns));
    row += rows;
  }
  return writer.finish();
}

export function makeRasterFile(content: RasterContent): ArrayBuffer {
  return joinFileBytes(writeRaster(content));
}

/** The raster of a file, which is verified. */
export function openVerifiedRaster(bytes: ArrayBuffer): RasterSnapshot {
  const snapshot = verifySnapshot(bytes);
  if (!isRaster(snapshot)) throw new Error("not a raster");
  return snapshot;
}

/** All cells of a layer, by rows. */
export function readCells({ grid, cells }: RasterLayer, from = 0, to: number = grid.columns): Uint16Array {
  const width = to - from;
  const found = new Uint16Array(width * grid.rows);
  const runs = createCellRuns();
  for (let row = 0; row < grid.rows; row++) {
    cells.readRow(row, from, to, runs);
    let column = from;
    for (let i = 0; i < runs.count; i++) {
      found.fill(runs.values[i]!, row * width + column - from, row * width + runs.ends[i]! - from);
      column = runs.ends[i]!;
    }
  }
  return found;
}

export function cellsAreEqual(a: Uint16Array, b: Uint16Array): boolean {
  return a.length === b.length && a.every((cell, i) => cell === b[i]);
}

/**
 * Content of one place of an endless lattice of 1/4000 degree, the same for every grid that shows it: patches of areas
 * on background, with nodata, noise of a few or of many values, and plain land, in blocks of different kinds.
 */
export function computeLatticeValue(line: number, column: number, areaCount: number): number {
  const block = hashPair(line >> 8, column >> 8);
  const patch = hashPair(line >> 4, column >> 3);
  const cell = hashPair(line, column);
  switch (block % 6) {
    case 0:
      return BACKGROUND;
    case 1:
      return patch % 4 === 0 ? patch % areaCount : BACKGROUND;
    case 2:
      return cell % 3 === 0 ? block % areaCount : BACKGROUND;
    case 3:
      return cell % areaCount;
    case 4:
      return patch % 5 === 0 ? NODATA : patch % 7 === 0 ? patch % areaCount : BACKGROUND;
    default:
      return (block >>> 3) % areaCount;
  }
}

/** A window of the lattice: from its line and column, counted from 90° N and 180° W. */
export function makeLatticeWindow(
  line: number,
  column: number,
  rows: number,
  columns: number,
  areaCount: number,
): RasterContent {
  const grid = { a: column - 720_000, b: 360_000 - line, s: 1, t: 1, n: 4000, columns, rows };
  const cells = new Uint16Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++)
      cells[r * columns + c] = computeLatticeValue(line + r, column + c, areaCount);
  }
  return { grid, areaCount, cells };
}

/** A small raster with tiles of each kind, at an odd place of its lattice. */
export function makeSmallRaster(areaCount = 20): RasterContent {
  const random = createSeededRandom(20_261_127);
  const content = makeLatticeWindow(285_913, 432_763, 700, 1_100, areaCount);
  // Rows that repeat, and one odd cell.
  content.cells.copyWithin(30 * 1_100, 29 * 1_100, 30 * 1_100);
  content.cells[random.integer(content.cells.length)] = 0;
  return content;
}

/** A raster of 4 by 3 tiles, of which number 5 holds one value. */
export function makeTinyRaster(): RasterContent {
  const content = makeLatticeWindow(285_913, 432_763, 500, 700, 20);
  for (let row = 39; row < 295; row++) content.cells.fill(3, row * 700 + 133, row * 700 + 389);
  return content;
}

/** A raster of the same grid without data. */
export function makeEmptyRaster(): RasterContent {
  const content = makeTinyRaster();
  return { ...content, cells: content.cells.fill(NODATA) };
}

function hashPair(a: number, b: number): number {
  let h = Math.imul(a, 0x9e37_79b1) ^ Math.imul(b, 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b_3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a_2d39);
  return (h ^ (h >>> 15)) >>> 0;
}

/** Reads a file in memory by range, and counts the bytes. */
export function createCountingReader(file: ArrayBuffer): RangeReader & { taken: number } {
  const bytes = new Uint8Array(file);
  return {
    length: bytes.length,
    taken: 0,
    read(offset, into) {
      if (offset + into.length > bytes.length) throw new Error(`no bytes at ${offset + into.length}`);
      into.set(bytes.subarray(offset, offset + into.length));
      this.taken += into.length;
    },
  };
}
