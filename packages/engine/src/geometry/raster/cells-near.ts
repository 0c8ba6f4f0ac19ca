import type { WorkMeter } from "../../base/work-meter.ts";
import type { Plot } from "../plot/plot.ts";
import type { CellWalk } from "./cell-walk.ts";
import type { Lattice } from "./lattice.ts";
import type { CellSink, RowSpans } from "./row-spans.ts";

/** Cells side by side in a row. */
export interface CellRange {
  readonly row: number;
  readonly from: number;
  /** Column after the last. */
  readonly to: number;
}

/** Degrees within which a line of the lattice counts as met; errors of cuts are below a hundredth of it. */
const NEAR = 1e-12;
/** Units of work of the cells of one edge in a row. */
const RANGE_UNITS = 40;

/** Cells of a box up to which it is taken as a whole. */
const FEW_CELLS = 65_536;

/** Every closed cell that polygons meet, those inside, and perhaps some around; row by row, each cell once. */
export function cellsNearPolygons(
  plot: Plot,
  lattice: Lattice,
  walk: CellWalk,
  meter: WorkMeter,
): Iterable<CellRange> {
  const [west, south, east, north] = plot.bbox;
  const from = lattice.columnAt(west) - 1;
  const to = lattice.columnAt(east) + 2;
  const first = lattice.rowAt(north) - 1;
  const end = lattice.rowAt(south) + 2;
  if ((to - from) * (end - first) <= FEW_CELLS) {
    return Array.from({ length: end - first }, (_, i) => ({ row: first + i, from, to }));
  }
  const near = new CellsAround(meter);
  walk.walk(plot, lattice, undefined, near, meter);
  return listRangesByRow(near.byRow);
}

/** The cells that a walk passes, and the cells next to them. */
class CellsAround implements CellSink {
  readonly byRow: Map<number, CellRange[]> = new Map();
  readonly #meter: WorkMeter;

  constructor(meter: WorkMeter) {
    this.#meter = meter;
  }

  row(row: number, { count, from, to }: RowSpans): void {
    for (let first = 0; first < count; ) {
      let last = first;
      while (last + 1 < count && from[last + 1]! <= to[last]! + 2) last++;
      this.#meter.add(3 * RANGE_UNITS);
      for (const near of [row - 1, row, row + 1]) {
        addCellRange(this.byRow, { row: near, from: from[first]! - 1, to: to[last]! + 1 });
      }
      first = last + 1;
    }
  }

  tile(): void {
    throw new Error("whole tiles were not to be told");
  }

  doubt(): void {
    // Cells that are only touched are next to some that are passed.
  }

  leaveOut(): void {
    // Too low to reach beyond the neighbouring cells.
  }
}

/** Every closed cell that lines or points meet, and perhaps some neighbours; row by row, each cell once. */
export function cellsNearLines(plot: Plot, lattice: Lattice, meter: WorkMeter): CellRange[] {
  const byRow = new Map<number, CellRange[]>();
  const { xy, ringStarts } = plot;
  for (let line = 0; line + 1 < ringStarts.length; line++) {
    const [first, last] = [ringStarts[line]!, ringStarts[line + 1]! - 1];
    for (let i = first; i < Math.max(last, first + 1); i++) {
      const j = Math.min(i + 1, last);
      addEdgeCells(byRow, lattice, meter, [xy[2 * i]!, xy[2 * i + 1]!], [xy[2 * j]!, xy[2 * j + 1]!]);
    }
  }
  return listRangesByRow(byRow);
}

type Position = readonly [number, number];

function addEdgeCells(
  byRow: Map<number, CellRange[]>,
  lattice: Lattice,
  meter: WorkMeter,
  a: Position,
  b: Position,
): void {
  const [north, south] = a[1] >= b[1] ? [a, b] : [b, a];
  const [west, east] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const height = north[1] - south[1];
  const slope = height === 0 ? 0 : (south[0] - north[0]) / height;
  const reach = NEAR * (1 + Math.abs(slope));
  const last = lattice.rowAt(south[1] - NEAR);
  for (let row = lattice.rowAt(north[1] + NEAR); row <= last; row++) {
    meter.add(RANGE_UNITS);
    const top = Math.min(north[1], lattice.latitude(row));
    const bottom = Math.max(south[1], lattice.latitude(row + 1));
    const x1 = height === 0 ? west : north[0] + (north[1] - top) * slope;
    const x2 = height === 0 ? east : north[0] + (north[1] - bottom) * slope;
    const from = lattice.columnAt(Math.max(Math.min(x1, x2) - reach, west - NEAR));
    const to = lattice.columnAt(Math.min(Math.max(x1, x2) + reach, east + NEAR)) + 1;
    addCellRange(byRow, { row, from, to });
  }
}

function addCellRange(byRow: Map<number, CellRange[]>, range: CellRange): void {
  const ranges = byRow.get(range.row);
  if (ranges === undefined) byRow.set(range.row, [range]);
  else ranges.push(range);
}

/** Row by row from the north, each cell once. */
function listRangesByRow(byRow: ReadonlyMap<number, CellRange[]>): CellRange[] {
  return [...byRow.keys()].sort((a, b) => a - b).flatMap((row) => mergeCellRanges(byRow.get(row)!));
}

function mergeCellRanges(ranges: CellRange[]): CellRange[] {
  const apart: CellRange[] = [];
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last === undefined || range.from > last.to) apart.push(range);
    else apart[apart.length - 1] = { ...last, to: Math.max(last.to, range.to) };
  }
  return apart;
}
