import { catchRefusal } from "@groundrule/testing/refusal";
import { createBoxRing, toPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { makeBoxSnapshot } from "../test/box-snapshot.ts";
import { createCountingReader, makeRasterFile, makeTinyRaster, openVerifiedRaster } from "../test/rasters.ts";
import { WorkMeter } from "./base/work-meter.ts";
import { type Engine, openEngine } from "./engine.ts";
import { computeZoneDifference } from "./geometry/earth/authalic.ts";
import { exactKernel } from "./geometry/kernel/exact-kernel.ts";
import { PlotOnLayers } from "./geometry/kernel/plot-on-layers.ts";
import { parsePlot } from "./geometry/plot/parse-plot.ts";
import { lineLatitude, lineLongitude, type RasterGrid } from "./geometry/raster/grid.ts";
import { BACKGROUND, NODATA } from "./geometry/raster/raster-layer.ts";
import { openWithCoverage } from "./snapshot/read/reader.ts";
import { TileCache } from "./snapshot/read/tile-cache.ts";
import type { RasterSnapshot } from "./snapshot/snapshot.ts";
import { createRasterWriter } from "./snapshot/write/raster-writer.ts";
import { snapshotBytes } from "./snapshot/write/snapshot-bytes.ts";
import { roundSquareMeters } from "./verdict/rounding.ts";
import type { Evaluation } from "./verdict/verdict.ts";

const NOW = { now: "2026-11-27T12:00:00Z" };
/** Ten columns of seven rows: "a" in the west, "b" in the middle, background, and nodata in the east. */
const CELLS = [0, 0, 0, 1, 1, BACKGROUND, BACKGROUND, NODATA, NODATA, 0];
const ROWS = 7;

function buildRaster(grid: RasterGrid, cells: readonly number[], name = "demo:raster"): ArrayBuffer {
  const areas = ["a", "b"].map((id, i) => ({
    id,
    name: `Value ${id}`,
    countryIso3: null,
    properties: { value: 10 * (i + 1) },
  }));
  const writer = createRasterWriter({ source_name: name, kind: "leaf" }, grid, areas);
  while (writer.nextRows > 0) {
    const length = writer.nextRows * grid.columns;
    writer.add(Uint16Array.from({ length }, (_, i) => cells[i % grid.columns]!));
  }
  return snapshotBytes(writer.finish()).buffer;
}

/** The cells of columns and rows, which may be fractions, as a plot. */
function makeCellsPlot(grid: RasterGrid, west: number, north: number, east: number, south: number): object {
  const ring = createBoxRing(
    lineLongitude(grid, west),
    lineLatitude(grid, south),
    lineLongitude(grid, east),
    lineLatitude(grid, north),
  );
  return { type: "Polygon", coordinates: [toPositions(ring)] };
}

function cellArea(grid: RasterGrid, row: number): number {
  return (grid.s / grid.n) * computeZoneDifference(lineLatitude(grid, row + 1), lineLatitude(grid, row));
}

const HANSEN: RasterGrid = { a: -286_951, b: 74_748, s: 1, t: 1, n: 4000, columns: 10, rows: ROWS };
const WIDE: RasterGrid = { ...HANSEN, columns: 300 };
const GRIDS: Readonly<Record<string, RasterGrid>> = {
  "of 1/4000 degree": HANSEN,
  "at 80° N": { a: 40, b: 160_400, s: 1, t: 1, n: 2000, columns: 10, rows: ROWS },
  "across the antimeridian": { a: 719_995, b: 12, s: 1, t: 1, n: 4000, columns: 10, rows: ROWS },
  "west of the antimeridian by its longitudes": {
    a: -720_005,
    b: 12,
    s: 1,
    t: 1,
    n: 4000,
    columns: 10,
    rows: ROWS,
  },
};

/** Value and square metres of each match. */
function listFoundValues(engine: Engine, plot: object): (readonly [string, number, number | undefined])[] {
  return engine
    .intersections(plot)
    .matches.map(({ source_id, overlap_area_m2, cells }) => [source_id, overlap_area_m2, cells]);
}

describe.each(Object.entries(GRIDS))("a grid %s", (_, grid) => {
  const engine = openEngine([buildRaster(grid, CELLS)]);
  const cell = cellArea(grid, 2);

  it("reports a quarter of a cell, one cell exactly, and what a plot along its lines touches", () => {
    expect(listFoundValues(engine, makeCellsPlot(grid, 1.25, 2, 1.5, 3))).toEqual([
      ["a", roundSquareMeters(cell / 4), 1],
    ]);
    const one = engine.intersections(makeCellsPlot(grid, 1, 2, 2, 3));
    expect(one.matches[0]).toMatchObject({
      source_id: "a",
      overlap_area_m2: roundSquareMeters(cell),
      overlap_ratio: 1,
      cells: 1,
    });
    expect(listFoundValues(engine, makeCellsPlot(grid, 2, 2, 3, 3))).toEqual([
      ["a", roundSquareMeters(cell), 1],
      ["b", 0, 0],
    ]);
  });

  it("reports what lies off the grid and what is nodata as not covered", () => {
    const coverage = (plot: object) => engine.intersections(plot).sources[0]!.coverage;
    expect(coverage(makeCellsPlot(grid, 1, 2, 7, 3))).toBe("full");
    expect(coverage(makeCellsPlot(grid, 6, 2, 8, 3))).toBe("partial");
    expect(coverage(makeCellsPlot(grid, 7, 2, 9, 3))).toBe("none");
    expect(coverage(makeCellsPlot(grid, -1, 2, 1, 3))).toBe("partial");
    expect(coverage(makeCellsPlot(grid, -3, 2, -1, 3))).toBe("none");
  });
});

const parks = makeBoxSnapshot("demo:parks", [
  lineLongitude(HANSEN, 1),
  lineLatitude(HANSEN, 5),
  lineLongitude(HANSEN, 4),
  lineLatitude(HANSEN, 1),
]);
const both = openEngine([buildRaster(HANSEN, CELLS), parks]);
const RULESET = {
  sets: {
    a: { sources: ["demo:raster"], where: "value = 10" },
    parks: { sources: ["demo:parks"] },
    lost: { intersection: ["a", "parks"] },
    all: { sources: ["demo:raster"] },
  },
  checks: [
    { id: "lost", set: "lost", measure: "overlap_area_m2", value: 0, outcome: "NON_COMPLIANT" },
    { id: "mean", set: "all", measure: { mean: "value" }, op: ">", value: 15, outcome: "NOTICE" },
    { id: "covering", set: "all", measure: "overlap_ratio", op: ">", value: 0.5, outcome: "WARNING" },
  ],
};
const evaluate = (geometry: object, engine: Engine = both): Evaluation =>
  engine.compile(RULESET).evaluate({ geometry }, NOW);

describe("a ruleset on a raster", () => {
  it("has the numbers of the page", () => {
    const at = (...place: [number, number, number, number]) =>
      listFoundValues(both, makeCellsPlot(HANSEN, ...place)).slice(1);
    expect(at(1, 0, 2, 1)).toEqual([["a", 729.76, 1]]);
    expect(at(1.25, 0, 1.5, 1)).toEqual([["a", 182.44, 1]]);
    expect(at(8, 0, 10, 1)).toEqual([]);
    expect(listFoundValues(both, makeCellsPlot(HANSEN, 8, 0, 10, 1))).toEqual([["a", 729.76, 1]]);
  });

  it("joins cells with areas of rings, weighs a mean by area, and shows cells and their size", () => {
    const { verdict, checks, sources } = evaluate(makeCellsPlot(HANSEN, 2, 2, 5, 3));
    expect(verdict).toBe("NON_COMPLIANT");
    // Column 2 is "a" in the park, columns 3 and 4 are "b".
    expect(checks[0]!.comparisons[0]!.value).toBe(roundSquareMeters(cellArea(HANSEN, 2)));
    expect(checks[1]!.comparisons[0]!.value).toBeCloseTo((10 + 2 * 20) / 3, 8);
    expect(checks[2]!.comparisons[0]!.value).toBe(1);
    expect(checks[1]!.evidence[0]).toMatchObject({ source_id: "b", cells: 2 });
    expect(sources.find(({ source_name }) => source_name === "demo:raster")).toMatchObject({
      cell_m: [26.4, 27.7],
      coverage: "full",
    });
  });

  it("leaves a check open where cells were not examined, and never calls that compliant", () => {
    const { verdict, checks } = evaluate(makeCellsPlot(HANSEN, 4, 2, 9, 3));
    expect(verdict).toBe("WARNING");
    expect(checks[1]!.status).toBe("not_covered");
    expect(checks[1]!.open![0]!.covered_ratio).toBeCloseTo(3 / 5, 9);
  });

  it("draws the cells that the plot cuts", () => {
    const { matches } = both.intersections(makeCellsPlot(HANSEN, 2.5, 2, 3.5, 3), {
      geometry: "overlap",
      sources: ["demo:raster"],
    });
    expect(matches.map(({ geometry }) => geometry?.type)).toEqual(["MultiPolygon", "MultiPolygon"]);
    expect(
      both.intersections(makeCellsPlot(HANSEN, 1, 2, 2, 3), { geometry: "area", sources: ["demo:raster"] })
        .matches[0],
    ).toMatchObject({
      geometry: null,
      geometry_status: "too_complex",
    });
  });

  it("is measured by points, by lines and by discs", () => {
    const [x, y] = [lineLongitude(HANSEN, 3), lineLatitude(HANSEN, 2.5)];
    const at = (geometry: object) =>
      both
        .intersections(geometry, { sources: ["demo:raster"] })
        .matches.map(({ source_id, overlap_ratio }) => [source_id, overlap_ratio]);
    // On the line between two values, in both closed cells.
    expect(at({ type: "Point", coordinates: [x, y] })).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    const line = {
      type: "LineString",
      coordinates: [
        [lineLongitude(HANSEN, 2), y],
        [lineLongitude(HANSEN, 6), y],
      ],
    };
    expect(at(line)).toEqual([
      ["a", 0.25],
      ["b", 0.5],
    ]);
    const disc = both
      .compile(RULESET)
      .evaluate({ geometry: { type: "Point", coordinates: [x, y] }, area_ha: 0.01 }, NOW);
    expect(disc.checks[1]!.comparisons[0]!.value).toBeCloseTo(15, 3);
  });

  it("is refused where it measures distances, and skipped where a question measures them to all sources", () => {
    const ruleset = {
      sets: { near: { sources: ["demo:raster"], within_m: 100 } },
      checks: [{ id: "n", set: "near", outcome: "NOTICE" }],
    };
    expect(catchRefusal(() => both.compile(ruleset))).toMatchObject({
      code: "RULESET_INVALID",
      details: { faults: [{ code: "RASTER_DISTANCE", pointer: "/sets/near/within_m" }] },
    });
    const plot = makeCellsPlot(HANSEN, 1, 2, 2, 3);
    const answer = both.distance(plot, { maxDistanceMeters: 1000 });
    expect(answer.warnings).toMatchObject([{ code: "RASTER_DISTANCE", pointer: "/sources" }]);
    expect(answer.sources.map(({ source_name }) => source_name)).toEqual(["demo:parks"]);
    expect(
      catchRefusal(() => both.distance(plot, { maxDistanceMeters: 1000, sources: ["demo:raster"] })),
    ).toMatchObject({ code: "VALIDATION_FAILED" });
  });
});

describe("rasters that are read by range", () => {
  it("keep their tiles beside each other's: two of one grid, walked together, read each tile once", () => {
    const { grid } = makeTinyRaster();
    const file = makeRasterFile(makeTinyRaster());
    const ranges = [createCountingReader(file), createCountingReader(file)];
    const tiles = new TileCache();
    const layers = ranges.map(
      (range) => (openWithCoverage(range, { tiles }).snapshot as RasterSnapshot).layer,
    );
    const plot = parsePlot(makeCellsPlot(grid, 100, 200, 600, 400)).plot;
    const operands = layers.map((layer) => ({ op: "areas", areas: [{ layer, area: 3 }] }) as const);
    const read = (): number => {
      const before = ranges.map(({ taken }) => taken);
      new PlotOnLayers(exactKernel, plot, new WorkMeter()).regionSquareMeters({
        op: "intersection",
        operands,
      });
      return ranges.reduce((sum, { taken }, i) => sum + taken - before[i]!, 0);
    };
    const first = read();
    expect(first).toBeGreaterThan(10_000);
    expect(first).toBeLessThan(2 * file.byteLength);
    expect(read()).toBe(0);
  });
});

describe("a raster of very many values", () => {
  it("takes no more work of a plot than one of just the values that the plot meets", () => {
    const work = (areas: number): number => {
      const cells = Uint16Array.from({ length: 300 * ROWS }, (_, i) => (i % 300) % areas);
      const { layer } = openVerifiedRaster(makeRasterFile({ grid: WIDE, areaCount: areas, cells }));
      const meter = new WorkMeter();
      const plot = parsePlot(makeCellsPlot(WIDE, 1.5, 1.5, 298.5, 5.5)).plot;
      const hits = new PlotOnLayers(exactKernel, plot, meter).intersections(layer);
      expect(hits.length).toBe(Math.min(areas, 298));
      return meter.counted;
    };
    expect(work(60_000)).toBe(work(300));
  });
});

describe("a tile that is damaged", () => {
  it("makes its source failed for the answers that touch it, and the verdict degraded", () => {
    const content = makeTinyRaster();
    const bytes = makeRasterFile(content);
    // The tiles come last, and are checked when they are first touched.
    const view = new Uint8Array(bytes);
    for (let i = view.length - 1; i > view.length - 40_000; i -= 97) view[i]! ^= 0x55;
    const engine = openEngine([{ bytes }]);
    const ruleset = {
      sets: { all: { sources: ["test:raster"] } },
      checks: [{ id: "c", set: "all", outcome: "NON_COMPLIANT" }],
    };
    const verdicts: string[] = [];
    for (const row of [60, 350]) {
      for (const column of [20, 420, 500]) {
        const plot = makeCellsPlot(content.grid, column, row, column + 3, row + 3);
        const { verdict, status, sources } = engine.compile(ruleset).evaluate({ geometry: plot }, NOW);
        if (status !== "degraded") continue;
        verdicts.push(verdict);
        expect(sources[0]).toMatchObject({ status: "failed", reason: expect.stringContaining("tile") });
        expect(engine.intersections(plot).sources[0]).toMatchObject({ status: "failed" });
      }
    }
    expect(verdicts).toEqual(["DEGRADED", "DEGRADED"]);
  });
});
