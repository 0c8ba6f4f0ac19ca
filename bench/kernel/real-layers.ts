import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import { openEngine } from "@groundrule/engine";
import { type AreaSnapshot, openSnapshot } from "@groundrule/engine/build";
import { buildSnapshot } from "@groundrule/ingest";
import type { Polygons } from "@groundrule/testing/shapes";
import { plotBeside, seededRandom } from "../data.ts";
import { startGeos } from "../peers/geos-process.ts";
import type { Peer } from "../peers/peer.ts";
import { startPeers } from "../peers/peers.ts";
import { type Line, type Missing, micros, type Options, times } from "./line.ts";
import { compareOverlaps, microsAPlot, overlapMicros, overlapTotals, ready, warm } from "./ours.ts";
import { loadNow, medianOf } from "./timing.ts";

const SEED = 31;
const PLOTS = 2000;
/** Factors to reach, against the fastest peer on whole areas. */
const TARGETS: Readonly<Record<string, { readonly kernel: number; readonly engine: number }>> = {
  "countries of Natural Earth 1:10m": { kernel: 60, engine: 30 },
  "Brazilian municipalities": { kernel: 25, engine: 8 },
  "Brazilian layers together": { kernel: 15, engine: 12 },
  "GSHHG high, land with lakes": { kernel: 150, engine: 50 },
};
/** The kernel's factor to reach against the fastest peer on pieces. */
const PIECES_TARGET = 15;

/** Layers of the folder GROUNDRULE_REAL_DATA names, and which of its files make each. */
const LAYERS: Readonly<Record<string, (file: string) => boolean>> = {
  "countries of Natural Earth 1:10m": (file) => file.startsWith("ne_10m_admin_0_countries"),
  "Brazilian municipalities": (file) => file.startsWith("br_ibge_municipalities"),
  "Brazilian layers together": (file) => /^(br_|amazon_).*geojson/.test(file),
  "GSHHG high, land with lakes": (file) => file.startsWith("gshhg_h_land_with_lakes"),
};

/** The questions on one real layer, each with what it took us and every peer. */
export interface RealLayer {
  readonly name: string;
  readonly areaCount: number;
  readonly positionCount: number;
  /** CPU microseconds a plot, by the kernel: bind, every hit with its exact ellipsoidal area. */
  readonly kernel: number;
  /** The same by `engine.intersections`, from a GeoJSON object to the answer. */
  readonly engine: number;
  /** The fastest first. */
  readonly peers: readonly PeerTimes[];
  readonly missing: readonly Missing[];
}

export interface PeerTimes {
  readonly name: string;
  readonly asks: Peer["asks"];
  /** CPU microseconds a plot. */
  readonly micros: number;
}

/** Intersects and overlap area on real layers, against the fastest peer on whole areas and on pieces. */
export async function measureRealLayers(options: Options): Promise<(Line | Missing)[]> {
  const lines: (Line | Missing)[] = [];
  for await (const layer of timeRealLayers(options)) {
    if ("missing" in layer && !("name" in layer)) lines.push(layer);
    else lines.push(...linesOf(layer as RealLayer), ...(layer as RealLayer).missing);
  }
  return lines;
}

/** Times each real layer that the folder GROUNDRULE_REAL_DATA holds: the first alone where `quick`. */
export async function* timeRealLayers(
  options: Options & { readonly postgis?: boolean },
): AsyncGenerator<RealLayer | Missing> {
  const folder = process.env.GROUNDRULE_REAL_DATA;
  if (folder === undefined || !existsSync(folder)) {
    yield { missing: "real layers: GROUNDRULE_REAL_DATA names no folder" };
    return;
  }
  const names = Object.keys(LAYERS);
  for (const name of options.quick ? names.slice(0, 1) : names) {
    const files = readdirSync(folder).filter((file) => LAYERS[name]!(file));
    if (files.length === 0) {
      yield { missing: `${name}: ${folder} does not hold it` };
      continue;
    }
    const snapshots = [];
    for (const [i, file] of files.entries()) snapshots.push(await snapshotOf(join(folder, file), i));
    yield await timeLayer(name, snapshots, options);
  }
}

function linesOf(layer: RealLayer): Line[] {
  const asked = `${layer.name}: ${layer.areaCount} areas, ${layer.positionCount} positions`;
  return (["areas", "pieces"] as const).flatMap((asks) => {
    const fastest = layer.peers.find((peer) => peer.asks === asks);
    if (fastest === undefined) return [];
    const lineOf = (how: string, ours: number, target: number): Line => ({
      asked: `${how}, ${asked}`,
      ours: micros(ours),
      peer: `${fastest.name}, the fastest on ${asks === "areas" ? "whole areas" : "pieces"}`,
      theirs: micros(fastest.micros),
      target: `≥ ${target}×`,
      measured: times(fastest.micros / ours),
      met: fastest.micros / ours >= target,
      load: loadNow(),
    });
    const targets = TARGETS[layer.name]!;
    const kernel = asks === "areas" ? targets.kernel : PIECES_TARGET;
    return [
      lineOf("kernel: intersects + overlap area", layer.kernel, kernel),
      lineOf("engine.intersections from GeoJSON", layer.engine, asks === "areas" ? targets.engine : 1),
    ];
  });
}

/** Every engine is asked about all plots once unmeasured, then in turns; answers are compared before. */
async function timeLayer(
  name: string,
  snapshots: readonly ArrayBuffer[],
  options: Options & { readonly postgis?: boolean },
): Promise<RealLayer> {
  const areas = snapshots.flatMap(areasOf);
  const data = ready({ areas, plots: plotsBeside(areas) });
  const engine = openEngine(snapshots, { crc32 });
  const asked = data.plots.map(geoJsonOf);
  const { peers, missing, stop } = await startPeers(data.areas, data.plots, {
    postgis: options.postgis ?? false,
  });
  const geos = await startGeos(data.areas, data.plots);
  if (geos !== undefined) await compareOverlaps(geos, data, PLOTS);
  geos?.stop();
  const { hits } = overlapTotals(data);
  const answered = asked.reduce((sum, plot) => sum + engine.intersections(plot).matches.length, 0);
  if (answered !== hits) throw new Error(`${name}: ${hits} hits of the kernel, ${answered} of the engine`);
  const sums = new Map<Peer, number>();
  for (const peer of peers) {
    const pass = await peer.pass(0, PLOTS);
    if (pass.hits !== hits) throw new Error(`${name}: ${hits} hits, ${peer.name} ${pass.hits}`);
    sums.set(peer, pass.squareDegrees);
  }
  const [first = 0] = sums.values();
  for (const [peer, sum] of sums) {
    if (Math.abs(sum / first - 1) > 1e-6)
      throw new Error(`${name}: ${first} square degrees, ${peer.name} ${sum}`);
  }
  const askEngine = (): number => microsAPlot(asked, (plot) => engine.intersections(plot));
  warm(() => overlapMicros(data), 1);
  warm(askEngine, 1);
  const [kernel, whole]: [number[], number[]] = [[], []];
  const theirs = new Map<Peer, number[]>(peers.map((peer) => [peer, []]));
  for (let round = 0; round < options.rounds; round++) {
    kernel.push(overlapMicros(data));
    whole.push(askEngine());
    for (const [peer, times] of theirs) times.push((await peer.pass(0, PLOTS)).micros);
  }
  await stop();
  return {
    name,
    areaCount: areas.length,
    positionCount: data.layer.positionCount,
    kernel: medianOf(kernel),
    engine: medianOf(whole),
    peers: [...theirs]
      .map(([peer, times]) => ({ name: peer.name, asks: peer.asks, micros: medianOf(times) }))
      .sort((a, b) => a.micros - b.micros),
    missing,
  };
}

/** The snapshot of a source file. */
async function snapshotOf(path: string, index: number): Promise<ArrayBuffer> {
  const { file } = await buildSnapshot(
    createReadStream(path, { highWaterMark: 1 << 20 }),
    { source_name: `bench:areas_${index}`, kind: "leaf" },
    { sha256: () => createHash("sha256"), crc32, crs: crsTable },
  );
  return Buffer.concat([...file.chunks]).buffer;
}

/** The areas of a snapshot: valid, repaired where the source's were not. */
function areasOf(snapshot: ArrayBuffer): Polygons[] {
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

function geoJsonOf(polygons: Polygons): { type: "Polygon"; coordinates: number[][][] } {
  return {
    type: "Polygon",
    coordinates: polygons[0]!.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]),
    ),
  };
}

/** Plots near positions of the areas, away from poles and antimeridian, where the peers' plane ends. */
function plotsBeside(areas: readonly Polygons[]): Polygons[] {
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
    if (Math.abs(x) < 175 && Math.abs(y) < 80) plots.push([[plotBeside(random, x, y, 0)]]);
  }
  return plots;
}
