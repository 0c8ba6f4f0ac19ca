/** Seeded synthetic geography: fractal outlines, and plots beside them. */
import type { SourceInput } from "@groundrule/engine";
import { createAreaWriter, type SnapshotFile } from "@groundrule/engine/build";
import { mulberry32, type Random, toRandom } from "@groundrule/testing/random";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";

/** Draws from 32 random bits each, like the figures in `bench/results`. */
export function seededRandom(seed: number): Random {
  return toRandom(mulberry32(seed));
}

/**
 * A simple ring of `vertices` vertices around a centre whose distance from it is a fractal of the
 * angle (midpoint displacement), so that it is as rough at every scale as a coast.
 */
export function fractalRing(
  random: Random,
  lon: number,
  lat: number,
  radius: number,
  vertices: number,
  roughness = 0.75,
): Float64Array {
  const size = 1 << Math.ceil(Math.log2(vertices));
  const height = new Float64Array(size + 1);
  let amplitude = 0.35;
  for (let step = size; step > 1; step /= 2) {
    for (let i = 0; i < size; i += step) {
      height[i + step / 2] = (height[i]! + height[i + step]!) / 2 + amplitude * random.between(-1, 1);
    }
    amplitude *= 2 ** -roughness;
  }
  const stretch = 1 / Math.cos((lat * Math.PI) / 180);
  const ring = new Float64Array(2 * vertices + 2);
  for (let i = 0; i < vertices; i++) {
    const angle = (2 * Math.PI * i) / vertices;
    const at = (i / vertices) * size;
    const k = Math.floor(at);
    const r = radius * Math.exp(height[k]! + (height[k + 1]! - height[k]!) * (at - k));
    ring[2 * i] = roundCoordinate(lon + r * stretch * Math.cos(angle));
    ring[2 * i + 1] = roundCoordinate(lat + r * Math.sin(angle));
  }
  ring[2 * vertices] = ring[0]!;
  ring[2 * vertices + 1] = ring[1]!;
  return ring;
}

/** Seven decimals, as most sources are published. */
function roundCoordinate(x: number): number {
  return Math.round(x * 1e7) / 1e7;
}

/** A plot near a vertex of one of the areas, each area as likely as another: see {@link randomPlotNearPosition}. */
export function randomPlotNear(random: Random, areas: readonly Float64Array[]): Float64Array {
  const area = areas[random.integer(areas.length)]!;
  const v = random.integer(area.length / 2);
  return randomPlotNearPosition(random, area[2 * v]!, area[2 * v + 1]!, 0.4);
}

/**
 * A plot of 5 to 200 vertices, 10 to 10,000 ha (both log-uniform), 70 % within 0.01° of a position,
 * the others within 0.4°. A share of them are quadrangles instead.
 */
export function randomPlotNearPosition(
  random: Random,
  x: number,
  y: number,
  quadrangles: number,
): Float64Array {
  const reach = random.next() < 0.7 ? 0.01 : 0.4;
  const lat = y + random.between(-reach, reach);
  const stretch = 1 / Math.cos((lat * Math.PI) / 180);
  const lon = x + random.between(-reach, reach) * stretch;
  const hectares = 10 ** random.between(1, 4);
  const radius = Math.sqrt((hectares * 1e4) / Math.PI) / 111_000;
  const vertices = random.next() < quadrangles ? 4 : Math.round(5 * 40 ** random.next());
  const ring = new Float64Array(2 * vertices + 2);
  const turn = random.between(0, Math.PI);
  for (let i = 0; i < vertices; i++) {
    const angle = turn + (2 * Math.PI * (i + random.between(0, 0.6))) / vertices;
    const r = radius * (vertices === 4 ? 1.2 : random.between(0.8, 1.2));
    ring[2 * i] = lon + r * stretch * Math.cos(angle);
    ring[2 * i + 1] = lat + r * Math.sin(angle);
  }
  ring[2 * vertices] = ring[0]!;
  ring[2 * vertices + 1] = ring[1]!;
  return ring;
}

/**
 * Small areas as clearings lie: in clumps over a square of 30 degrees about 0, 0, each an outline of 18
 * vertices and 0.1 to 1 km across, most of them near others, few upon each other.
 */
export function randomClearings(random: Random, count: number): Float64Array[] {
  const clumps = Array.from({ length: 400 }, () => ({
    lon: random.between(-14, 14),
    lat: random.between(-14, 14),
    size: 10 ** random.between(-1, 0.2),
  }));
  return Array.from({ length: count }, () => {
    const clump = clumps[random.integer(clumps.length)]!;
    const [x, y] = [random.between(-1, 1) * random.next(), random.between(-1, 1) * random.next()];
    const size = 10 ** random.between(-3, -2);
    return fractalRing(random, clump.lon + clump.size * x, clump.lat + clump.size * y, size, 18);
  });
}

/** A source of areas of one ring each. */
export function makeRingSource(source_name: string, rings: readonly Float64Array[]): SourceInput {
  return { bytes: joinFileBytes(makeRingSnapshot(source_name, rings)) };
}

export function makeRingSnapshot(source_name: string, rings: readonly Float64Array[]): SnapshotFile {
  const writer = createAreaWriter({ source_name, kind: "leaf", coverage: "global" });
  rings.forEach((ring, i) => {
    writer.add({ id: `${i}`, name: null, countryIso3: null, polygons: [[ring]], properties: {} });
  });
  return writer.finish();
}
