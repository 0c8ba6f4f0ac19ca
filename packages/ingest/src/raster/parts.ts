import { computeTiling, type RasterGrid, TILE_CELLS } from "@groundrule/engine/internal";
import type { Stretch } from "../manifest/value-table.ts";
import type { Granule, Lying } from "./granule.ts";
import type { KeptTiles } from "./kept-tiles.ts";

/** The rows of a grid that lie in one row of tiles. */
export interface TileRow {
  readonly firstRow: number;
  readonly rows: number;
  /** Columns with kept tiles that files reach, from tile to tile, from west to east. All others are nodata. */
  readonly parts: readonly Stretch[];
}

/** The rows of tiles of a grid, from the north. */
export function* splitTileRows(
  grid: RasterGrid,
  granules: readonly Lying<Pick<Granule, "columns" | "rows">>[],
  kept: KeptTiles,
): Generator<TileRow, void, undefined> {
  const { rowOffset, tileRows } = computeTiling(grid);
  const sorted = granules.toSorted((a, b) => a.spot.row - b.spot.row);
  let begun = 0;
  let near: typeof sorted = [];
  for (let tileRow = 0; tileRow < tileRows; tileRow++) {
    const firstRow = Math.max(0, tileRow * TILE_CELLS - rowOffset);
    const endRow = Math.min(grid.rows, (tileRow + 1) * TILE_CELLS - rowOffset);
    near = near.filter(({ of, spot }) => spot.row + of.rows > firstRow);
    for (; begun < sorted.length && sorted[begun]!.spot.row < endRow; begun++) {
      const { of, spot } = sorted[begun]!;
      if (spot.row + of.rows > firstRow) near.push(sorted[begun]!);
    }
    const parts = near.length === 0 ? [] : splitIntoParts(grid, near, kept.stretches(tileRow));
    yield { firstRow, rows: endRow - firstRow, parts };
  }
}

function splitIntoParts(
  grid: RasterGrid,
  near: readonly Lying<Pick<Granule, "columns">>[],
  stretches: readonly Stretch[],
): Stretch[] {
  const { columnOffset } = computeTiling(grid);
  const lineBefore = (column: number) =>
    Math.floor((column + columnOffset) / TILE_CELLS) * TILE_CELLS - columnOffset;
  const reached = near
    .map(({ of, spot }) => ({
      from: lineBefore(spot.column),
      to: lineBefore(spot.column + of.columns - 1) + TILE_CELLS,
    }))
    .sort((a, b) => a.from - b.from);
  const parts: { from: number; to: number }[] = [];
  for (const stretch of stretches) {
    for (const each of reached) {
      const from = Math.max(each.from, stretch.from);
      const to = Math.min(each.to, stretch.to);
      if (from >= to) continue;
      const last = parts.at(-1);
      if (last !== undefined && last.to >= from) last.to = Math.max(last.to, to);
      else parts.push({ from, to });
    }
  }
  return parts;
}

/** Tiles of a grid between two columns. */
export function countTilesBetween(grid: RasterGrid, { from, to }: Stretch): number {
  const { columnOffset } = computeTiling(grid);
  return Math.ceil((to + columnOffset) / TILE_CELLS) - Math.floor((from + columnOffset) / TILE_CELLS);
}
