// How the cost of checking and repairing rings grows with their size, for shapes easy and hard.
//   node bench/validity.ts [shape …]
// Prints CPU time for 10,000, 100,000 and 1,000,000 positions and the ratios: 10 is linear, about 12
// is n log n, 100 would be quadratic; caches that overflow add to it. Shapes are seeded; figures are
// medians of five runs, of one where a run takes more than two seconds.
import { findFaults, repairPolygons } from "@groundrule/engine/build";
import { parallelEdges, randomRadii, slantedComb, spiral, star } from "@groundrule/testing/hard-rings";
import { mulberry32 } from "@groundrule/testing/random";

const SHAPES: readonly (readonly [name: string, make: (n: number) => Float64Array])[] = [
  ["comb", comb],
  ["fractal", fractal],
  ["spiral", spiral],
  ["slanted comb", slantedComb],
  ["random radii", randomRadii],
  ["parallel slanted edges", parallelEdges],
  ["star, first faults", (n) => star(n + 1, 20)],
];
const asked = process.argv.slice(2);
const isAsked = (name: string): boolean => asked.length === 0 || asked.some((part) => name.includes(part));

for (const [name, make] of SHAPES) {
  report(`${name}, checked`, [10_000, 100_000, 1_000_000], (size) => {
    const ring = make(size);
    return () => findFaults([[ring]]);
  });
}
report("fractal and its shifted self, repaired", [10_000, 100_000, 1_000_000], (size) => {
  const ring = fractal(size / 2);
  const shifted = ring.map((value) => value + 0.01);
  return () => repairPolygons([[ring], [shifted]]);
});
report("slanted comb and an edge across, repaired", [10_000, 100_000, 1_000_000], (size) => {
  const rings = [slantedComb(size), Float64Array.from([0, 0.5, 2, 0.6, 2, 0.4, 0, 0.5])];
  return () => repairPolygons(rings.map((ring) => [ring]));
});
// Here sizes are crossings: a star of n edges has n² / 2.
report("star {n, n/2}, repaired", [10_000, 100_000, 1_000_000], (crossings) => {
  const n = 2 * Math.floor(Math.sqrt(crossings / 2)) + 1;
  const ring = star(n, (n - 1) / 2);
  return () => repairPolygons([[ring]]);
});

function report(name: string, sizes: readonly number[], prepare: (n: number) => () => unknown): void {
  if (!isAsked(name)) return;
  const times = sizes.map((size) => medianMs(prepare(size)));
  const ratios = times.slice(1).map((time, k) => (time / times[k]!).toFixed(1));
  const shown = times.map((time) => time.toFixed(time < 10 ? 1 : 0).padStart(7));
  console.log(`${name.padEnd(44)}${shown.join("")} ms, ratios ${ratios.join(", ")}`);
}

function medianMs(run: () => unknown): number {
  const times: number[] = [];
  run();
  while (times.length < 5) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
    if (times[0]! > 2000) break;
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}

/** Upright teeth of random length. */
function comb(n: number): Float64Array {
  const random = mulberry32(1);
  const teeth = Math.floor(n / 4);
  const xy: number[] = [];
  for (let i = 0; i < teeth; i++) {
    const x = (4 * i) / teeth;
    const top = 1 + random();
    xy.push(x, 0.5, x + 1 / teeth, top, x + 2 / teeth, top, x + 3 / teeth, 0.5);
  }
  xy.push(4, 0, 0, 0, xy[0]!, xy[1]!);
  return Float64Array.from(xy);
}

/** A coast: radii by repeated displacement of midpoints, less at each level. */
function fractal(n: number): Float64Array {
  const random = mulberry32(2);
  const levels = Math.ceil(Math.log2(n));
  let radii = [1, 1, 1, 1];
  for (let level = 2; level < levels; level++) {
    const amplitude = 0.5 * 0.55 ** level;
    radii = radii.flatMap((radius, i) => {
      const next = radii[(i + 1) % radii.length]!;
      return [radius, (radius + next) / 2 + (random() - 0.5) * amplitude];
    });
  }
  const xy = new Float64Array(2 * (n + 1));
  for (let i = 0; i <= n; i++) {
    const k = i % n;
    const angle = (2 * Math.PI * k) / n;
    const radius = 10 * radii[Math.floor((k * radii.length) / n)]!;
    xy[2 * i] = radius * Math.cos(angle);
    xy[2 * i + 1] = radius * Math.sin(angle);
  }
  return xy;
}
