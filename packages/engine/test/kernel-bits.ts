import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { toPlot, toRing } from "@groundrule/testing/shapes";
import { PureSha256, toHex } from "../src/base/sha256.ts";
import { WorkMeter } from "../src/base/work-meter.ts";
import { buildDiscRing } from "../src/geometry/earth/disc.ts";
import { asin, atan2, cos, sin } from "../src/geometry/earth/elementary.ts";
import { exactKernel } from "../src/geometry/kernel/exact-kernel.ts";
import type { BoundPlot } from "../src/geometry/kernel/kernel.ts";
import type { Region } from "../src/geometry/overlap/region.ts";
import { uniteDiscs } from "../src/geometry/plot/discs.ts";
import { buildAreaLayer } from "./build-layer.ts";

/**
 * SHA-256 over the bits of a seeded program's answers: elementary functions, overlaps, relations,
 * distances, regions, geometries and discs. The same on every host; what it asks about is made without the
 * host's own sines and powers.
 */
export function hashKernelBits(): string {
  const bits = new Bits();
  const random = createSeededRandom(SEED);
  addElementaryFunctions(bits, random);
  for (let world = 0; world < WORLDS; world++) addWorld(bits, random);
  addDiscs(bits, random);
  return bits.digest();
}

const SEED = 20261120;
const WORLDS = 30;
const REACH_METERS = [1_000, 50_000, 2_000_000] as const;

function addElementaryFunctions(bits: Bits, random: Random): void {
  for (let i = 0; i < 5_000; i++) {
    const x = random.between(-1, 1);
    const wide = random.between(-400, 400);
    const scale = 2 ** -random.integer(60);
    bits.add(sin(wide), cos(wide), atan2(wide * scale, 1), atan2(x * scale, wide), asin(x));
  }
}

/** Discs around points anywhere, and the union of a few. */
function addDiscs(bits: Bits, random: Random): void {
  for (let i = 0; i < 300; i++) {
    const [lon, lat] = [random.between(-540, 540), random.between(-89, 89)];
    const squareMeters = [1, 4e4, 1e9][random.integer(3)]! * random.between(0.5, 1) + 0.5;
    const step = Math.sqrt(squareMeters) / 111_000;
    bits.add(...buildDiscRing(lon, lat, squareMeters));
    const points = [0, 1, 2].map((k) => Float64Array.of(lon / 4 + k * step, lat + (lat > 0 ? -k : k) * step));
    const united = uniteDiscs(points, { squareMeters, pointer: "", meter: new WorkMeter() });
    for (const ring of united!.polygons.flat()) bits.add(...ring);
  }
}

/** Overlapping stars and the plots on them: polygons small and large, lines and points. */
function addWorld(bits: Bits, random: Random): void {
  const radius = [0.002, 0.05, 1, 8][random.integer(4)]!;
  const [lon, lat] = [random.between(-181, 181), random.between(-75, 75)];
  const near = (vertices: number, share: number): Float64Array => {
    const [east, north] = [random.between(-1, 1) * radius, random.between(-1, 1) * radius];
    return randomStar(random, lon + east, Math.max(-80, Math.min(80, lat + north)), radius * share, vertices);
  };
  const layer = buildAreaLayer(Array.from({ length: 6 }, () => [[near(4 + random.integer(400), 1)]]));
  const areas = (...indices: number[]): Region => ({
    op: "areas",
    areas: indices.map((area) => ({ layer, area })),
  });
  const regions: Region[] = [
    areas(0, 1, 2, 3, 4, 5),
    { op: "intersection", operands: [areas(0, 1), areas(2, 3, 4)] },
    { op: "difference", operands: [areas(0, 1, 2), areas(3), areas(4, 5)] },
  ];
  const polygons = [near(5, 0.3), near(60, 1), near(500, 1)].map((ring) => toPlot([[ring]]));
  const strokes = [near(12, 1).slice(0, 20), near(6, 1).slice(0, 2)];
  const thin = strokes.map((xy) => toPlot([[xy]], xy.length > 2 ? "line" : "point"));
  for (const plot of [...polygons, ...thin]) {
    const bound = exactKernel.bind(plot);
    bits.add(bound.areaSquareMeters);
    for (const hit of bound.intersections(layer)) {
      const { touches, covers, coveredBy } = bound.relation(layer, hit.area);
      bits.add(hit.area, hit.overlapSquareMeters, hit.overlapRatio);
      bits.add(Number(touches), Number(covers), Number(coveredBy));
      bits.addGeometry(bound.overlapGeometry(layer, hit.area));
    }
    for (const meters of REACH_METERS) {
      for (const hit of bound.distances(layer, meters)) bits.add(hit.area, hit.distanceMeters);
    }
    if (plot.dimension === "polygon") {
      for (const region of regions) bits.add(bound.regionSquareMeters(region));
    }
  }
}

function randomStar(
  random: Random,
  lon: number,
  lat: number,
  radius: number,
  vertices: number,
): Float64Array {
  return toRing(
    Array.from({ length: vertices }, (_, i): [number, number] => {
      const angle = ((i + random.between(0, 0.8)) / vertices) * 6.283185307179586;
      const r = radius * random.between(0.5, 1);
      return [lon + r * cos(angle), lat + r * sin(angle)];
    }),
  );
}

class Bits {
  readonly #hash = new PureSha256();
  readonly #number = new DataView(new ArrayBuffer(8));

  add(...values: number[]): void {
    for (const value of values) {
      this.#number.setFloat64(0, value, true);
      this.#hash.update(new Uint8Array(this.#number.buffer));
    }
  }

  addGeometry(geometry: ReturnType<BoundPlot["overlapGeometry"]>): void {
    const drawn = geometry === "too_complex" ? null : geometry;
    const polygons = drawn?.type === "MultiPolygon" ? drawn.coordinates : [];
    this.add(geometry === "too_complex" ? -1 : polygons.length);
    for (const ring of polygons.flat()) this.add(ring.length, ...ring.flat());
  }

  digest(): string {
    return toHex(this.#hash.digest());
  }
}
