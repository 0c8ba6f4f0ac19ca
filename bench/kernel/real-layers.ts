import { crc32 } from "node:zlib";
import { openEngine } from "@groundrule/engine";
import { startGeos } from "../peers/geos-process.ts";
import type { Peer } from "../peers/peer.ts";
import { startPeers } from "../peers/peers.ts";
import type { Missing, Options } from "./line.ts";
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
import { medianOf } from "./timing.ts";

/** The questions on one real layer, each with what it took us and every peer. */
export interface RealLayer {
  readonly name: RealLayerName;
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

/** Times each real layer that the folder GROUNDRULE_REAL_DATA holds: the first alone where `quick`. */
export async function* timeRealLayers(options: Options): AsyncGenerator<RealLayer | Missing> {
  for (const name of options.quick ? REAL_LAYERS.slice(0, 1) : REAL_LAYERS) {
    const snapshots = await snapshotsOf(name);
    yield "missing" in snapshots ? snapshots : await timeLayer(name, snapshots, options);
  }
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
  const { peers, missing, stop } = await startPeers(data.areas, data.plots);
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
  stop();
  return {
    name,
    kernel: medianOf(kernel),
    engine: medianOf(whole),
    peers: [...theirs]
      .map(([peer, times]) => ({ name: peer.name, asks: peer.asks, micros: medianOf(times) }))
      .sort((a, b) => a.micros - b.micros),
    missing,
  };
}
