/**
 * What plots on rasters cost, beside exactextract 0.3.0, and how that grows.
 *
 *   npm run bench -- rasters [--rounds 3] [--cells 1e10]
 *
 * A real crop of tree cover loss is mirrored to 1/12000° cells; files are made once, in `.groundrule/bench`. We answer
 * by `engine.intersections` on GeoJSON that is parsed already, no geometry asked; exactextract reads a tiled GeoTIFF of
 * the same cells. CPU of a plot, best of rounds. That both find the same is shown by
 * `oracles/rasters.long.test.ts`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import { type Engine, openEngine } from "@groundrule/engine";
import { pythonPackages } from "@groundrule/testing/python-packages";
import { seededRandom } from "@groundrule/testing/random";
import { FileRange } from "../packages/node/src/files/file-range.ts";
import { realFolder } from "../tools/real-data.ts";
import { cpuMicros, machine, tableOf } from "./measure.ts";
import { LINES, madeOnce, mirroredCrop, NORTH, WEST, writeRaw, writeSnapshot } from "./rasters/mirrored.ts";

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

const rows: (string | number)[][] = [["cells", "by", "0.01 ha", "2 ha", "100 ha", "100,000 ha"]];
for (const side of [10_000, SIDE, 100_000].filter((each) => each ** 2 <= Number(values.cells))) {
  const path = await madeOnce(`loss-${side}.snapshot`, async (made) =>
    writeSnapshot(await mirroredCrop(crop, side), made),
  );
  const asked = [0.01, 2, 100, 100_000].map((hectares) => plotsOn(side, hectares));
  const engines = {
    ...(side <= SIDE && { memory: new Uint8Array(readFileSync(path)).buffer }),
    range: new FileRange(path),
  };
  const row = (by: string, micros: readonly number[]) =>
    rows.push([(side ** 2).toExponential(0), by, ...micros.map((each) => `${each.toFixed(1)} µs`)]);
  for (const [by, bytes] of Object.entries(engines)) {
    const engine = openEngine([{ bytes }], { crc32 });
    row(
      by,
      asked.map((plots) => microsOf(engine, plots)),
    );
  }
  const peer = side === SIDE ? await startExactextract() : undefined;
  if (peer !== undefined) row("exactextract", asked.map(peer));
}
console.log(`${tableOf(rows)}\n\n${machine()}`);

/** Asks about fewer plots: it takes longer. Undefined where there is no Python with pip that finds wheels. */
async function startExactextract(): Promise<((plots: readonly PlotOf[]) => number) | undefined> {
  const packages = pythonPackages("rasters-0.3.0", ...PACKAGES);
  if (packages === undefined) return undefined;
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
  return (plots) => {
    const some = plots.slice(0, Math.ceil(plots.length / 10));
    const seconds = Array.from({ length: rounds }, () => ask({ tif, plots: some }));
    return (1e6 * Math.min(...seconds)) / some.length;
  };
}

interface PlotOf {
  readonly type: "Polygon";
  readonly coordinates: number[][][];
}

/** Seeded plots of about so many hectares on a raster of a side, wholly on it: rough discs of some corners. */
function plotsOn(side: number, hectares: number): PlotOf[] {
  const count = Math.round(Math.min(20_000, 200_000 / hectares) + 5);
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
