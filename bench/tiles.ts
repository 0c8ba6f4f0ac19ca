/**
 * What a vector tile costs: CPU to cut it, and bytes of it as gzip, by zoom, in the middle of real layers.
 *
 *   npm run bench -- tiles
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { areasOf, type SourceAreas } from "@groundrule/engine/areas";
import { openData } from "@groundrule/node";
import { cutTile, type TilePlace } from "@groundrule/tiles";
import { loadNow, medianOf } from "./kernel/timing.ts";
import { installReal } from "./screen/install-real.ts";

const LAYERS: readonly (readonly [file: string, source: string])[] = [
  ["br_mma_deforestation_1977_1991", "br:mma_deforestation"],
  ["br_ibge_municipalities", "br:municipalities"],
  ["br_cnuc_conservation_units_2024", "br:cnuc"],
];
const ZOOMS = [0, 2, 3, 4, 5, 6, 8, 10, 12];
const ROUNDS = 9;

const folder = process.env.GROUNDRULE_REAL_DATA;
if (folder === undefined || !existsSync(folder)) {
  console.log("Not measured: GROUNDRULE_REAL_DATA names no folder.");
  process.exit(0);
}

const data = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
try {
  for (const [file] of LAYERS) await installReal(data, folder, file);
  const { engine } = openData(data);
  console.log(`CPU of one tile, median of ${ROUNDS}; Node ${process.version}, load ${loadNow().toFixed(1)}`);
  for (const [, name] of LAYERS) {
    const source = areasOf(engine, name);
    const { areaCount, positionCount, bbox } = source.layer;
    console.log(
      `\n${name}: ${areaCount.toLocaleString("en")} areas, ${positionCount.toLocaleString("en")} positions`,
    );
    const [west, south, east, north] = bbox!;
    for (const z of ZOOMS) {
      const { cpuMs, bytes, packed } = costOf(source, placeAt(z, (west + east) / 2, (south + north) / 2));
      console.log(
        `  zoom ${String(z).padStart(2)}  ${cpuMs.toFixed(1).padStart(6)} ms  ${kilobytes(bytes)} kB  ${kilobytes(packed)} kB gzip`,
      );
    }
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}

function costOf(source: SourceAreas, place: TilePlace): { cpuMs: number; bytes: number; packed: number } {
  const tile = cutTile(source, place);
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    cutTile(source, place);
    return process.cpuUsage(before).user / 1_000;
  });
  return { cpuMs: medianOf(times), bytes: tile.length, packed: gzipSync(tile).length };
}

/** The tile that holds a place. */
function placeAt(z: number, longitude: number, latitude: number): TilePlace {
  const side = 2 ** z;
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI);
  return { z, x: Math.floor(((longitude + 180) / 360) * side), y: Math.floor(y * side) };
}

function kilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(1).padStart(7);
}
