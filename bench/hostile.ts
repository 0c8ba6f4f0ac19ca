/**
 * What the worst plots cost: each is answered or refused, and the CPU time it takes.
 *
 *   node bench/hostile.ts
 *
 * Plots of nearly 100,000 positions, valid and not, over an area of 100,000 vertices: parsed,
 * checked, and asked for overlap, distance, a ruleset and the overlap's geometry, one question at a
 * time. Each is asked three times after a first; the least counts, since the machine is shared and
 * the work is the same each time.
 */
import { cpus, loadavg } from "node:os";
import { createAreaWriter, EngineError, openEngine } from "@groundrule/engine";
import { parallelEdges, randomRadii, slantedComb, spiral, star } from "../packages/engine/test/hard-rings.ts";
import { fractalRing, seededRandom } from "./data.ts";

const SEED = 5;
const POSITIONS = 99_990;
/** Degrees the plots are brought to; the area reaches over most of them. */
const SIZE = 8;
const ALLOWED_MS = 250;

const random = seededRandom(SEED);
const writer = createAreaWriter({ source_name: "bench:area", kind: "leaf" });
const outline = fractalRing(random, 0, 0, 3.5, 100_000);
writer.add({ id: "1", name: null, countryIso3: null, polygons: [[outline]], properties: {} });
writer.add({ id: "2", name: null, countryIso3: null, polygons: [[fit(spiral(50_000))]], properties: {} });
const file = writer.finish();
const bytes = new Uint8Array(file.byteLength);
let offset = 0;
for (const chunk of file.chunks) {
  bytes.set(chunk, offset);
  offset += chunk.length;
}
const engine = openEngine([{ bytes: bytes.buffer }]);
const ruleset = engine.compile({
  sets: { all: { sources: ["bench:area"] }, near: { sources: ["bench:area"], within_m: 10_000 } },
  checks: [
    { id: "share", set: "all", measure: "overlap_ratio", outcome: "WARNING" },
    { id: "near", set: "near", outcome: "NOTICE" },
  ],
});

const plots: Record<string, Float64Array> = {
  "slanted comb": slantedComb(POSITIONS),
  "random radii": randomRadii(POSITIONS),
  "parallel edges": parallelEdges(POSITIONS),
  spiral: spiral(POSITIONS),
  "spiral, 10⁵ crossings": crossedSpiral(POSITIONS),
  "star {n, 2}": star(POSITIONS - 1, 2),
  "star {n, n/2 − 1}": star(POSITIONS - 1, POSITIONS / 2 - 2),
  "fractal outline": fractalRing(random, 0, 0, 3.5, POSITIONS - 10_000),
};
const questions: Record<string, (geometry: object) => unknown> = {
  overlap: (geometry) => engine.intersections(geometry),
  distance: (geometry) => engine.distance(geometry, { maxDistanceMeters: 10_000 }),
  ruleset: (geometry) => engine.evaluate(ruleset, { geometry }, { now: "2026-01-01T00:00:00Z" }),
  geometry: (geometry) => engine.intersections(geometry, { geometry: "overlap" }),
};

console.log(
  `node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}; at most ${ALLOWED_MS} ms CPU\n`,
);
console.log(`${"plot".padEnd(24)}${"question".padEnd(12)}${"ms".padStart(6)}  answer`);
let over = 0;
for (const [name, ring] of Object.entries(plots)) {
  const geometry = { type: "Polygon", coordinates: [positions(fit(ring))] };
  for (const [question, ask] of Object.entries(questions)) {
    let answer = "";
    const times = Array.from({ length: 4 }, () => {
      const before = process.cpuUsage();
      answer = outcome(() => ask(geometry));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    const least = Math.min(...times.slice(1));
    if (least > ALLOWED_MS) over++;
    console.log(`${name.padEnd(24)}${question.padEnd(12)}${least.toFixed(0).padStart(6)}  ${answer}`);
  }
}
console.log(over === 0 ? "\nnone took longer" : `\n${over} took longer`);
process.exitCode = over === 0 ? 0 : 1;

function outcome(ask: () => unknown): string {
  try {
    ask();
    return "answered";
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

/** A spiral with a zigzag over it: about 10⁵ crossings. */
function crossedSpiral(n: number): Float64Array {
  const wound = spiral(n - 400);
  const xy = [...fit(wound).subarray(0, wound.length - 2)];
  for (let i = 0; i < 400; i++) xy.push(i % 2 === 0 ? -SIZE / 2 : SIZE / 2, ((i - 200) / 400) * SIZE);
  return Float64Array.from([...xy, xy[0]!, xy[1]!]);
}

/** The ring moved and scaled to the square of `SIZE` degrees about 0, 0. */
function fit(ring: Float64Array): Float64Array {
  const bounds = (axis: 0 | 1) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = axis; i < ring.length; i += 2) {
      low = Math.min(low, ring[i]!);
      high = Math.max(high, ring[i]!);
    }
    return [(low + high) / 2, high - low] as const;
  };
  const [x, y] = [bounds(0), bounds(1)];
  return ring.map((value, i) => ((value - (i % 2 === 0 ? x : y)[0]) / (i % 2 === 0 ? x : y)[1]) * SIZE);
}

function positions(ring: Float64Array): number[][] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
}
