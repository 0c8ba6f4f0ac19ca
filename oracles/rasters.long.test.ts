import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, gunzipSync } from "node:zlib";
import { openSnapshot, type RasterSnapshot } from "@groundrule/engine/build";
import { installPythonPackages } from "@groundrule/testing/python-packages";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { toPlot } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import { WorkMeter } from "../packages/engine/src/base/work-meter.ts";
import { PLANE } from "../packages/engine/src/geometry/earth/authalic.ts";
import { createExactKernel } from "../packages/engine/src/geometry/kernel/exact-kernel.ts";
import { PlotOnLayers } from "../packages/engine/src/geometry/kernel/plot-on-layers.ts";
import type { RasterGrid } from "../packages/engine/src/geometry/raster/grid.ts";
import { openLocalFile } from "../packages/formats/src/index.ts";
import { buildRaster } from "../packages/ingest/src/index.ts";

const SEED = 30;
const COUNT = process.env.GROUNDRULE_FULL ? 10_000 : 1_000;
const CROPS = ["hansen_2020_v1_8_lossyear", "jrc_gsw_transitions_2021", "copernicus_lc100_2019"];
const folder = process.env.GROUNDRULE_REAL_DATA;
const python =
  folder &&
  installPythonPackages("oracle-rasters", "exactextract==0.3.0", "rasterio==1.4.4", "shapely==2.2.0");
if (!python) {
  const lack = folder ? "a Python with pip that finds wheels" : "GROUNDRULE_REAL_DATA names no folder";
  console.log(`exactextract and GEOS are not asked about rasters: ${lack}`);
}

describe.skipIf(!python)(`plots with real outlines on real rasters, on the plane (seed ${SEED})`, () => {
  it.each(CROPS)("cover of each value of %s as much as in exactextract and GEOS", async (name) => {
    const tif = join(folder!, "rasters", `${name}_crop.tif`);
    const { layer } = await buildRasterSnapshot(tif);
    const random = createSeededRandom(SEED);
    const plots = randomPlotsOnGrid(random, layer.grid, readRealOutlines(folder!));
    const found = runOracle({ tif, plots, grid: [layer.grid.a, layer.grid.b, layer.grid.n] });
    const kernel = createExactKernel(PLANE);
    const worst = { exactextract: 0, geos: 0 };
    let met = 0;
    for (const [i, { coordinates }] of plots.entries()) {
      const plot = toPlot(coordinates.map((rings) => rings.map((ring) => Float64Array.from(ring.flat()))));
      const bound = new PlotOnLayers(kernel, plot, new WorkMeter());
      const ours = new Map(
        bound.intersections(layer).map((hit) => [hit.area, hit.overlapSquareMeters * layer.grid.n ** 2]),
      );
      const whole = bound.areaSquareMeters * layer.grid.n ** 2;
      for (const peer of ["exactextract", "geos"] as const) {
        for (let value = 0; value < 255; value++) {
          const apart = Math.abs((ours.get(value) ?? 0) - (found[i]![peer][value] ?? 0)) / whole;
          worst[peer] = Math.max(worst[peer], apart);
        }
      }
      if (ours.size > 0) met++;
    }
    console.log(
      `${name}: worst part of a plot apart ${JSON.stringify(worst)}, ${met} of ${COUNT} on the crop`,
    );
    expect(met).toBeGreaterThan(COUNT / 5);
    expect(worst.exactextract).toBeLessThan(1e-6);
    expect(worst.geos).toBeLessThan(1e-6);
  });
});

interface Outline {
  readonly type: "MultiPolygon";
  readonly coordinates: number[][][][];
}

/** Fields of the world and scars of mining, those that fit on the crops. */
function readRealOutlines(from: string): Outline["coordinates"][] {
  return ["plots_fields_world", "amazon_mining_scars_2019_2025"].flatMap((name) => {
    const text = gunzipSync(readFileSync(join(from, `${name}.geojson.gz`))).toString("utf8");
    const { features } = JSON.parse(text) as {
      features: { geometry: { type: string; coordinates: never } }[];
    };
    return features
      .map(({ geometry }): Outline["coordinates"] =>
        geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates,
      )
      .filter((polygons) => computeBox(polygons).every(([low, high]) => high > low && high - low < 0.05));
  });
}

/** Half of them anywhere on the grid, half about a point of its edge; fields and scars in turn by chance. */
function randomPlotsOnGrid(
  random: Random,
  grid: RasterGrid,
  outlines: readonly Outline["coordinates"][],
): Outline[] {
  const [width, height] = [grid.columns / grid.n, grid.rows / grid.n];
  return Array.from({ length: COUNT }, (_, i) => {
    const outline = outlines[random.integer(outlines.length)]!;
    const [[west, east], [south, north]] = computeBox(outline);
    const side = i % 2 === 0 ? -1 : random.integer(4);
    const u = side === 0 ? 0 : side === 1 ? 1 : random.next();
    const v = side === 2 ? 0 : side === 3 ? 1 : random.next();
    const dx = grid.a / grid.n + u * width - (west + east) / 2;
    const dy = grid.b / grid.n - v * height - (south + north) / 2;
    const moved = ([x, y]: readonly number[]): number[] => [x! + dx, y! + dy];
    return {
      type: "MultiPolygon",
      coordinates: outline.map((rings) =>
        rings.map((ring, k) => (isClockwise(ring) === k > 0 ? ring : ring.toReversed()).map(moved)),
      ),
    };
  });
}

function computeBox(polygons: Outline["coordinates"]): [[number, number], [number, number]] {
  const [xs, ys] = [0, 1].map((k) => polygons.flat(2).map((position) => position[k]!));
  return [
    [Math.min(...xs!), Math.max(...xs!)],
    [Math.min(...ys!), Math.max(...ys!)],
  ];
}

function isClockwise(ring: readonly (readonly number[])[]): boolean {
  const [x0, y0] = [ring[0]![0]!, ring[0]![1]!];
  let doubled = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[xa, ya], [xb, yb]] = [ring[i]!, ring[i + 1]!] as never as [[number, number], [number, number]];
    doubled += (xa - x0) * (yb - y0) - (xb - x0) * (ya - y0);
  }
  return doubled < 0;
}

/** The crop's snapshot, whose areas 0, 1, 2, … are the values 0 to 254. */
async function buildRasterSnapshot(tif: string): Promise<RasterSnapshot> {
  const file = await openLocalFile(tif);
  const values = Array.from({ length: 255 }, (_, value) => ({ value }));
  const manifest = { source_name: "oracle:cells", kind: "leaf" as const, cells: { values, nodata: [255] } };
  const built = await buildRaster([file], manifest, { sha256: () => createHash("sha256"), crc32 });
  await file.close();
  return openSnapshot(joinFileBytes(built.file), { crc32 }) as RasterSnapshot;
}

type Cells = Readonly<Record<string, number>>;

function runOracle(task: object): readonly { readonly exactextract: Cells; readonly geos: Cells }[] {
  const program = join(import.meta.dirname, "rasters.py");
  const env = { ...process.env, PYTHONPATH: python! };
  return JSON.parse(
    execFileSync("python3", [program], {
      input: JSON.stringify(task),
      env,
      maxBuffer: 2 ** 30,
      encoding: "utf8",
    }),
  );
}
