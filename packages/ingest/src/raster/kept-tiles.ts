import {
  computeTiling,
  lineLatitude,
  lineLongitude,
  type RasterGrid,
  TILE_CELLS,
} from "@groundrule/engine/internal";
import type { Stretch } from "../manifest/value-table.ts";

/** Which part of a raster is kept: whole tiles that meet a box, or the widened territory of countries. */
export interface KeepOptions {
  /** `[west, south, east, north]`, degrees; a west above the east goes on past 180°. */
  readonly bounds?: readonly [number, number, number, number] | undefined;
  /** ISO 3166-1 alpha-3, each with borders. */
  readonly countries?: readonly string[] | undefined;
}

/** The tiles of a grid that are kept. */
export class KeptTiles {
  readonly #grid: RasterGrid;
  /** A byte a tile; undefined: all are kept. */
  readonly #flags: Uint8Array | undefined;

  constructor(grid: RasterGrid, flags?: Uint8Array) {
    this.#grid = grid;
    this.#flags = flags;
  }

  /** Columns of the grid that are kept in a row of tiles, from west to east. */
  stretches(tileRow: number): readonly Stretch[] {
    const { columns } = this.#grid;
    if (this.#flags === undefined) return [{ from: 0, to: columns }];
    const { tileColumns, columnOffset } = computeTiling(this.#grid);
    const found: { from: number; to: number }[] = [];
    for (let tile = 0; tile < tileColumns; tile++) {
      if (this.#flags[tileRow * tileColumns + tile] === 0) continue;
      const from = Math.max(0, tile * TILE_CELLS - columnOffset);
      const to = Math.min(columns, (tile + 1) * TILE_CELLS - columnOffset);
      const last = found.at(-1);
      if (last?.to === from) last.to = to;
      else found.push({ from, to });
    }
    return found;
  }

  /** Columns and rows of the grid from the first to the last kept tile; undefined where none is kept. */
  extent(): { column: number; row: number; columns: number; rows: number } | undefined {
    const { rows } = this.#grid;
    const { tileRows, rowOffset } = computeTiling(this.#grid);
    let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let tileRow = 0; tileRow < tileRows; tileRow++) {
      const kept = this.stretches(tileRow);
      if (kept.length === 0) continue;
      west = Math.min(west, kept[0]!.from);
      east = Math.max(east, kept.at(-1)!.to);
      north = Math.min(north, Math.max(0, tileRow * TILE_CELLS - rowOffset));
      south = Math.max(south, Math.min(rows, (tileRow + 1) * TILE_CELLS - rowOffset));
    }
    if (east < west) return undefined;
    return { column: west, row: north, columns: east - west, rows: south - north };
  }
}

/** The tiles of a grid that some polygons meet. */
export async function selectKeptTiles(
  grid: RasterGrid,
  { bounds, countries }: KeepOptions,
): Promise<KeptTiles> {
  if (bounds === undefined && countries === undefined) return new KeptTiles(grid);
  const marker = new TileMarker(grid);
  if (bounds !== undefined) {
    const [west, south, eastern, north] = bounds;
    const east = eastern < west ? eastern + 360 : eastern;
    marker.mark([Float64Array.of(west, south, east, south, east, north, west, north, west, south)]);
  }
  if (countries !== undefined) {
    const { territoryOf } = await import("@groundrule/borders");
    for (const code of countries)
      for (const polygons of territoryOf(code) ?? []) for (const rings of polygons) marker.mark(rings);
  }
  return new KeptTiles(grid, marker.flags);
}

/** Marks the tiles that polygons meet: those that an edge passes, and those whose middle line lies inside. */
class TileMarker {
  readonly flags: Uint8Array;
  readonly #grid: RasterGrid;
  readonly #tiling: ReturnType<typeof computeTiling>;

  constructor(grid: RasterGrid) {
    this.#grid = grid;
    this.#tiling = computeTiling(grid);
    this.flags = new Uint8Array(this.#tiling.tileColumns * this.#tiling.tileRows);
  }

  /** @param rings of one polygon, flat and closed; longitudes may be a turn away from the grid's */
  mark(rings: readonly Float64Array[]): void {
    for (const turn of [-360, 0, 360]) this.#markAt(rings, turn);
  }

  #markAt(rings: readonly Float64Array[], turn: number): void {
    const { tileRows } = this.#tiling;
    /** Longitudes at which edges pass the middle of each row of tiles. */
    const crossings = new Map<number, number[]>();
    for (const ring of rings) {
      for (let i = 0; i + 3 < ring.length; i += 2) {
        const [x1, y1, x2, y2] = [ring[i]! + turn, ring[i + 1]!, ring[i + 2]! + turn, ring[i + 3]!];
        const [north, south] = [this.#rowAt(Math.max(y1, y2)), this.#rowAt(Math.min(y1, y2))];
        for (let row = Math.max(0, north); row <= Math.min(tileRows - 1, south); row++) {
          const [low, high] = [this.#latitude(row + 1), this.#latitude(row)];
          const xs = [
            findCrossingLongitude(x1, y1, x2, y2, low),
            findCrossingLongitude(x1, y1, x2, y2, high),
          ];
          if (y1 >= low && y1 <= high) xs.push(x1);
          if (y2 >= low && y2 <= high) xs.push(x2);
          let [west, east] = [Infinity, -Infinity];
          for (const x of xs) {
            if (x === undefined) continue;
            west = Math.min(west, x);
            east = Math.max(east, x);
          }
          if (east >= west) this.#set(row, west, east);
          const middle = (low + high) / 2;
          if (y1 > middle === y2 > middle) continue;
          const list = crossings.get(row) ?? [];
          list.push(x1 + ((middle - y1) / (y2 - y1)) * (x2 - x1));
          crossings.set(row, list);
        }
      }
    }
    for (const [row, xs] of crossings) {
      xs.sort((a, b) => a - b);
      for (let i = 0; i + 1 < xs.length; i += 2) this.#set(row, xs[i]!, xs[i + 1]!);
    }
  }

  #rowAt(latitude: number): number {
    const { b, t, n } = this.#grid;
    return Math.floor(((b - latitude * n) / t + this.#tiling.rowOffset) / TILE_CELLS);
  }

  #latitude(tileRow: number): number {
    return lineLatitude(this.#grid, tileRow * TILE_CELLS - this.#tiling.rowOffset);
  }

  #set(tileRow: number, west: number, east: number): void {
    const { a, s, n } = this.#grid;
    const { tileColumns, columnOffset } = this.#tiling;
    const tileAt = (longitude: number) => Math.floor(((longitude * n - a) / s + columnOffset) / TILE_CELLS);
    const from = Math.max(0, tileAt(west));
    const to = Math.min(tileColumns - 1, tileAt(east));
    if (to >= from) this.flags.fill(1, tileRow * tileColumns + from, tileRow * tileColumns + to + 1);
  }
}

/** The longitude at which an edge passes a parallel; undefined where it does not. */
function findCrossingLongitude(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  y: number,
): number | undefined {
  if (y1 === y2 || y < Math.min(y1, y2) || y > Math.max(y1, y2)) return undefined;
  return x1 + ((y - y1) / (y2 - y1)) * (x2 - x1);
}

/** `west, south, east, north` of a grid, degrees. */
export function computeGridBounds(grid: RasterGrid): [number, number, number, number] {
  return [
    lineLongitude(grid, 0),
    lineLatitude(grid, grid.rows),
    lineLongitude(grid, grid.columns),
    lineLatitude(grid, 0),
  ];
}
