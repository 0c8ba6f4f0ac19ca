import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type CellsManifest, openEngine } from "@groundrule/engine";
import { openSnapshot, type RasterSnapshot } from "@groundrule/engine/build";
import { BACKGROUND, type RasterGrid } from "@groundrule/engine/internal";
import { openLocalFile } from "@groundrule/formats";
import { createSeededRandom } from "@groundrule/testing/random";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import { readCells } from "../../../engine/test/rasters.ts";
import { readRasterCells } from "../../test/raster-files.ts";
import { buildRaster } from "./build-raster.ts";
import { inspectRaster } from "./inspect-raster.ts";

const root = process.env.GROUNDRULE_REAL_DATA;
const folder = root === undefined ? "" : join(root, "rasters");
if (root === undefined) console.warn("No real rasters are read: GROUNDRULE_REAL_DATA names no folder.");

const PLOTS = process.env.GROUNDRULE_FULL === undefined ? 1_000 : 10_000;

const years: CellsManifest = {
  values: Array.from({ length: 23 }, (_, i) => ({ value: i + 1, name: `Loss in ${2001 + i}` })),
  background: [{ value: 0 }],
  nodata: [255],
};

async function buildRealRaster(name: string, cells: CellsManifest) {
  const file = await openLocalFile(join(folder, name));
  try {
    return await buildRaster([file], { source_name: "test:real", kind: "leaf", cells });
  } finally {
    await file.close();
  }
}

describe.skipIf(root === undefined)("real rasters", () => {
  it("two editions of Hansen lie on one lattice, and hold what their files do where both have cells", async () => {
    const [before, after] = [
      readRasterCells((await buildRealRaster("hansen_2020_v1_8_lossyear_crop.tif", years)).file),
      readRasterCells((await buildRealRaster("hansen_2023_v1_11_lossyear_crop.tif", years)).file),
    ];
    const [a, b] = [before.snapshot.layer.grid, after.snapshot.layer.grid];
    expect([a.s, a.t, a.n]).toEqual([1, 1, 4000]);
    expect([b.s, b.t, b.n]).toEqual([1, 1, 4000]);
    expect([b.a - a.a, a.b - b.b]).toEqual([286, 49]);
    let same = 0;
    let later = 0;
    for (let r = 0; r < b.rows; r++) {
      for (let c = 0; c < b.columns; c++) {
        const was = before.cells[(r + 49) * a.columns + c + 286]!;
        const is = after.cells[r * b.columns + c]!;
        if (was === is) same++;
        // Losses of 2021 to 2023 were no loss in the edition to 2020.
        if (is < BACKGROUND && is >= 20 && was === BACKGROUND) later++;
      }
    }
    expect(b.columns * b.rows).toBe(42_432);
    expect(same + later).toBeGreaterThan(0.95 * 42_432);
  });

  it("two editions of Hansen flip the verdicts that arithmetic by cells flips", async () => {
    const random = createSeededRandom(5);
    const ruleset = {
      sets: { loss: { sources: ["test:real"], where: "value > 12" } },
      checks: [
        { id: "loss", set: "loss", measure: "overlap_area_m2", value: 2000, outcome: "NON_COMPLIANT" },
      ],
    };
    const editions = await Promise.all(
      ["2020_v1_8", "2023_v1_11"].map(async (name) => {
        const { file } = await buildRealRaster(`hansen_${name}_lossyear_crop.tif`, years);
        const bytes = joinFileBytes(file);
        const { layer } = openSnapshot(bytes) as RasterSnapshot;
        return {
          grid: layer.grid,
          cells: readCells(layer),
          policy: openEngine([{ bytes }]).compile(ruleset),
        };
      }),
    );
    const common = editions[1]!.grid;
    let [flips, worst] = [0, 0];
    for (let i = 0; i < PLOTS; i++) {
      const size = 0.0004 * random.between(1, 5);
      const x = common.a / 4000 + random.next() * (common.columns / 4000 - size);
      const y = (common.b - common.rows) / 4000 + random.next() * (common.rows / 4000 - size);
      const geometry = createSquarePolygon(x, y, size);
      const verdicts = editions.map(({ grid, cells, policy }) => {
        const { verdict, checks } = policy.evaluate({ geometry }, { now: "2026-11-27T00:00:00Z" });
        const squareMeters = computeLoss(geometry.coordinates[0]!, grid, cells);
        worst = Math.max(worst, Math.abs(checks[0]!.comparisons[0]!.value! - squareMeters));
        expect(verdict).toBe(squareMeters > 2000.005 ? "NON_COMPLIANT" : "COMPLIANT");
        return verdict;
      });
      if (verdicts[0] !== verdicts[1]) flips++;
    }
    // Printed areas are rounded to a hundredth.
    expect(worst).toBeLessThan(0.0051);
    expect(flips).toBeGreaterThan(PLOTS / 200);
  });

  it("each is built from the table that inspecting it gives, with as many cells of each value", async () => {
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".tif"))) {
      const file = await openLocalFile(join(folder, name));
      const { values, columns, rows } = await inspectRaster(file, 1);
      await file.close();
      expect(values.reduce((sum, { cells }) => sum + cells, 0)).toBe(columns * rows);
      const areas = values.filter(({ is }) => is === undefined);
      const cells = {
        values: areas.map(({ value }) => ({ value })),
        nodata: values.filter(({ is }) => is === "nodata").map(({ value }) => value),
      };
      const { report } = await buildRealRaster(name, cells);
      expect(report.cells.areas.map(({ count }) => count)).toEqual(areas.map((area) => area.cells));
      expect(report.grid.steps_per_degree?.[0]).toBe(name.startsWith("copernicus") ? 1008 : 4000);
      expect(report.grid.snap_m).toBeLessThan(0.05);
    }
  });
});

/** Square metres of the losses after 2012 in a box, cell by cell, on WGS 84 (Snyder, USGS PP 1395, eq. 3-12). */
function computeLoss(ring: readonly (readonly number[])[], grid: RasterGrid, cells: Uint16Array): number {
  const [[west, south], , [east, north]] = ring as unknown as [[number, number], unknown, [number, number]];
  let sum = 0;
  for (let r = 0; r < grid.rows; r++) {
    const top = Math.min(north, (grid.b - r) / 4000);
    const bottom = Math.max(south, (grid.b - r - 1) / 4000);
    if (bottom >= top) continue;
    const height = computeZoneArea(top) - computeZoneArea(bottom);
    for (let c = 0; c < grid.columns; c++) {
      const width = Math.min(east, (grid.a + c + 1) / 4000) - Math.max(west, (grid.a + c) / 4000);
      const value = cells[r * grid.columns + c]!;
      if (width > 0 && value >= 12 && value < BACKGROUND) sum += width * height;
    }
  }
  return sum;
}

/** Square metres from the equator to a latitude, for each degree of longitude. */
function computeZoneArea(latitude: number): number {
  const flattening = 1 / 298.257223563;
  const squared = flattening * (2 - flattening);
  const [e, b] = [Math.sqrt(squared), 6_378_137 * (1 - flattening)];
  const sine = Math.sin((latitude * Math.PI) / 180);
  return ((Math.PI / 180) * (b * b) * (sine / (1 - squared * sine * sine) + Math.atanh(e * sine) / e)) / 2;
}
