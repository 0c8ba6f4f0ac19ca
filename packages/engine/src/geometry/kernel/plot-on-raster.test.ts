import { createSeededRandom, type Random } from "@groundrule/testing/random";
import {
  createBoxRing,
  createStarRing,
  moveRing,
  type Polygons,
  reverseRing,
  toPlot,
  toRing,
} from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { makeRasterFile, openVerifiedRaster } from "../../../test/rasters.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { ELLIPSOID } from "../earth/authalic.ts";
import type { Plot } from "../plot/plot.ts";
import { lineLatitude, lineLongitude, type RasterGrid } from "../raster/grid.ts";
import { addCellRun, BACKGROUND, NODATA, type RasterLayer } from "../raster/raster-layer.ts";
import { exactKernel } from "./exact-kernel.ts";
import { PlotOnLayers } from "./plot-on-layers.ts";

const SEED = 20261127;
const COUNT = process.env.GROUNDRULE_FULL ? 100_000 : 1_500;
const AREAS = 4;

/** Grids of whole numbers and of steps, north and south, at a pole, and across the antimeridian. */
const GRIDS: readonly RasterGrid[] = [
  { a: -286951, b: 74748, s: 1, t: 1, n: 4000, columns: 12, rows: 11 },
  { a: 100, b: 40, s: 1, t: 1, n: 12000, columns: 12, rows: 11 },
  { a: -60.1, b: -54.2, s: 8.983152841195215e-5, t: 8.983152841195215e-5, n: 1, columns: 12, rows: 11 },
  { a: 40, b: 161, s: 1, t: 1, n: 2, columns: 12, rows: 11 },
  { a: 1439994, b: 40, s: 2, t: 1, n: 8000, columns: 12, rows: 11 },
  { a: -360, b: 180, s: 60, t: 6, n: 2, columns: 12, rows: 11 },
];

interface World {
  readonly grid: RasterGrid;
  readonly values: Uint16Array;
  readonly layer: RasterLayer;
}

function toLayer(grid: RasterGrid, cells: Uint16Array, areaCount = AREAS): RasterLayer {
  return openVerifiedRaster(makeRasterFile({ grid, cells, areaCount })).layer;
}

function buildWorld(random: Random, grid: RasterGrid): World {
  const values = new Uint16Array(grid.columns * grid.rows);
  for (let i = 0; i < values.length; i++) {
    const drawn = random.integer(AREAS + 3);
    const fresh = drawn < AREAS ? drawn : drawn === AREAS ? NODATA : BACKGROUND;
    values[i] = i > 0 && random.next() < 0.5 ? values[i - 1]! : fresh;
  }
  return { grid, values, layer: toLayer(grid, values) };
}

/** A plot about a grid: stars, boxes along lines, slivers, holes and parts, half of them astride its edge. */
function randomPlotNear(random: Random, grid: RasterGrid): Plot {
  const [width, height] = [grid.s / grid.n, grid.t / grid.n];
  const cell = Math.min(width, height);
  const isAstride = random.next() < 0.5;
  const column = isAstride ? random.between(-2, grid.columns + 2) : random.between(3, grid.columns - 3);
  const row = isAstride ? random.between(-2, grid.rows + 2) : random.between(3, grid.rows - 3);
  const x = lineLongitude(grid, column);
  const y = lineLatitude(grid, row);
  const size = cell * 10 ** random.between(-1.5, 0.5);
  const snap = (ring: Float64Array): Float64Array =>
    ring.map((value, i) => {
      if (random.next() < 0.4) return value;
      return i % 2 === 0
        ? lineLongitude(grid, Math.round((value * grid.n - grid.a) / grid.s))
        : lineLatitude(grid, Math.round((grid.b - value * grid.n) / grid.t));
    });
  switch (random.integer(7)) {
    case 0:
      return toPlot([[createStarRing(random, x, y, size, 3 + random.integer(9))]]);
    case 1:
      return toPlot([[createStarRing(random, x, y, size, 3 + random.integer(5), 1e-4)]]);
    case 2: {
      const [c, r] = [Math.floor(column), Math.floor(row)];
      const [e, s] = [c + 1 + random.integer(3), r + 1 + random.integer(3)];
      return toPlot([
        [
          createBoxRing(
            lineLongitude(grid, c),
            lineLatitude(grid, s),
            lineLongitude(grid, e),
            lineLatitude(grid, r),
          ),
        ],
      ]);
    }
    case 3: {
      const outer = createBoxRing(x - size, y - size, x + size, y + size);
      return toPlot([
        [outer, reverseRing(createBoxRing(x - size / 3, y - size / 2, x + size / 4, y + size / 5))],
      ]);
    }
    case 4: {
      const ring = createStarRing(random, x, y, size, 5);
      return toPlot([[ring], [moveRing(ring, 2.5 * size, size / 7)]]);
    }
    case 5: {
      const triangle = snap(Float64Array.of(x, y, x + 3 * size, y, x, y + 3 * size));
      return toPlot([[toRing([0, 2, 4].map((i) => [triangle[i]!, triangle[i + 1]!] as const))]]);
    }
    default: {
      const [west, south, east, north] = snap(Float64Array.of(x - size, y - size, x + size, y + size));
      return toPlot([[createBoxRing(west!, south!, east!, north!)]]);
    }
  }
}

/** Every cell of the grid as an area with rings. */
function toRectangles({ grid }: World): {
  layer: ReturnType<typeof buildAreaLayer>;
  cells: [number, number][];
} {
  const cells: [number, number][] = [];
  const areas: Polygons[] = [];
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      cells.push([row, column]);
      const [west, east] = [lineLongitude(grid, column), lineLongitude(grid, column + 1)];
      areas.push([[createBoxRing(west, lineLatitude(grid, row + 1), east, lineLatitude(grid, row))]]);
    }
  }
  return { layer: buildAreaLayer(areas), cells };
}

function hasArea(plot: Plot): boolean {
  const [west, south, east, north] = plot.bbox;
  return (
    east > west && north > south && north <= 90 && south >= -90 && exactKernel.bind(plot).areaSquareMeters > 0
  );
}

describe("a plot on a raster", () => {
  it(`shares with each value what it shares with the rectangles of its cells, and meets the same (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    let [worst, met, touched] = [0, 0, 0];
    let world: World | undefined;
    let rectangles: ReturnType<typeof toRectangles> | undefined;
    for (let i = 0; i < COUNT; i++) {
      if (i % 50 === 0) {
        world = buildWorld(random, GRIDS[(i / 50) % GRIDS.length]!);
        rectangles = toRectangles(world);
      }
      const { grid, values, layer } = world!;
      const plot = randomPlotNear(random, grid);
      if (!hasArea(plot)) continue;
      const expected = new Map<number, number>();
      for (const hit of exactKernel.bind(plot).intersections(rectangles!.layer)) {
        const [row, column] = rectangles!.cells[hit.area]!;
        const value = values[row * grid.columns + column]!;
        expected.set(value, (expected.get(value) ?? 0) + hit.overlapSquareMeters);
      }
      const hits = new PlotOnLayers(exactKernel, plot, new WorkMeter()).intersections(layer);
      const [west, south, east, north] = plot.bbox;
      const bboxArea = (east - west) * ELLIPSOID.zoneDifference(south, north);
      const areas = [...expected.keys()].filter((value) => value < AREAS).sort((a, b) => a - b);
      expect(
        hits.map(({ area }) => area),
        `plot ${i} ${JSON.stringify([...plot.xy])}`,
      ).toEqual(areas);
      for (const { area, overlapSquareMeters } of hits) {
        worst = Math.max(worst, Math.abs(overlapSquareMeters - expected.get(area)!) / bboxArea);
        met++;
        if (overlapSquareMeters === 0) touched++;
      }
    }
    expect(worst).toBeLessThan(1e-12);
    expect(met).toBeGreaterThan(COUNT);
    expect(touched).toBeGreaterThan(COUNT / 50);
  });

  it("is measured as though no other had been before it, wherever that one's walk was broken off", () => {
    const random = createSeededRandom(SEED);
    const { layer } = buildWorld(random, GRIDS[0]!);
    const { tiling } = layer.cells;
    const sums = layer.cells.sums.bind(layer.cells);
    const tileBytes = layer.cells.tileBytes.bind(layer.cells);
    const damaged: RasterLayer = {
      ...layer,
      cells: { tiling, sums, tileBytes, readRow: breakAfter(4, layer) },
    };
    const measured = (plot: Plot, on = layer, allowed = 1e9): number[] =>
      new PlotOnLayers(exactKernel, plot, new WorkMeter(allowed))
        .intersections(on)
        .map((hit) => hit.overlapSquareMeters);
    const plot = toPlot([
      [createStarRing(random, lineLongitude(GRIDS[0]!, 6), lineLatitude(GRIDS[0]!, 5), 0.001, 9)],
    ]);
    const other = toPlot([
      [createStarRing(random, lineLongitude(GRIDS[0]!, 7), lineLatitude(GRIDS[0]!, 4), 0.0008, 7)],
    ]);
    const alone = measured(other);
    expect(() => measured(plot, damaged)).toThrow("broken");
    expect(measured(other)).toEqual(alone);
    let broken = 0;
    for (let allowed = 50; allowed < 2_500; allowed += 7) {
      try {
        measured(plot, layer, allowed);
      } catch {
        broken++;
      }
      expect(measured(other), `after ${allowed} units`).toEqual(alone);
    }
    expect(broken).toBeGreaterThan(200);
  });

  it("has of parts far apart, from north to south, what each has alone", () => {
    const grid: RasterGrid = { a: 0, b: 40_000, s: 1, t: 1, n: 4000, columns: 40, rows: 24_000 };
    const values = Uint16Array.from({ length: grid.columns * grid.rows }, (_, i) => (i * 7919) % 4);
    const layer = toLayer(grid, values);
    const parts = [9.99, 7.031, 4.3].map((y) => [
      createStarRing(createSeededRandom(SEED), 0.005, y, 0.002, 9),
    ]);
    const of = (plot: Plot): number[] =>
      new PlotOnLayers(exactKernel, plot, new WorkMeter())
        .intersections(layer)
        .map((hit) => hit.overlapSquareMeters);
    const sums = parts.map((part) => of(toPlot([part]))).reduce((a, b) => a.map((each, i) => each + b[i]!));
    for (const [area, squareMeters] of of(toPlot(parts)).entries()) {
      expect(Math.abs(squareMeters - sums[area]!) / sums[area]!).toBeLessThan(1e-11);
    }
  });

  it("counts the cells that an edge passes before it passes them, and keeps no room for millions", () => {
    const grid: RasterGrid = { a: -2_160_000, b: 12, s: 1, t: 1, n: 12_000, columns: 4_320_000, rows: 24 };
    const narrow = toLayer({ ...grid, columns: 1 }, new Uint16Array(24), 1);
    const { tiling } = narrow.cells;
    const readRow: RasterLayer["cells"]["readRow"] = (_row, _from, to, runs) => {
      runs.count = 0;
      addCellRun(runs, to, 0);
      return 0;
    };
    const sums = narrow.cells.sums.bind(narrow.cells);
    const layer: RasterLayer = { ...narrow, grid, cells: { tiling, readRow, sums, tileBytes: () => 0 } };
    const teeth = Array.from(
      { length: 40 },
      (_, i) => [i % 2 === 0 ? -179 : 179, -0.0009 + i * 2e-5] as const,
    );
    const plot = toPlot([[toRing([...teeth, [179.5, 0.0009], [179.5, -0.0009]])]]);
    const meter = new WorkMeter();
    const before = process.cpuUsage().user;
    expect(() => new PlotOnLayers(exactKernel, plot, meter).intersections(layer)).toThrow("units of work");
    expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(3);
  });
});

/** Reads rows of a raster until it breaks. */
function breakAfter(rows: number, { cells }: RasterLayer): RasterLayer["cells"]["readRow"] {
  let left = rows;
  return (...row) => {
    if (left-- === 0) throw new Error("broken");
    return cells.readRow(...row);
  };
}
