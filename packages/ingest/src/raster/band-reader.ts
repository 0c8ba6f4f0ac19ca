import {
  latitudeOf,
  longitudeOf,
  NODATA,
  type RasterGrid,
  TILE_CELLS,
  tilingOf,
} from "@groundrule/engine/internal";
import { refusal } from "../ingest-error.ts";
import type { BlockCells, Granule, Lying, Mask } from "./granule.ts";
import type { KeptTiles } from "./kept-tiles.ts";
import { type Cells, mapRow, type Stretch } from "./value-table.ts";

/** A file of a mask: it hides the cells that it says are hidden, and those that no such file speaks of. */
export interface MaskFile {
  readonly mask: Mask;
  readonly columns: number;
  readonly rows: number;
}

/** All that a grid's cells come from. */
export interface RasterInput {
  readonly grid: RasterGrid;
  readonly granules: readonly Lying<Granule>[];
  readonly maskFiles: readonly Lying<MaskFile>[];
  readonly kept: KeptTiles;
  /** Whether a file's own mask makes cells nodata; else what it hides is only counted. */
  readonly obeysOwnMasks: boolean;
}

/** Some rows of a grid, between two lines of tiles. */
export interface Band {
  readonly firstRow: number;
  readonly rows: number;
  /** Row by row. Overwritten by the next band. */
  readonly cells: Cells;
}

/** What reading found besides the cells. */
export interface Findings {
  /** Cells that are nodata because a mask hides them. */
  masked: number;
  /** Cells that files' own masks hide, while the manifest says nothing of it. */
  unsaidMasked: number;
}

/**
 * Reads the cells of a grid, one row of tiles after another, from the north: areas, background and nodata, as the
 * snapshot's writer takes them. Memory: one band, and the blocks that reach beyond it.
 *
 * Where files overlap, one that holds nodata says nothing; all others must hold the same.
 *
 * @param bytes of a cell, 1 or 2
 *
 * Fails: `CELLS_DISAGREE`; `FormatError` where a file is damaged.
 */
export async function* readBands(
  input: RasterInput,
  bytes: 1 | 2,
  findings: Findings,
): AsyncGenerator<Band, void, undefined> {
  const { grid, granules, maskFiles, kept } = input;
  const { rowOffset, tileRows } = tilingOf(grid);
  const create = (length: number): Cells => (bytes === 1 ? new Uint8Array(length) : new Uint16Array(length));
  const all = create(Math.min(TILE_CELLS, grid.rows) * grid.columns);
  const overlapping = new Set(granules.filter((each) => granules.some((other) => overlap(each, other))));
  const aside = create(
    [...overlapping].reduce((most, { of }) => Math.max(most, of.columns), 0) *
      Math.min(TILE_CELLS, grid.rows),
  );
  const shown = maskFiles.length === 0 ? undefined : new Uint8Array(all.length);
  for (let tileRow = 0; tileRow < tileRows; tileRow++) {
    const firstRow = Math.max(0, tileRow * TILE_CELLS - rowOffset);
    const rows = Math.min(grid.rows, (tileRow + 1) * TILE_CELLS - rowOffset) - firstRow;
    const cells = all.subarray(0, rows * grid.columns);
    cells.fill(NODATA);
    const stretches = kept.stretches(tileRow);
    for (const granule of granules) {
      const part = partOf(granule.spot, granule.of, firstRow, rows, grid.columns);
      if (part === undefined) continue;
      if (!overlapping.has(granule)) {
        await fill(
          granule,
          part,
          { cells, width: grid.columns, column: 0, row: firstRow },
          stretches,
          input,
          findings,
        );
        continue;
      }
      const target = { cells: aside, width: granule.of.columns, column: granule.spot.column, row: firstRow };
      aside.fill(NODATA);
      await fill(granule, part, target, stretches, input, findings);
      merge(granule.of.name, target, part, cells, grid, stretches);
    }
    if (shown !== undefined) {
      shown.fill(0);
      for (const file of maskFiles) await show(file, firstRow, rows, grid.columns, stretches, shown);
      for (let i = 0; i < cells.length; i++) {
        if (shown[i] !== 0 || cells[i] === nodataOf(cells)) continue;
        cells[i] = NODATA;
        findings.masked++;
      }
    }
    yield { firstRow, rows, cells };
  }
}

/** What nodata is in cells of some width. */
export function nodataOf(cells: Cells): number {
  return cells.BYTES_PER_ELEMENT === 1 ? NODATA & 0xff : NODATA;
}

interface Target {
  readonly cells: Cells;
  /** Cells of a row. */
  readonly width: number;
  /** Column and row of the grid that its first cell has. */
  readonly column: number;
  readonly row: number;
}

/** Columns and rows of the grid. */
interface Part {
  readonly column: number;
  readonly row: number;
  readonly endColumn: number;
  readonly endRow: number;
}

interface Sized {
  readonly columns: number;
  readonly rows: number;
}

function partOf(
  spot: { readonly column: number; readonly row: number },
  { columns, rows }: Sized,
  firstRow: number,
  bandRows: number,
  gridColumns: number,
): Part | undefined {
  const part = {
    column: Math.max(0, spot.column),
    row: Math.max(firstRow, spot.row),
    endColumn: Math.min(gridColumns, spot.column + columns),
    endRow: Math.min(firstRow + bandRows, spot.row + rows),
  };
  return part.column < part.endColumn && part.row < part.endRow ? part : undefined;
}

function overlap(a: Lying<Sized>, b: Lying<Sized>): boolean {
  return (
    a !== b &&
    a.spot.column < b.spot.column + b.of.columns &&
    b.spot.column < a.spot.column + a.of.columns &&
    a.spot.row < b.spot.row + b.of.rows &&
    b.spot.row < a.spot.row + a.of.rows
  );
}

/** Calls `use` for each row of each block of a layer that lies in a part of the grid and in some stretches. */
async function forRows(
  layer: Mask["layer"],
  spot: Lying<unknown>["spot"],
  part: Part,
  stretches: readonly Stretch[],
  use: (block: BlockCells, from: number, row: number, column: number, length: number) => void,
): Promise<void> {
  const from = { column: part.column - spot.column, row: part.row - spot.row };
  const to = { column: part.endColumn - spot.column, row: part.endRow - spot.row };
  const isWanted = (a: number, b: number) =>
    stretches.some((each) => each.from < b + spot.column && a + spot.column < each.to);
  await layer.forBlocks(from, to, isWanted, (block) => {
    const firstRow = Math.max(block.row, from.row);
    const endRow = Math.min(block.endRow, to.row);
    for (const stretch of stretches) {
      const column = Math.max(block.column, from.column, stretch.from - spot.column);
      const end = Math.min(block.endColumn, to.column, stretch.to - spot.column);
      if (end <= column) continue;
      for (let row = firstRow; row < endRow; row++) {
        const at = (row - block.row) * block.width + column - block.column;
        use(block, at, row + spot.row, column + spot.column, end - column);
      }
    }
  });
}

async function fill(
  { of: granule, spot }: Lying<Granule>,
  part: Part,
  target: Target,
  stretches: readonly Stretch[],
  { obeysOwnMasks }: RasterInput,
  findings: Findings,
): Promise<void> {
  const { table, counts } = granule;
  const { cells } = target;
  const absent = granule.nodataTag ?? 0;
  await forRows(granule.cells, spot, part, stretches, ({ samples }, from, row, column, length) => {
    const at = (row - target.row) * target.width + column - target.column;
    if (samples !== undefined) mapRow(samples, from, cells, at, length, table, counts);
    else {
      // What a file leaves out is its nodata, else 0, as GDAL reads it.
      counts.add(absent, length);
      cells.fill(table.codeOf(absent), at, at + length);
    }
  });
  const nodata = nodataOf(cells);
  for (const { layer, isOwn, isHidden } of granule.masks) {
    const isObeyed = !isOwn || obeysOwnMasks;
    await forRows(layer, spot, part, stretches, ({ samples }, from, row, column, length) => {
      const at = (row - target.row) * target.width + column - target.column;
      for (let i = 0; i < length; i++) {
        if (!isHidden(samples === undefined ? 0 : samples[from + i]!) || cells[at + i] === nodata) continue;
        if (!isObeyed) findings.unsaidMasked++;
        else {
          cells[at + i] = NODATA;
          findings.masked++;
        }
      }
    });
  }
}

function merge(
  name: string,
  { cells: aside, width, column, row: firstRow }: Target,
  part: Part,
  cells: Cells,
  grid: RasterGrid,
  stretches: readonly Stretch[],
): void {
  const nodata = nodataOf(cells);
  for (let row = part.row; row < part.endRow; row++) {
    for (const stretch of stretches) {
      const end = Math.min(part.endColumn, stretch.to);
      for (let c = Math.max(part.column, stretch.from); c < end; c++) {
        const value = aside[(row - firstRow) * width + c - column]!;
        if (value === nodata) continue;
        const at = (row - firstRow) * grid.columns + c;
        if (cells[at] === nodata) cells[at] = value;
        else if (cells[at] !== value) {
          const where = `longitude ${longitudeOf(grid, c + 0.5)}, latitude ${latitudeOf(grid, row + 0.5)}`;
          const found = `two values of one cell, at ${where}`;
          const expected = "files that hold the same where they overlap";
          throw refusal("CELLS_DISAGREE", found, expected, {
            place: { entry: name },
            mend: "leave one of them out",
          });
        }
      }
    }
  }
}

async function show(
  { of: { mask, columns, rows }, spot }: Lying<MaskFile>,
  firstRow: number,
  bandRows: number,
  gridColumns: number,
  stretches: readonly Stretch[],
  shown: Uint8Array,
): Promise<void> {
  const part = partOf(spot, { columns, rows }, firstRow, bandRows, gridColumns);
  if (part === undefined) return;
  await forRows(mask.layer, spot, part, stretches, ({ samples }, from, row, column, length) => {
    const at = (row - firstRow) * gridColumns + column;
    for (let i = 0; i < length; i++) {
      if (!mask.isHidden(samples === undefined ? 0 : samples[from + i]!)) shown[at + i] = 1;
    }
  });
}
