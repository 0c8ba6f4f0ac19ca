/**
 * What a vector tile costs beside geojson-vt and vt-pbf: what comes before the first tile, memory, CPU of a tile that is
 * asked for first and again, and its bytes. By zoom, in the middle of real layers, then on the shore and in the middle of
 * one ring of two million positions.
 *
 *   npm run bench -- tiles
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Engine, openEngine } from "@groundrule/engine";
import { type AreaLayer, areasOf, type SourceAreas } from "@groundrule/engine/areas";
import { snapshotOf } from "@groundrule/engine/build";
import { openData } from "@groundrule/node";
import { seededRandom } from "@groundrule/testing/random";
import { coast, star } from "@groundrule/testing/shapes";
import { cutTile, type TilePlace } from "@groundrule/tiles";
import { cpuMicros, loadNow, medianOf } from "./kernel/timing.ts";
import { type FeatureCollection, GeojsonVt, geojsonOf } from "./peers/geojson-vt.ts";
import { installReal } from "./screen/install-real.ts";

const LAYERS: readonly (readonly [file: string, source: string])[] = [
  ["br_mma_deforestation_1977_1991", "br:mma_deforestation"],
  ["br_ibge_municipalities", "br:municipalities"],
  ["br_cnuc_conservation_units_2024", "br:cnuc"],
  ["ne_10m_admin_0_countries", "ne:countries"],
  ["amazon_mining_scars_2019_2025", "amw:mining_scars"],
];
const ZOOMS = [0, 2, 3, 4, 5, 6, 8, 10, 12, 14];
const ROUNDS = 7;

/** Rings of two million positions around 10° E 45° N, three degrees in radius: rough at every scale, and all spikes. */
const LONG_RINGS: readonly (readonly [name: string, ring: () => Float64Array])[] = [
  ["a coast", () => coast(seededRandom(1), 10, 45, 3, 2 ** 21)],
  ["a star of spikes", () => star(seededRandom(1), 10, 45, 3, 2_000_000)],
];

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

console.log(
  `CPU of one tile, first and median of ${ROUNDS}; Node ${process.version}, load ${loadNow().toFixed(1)}`,
);
await compareLayers();
for (const [name, ring] of LONG_RINGS) await compareLongRing(name, ring());

async function compareLayers(): Promise<void> {
  const folder = process.env.GROUNDRULE_REAL_DATA;
  if (folder === undefined || !existsSync(folder)) {
    console.log("Real layers are not measured: GROUNDRULE_REAL_DATA names no folder.");
    return;
  }
  for (const [file, name] of LAYERS) {
    const data = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
    try {
      await installReal(data, folder, file);
      await compare(
        name,
        () => openData(data).engine,
        ({ layer }) => {
          const [west, south, east, north] = layer.bbox!;
          return ZOOMS.map((z) => ["", placeAt(z, (west + east) / 2, (south + north) / 2)]);
        },
      );
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  }
}

async function compareLongRing(name: string, ring: Float64Array): Promise<void> {
  const positions = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
  const feature = {
    type: "Feature",
    properties: { code: "a" },
    geometry: { type: "Polygon", coordinates: [positions] },
  };
  const { bytes } = snapshotOf(`bench:${name.replaceAll(" ", "_")}`, [feature], { id: "code" });
  await compare(
    `bench:${name.replaceAll(" ", "_")}`,
    () => openEngine([bytes]),
    ({ layer: { xy } }) =>
      ZOOMS.flatMap((z): [string, TilePlace][] => [
        ["shore", placeAt(z, xy[400_000]!, xy[400_001]!)],
        ["middle", placeAt(z, 10, 45)],
      ]),
  );
}

/** What each takes before the first tile, then tiles from far to near, as somebody who comes closer asks for them. */
async function compare(
  name: string,
  open: () => Engine,
  placesOf: (source: SourceAreas) => readonly (readonly [where: string, place: TilePlace])[],
): Promise<void> {
  const [ours, opening] = await measured(() => areasOf(open(), name));
  const { areaCount, positionCount } = ours.layer;
  console.log(
    `\n${name}: ${areaCount.toLocaleString("en")} areas, ${positionCount.toLocaleString("en")} positions`,
  );
  const [geojson, objects] = await measured((): FeatureCollection => geojsonOf(ours));
  const [peer, building] = await measured(() => new GeojsonVt(geojson));
  console.log(
    `  before a tile: ${textOf(opening)} over ${sizeOf(ours.layer)} of geometry; geojson-vt ${textOf(building)} over GeoJSON of ${textOf(objects)}`,
  );
  console.log("             ours: first    again         kB  peer: first    again         kB");
  for (const [where, place] of placesOf(ours)) {
    const row = [costOf(() => cutTile(ours, place)), costOf(() => peer.cut(place))].map(
      ({ first, again, bytes }) =>
        `${first.toFixed(1).padStart(9)}${again.toFixed(2).padStart(9)}${(bytes / 1_000).toFixed(1).padStart(11)}`,
    );
    console.log(`  zoom ${String(place.z).padStart(2)} ${where.padEnd(7)}${row.join("   ")}`);
  }
}

interface Cost {
  readonly ms: number;
  readonly megabytes: number;
}

async function measured<Value>(make: () => Value): Promise<[Value, Cost]> {
  const before = await memoryMegabytes();
  let made: Value | undefined;
  const micros = cpuMicros(() => {
    made = make();
  });
  return [made!, { ms: micros / 1_000, megabytes: (await memoryMegabytes()) - before }];
}

/** Of the sections of a snapshot that are drawn from, which all threads share. */
function sizeOf(layer: AreaLayer): string {
  const { xy, ringStarts, areaRings, ringAreas, ringRoles, chainStarts, chainBoxes, index } = layer;
  const sections = [xy, ringStarts, areaRings, ringAreas, ringRoles, chainStarts, chainBoxes];
  const bytes = sections.reduce((sum, { byteLength }) => sum + byteLength, index?.bytes.byteLength ?? 0);
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function textOf({ ms, megabytes }: Cost): string {
  return `${ms.toFixed(0)} ms and ${megabytes.toFixed(0)} MB`;
}

/** Of what is reachable on the heap and in buffers; a snapshot that threads share is in none of them. */
async function memoryMegabytes(): Promise<number> {
  // What the turn before has let go of is freed in the next one.
  for (let i = 0; i < 3; i++) {
    await new Promise(setImmediate);
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

function costOf(cut: () => Uint8Array): { first: number; again: number; bytes: number } {
  let bytes = 0;
  const once = (): number =>
    cpuMicros(() => {
      bytes = cut().length;
    }) / 1_000;
  const first = once();
  return { first, again: medianOf(Array.from({ length: ROUNDS }, once)), bytes };
}

/** The tile that holds a place. */
function placeAt(z: number, longitude: number, latitude: number): TilePlace {
  const side = 2 ** z;
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI);
  return { z, x: Math.floor(((longitude + 180) / 360) * side), y: Math.floor(y * side) };
}
