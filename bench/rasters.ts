/**
 * Measures the cost of plots on rasters, compared with exactextract 0.3.0, rasterstats and geoblaze, and its growth.
 *
 *   npm run bench -- rasters [--rounds 3] [--cells 1e10]
 *
 * A real crop of tree cover loss is mirrored to 1/12000° cells; files are made once, in `.groundrule/bench`. Shares are
 * compared with exactextract's first. We answer by `engine.intersections` on GeoJSON that is parsed already, no
 * geometry asked; peers read a tiled GeoTIFF of the same cells, from which our snapshot is built: geoblaze all of it
 * beforehand, since it keeps no tiles. rasterstats and geoblaze count cells by their centres. CPU, best of rounds.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import { type Engine, openEngine } from "@groundrule/engine";
import { openLocalFile } from "@groundrule/formats";
import { buildRaster } from "@groundrule/ingest";
import { openSpillFile } from "@groundrule/node/internal";
import { ELLIPSOID } from "../packages/engine/src/geometry/earth/authalic.ts";
import { FileRange } from "../packages/node/src/files/file-range.ts";
import { getRealFolder } from "../tools/machine/real-data.ts";
import { describeMachine, measureCpuMicros } from "./measure.ts";
import { measureGeoblazeRates } from "./rasters/geoblaze.ts";
import {
  LINES,
  makeFileOnce,
  NORTH,
  readMirroredCrop,
  VALUES,
  WEST,
  writeChunks,
  writeRawCells,
  writeSnapshot,
} from "./rasters/mirrored.ts";
import { makePlotsOnRaster, type PlotOf } from "./rasters/plots.ts";
import { startPythonPeers } from "./rasters/python.ts";

const CROP = "rasters/hansen_2020_v1_8_lossyear_crop.tif";
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, cells: { type: "string", default: "1e10" } },
});
const rounds = Number(values.rounds);
const crop = join(getRealFolder(), CROP);
if (!existsSync(crop)) throw new Error(`there is no ${crop}`);
const ask = startPythonPeers();
if (ask === undefined)
  console.log("exactextract, rasterstats: missing (a Python with pip that finds wheels)\n");
else await compareWithPeers(ask);
await measureRasterGrowth();
console.log(`\n${describeMachine()}`);

async function compareWithPeers(ask: (task: object) => unknown): Promise<void> {
  const side = 20_000;
  const tif = await makeFileOnce(`loss-${side}.tif`, async (path) => {
    const raw = `${path}.raw`;
    writeRawCells(await readMirroredCrop(crop, side), raw);
    ask({ do: "tif", from: raw, to: path, side, lines: LINES, west: WEST, north: NORTH });
    rmSync(raw);
  });
  const snapshot = await makeFileOnce(`loss-${side}-built.snapshot`, (path) =>
    buildRasterSnapshot(tif, path),
  );
  const measureQuery = (
    [
      [2, 20_000, 2_000],
      [100, 3_000, 300],
      [100_000, 10, 3],
    ] as const
  ).map(([hectares, count, checked]) => {
    const plots = makePlotsOnRaster(side, hectares, count, hectares > 1e4 ? 1_000 : 12);
    const file = `${snapshot}.${hectares}.json`;
    writeFileSync(file, JSON.stringify(plots.slice(0, checked)));
    return { hectares, plots, file, checked };
  });
  const byGeoblaze = measureGeoblazeRates(
    tif,
    measureQuery.map(({ file }) => file),
    rounds,
  );
  const engines = { memory: openInMemory(snapshot), range: openByRange(snapshot) };
  console.log(
    `4e8 cells | share of the plot apart | ours, memory | ours, range | exactextract | rasterstats | geoblaze`,
  );
  for (const [i, { hectares, plots, file, checked }] of measureQuery.entries()) {
    const covered = ask({ do: "covered", tif, plots: file, lines: LINES, north: NORTH }) as Covered[];
    const apart = Math.max(
      ...covered.map((each, k) => findGreatestDifference(engines.range, plots[k]!, each)),
    );
    const ours = [measurePlotsPerSecond(engines.memory, plots), measurePlotsPerSecond(engines.range, plots)];
    const peers = ["exactextract", "rasterstats"].map((peer) => {
      const seconds = Array.from(
        { length: rounds },
        () => ask({ do: "time", peer, tif, plots: file }) as number,
      );
      return checked / Math.min(...seconds);
    });
    const rates = [...ours, ...peers, ...(byGeoblaze === undefined ? [] : [byGeoblaze[i]!])];
    const cells = rates.map((rate) => `${rate.toFixed(1)} plots/s`);
    if (byGeoblaze === undefined) cells.push("missing: npm fetched none");
    const ratios = `${(ours[0]! / peers[0]!).toFixed(1)} and ${(ours[1]! / peers[0]!).toFixed(1)} × exactextract`;
    console.log(`${hectares} ha | ${apart.toExponential(1)} | ${cells.join(" | ")} | ${ratios}`);
  }
}

async function measureRasterGrowth(): Promise<void> {
  console.log("\ncells | ha | by | plots/s | µs a plot");
  const most = Number(values.cells);
  for (const cells of [1e6, 1e7, 1e8, 6e8, 1e10].filter((each) => each <= most)) {
    const side = Math.round(Math.sqrt(cells));
    const path = await makeFileOnce(`loss-${side}.snapshot`, async (made) =>
      writeSnapshot(await readMirroredCrop(crop, side), made),
    );
    const engines = { ...(cells < 1e9 && { memory: openInMemory(path) }), range: openByRange(path) };
    const sizes = cells === most || cells === 6e8 ? [0.01, 1, 2, 100, 10_000, 100_000] : [0.01, 2];
    for (const [by, engine] of Object.entries(engines)) {
      for (const hectares of sizes) {
        const count = Math.round(Math.min(20_000, 200_000 / hectares) + 5);
        const rate = measurePlotsPerSecond(
          engine,
          makePlotsOnRaster(side, hectares, count, hectares > 1e4 ? 1_000 : 12),
        );
        console.log(
          `${cells.toExponential(0)} | ${hectares} | ${by} | ${rate.toFixed(1)} | ${(1e6 / rate).toFixed(1)}`,
        );
      }
    }
  }
}

function measurePlotsPerSecond(engine: Engine, plots: readonly PlotOf[]): number {
  const micros = Array.from({ length: rounds + 1 }, () =>
    measureCpuMicros(() => {
      for (const plot of plots) engine.intersections(plot);
    }),
  );
  return (1e6 * plots.length) / Math.min(...micros);
}

/** Cells covered by one plot: value, row and cells. */
type Covered = readonly (readonly [value: number, row: number, cells: number])[];

/** The worst difference of a value's share, as a part of the plot. */
function findGreatestDifference(engine: Engine, plot: PlotOf, covered: Covered): number {
  const squareMeters = new Float64Array(256);
  let whole = 0;
  for (const [value, row, cells] of covered) {
    const north = NORTH - row / LINES;
    const share = (cells / LINES) * ELLIPSOID.zoneDifference(north - 1 / LINES, north);
    squareMeters[value]! += share;
    whole += share;
  }
  for (const match of engine.intersections(plot).matches) {
    squareMeters[Number(match.source_id)]! -= match.overlap_area_m2!;
  }
  return Math.max(...squareMeters.subarray(1, VALUES + 1).map(Math.abs)) / whole;
}

async function buildRasterSnapshot(tif: string, path: string): Promise<void> {
  const file = await openLocalFile(tif);
  const spill = openSpillFile();
  const values = Array.from({ length: VALUES }, (_, i) => ({ value: i + 1 }));
  const cells = { values, background: [{ value: 0 }] };
  const built = await buildRaster([file], { source_name: "bench:loss", kind: "leaf", cells } as never, {
    spill,
    crc32,
    sha256: () => createHash("sha256"),
  });
  writeChunks(path, built.file.chunks);
  spill.close();
  await file.close();
}

function openInMemory(path: string): Engine {
  return openEngine([{ bytes: new Uint8Array(readFileSync(path)).buffer }], { crc32 });
}

function openByRange(path: string): Engine {
  return openEngine([{ bytes: new FileRange(path) }], { crc32 });
}
