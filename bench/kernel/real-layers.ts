import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import { openEngine } from "@groundrule/engine";
import { type AreaSnapshot, openSnapshot } from "@groundrule/engine/build";
import { buildSnapshot } from "@groundrule/ingest";
import { type Polygons, toPositions } from "@groundrule/testing/shapes";
import { randomPlotNearPosition, seededRandom } from "../data.ts";
import { measureInTurns, measureMicrosPerPlot, warmUp } from "../measure.ts";
import { GEOS_MISSING, startGeos } from "../peers/geos.ts";
import type { SpeedMissing } from "../speed/row.ts";
import { countOverlappingPairs, measureOverlapMicros, prepareKernelInput } from "./ours.ts";

const SEED = 31;
/** Plots of a pass. */
export const PLOTS = 2000;

/** Layers of the folder GROUNDRULE_REAL_DATA names, and which of its files make each. */
const LAYERS = {
  "countries of Natural Earth 1:10m": (file: string) => file.startsWith("ne_10m_admin_0_countries"),
  "Brazilian municipalities": (file: string) => file.startsWith("br_ibge_municipalities"),
  "Brazilian layers together": (file: string) => /^(br_|amazon_).*geojson/.test(file),
  "GSHHG high, land with lakes": (file: string) => file.startsWith("gshhg_h_land_with_lakes"),
} as const;

export type RealLayerName = keyof typeof LAYERS;

/** The questions on one real layer: CPU microseconds a plot. */
export interface RealLayer {
  readonly name: RealLayerName;
  /** By the kernel: bind, every hit with its exact ellipsoidal area. */
  readonly kernel: number;
  /** The same by `engine.intersections`, from a GeoJSON object to the answer. */
  readonly engine: number;
  /** GEOS in C, on prepared areas. */
  readonly whole: Peer;
  /** The same on the pieces of areas, cut beforehand, that are fastest. */
  readonly pieces: Peer;
}

interface Peer {
  readonly name: string;
  readonly micros: number;
}

/** Vertices of a piece at most. */
const PIECES = ["pieces64", "pieces128", "pieces256"] as const;
const MODES = ["prepared", ...PIECES] as const;
const ROUNDS = 7;

/** Times each real layer that the folder GROUNDRULE_REAL_DATA holds. */
export async function* timeRealLayers(): AsyncGenerator<RealLayer | SpeedMissing> {
  for (const name of Object.keys(LAYERS) as RealLayerName[]) {
    const snapshots = await buildLayerSnapshots(name);
    yield "missing" in snapshots ? snapshots : await timeLayer(name, snapshots);
  }
}

/** Every engine is asked about all plots once, and what it finds compared; then in turns. */
async function timeLayer(
  name: RealLayerName,
  snapshots: readonly ArrayBuffer[],
): Promise<RealLayer | SpeedMissing> {
  const areas = snapshots.flatMap(listAreaPolygons);
  const plots = makePlotsNear(areas);
  const geos = await startGeos(areas, plots);
  if (geos === undefined) return GEOS_MISSING;
  const data = prepareKernelInput(areas, plots);
  const engine = openEngine(snapshots, { crc32 });
  const geometries = plots.map(toGeoJson);
  const hits = countOverlappingPairs(data);
  const expectHits = (who: string, found: number): void => {
    if (found !== hits) throw new Error(`${name}: ${hits} hits of the kernel, ${found} of ${who}`);
  };
  expectHits(
    "the engine",
    geometries.reduce((sum, plot) => sum + engine.intersections(plot).matches.length, 0),
  );
  for (const mode of MODES) expectHits(`GEOS, ${mode}`, (await geos.pass(mode, 0, PLOTS)).hits);
  const askKernel = (): number => measureOverlapMicros(data);
  const askEngine = (): number => measureMicrosPerPlot(geometries, (plot) => engine.intersections(plot));
  warmUp(askKernel, 1);
  warmUp(askEngine, 1);
  const askGeos = (mode: string) => async () => (await geos.pass(mode, 0, PLOTS)).micros;
  const medians = await measureInTurns(ROUNDS, {
    kernel: askKernel,
    engine: askEngine,
    prepared: askGeos("prepared"),
    pieces64: askGeos("pieces64"),
    pieces128: askGeos("pieces128"),
    pieces256: askGeos("pieces256"),
  });
  geos.stop();
  const peer = (mode: (typeof MODES)[number]): Peer => {
    return {
      name: `GEOS ${geos.version} in C, ${mode.replace("pieces", "pieces of ")}`,
      micros: medians[mode],
    };
  };
  const [pieces] = PIECES.map(peer).sort((a, b) => a.micros - b.micros);
  return { name, kernel: medians.kernel, engine: medians.engine, whole: peer("prepared"), pieces: pieces! };
}

/** A snapshot of each file of a layer, or what is missing. */
export async function buildLayerSnapshots(
  name: RealLayerName,
): Promise<readonly ArrayBuffer[] | SpeedMissing> {
  const folder = process.env.GROUNDRULE_REAL_DATA;
  if (folder === undefined || !existsSync(folder)) {
    return { missing: "real layers: GROUNDRULE_REAL_DATA names no folder" };
  }
  const files = readdirSync(folder).filter((file) => LAYERS[name](file));
  if (files.length === 0) return { missing: `${name}: ${folder} does not hold it` };
  const snapshots: ArrayBuffer[] = [];
  for (const [i, file] of files.entries()) snapshots.push(await buildFileSnapshot(join(folder, file), i));
  return snapshots;
}

/** The snapshot of a source file. */
async function buildFileSnapshot(path: string, index: number): Promise<ArrayBuffer> {
  const { file } = await buildSnapshot(
    createReadStream(path, { highWaterMark: 1 << 20 }),
    { source_name: `bench:areas_${index}`, kind: "leaf" },
    { sha256: () => createHash("sha256"), crc32, crs: crsTable },
  );
  return Buffer.concat([...file.chunks]).buffer;
}

/** The areas of a snapshot: valid, repaired where the source's were not. */
export function listAreaPolygons(snapshot: ArrayBuffer): Polygons[] {
  const { layer } = openSnapshot(snapshot, { crc32 }) as AreaSnapshot;
  return Array.from({ length: layer.areaCount }, (_, area) => {
    const polygons: Float64Array[][] = [];
    for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
      const xy = layer.xy.slice(2 * layer.ringStarts[ring]!, 2 * layer.ringStarts[ring + 1]!);
      if (layer.ringRoles[ring] === 0) polygons.push([xy]);
      else polygons.at(-1)!.push(xy);
    }
    return polygons;
  });
}

/** A plot of one polygon. */
export function toGeoJson(polygons: Polygons): { type: "Polygon"; coordinates: number[][][] } {
  return { type: "Polygon", coordinates: polygons[0]!.map(toPositions) };
}

/** Plots near positions of the areas, away from poles and antimeridian, where the peers' plane ends. */
export function makePlotsNear(areas: readonly Polygons[]): Polygons[] {
  const random = seededRandom(SEED);
  const rings = areas.flat(2);
  const starts = [0];
  for (const ring of rings) starts.push(starts.at(-1)! + ring.length / 2);
  const plots: Polygons[] = [];
  while (plots.length < PLOTS) {
    const position = random.integer(starts.at(-1)!);
    const r = starts.findLastIndex((start) => start <= position);
    const x = rings[r]![2 * (position - starts[r]!)]!;
    const y = rings[r]![2 * (position - starts[r]!) + 1]!;
    if (Math.abs(x) < 175 && Math.abs(y) < 80) plots.push([[randomPlotNearPosition(random, x, y, 0)]]);
  }
  return plots;
}
