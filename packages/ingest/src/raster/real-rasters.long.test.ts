import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { CellsManifest } from "@groundrule/engine";
import { BACKGROUND } from "@groundrule/engine/internal";
import { openLocalFile } from "@groundrule/formats";
import { describe, expect, it } from "vitest";
import { cellsIn } from "../../test/raster-files.ts";
import { buildRaster } from "./build-raster.ts";
import { inspectRaster } from "./inspect-raster.ts";

const root = process.env.GROUNDRULE_REAL_DATA;
const folder = root === undefined ? "" : join(root, "rasters");
if (root === undefined) console.warn("No real rasters are read: GROUNDRULE_REAL_DATA names no folder.");

const years: CellsManifest = {
  values: Array.from({ length: 23 }, (_, i) => ({ value: i + 1, name: `Loss in ${2001 + i}` })),
  background: [{ value: 0 }],
  nodata: [255],
};

async function built(name: string, cells: CellsManifest) {
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
      cellsIn((await built("hansen_2020_v1_8_lossyear_crop.tif", years)).file),
      cellsIn((await built("hansen_2023_v1_11_lossyear_crop.tif", years)).file),
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
      const { report } = await built(name, cells);
      expect(report.cells.areas.map(({ count }) => count)).toEqual(areas.map((area) => area.cells));
      expect(report.grid.steps_per_degree?.[0]).toBe(name.startsWith("copernicus") ? 1008 : 4000);
      expect(report.grid.snap_m).toBeLessThan(0.05);
    }
  });
});
