import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxRing, createStarRing, toPlot, toRing } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { createCountingReader, makeRasterFile, openVerifiedRaster } from "../../../test/rasters.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { openWithCoverage } from "../../snapshot/read/reader.ts";
import { TileCache } from "../../snapshot/read/tile-cache.ts";
import type { RasterSnapshot } from "../../snapshot/snapshot.ts";
import { exactKernel } from "../kernel/exact-kernel.ts";
import { PlotOnLayers } from "../kernel/plot-on-layers.ts";
import type { Plot } from "../plot/plot.ts";
import { lineLatitude, lineLongitude, type RasterGrid } from "./grid.ts";
import type { RasterLayer } from "./raster-layer.ts";

const SEED = 20_261_128;
/** 60 columns of tiles by 2 rows of them, all of noise. */
const GRID: RasterGrid = {
  a: -720_000,
  b: 360_000 - 512 * 400,
  s: 1,
  t: 1,
  n: 4000,
  columns: 15_360,
  rows: 512,
};
const noise = createSeededRandom(SEED);
const file = makeRasterFile({
  grid: GRID,
  areaCount: 7,
  cells: Uint16Array.from({ length: GRID.columns * GRID.rows }, () => noise.integer(7)),
});
const inMemory: RasterLayer = openVerifiedRaster(file).layer;

const at = (column: number, row: number): readonly [number, number] => [
  lineLongitude(GRID, column),
  lineLatitude(GRID, row),
];
/** From one end of the grid to the other. */
const WIDE = toPlot([[toRing([at(3.3, 400.2), at(15_350.1, 500.7), at(15_340.4, 20.3), at(40.2, 60.9)])]]);

function byRange(tileBytes: number): { layer: RasterLayer; range: ReturnType<typeof createCountingReader> } {
  const range = createCountingReader(file);
  const { snapshot } = openWithCoverage(range, { tiles: new TileCache(tileBytes) });
  range.taken = 0;
  return { layer: (snapshot as RasterSnapshot).layer as RasterLayer, range };
}

function measureIntersections(plot: Plot, layer: RasterLayer): { areas: number[]; units: number } {
  const meter = new WorkMeter();
  const hits = new PlotOnLayers(exactKernel, plot, meter).intersections(layer);
  return { areas: hits.map((hit) => hit.overlapSquareMeters), units: meter.counted };
}

describe("a plot over many columns of tiles", () => {
  it("reads each tile once, where no more than a strip of them stays in memory, and counts the same as of a raster in memory", () => {
    const expected = measureIntersections(WIDE, inMemory);
    for (const tileBytes of [3 << 19, 1 << 26]) {
      const { layer, range } = byRange(tileBytes);
      expect(measureIntersections(WIDE, layer)).toEqual(expected);
      expect(range.taken).toBeLessThan(file.byteLength);
    }
    const whole = exactKernel.bind(WIDE).areaSquareMeters;
    expect(expected.areas.reduce((a, b) => a + b) / whole).toBeCloseTo(1, 11);
  });

  it("reads each tile once where its corners are in doubt, too, and counts those that it opens", () => {
    // Teeth along lines of cells, from tile to tile and back.
    const teeth = Array.from({ length: 60 }, (_, i): [number, number][] => [
      [...at(100 + 256 * i, 10)],
      [...at(101 + 256 * i, 10)],
      [...at(101 + 256 * i, 200)],
      [...at(99 + 256 * (i + 1), 200)],
    ]).flat();
    const plot = toPlot([[toRing([...teeth, at(15_300, 250), at(100, 250)])]]);
    const { layer, range } = byRange(3 << 19);
    const { units } = measureIntersections(plot, layer);
    expect(range.taken).toBeLessThan(3 * file.byteLength);
    const bytes = Array.from({ length: 60 }, (_, column) => layer.cells.tileBytes(0, column));
    expect(units).toBeGreaterThan(bytes.reduce((a, b) => a + b) / 8);
  });
});

describe("the cache of tiles", () => {
  it("keeps two tiles that are 64 columns or 128 rows apart, and of three the two used last", () => {
    const cache = new TileCache();
    const raster = cache.addRaster();
    const source = createCountingReader(file);
    const read = (row: number, column: number): boolean => {
      const key = raster.firstKey + 1_000 * row + column;
      const slot = cache.slotOf(raster, row, column, key);
      if (cache.holds(slot, key)) return false;
      cache.read(slot, source, 0, 64);
      cache.keep(slot, key);
      return true;
    };
    expect([read(3, 5), read(131, 69), read(3, 5), read(131, 69)]).toEqual([true, true, false, false]);
    expect([read(259, 133), read(131, 69), read(3, 5)]).toEqual([true, false, true]);
    const window = Array.from({ length: 8 * 128 }, (_, i) => [i >> 7, i & 127] as const);
    for (const [row, column] of window) read(row, column);
    expect(window.some(([row, column]) => read(row, column))).toBe(false);
  });
});

describe("outlines of cells", () => {
  /** Patches around the earth. */
  const grid: RasterGrid = {
    a: -2_160_000,
    b: 1_020_000,
    s: 1,
    t: 1,
    n: 12_000,
    columns: 4_320_000,
    rows: 2_040_000,
  };
  const narrow = openVerifiedRaster(
    makeRasterFile({ grid: { ...grid, columns: 1, rows: 1 }, areaCount: 1, cells: new Uint16Array(1) }),
  );
  const { tileBytes, sums } = narrow.layer.cells;
  const layer: RasterLayer = {
    ...narrow.layer,
    grid,
    areaCount: 2,
    cells: {
      tiling: {
        ...narrow.layer.cells.tiling,
        columnOffset: 0,
        rowOffset: 0,
        tileColumns: 16_875,
        tileRows: 7_969,
      },
      tileBytes: () => tileBytes.call(narrow.layer.cells, 0, 0),
      sums: () => sums.call(narrow.layer.cells, 0, 0),
      readRow(row, from, to, runs) {
        runs.count = 0;
        for (let column = from; column < to; column++) {
          const value = ((column >> 1) + (row >> 2)) & 1;
          if (runs.count > 0 && runs.values[runs.count - 1] === value) runs.ends[runs.count - 1] = column + 1;
          else {
            runs.ends[runs.count] = column + 1;
            runs.values[runs.count++] = value;
          }
        }
        return (to - from) / 4;
      },
    },
  };
  const halves = buildAreaLayer([[[createBoxRing(-179.9, -80, 179.9, 80)]]]);
  const region = (plot: Plot): { squareMeters: number; units: number } => {
    const meter = new WorkMeter();
    const squareMeters = new PlotOnLayers(exactKernel, plot, meter).regionSquareMeters({
      op: "intersection",
      operands: [
        { op: "areas", areas: [{ layer, area: 1 }] },
        { op: "areas", areas: [{ layer: halves, area: 0 }] },
      ],
    });
    return { squareMeters, units: meter.counted };
  };

  it("are of the cells near the parts of a plot, however far apart those lie", () => {
    const parts = [
      [-170, -60],
      [3, 4],
      [171, 62],
    ].map(([x, y], i) => [createStarRing(createSeededRandom(i), x!, y!, 0.0008, 9)]);
    const alone = parts.map((part) => region(toPlot([part])));
    const sum = alone.reduce((total, { squareMeters }) => total + squareMeters, 0);
    const { squareMeters, units } = region(toPlot(parts));
    expect(Math.abs(squareMeters - sum) / sum).toBeLessThan(1e-3);
    expect(units).toBeLessThan(10_000_000);
  });
});
