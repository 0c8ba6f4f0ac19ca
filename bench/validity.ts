// How the cost of checking rings grows with their size.
//   node bench/validity.ts
// Prints CPU time for n and 10 n positions and their ratio: 10 is linear, about 12 is n log n, 32 is
// n√n, 100 would be quadratic; caches that overflow add to it. Shapes are seeded; figures are medians
// of five runs.
import { findFaults, repairEvenOdd } from "@groundrule/engine";

const SHAPES: readonly (readonly [name: string, make: (n: number) => Float64Array])[] = [
  ["comb", comb],
  ["fractal", fractal],
  ["spiral", spiral],
];

for (const [name, make] of SHAPES) {
  for (const n of [10_000, 100_000]) {
    report(`${name}, checked`, n, (size) => {
      const ring = make(size);
      return () => findFaults([[ring]]);
    });
  }
}
for (const n of [10_000, 100_000]) {
  report("fractal and its shifted self, repaired", n, (size) => {
    const ring = fractal(size / 2);
    const shifted = ring.map((value) => value + 0.01);
    return () => repairEvenOdd([ring, shifted]);
  });
}

function report(name: string, n: number, prepare: (n: number) => () => unknown): void {
  const small = medianMs(prepare(n));
  const large = medianMs(prepare(10 * n));
  console.log(
    `${name.padEnd(40)} ${n} → ${10 * n} positions: ${small.toFixed(1)} → ${large.toFixed(1)} ms, ratio ${(large / small).toFixed(1)}`,
  );
}

function medianMs(run: () => unknown): number {
  run();
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return times.sort((a, b) => a - b)[2]!;
}

/** Numbers from 0 to 1, the same on every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Upright teeth of random length. */
function comb(n: number): Float64Array {
  const random = seeded(1);
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
  const random = seeded(2);
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

/** A band wound up, all its edges of about one length. */
function spiral(n: number): Float64Array {
  const half = Math.floor(n / 2);
  const xy: number[] = [];
  const add = (i: number, offset: number): void => {
    const angle = Math.sqrt(Math.PI * (i + 100));
    const radius = (angle / (2 * Math.PI) + offset) / 100;
    xy.push(radius * Math.cos(angle), radius * Math.sin(angle));
  };
  for (let i = 0; i < half; i++) add(i, 0);
  for (let i = half - 1; i >= 0; i--) add(i, 0.5);
  xy.push(xy[0]!, xy[1]!);
  return Float64Array.from(xy);
}
