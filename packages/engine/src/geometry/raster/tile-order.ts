import type { WorkMeter } from "../../base/work-meter.ts";
import type { Plot } from "../plot/plot.ts";
import type { CellWalk } from "./cell-walk.ts";
import { TILE_SHIFT, type Tiling } from "./grid.ts";
import type { Lattice } from "./lattice.ts";
import { addSpan, type CellSink, createRowSpans, type RowSpans } from "./row-spans.ts";

/** Columns of tiles, as a power of two, that a sink reads across. */
const STRIP_SHIFT = 5;
/** Columns of cells of a strip, as a power of two. */
const CELLS_SHIFT: number = TILE_SHIFT + STRIP_SHIFT;
/** Units of work of a row that is looked at for cells in a strip. */
const ROW_UNITS = 5;

/** True if a plot is wider than one strip. */
export function isWide({ bbox: [west, , east] }: Plot, { grid }: Lattice): boolean {
  return ((east - west) * grid.n) / grid.s >= 1 << CELLS_SHIFT;
}

/**
 * Walks as {@link CellWalk.walk} does. Of a wide plot, each row of tiles goes to the sink strip by strip from west to
 * east, so that it reads each tile once, however few of them stay in memory.
 *
 * @param tiling of the grid
 * @param tellsWhole whether whole tiles are to be told as such
 */
export function walkByTiles(
  walk: CellWalk,
  plot: Plot,
  lattice: Lattice,
  tiling: Tiling,
  tellsWhole: boolean,
  sink: CellSink,
  meter: WorkMeter,
): void {
  const whole = tellsWhole ? tiling : undefined;
  if (!isWide(plot, lattice)) {
    walk.walk(plot, lattice, whole, sink, meter);
    return;
  }
  const order = new TileOrder(tiling, sink, meter);
  walk.walk(plot, lattice, whole, order, meter);
  order.flush();
}

/** Keeps the spans of a row of tiles until it is complete. */
class TileOrder implements CellSink {
  readonly #tiling: Tiling;
  readonly #sink: CellSink;
  readonly #meter: WorkMeter;
  readonly #out: RowSpans = createRowSpans();
  readonly #kept: RowSpans = createRowSpans();
  /** The rows that are kept, the next span of each, and the span after its last. */
  readonly #rows: number[] = [];
  readonly #next: number[] = [];
  readonly #ends: number[] = [];
  #tileRow = 0;

  constructor(tiling: Tiling, sink: CellSink, meter: WorkMeter) {
    this.#tiling = tiling;
    this.#sink = sink;
    this.#meter = meter;
  }

  row(row: number, { count, from, to, isCell, amount }: RowSpans): void {
    const tileRow = (row + this.#tiling.rowOffset) >> TILE_SHIFT;
    if (tileRow !== this.#tileRow) this.flush();
    this.#tileRow = tileRow;
    const kept = this.#kept;
    this.#rows.push(row);
    this.#next.push(kept.count);
    for (let k = 0; k < count; k++) addSpan(kept, from[k]!, to[k]!, isCell[k] as 0 | 1, amount[k]!);
    this.#ends.push(kept.count);
  }

  tile(tileRow: number, tileColumn: number): void {
    this.#sink.tile(tileRow, tileColumn);
  }

  doubt(row: number, column: number, edge: number): void {
    this.#sink.doubt(row, column, edge);
  }

  leaveOut(squareMeters: number): void {
    this.#sink.leaveOut(squareMeters);
  }

  /** Passes on all that is kept. */
  flush(): void {
    const { columnOffset } = this.#tiling;
    let column = this.#firstColumn();
    while (column !== Infinity) {
      const strip = (column + columnOffset) >> CELLS_SHIFT;
      column = this.#passStrip(((strip + 1) << CELLS_SHIFT) - columnOffset);
    }
    this.#kept.count = 0;
    this.#rows.length = 0;
    this.#next.length = 0;
    this.#ends.length = 0;
  }

  #firstColumn(): number {
    let first = Infinity;
    for (const k of this.#next) first = Math.min(first, this.#kept.from[k]!);
    return first;
  }

  /** Passes on the cells of all rows before a column. @returns the first column that is left */
  #passStrip(end: number): number {
    const kept = this.#kept;
    const out = this.#out;
    let left = Infinity;
    this.#meter.add(ROW_UNITS * this.#rows.length);
    for (let r = 0; r < this.#rows.length; r++) {
      let k = this.#next[r]!;
      out.count = 0;
      for (; k < this.#ends[r]! && kept.from[k]! < end; k++) {
        const to = kept.to[k]!;
        addSpan(out, kept.from[k]!, Math.min(to, end), kept.isCell[k] as 0 | 1, kept.amount[k]!);
        if (to > end) {
          kept.from[k] = end;
          break;
        }
      }
      this.#next[r] = k;
      if (k < this.#ends[r]!) left = Math.min(left, kept.from[k]!);
      if (out.count > 0) this.#sink.row(this.#rows[r]!, out);
    }
    return left;
  }
}
