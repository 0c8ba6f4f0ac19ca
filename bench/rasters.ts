/**
 * What plots on rasters cost, beside exactextract 0.3.0, and how that grows.
 *
 *   npm run bench -- rasters [--rounds 3] [--cells 1e10]
 *
 * A real crop of tree cover loss is mirrored to 1/12000° cells; files are made once, in `.groundrule/bench`. We answer
 * by `engine.intersections` on GeoJSON that is parsed already, no geometry asked; exactextract reads a tiled GeoTIFF of
 * the same cells, from which our snapshot is built. CPU, best of rounds. That both find the same is shown by
 * `oracles/rasters.long.test.ts`.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import { type Engine, openEngine } from "@groundrule/engine";
import { openLocalFile } from "@groundrule/formats";
import { buildRaster } from "@groundrule/ingest";
import { openSpillFile } from "@groundrule/node/internal";
import { pythonPackages } from "@groundrule/testing/python-packages";
import { seededRandom } from "@groundrule/testing/random";
import { FileRange } from "../packages/node/src/files/file-range.ts";
import { realFolder } from "../tools/real-data.ts";
import { cpuMicros, machine, tableOf } from "./measure.ts";
import {
  LINES,
  madeOnce,
  mirroredCrop,
  NORTH,
  VALUES,
  WEST,
  writeFile,
  writeRaw,
  writeSnapshot,
} from "./rasters/mirrored.ts";

const CROP = "rasters/hansen_2020_v1_8_lossyear_crop.tif";
const PACKAGES = ["exactextract==0.3.0", "rasterio==1.4.4"];
/** Cells of a side of the raster that exactextract is asked about. */
const SIDE = 20_000;
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, cells: { type: "string", default: "1e10" } },
});
const rounds = Number(values.rounds);
const crop = join(realFolder(), CROP);
if (!existsSync(crop)) throw new Error(`there is no ${crop}`);
await besideExactextract();
await growth();
console.log(`\n${machine()}`);

async function besideExactextract(): Promise<void> {
  const packages = pythonPackages("rasters-0.3.0", ...PACKAGES);
  if (packages === undefined) {
    console.log("exactextract: missing (a Python with pip that finds wheels)\n");
    return;
  }
  const ask = (task: object): number => {
    const { stdout, stderr, status } = spawnSync("python3", [join(import.meta.dirname, "rasters/peer.py")], {
      input: JSON.stringify(task),
      encoding: "utf8",
      env: { ...process.env, PYTHONPATH: packages },
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as number;
  };
  const tif = await madeOnce(`loss-${SIDE}.tif`, async (path) => {
    const raw = `${path}.raw`;
    writeRaw(await mirroredCrop(crop, SIDE), raw);
    ask({ from: raw, to: path, side: SIDE, lines: LINES, west: WEST, north: NORTH });
    rmSync(raw);
  });
  const snapshot = await madeOnce(`loss-${SIDE}-built.snapshot`, (path) => build(tif, path));
  const [memory, range] = [inMemory(snapshot), byRange(snapshot)];
  const rows: (string | number)[][] = [["4e8 cells: ha", "ours, memory", "ours, range", "exactextract"]];
  for (const [hectares, count, checked] of [
    [2, 20_000, 2_000],
    [100, 3_000, 300],
    [100_000, 10, 3],
  ] as const) {
    const plots = plotsOn(SIDE, hectares, count);
    const file = `${snapshot}.${hectares}.json`;
    writeFileSync(file, JSON.stringify(plots.slice(0, checked)));
    const seconds = Math.min(...Array.from({ length: rounds }, () => ask({ tif, plots: file })));
    const micros = [microsOf(memory, plots), microsOf(range, plots), (1e6 * seconds) / checked];
    rows.push([hectares, ...micros.map((each) => `${each.toFixed(1)} µs a plot`)]);
  }
  console.log(`${tableOf(rows)}\n`);
}

async function growth(): Promise<void> {
  const most = Number(values.cells);
  const rows: (string | number)[][] = [["cells", "ha", "by", "µs a plot"]];
  for (const cells of [1e6, 1e7, 1e8, 6e8, 1e10].filter((each) => each <= most)) {
    const side = Math.round(Math.sqrt(cells));
    const path = await madeOnce(`loss-${side}.snapshot`, async (made) =>
      writeSnapshot(await mirroredCrop(crop, side), made),
    );
    const engines = { ...(cells < 1e9 && { memory: inMemory(path) }), range: byRange(path) };
    const sizes = cells === most || cells === 6e8 ? [0.01, 1, 2, 100, 10_000, 100_000] : [0.01, 2];
    for (const [by, engine] of Object.entries(engines)) {
      for (const hectares of sizes) {
        const plots = plotsOn(side, hectares, Math.round(Math.min(20_000, 200_000 / hectares) + 5));
        rows.push([cells.toExponential(0), hectares, by, microsOf(engine, plots).toFixed(1)]);
      }
    }
  }
  console.log(tableOf(rows));
}

interface PlotOf {
  readonly type: "Polygon";
  readonly coordinates: number[][][];
}

/** Seeded plots of about so many hectares on a raster of a side, wholly on it: rough discs of some corners. */
function plotsOn(side: number, hectares: number, count: number): PlotOf[] {
  const random = seededRandom(30);
  const corners = hectares > 1e4 ? 1_000 : 12;
  const radius = Math.sqrt((hectares * 1e4) / Math.PI) / 110_900;
  const room = side / LINES - 2.4 * radius;
  return Array.from({ length: count }, () => {
    const x = WEST + 1.2 * radius + room * random.next();
    const y = NORTH - 1.2 * radius - room * random.next();
    const ring = Array.from({ length: corners }, (_, i) => {
      const angle = ((i + random.between(0, 0.6)) / corners) * 2 * Math.PI;
      const reach = radius * random.between(0.9, 1.1);
      return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
    });
    return { type: "Polygon", coordinates: [[...ring, ring[0]!]] };
  });
}

function microsOf(engine: Engine, plots: readonly PlotOf[]): number {
  const micros = Array.from({ length: rounds + 1 }, () =>
    cpuMicros(() => {
      for (const plot of plots) engine.intersections(plot);
    }),
  );
  return Math.min(...micros) / plots.length;
}

async function build(tif: string, path: string): Promise<void> {
  const file = await openLocalFile(tif);
  const spill = openSpillFile();
  const values = Array.from({ length: VALUES }, (_, i) => ({ value: i + 1 }));
  const cells = { values, background: [{ value: 0 }] };
  const built = await buildRaster([file], { source_name: "bench:loss", kind: "leaf", cells } as never, {
    spill,
    crc32,
    sha256: () => createHash("sha256"),
  });
  writeFile(path, built.file.chunks);
  spill.close();
  await file.close();
}

function inMemory(path: string): Engine {
  return openEngine([{ bytes: new Uint8Array(readFileSync(path)).buffer }], { crc32 });
}

function byRange(path: string): Engine {
  return openEngine([{ bytes: new FileRange(path) }], { crc32 });
}
