/**
 * How much faster are distances to very many overlapping areas than GEOS measures them in the plane, and what does
 * `engine.distance`, from GeoJSON to its answer, take beside the bare kernel?
 *
 *     node bench/speed/distance.ts
 */
import { openEngine } from "@groundrule/engine";
import { createAreaWriter } from "@groundrule/engine/build";
import { DISTANCE_REACH_METERS, geosDistances, manyAreas } from "../kernel/distances.ts";
import { distanceMicros } from "../kernel/ours.ts";
import { cpuMicros, medianOf } from "../kernel/timing.ts";
import { atLeast, atMost, runAlone, type SpeedResult } from "./row.ts";

const ROUNDS = 9;
const GOAL = 5;
const GOAL_PUBLIC = 1.5;
const COMMAND = "npm run bench -- speed --only distance";

export async function measureDistance(): Promise<SpeedResult> {
  const { areas, data } = manyAreas();
  // First, while the kernel has met no other layer.
  const ratio = await geosDistances(data, ROUNDS);
  const engine = openEngine([{ bytes: snapshotOf(areas) }]);
  const asked = data.plots.map((polygons) => ({
    type: "Polygon" as const,
    coordinates: polygons[0]!.map((ring) => positions(ring)),
  }));
  const publicPass = (): number =>
    cpuMicros(() => {
      for (const plot of asked) engine.distance(plot, { maxDistanceMeters: DISTANCE_REACH_METERS });
    }) / asked.length;
  const kernel: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const [bare, called] = [distanceMicros(data, DISTANCE_REACH_METERS), publicPass()];
    // The first round compiles.
    if (round > 0) kernel.push(bare);
    if (round > 0) whole.push(called);
  }
  const times = medianOf(whole.map((micros, i) => micros / kernel[i]!));
  return [
    ratio === undefined
      ? { missing: "distances against GEOS: libgeos_c with its headers and a C compiler" }
      : atLeast("distance to 40,000 overlapping areas, over GEOS planar", ratio, GOAL, "×", COMMAND),
    atMost(
      "engine.distance there, from GeoJSON to its answer, over the kernel",
      times,
      GOAL_PUBLIC,
      "×",
      COMMAND,
    ),
  ];
}

function snapshotOf(areas: readonly Float64Array[]): ArrayBuffer {
  const writer = createAreaWriter({ source_name: "bench:areas", kind: "leaf" });
  areas.forEach((ring, i) => {
    writer.add({ id: `a${i}`, name: null, countryIso3: null, polygons: [[ring]], properties: {} });
  });
  const { byteLength, chunks } = writer.finish();
  const bytes = new Uint8Array(byteLength);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes.buffer;
}

function positions(ring: Float64Array): number[][] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
}

await runAlone(import.meta, measureDistance);
