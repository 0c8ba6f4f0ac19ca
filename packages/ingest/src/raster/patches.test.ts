import type { CellsManifest, SourceManifest } from "@groundrule/engine";
import { BACKGROUND, NODATA } from "@groundrule/engine/internal";
import type { LocalFile } from "@groundrule/formats";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { createTiffFile, LOSSES, readRasterCells, STEP } from "../../test/raster-files.ts";
import { buildRaster, type RasterOptions } from "./build-raster.ts";

/** Hectares of a cell of the lattice of 1/4000 degree, within a thousandth. */
const CELL_HA = 0.0729;

const withCells = (more: Partial<CellsManifest>): SourceManifest => ({
  ...LOSSES,
  cells: { ...LOSSES.cells!, ...more },
});

/** By cells that hang together, counted one after another: small ones are background, beside the unknown nodata. */
function sievePatches(
  values: Uint16Array,
  columns: number,
  neighbours: 4 | 8,
  least: number,
  isTurn = false,
): Uint16Array {
  const out = values.slice();
  const seen = new Uint8Array(values.length);
  const rows = values.length / columns;
  for (let start = 0; start < values.length; start++) {
    if (seen[start] !== 0 || values[start]! >= BACKGROUND) continue;
    const patch = [start];
    let isTouching = false;
    seen[start] = 1;
    for (const at of patch) {
      const [c, r] = [at % columns, Math.floor(at / columns)];
      for (let dr = -1; dr <= 1; dr++)
        for (let dc = -1; dc <= 1; dc++) {
          if ((neighbours === 4 && dr !== 0 && dc !== 0) || (dr === 0 && dc === 0)) continue;
          const column = isTurn ? (c + dc + columns) % columns : c + dc;
          const isOff = column < 0 || column >= columns || r + dr < 0 || r + dr >= rows;
          const next = (r + dr) * columns + column;
          if (isOff || values[next] === NODATA) isTouching = true;
          if (isOff || seen[next] !== 0 || values[next] !== values[start]) continue;
          seen[next] = 1;
          patch.push(next);
        }
    }
    if (patch.length < least) for (const at of patch) out[at] = isTouching ? NODATA : BACKGROUND;
  }
  return out;
}

async function buildCells(
  files: readonly LocalFile[],
  manifest: SourceManifest,
  options: RasterOptions = {},
) {
  const { file, report } = await buildRaster(files, manifest, options);
  const { snapshot, cells } = readRasterCells(file);
  return { cells, report, columns: snapshot.layer.grid.columns };
}

describe("the smallest patches", () => {
  it.each([4, 8] as const)(
    "become background, by %d neighbours, as a search cell by cell finds them",
    async (neighbours) => {
      // Spirals and combs that join late, across lines of tiles.
      const noisy = (c: number, r: number) => {
        const mixed = Math.imul(c * 374761393 + r * 668265263, 1274126177) >>> 0;
        return mixed % 100 < 52 ? 1 + (mixed % 2) : (c * r) % 97 === 0 ? 3 : 0;
      };
      const raster = () => createTiffFile("a.tif", [100, 100], [400, 330], noisy, { tile: [64, 64] });
      const plain = await buildCells([raster()], LOSSES);
      const { cells, report } = await buildCells(
        [raster()],
        withCells({ patches: { neighbours, min_ha: 4.99 * CELL_HA } }),
      );
      expect(cells).toEqual(sievePatches(plain.cells, 400, neighbours, 5));
      expect(report.patches_dropped).toBeGreaterThan(100);
      expect(report.patches_unknown).toBeGreaterThan(10);
    },
  );

  it("become nodata where they touch nodata, a mask, the grid's edge or a granule that is not there", async () => {
    // Pairs of cells in the middle, at the edge, beside nodata, and beside a cell that the mask hides.
    const at = (c: number, r: number) => {
      if (r === 5 && (c === 5 || c === 6)) return 1;
      if (r === 10 && c < 2) return 1;
      if (r === 20 && (c === 20 || c === 21)) return 1;
      if (r === 20 && c === 22) return 255;
      return r === 30 && (c === 30 || c === 31) ? 1 : 0;
    };
    const manifest = withCells({
      patches: { neighbours: 4, min_ha: 3 * CELL_HA },
      mask: { nodata: [0] },
    });
    const mask = createTiffFile("mask.tif", [0, 0], [60, 60], (c, r) => (r === 30 && c === 32 ? 0 : 1));
    const raster = createTiffFile("a.tif", [0, 0], [60, 60], at);
    const { cells, report } = await buildCells([raster], manifest, { maskFiles: [mask] });
    const cell = (c: number, r: number) => cells[r * 60 + c];
    expect([cell(5, 5), cell(6, 5)]).toEqual([BACKGROUND, BACKGROUND]);
    expect([cell(0, 10), cell(1, 10)]).toEqual([NODATA, NODATA]);
    expect([cell(20, 20), cell(21, 20), cell(22, 20)]).toEqual([NODATA, NODATA, NODATA]);
    expect([cell(30, 30), cell(31, 30), cell(32, 30)]).toEqual([NODATA, NODATA, NODATA]);
    expect([report.patches_dropped, report.patches_unknown]).toEqual([1, 3]);

    // Two granules with a third one missing between them, and a far one that makes the grid reach around.
    const line = (c: number, r: number) => (r === 8 && c >= 28 && c < 62 ? 1 : 0);
    const granules = [
      createTiffFile("a.tif", [0, 0], [30, 20], line),
      createTiffFile("c.tif", [60, 0], [30, 20], line),
      createTiffFile("z.tif", [0, 900], [90, 5], () => 0),
    ];
    const gap = await buildCells(granules, withCells({ patches: { neighbours: 8, min_ha: 10 * CELL_HA } }));
    expect([...gap.cells.subarray(8 * 90 + 27, 8 * 90 + 31)]).toEqual([BACKGROUND, NODATA, NODATA, NODATA]);
    expect([...gap.cells.subarray(8 * 90 + 60, 8 * 90 + 63)]).toEqual([NODATA, NODATA, BACKGROUND]);
    expect(gap.report.patches_unknown).toBe(2);
  });

  it.each(Array.from({ length: 24 }, (_, seed) => seed))(
    "are those that a search finds in granules here and there, with holes: world %d",
    async (seed) => {
      const random = createSeededRandom(900 + seed);
      const neighbours = seed % 2 === 0 ? 4 : 8;
      const cover = 0.3 + 0.4 * random.next();
      const holes = 0.03 * random.next();
      const valueAt = (c: number, r: number) => {
        const mixed = (Math.imul(c * 374761393 + r * 668265263 + seed, 1274126177) >>> 8) / 2 ** 24;
        return mixed < holes ? 255 : mixed < holes + cover ? 1 + ((c >> 3) % 2) : 0;
      };
      const files = Array.from({ length: 1 + random.integer(5) }, (_, i) =>
        createTiffFile(
          `${i}.tif`,
          [random.integer(600), random.integer(600)],
          [1 + random.integer(70), 1 + random.integer(70)],
          valueAt,
          random.next() < 0.5 ? { tile: [32, 16] } : {},
        ),
      );
      const plain = await buildCells(files, LOSSES);
      const least = 1 + random.integer(12);
      const manifest = withCells({ patches: { neighbours, min_ha: (least - 0.02) * CELL_HA } });
      const { cells, report } = await buildCells(files, manifest);
      expect(cells).toEqual(sievePatches(plain.cells, plain.columns, neighbours, least));
      const { total, areas, background, nodata } = report.cells;
      expect(areas.reduce((sum, { count }) => sum + count, background + nodata)).toBe(total);
      expect(nodata).toBe(cells.filter((cell) => cell === NODATA).length);
    },
  );

  it("are those of the whole grid, whatever part is kept", async () => {
    // One column of cells through all rows: small within a tile, large on the whole.
    const line = (c: number, r: number) => (c === 400 ? 1 : r === 5 && c < 3 ? 2 : 0);
    const raster = () => createTiffFile("a.tif", [0, 0], [600, 600], line);
    const bounds = [-72 + 380 * STEP, 19 - 300 * STEP, -72 + 420 * STEP, 19 - 299 * STEP] as const;
    const manifest = withCells({ patches: { neighbours: 4, min_ha: 30 } });
    const { file } = await buildRaster([raster()], manifest, { keep: { bounds } });
    const { snapshot, cells } = readRasterCells(file);
    expect(cells.filter((cell) => cell === 0)).toHaveLength(snapshot.layer.grid.rows);
    expect(snapshot.layer.grid.rows).toBeLessThan(400);
  });

  it("hang together across 180° on a grid that goes round the earth, and touch the unknown there", async () => {
    const at = (c: number, r: number) => (r === 20 && (c < 6 || c >= 354) ? 1 : r === 159 && c < 6 ? 1 : 0);
    const round = { corner: [-180, 90], step: [1, 1] } as const;
    const raster = createTiffFile("a.tif", [0, 0], [360, 180], at, round);
    const cell = (111_000 ** 2 * Math.cos((70 * Math.PI) / 180)) / 10_000;
    const { cells } = await buildCells([raster], withCells({ patches: { neighbours: 4, min_ha: 8 * cell } }));
    expect(cells.filter((found) => found === 0)).toHaveLength(12);
    expect(cells.filter((found) => found === NODATA)).toHaveLength(0);
    for (const neighbours of [4, 8] as const) {
      const noisy = (c: number, r: number) => {
        const mixed = (Math.imul(c * 374761393 + r * 668265263, 1274126177) >>> 8) % 100;
        return mixed < 4 ? 255 : mixed < 30 ? 1 + (mixed % 3) : 0;
      };
      const noise = () => createTiffFile("b.tif", [0, 0], [360, 180], noisy, round);
      const plain = await buildCells([noise()], LOSSES);
      const all = await buildCells([noise()], withCells({ patches: { neighbours, min_ha: 1e9 } }));
      expect(all.cells).toEqual(sievePatches(plain.cells, 360, neighbours, 1e9, true));
      expect(all.report.patches_dropped).toBeGreaterThan(100);
    }
  });
});
