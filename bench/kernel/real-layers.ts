import { crc32 } from "node:zlib";
import { openEngine } from "@groundrule/engine";
import { startGeos } from "../peers/geos-process.ts";
import type { Peer } from "../peers/peer.ts";
import { startPeers } from "../peers/peers.ts";
import { type Line, type Missing, micros, type Options, times } from "./line.ts";
import { compareOverlaps, microsAPlot, overlapMicros, overlapTotals, ready, warm } from "./ours.ts";
import {
  areasOf,
  geoJsonOf,
  PLOTS,
  plotsBeside,
  REAL_LAYERS,
  type RealLayerName,
  snapshotsOf,
} from "./real-data.ts";
import { loadNow, medianOf } from "./timing.ts";

/** Factors to reach, against the fastest peer on whole areas. */
const TARGETS: Readonly<Record<RealLayerName, { readonly kernel: number; readonly engine: number }>> = {
  "countries of Natural Earth 1:10m": { kernel: 60, engine: 30 },
  "Brazilian municipalities": { kernel: 25, engine: 8 },
  "Brazilian layers together": { kernel: 15, engine: 12 },
  "GSHHG high, land with lakes": { kernel: 150, engine: 50 },
};
/** The kernel's factor to reach against the fastest peer on pieces. */
const PIECES_TARGET = 15;

/** The questions on one real layer, each with what it took us and every peer. */
export interface RealLayer {
  readonly name: RealLayerName;
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
    if ("name" in layer) lines.push(...linesOf(layer), ...layer.missing);
    else lines.push(layer);
  }
  return lines;
}

/** Times each real layer that the folder GROUNDRULE_REAL_DATA holds: the first alone where `quick`. */
export async function* timeRealLayers(options: Options): AsyncGenerator<RealLayer | Missing> {
  for (const name of options.quick ? REAL_LAYERS.slice(0, 1) : REAL_LAYERS) {
    const snapshots = await snapshotsOf(name);
    yield "missing" in snapshots ? snapshots : await timeLayer(name, snapshots, options);
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
    const targets = TARGETS[layer.name];
    const kernel = asks === "areas" ? targets.kernel : PIECES_TARGET;
    return [
      lineOf("kernel: intersects + overlap area", layer.kernel, kernel),
      lineOf("engine.intersections from GeoJSON", layer.engine, asks === "areas" ? targets.engine : 1),
    ];
  });
}

/** Every engine is asked about all plots once unmeasured, then in turns; answers are compared before. */
async function timeLayer(
  name: RealLayerName,
  snapshots: readonly ArrayBuffer[],
  options: Options,
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
