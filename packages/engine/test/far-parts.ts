import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createBoxRing, createStarRing, toPlot, toRing } from "@groundrule/testing/shapes";
import { WorkMeter } from "../src/base/work-meter.ts";
import { PLANE } from "../src/geometry/earth/authalic.ts";
import type { Plot } from "../src/geometry/plot/plot.ts";
import { CellWalk } from "../src/geometry/raster/cell-walk.ts";
import { lineLatitude, lineLongitude, type RasterGrid } from "../src/geometry/raster/grid.ts";
import { Lattice } from "../src/geometry/raster/lattice.ts";
import { leastCertainShare } from "../src/geometry/raster/rounding.ts";
import type { CellSink } from "../src/geometry/raster/row-spans.ts";
import { computeExactShare, listExactEdges } from "./exact-shares.ts";

/** Grids of the whole earth: of whole numbers, of a step, of cells that no plot fills. */
const GRIDS: readonly RasterGrid[] = [
  { a: -720_000, b: 340_000, s: 1, t: 1, n: 4_000, columns: 1_440_000, rows: 680_000 },
  { a: -2_160_000, b: 1_020_000, s: 1, t: 1, n: 12_000, columns: 4_320_000, rows: 2_040_000 },
  { a: -180, b: 85, s: 8.983152841195215e-3, t: 8.983152841195215e-3, n: 1, columns: 40_000, rows: 18_000 },
  { a: -360, b: 170, s: 1, t: 1, n: 2, columns: 720, rows: 340 },
];

export interface CellReport {
  readonly cells: number;
  /** Cells whose share is above what rounding may leave, and cells that share nothing. */
  readonly shared: number;
  readonly apart: number;
  /** The worst error of a cell's share, as a part of what is taken for rounding. */
  readonly worst: number;
  /** The worst error of all shares together with what was left out, as a part of the same, a cell. */
  readonly worstSum: number;
}

/** Compares the shares that a walk tells of seeded plots, most of far parts, with exact ones, cell by cell. */
export function compareCellShares(seed: number, count: number): CellReport {
  const random = createSeededRandom(seed);
  const walk = new CellWalk(PLANE);
  const report = { cells: 0, shared: 0, apart: 0, worst: 0, worstSum: 0 };
  for (let i = 0; i < count; i++) {
    const grid = GRIDS[i % GRIDS.length]!;
    const plot = randomPlotOfParts(random, grid);
    const [west, , east] = plot.bbox;
    const lattice = new Lattice(grid, (west + east) / 2);
    const least = leastCertainShare(plot, grid, PLANE);
    const edges = listExactEdges(plot);
    const { shares, leftOut } = measureCellShares(walk, plot, lattice);
    let exactSum = 0;
    let sum = leftOut;
    const cells = listCellsNearParts(plot, lattice);
    for (const [row, column] of cells) {
      const exact = computeExactShare(edges, {
        west: lattice.longitude(column),
        south: lattice.latitude(row + 1),
        east: lattice.longitude(column + 1),
        north: lattice.latitude(row),
      });
      const share = shares.get(`${row} ${column}`) ?? 0;
      report.worst = Math.max(report.worst, Math.abs(share - exact) / least);
      if (exact > least) report.shared++;
      if (exact === 0) report.apart++;
      exactSum += exact;
      sum += share;
    }
    report.cells += cells.length;
    report.worstSum = Math.max(report.worstSum, Math.abs(sum - exactSum) / (least * cells.length));
  }
  return report;
}

/** One to five small parts: stars, slivers, cells, and strips thinner than rounding in a large plot. */
function randomPlotOfParts(random: Random, grid: RasterGrid): Plot {
  const cell = grid.s / grid.n;
  const spread = 10 ** random.between(-4, 2.2);
  const [x0, y0] = [random.between(-170, 170), random.between(-80, 80)];
  return toPlot(
    Array.from({ length: 1 + random.integer(5) }, () => {
      const x = clampMagnitude(x0 + random.between(-1, 1) * spread, 179);
      const y = clampMagnitude(y0 + (random.between(-1, 1) * spread) / 2, 84);
      const size = cell * 10 ** random.between(-2, 0.7);
      switch (random.integer(4)) {
        case 0:
          return [createStarRing(random, x, y, size, 3 + random.integer(9))];
        case 1:
          return [createStarRing(random, x, y, size, 3 + random.integer(5), 1e-6)];
        case 2: {
          const column = Math.floor((x * grid.n - grid.a) / grid.s);
          const row = Math.floor((grid.b - y * grid.n) / grid.t);
          const [east, south] = [column + 1 + random.integer(3), row + 1 + random.integer(3)];
          return [
            createBoxRing(
              lineLongitude(grid, column),
              lineLatitude(grid, south),
              lineLongitude(grid, east),
              lineLatitude(grid, row),
            ),
          ];
        }
        default: {
          const width = size * 10 ** random.between(-9, -2);
          const [top, lean] = [y + 3 * size, x + size];
          return [
            toRing([
              [x, y],
              [x + width, y],
              [lean + width, top],
              [lean, top],
            ]),
          ];
        }
      }
    }),
  );
}

function clampMagnitude(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/** Square degrees by row and column, and of what the walk leaves out. */
function measureCellShares(
  walk: CellWalk,
  plot: Plot,
  lattice: Lattice,
): { shares: Map<string, number>; leftOut: number } {
  const shares = new Map<string, number>();
  let leftOut = 0;
  const sink: CellSink = {
    row(row, { count, from, to, isCell, amount }) {
      for (let k = 0; k < count; k++) {
        for (let column = from[k]!; column < to[k]!; column++) {
          const width = isCell[k] === 1 ? 1 : lattice.longitude(column + 1) - lattice.longitude(column);
          shares.set(`${row} ${column}`, amount[k]! * width);
        }
      }
    },
    tile: () => {},
    doubt: () => {},
    leaveOut: (squareMeters) => {
      leftOut += squareMeters;
    },
  };
  walk.walk(plot, lattice, undefined, sink, new WorkMeter(Infinity));
  return { shares, leftOut };
}

/** Row and column of the cells around each part. */
function listCellsNearParts({ xy, ringStarts }: Plot, lattice: Lattice): (readonly [number, number])[] {
  const cells = new Map<string, readonly [number, number]>();
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    const [xs, ys]: [number[], number[]] = [[], []];
    for (let i = ringStarts[ring]!; i < ringStarts[ring + 1]!; i++) {
      xs.push(xy[2 * i]!);
      ys.push(xy[2 * i + 1]!);
    }
    const last = lattice.columnAt(Math.max(...xs)) + 1;
    for (let row = lattice.rowAt(Math.max(...ys)) - 1; row <= lattice.rowAt(Math.min(...ys)) + 1; row++) {
      for (let column = lattice.columnAt(Math.min(...xs)) - 1; column <= last; column++) {
        cells.set(`${row} ${column}`, [row, column]);
      }
    }
  }
  return [...cells.values()];
}
