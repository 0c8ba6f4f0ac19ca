import { createBoxRing, toPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { type Engine, openEngine } from "./engine.ts";
import { computeZoneDifference } from "./geometry/earth/authalic.ts";
import { lineLatitude, lineLongitude, type RasterGrid } from "./geometry/raster/grid.ts";
import { BACKGROUND, NODATA } from "./geometry/raster/raster-layer.ts";
import { createRasterWriter } from "./snapshot/write/raster-writer.ts";
import { snapshotBytes } from "./snapshot/write/snapshot-bytes.ts";
import { roundSquareMeters } from "./verdict/rounding.ts";
import type { CheckResult } from "./verdict/verdict.ts";

const NOW = { now: "2026-11-28T12:00:00Z" };
const GRID: RasterGrid = { a: -240_000, b: -40_000, s: 1, t: 1, n: 4000, columns: 400, rows: 400 };

/** A raster of the areas "a" and "b", each row of which holds the same. */
function buildRaster(name: string, valueAt: (column: number) => number): ArrayBuffer {
  const areas = ["a", "b"].map((id, i) => ({
    id,
    name: id,
    countryIso3: null,
    properties: { value: i + 1 },
  }));
  const writer = createRasterWriter({ source_name: name, kind: "leaf" }, GRID, areas);
  while (writer.nextRows > 0) {
    const length = writer.nextRows * GRID.columns;
    writer.add(Uint16Array.from({ length }, (_, i) => valueAt(i % GRID.columns)));
  }
  return snapshotBytes(writer.finish()).buffer;
}

/** Oblique strips of so many degrees in the raster, with or without two squares of 0.7 m² far from it. */
function makeStrips(width: number, isFar: boolean): object {
  const [x0, y0, height, lean] = [-59.98, -10.02, 0.05, 0.0123];
  const parts = Array.from({ length: 40 }, (_, i) => {
    const x = x0 + i * 0.0008;
    return [
      [x, y0],
      [x + lean, y0 - height],
      [x + width + lean, y0 - height],
      [x + width, y0],
      [x, y0],
    ];
  });
  const square = (x: number, y: number) => toPositions(createBoxRing(x, y, x + 9e-6, y + 9e-6));
  const far = isFar ? [square(-179, -45), square(179, 45)] : [];
  return { type: "MultiPolygon", coordinates: [...parts, ...far].map((ring) => [ring]) };
}

describe("a plot of thin strips, whatever lies far from it", () => {
  const engine = openEngine([
    buildRaster("t:loss", () => 0),
    buildRaster("t:other", () => 1),
    buildRaster("t:gap", () => NODATA),
  ]);
  const ruleset = {
    sets: {
      loss: { sources: ["t:loss"] },
      other: { sources: ["t:other"] },
      both: { intersection: ["loss", "other"] },
      gap: { sources: ["t:gap"] },
    },
    checks: ["loss", "both", "gap"].map((set) => ({
      id: set,
      set,
      measure: "overlap_area_m2",
      value: 0.05,
      outcome: "NON_COMPLIANT",
    })),
  };
  const evaluateChecks = (width: number, isFar: boolean): readonly CheckResult[] =>
    engine.compile(ruleset).evaluate({ geometry: makeStrips(width, isFar) }, NOW).checks;

  it.each([1e-6, 1e-8, 1e-9])("has its shares, alone and jointly, of strips of %d degrees", (width) => {
    const alone = evaluateChecks(width, false);
    expect(alone.map(({ triggered, status }) => [triggered, status])).toEqual([
      [true, "ok"],
      [true, "ok"],
      [false, "not_covered"],
    ]);
    const far = evaluateChecks(width, true);
    expect(far.map(({ triggered, status }) => [triggered, status])).toEqual([
      [true, "ok"],
      [true, "ok"],
      [false, "not_covered"],
    ]);
    for (const [i, { comparisons }] of alone.slice(0, 2).entries()) {
      const value = comparisons[0]!.value!;
      expect(Math.abs(far[i]!.comparisons[0]!.value! - value)).toBeLessThan(0.02 + 1e-4 * value);
    }
  });

  it("is not known where each share may be rounding, and together they print", () => {
    for (const { triggered, status, outcome } of evaluateChecks(3e-12, true)) {
      expect([triggered, status, outcome]).toEqual([false, "not_covered", "WARNING"]);
    }
    const [loss] = engine.intersections(makeStrips(3e-12, true), { sources: ["t:loss"] }).sources;
    expect(loss!.coverage).not.toBe("full");
  });
});

const ROW = [0, 0, 0, BACKGROUND, 1, NODATA, NODATA, 0, NODATA, BACKGROUND];
const some = openEngine([buildRaster("t:some", (column) => ROW[column % ROW.length]!)]);

/** The cells of columns and rows as a plot. */
function makeCellsPlot(west: number, east: number, north = 10, south = 11): object {
  const ring = createBoxRing(
    lineLongitude(GRID, west),
    lineLatitude(GRID, south),
    lineLongitude(GRID, east),
    lineLatitude(GRID, north),
  );
  return { type: "Polygon", coordinates: [toPositions(ring)] };
}

function evaluateCheck(geometry: object, set: object, check: object, engine: Engine = some): CheckResult {
  const ruleset = {
    sets: { s: { sources: ["t:some"], ...set } },
    checks: [{ id: "c", set: "s", outcome: "NON_COMPLIANT", ...check }],
  };
  return engine.compile(ruleset).evaluate({ geometry }, NOW).checks[0]!;
}

describe("a value beside cells that were not examined", () => {
  const cell = (GRID.s / GRID.n) * computeZoneDifference(lineLatitude(GRID, 11), lineLatitude(GRID, 10));
  const largest = (value: number) => ({ measure: "max_overlap_area_m2", value });

  it("may take them, too: its area is at most what is here and what is not covered", () => {
    // Background, "b", two of nodata: "b" may take three cells, and no more.
    expect(evaluateCheck(makeCellsPlot(3, 7), {}, largest(roundSquareMeters(2.5 * cell))).status).toBe(
      "not_covered",
    );
    expect(evaluateCheck(makeCellsPlot(3, 7), {}, largest(roundSquareMeters(3.1 * cell))).status).toBe("ok");
    expect(
      evaluateCheck(makeCellsPlot(3, 7), { where: "value = 1" }, largest(roundSquareMeters(2.5 * cell)))
        .status,
    ).toBe("ok");
  });

  it("may cover the plot, or share area with what it only touches", () => {
    const most = { measure: "overlap_ratio", value: 0.5 };
    expect(evaluateCheck(makeCellsPlot(4, 7), { relation: "covers" }, most).status).toBe("not_covered");
    expect(evaluateCheck(makeCellsPlot(3, 7), { relation: "covers" }, most).status).toBe("ok");
    expect(evaluateCheck(makeCellsPlot(4, 5), { relation: "covers" }, most)).toMatchObject({
      status: "ok",
      triggered: true,
    });
    // "a" touches from the east.
    expect(evaluateCheck(makeCellsPlot(5, 7), { relation: "touches" }, {}).comparisons[0]!.value).toBeNull();
  });

  it("may lie beyond the plot: whether it is covered by it, and by which share of it, is open", () => {
    const small = openEngine([buildRaster("t:some", (column) => (column === 4 ? 1 : BACKGROUND))]);
    const around = makeCellsPlot(3, 7, -1, 401);
    const inner = makeCellsPlot(3, 7, 0, 400);
    for (const plot of [around, inner]) {
      expect(evaluateCheck(plot, { relation: "covered_by" }, {}, small).status).toBe("not_covered");
    }
    expect(evaluateCheck(makeCellsPlot(3, 7), { relation: "covered_by" }, {}, small)).toMatchObject({
      status: "ok",
    });
    const share = { measure: "area_overlap_ratio", value: 0.5 };
    expect(evaluateCheck(makeCellsPlot(3, 7, 10, 390), {}, share, small).status).toBe("not_covered");
    expect(evaluateCheck(makeCellsPlot(6, 8), {}, share, small)).toMatchObject({
      status: "ok",
      triggered: false,
    });
  });

  it("may touch a plot from a cell that was not examined: how many values there are is open", () => {
    // Columns 3 and 4 end at one of nodata; a plot within them touches none.
    expect(evaluateCheck(makeCellsPlot(3, 5), { where: "value > 5" }, {}).status).toBe("not_covered");
    expect(evaluateCheck(makeCellsPlot(3.25, 3.75, 10.25, 10.75), {}, {})).toMatchObject({
      status: "ok",
      triggered: false,
    });
    expect(
      evaluateCheck(makeCellsPlot(3, 5), {}, { measure: "overlap_area_m2", value: cell * 1.5 }).status,
    ).toBe("ok");
  });
});
