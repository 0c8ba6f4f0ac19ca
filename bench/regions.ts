/**
 * What regions of many areas cost, against turf; and how the cost grows with the areas.
 *
 *   node bench/regions.ts [--rounds N]
 *
 * Areas are seeded fractal outlines laid over one another, plots lie near them (bench/data.ts). Ours
 * binds each plot anew and gives the exact ellipsoidal area of (union ∩ plot), and constructs plot ∩
 * area; turf is handed its features ready made and unites, intersects and measures on the sphere.
 * CPU time of one thread, medians of rounds; engines take turns. Before anything is timed both
 * answers are compared, plot by plot, as shares of the plot.
 */
import { parseArgs } from "node:util";
import { plotOf } from "@groundrule/testing/shapes";
import { area as turfArea } from "@turf/area";
import { featureCollection, polygon } from "@turf/helpers";
import { intersect } from "@turf/intersect";
import { union } from "@turf/union";
import { exactKernel } from "../packages/engine/src/geometry/kernel/exact-kernel.ts";
import type { Region } from "../packages/engine/src/geometry/overlap/region.ts";
import type { Plot } from "../packages/engine/src/geometry/plot/plot.ts";
import type { AreaLayer } from "../packages/engine/src/geometry/trees/layer.ts";
import { buildLayer } from "../packages/engine/test/build-layer.ts";
import { fractalRing, seededRandom } from "./data.ts";

const SEED = 11;
const { values } = parseArgs({ options: { rounds: { type: "string", default: "9" } } });
const rounds = Number(values.rounds);

interface Case {
  readonly layer: AreaLayer;
  readonly rings: readonly Float64Array[];
  readonly plots: readonly Plot[];
}

for (const count of [2, 10, 100]) againstTurf(count, overlapping(count, 200, 0.4, 60));
for (const count of [2, 10]) growth(count);

/** Outlines of one size about one place, so that all overlap; plots of 40 vertices and about 9 km near them. */
function overlapping(count: number, vertices: number, radius: number, plotCount: number): Case {
  const random = seededRandom(SEED);
  const rings = Array.from({ length: count }, () =>
    fractalRing(
      random,
      -60 + random.between(-0.5, 0.5) * radius,
      -10 + random.between(-0.5, 0.5) * radius,
      radius,
      vertices,
    ),
  );
  const plots = Array.from({ length: plotCount }, () => {
    const ring = rings[random.integer(count)]!;
    const v = random.integer(vertices);
    return plotOf([[fractalRing(random, ring[2 * v]!, ring[2 * v + 1]!, 0.04, 40, 0.9)]]);
  });
  return { layer: buildLayer(rings.map((ring) => [[ring]])), rings, plots };
}

function unionOf({ layer, rings }: Case): Region {
  return { op: "areas", areas: rings.map((_, area) => ({ layer, area })) };
}

function againstTurf(count: number, data: Case): void {
  const region = unionOf(data);
  const features = data.rings.map((ring) => polygon([pairs(ring)]));
  const asked = data.plots.map((plot) => polygon([pairs(plot.xy)]));
  const ours = (): number[] =>
    data.plots.map((plot) => {
      const bound = exactKernel.bind(plot);
      return bound.regionSquareMeters(region) / bound.areaSquareMeters;
    });
  const turf = (some: number): number[] =>
    asked.slice(0, some).map((plot) => {
      const united = union(featureCollection(features))!;
      const overlap = intersect(featureCollection([united, plot]));
      return overlap === null ? 0 : turfArea(overlap) / turfArea(plot);
    });
  const some = Math.max(1, Math.round(60 / count));
  const shares = ours();
  const worst = turf(some).reduce((most, share, i) => Math.max(most, Math.abs(share - shares[i]!)), 0);
  const [a, b] = medians([() => ours().length, () => turf(some).length]);
  console.log(
    `union of ${count} areas of 200 vertices ∩ plot: ${(a! * 1e3).toFixed(0)} µs, turf ${(b! * 1e3).toFixed(0)} µs, ratio ${(b! / a!).toFixed(0)}; shares agree to ${worst.toExponential(0)}`,
  );
}

function growth(count: number): void {
  let first = 0;
  // As large as areas of so many vertices are, so that their outlines are about as dense.
  for (const [vertices, radius] of [
    [1e3, 0.4],
    [1e4, 1.5],
    [1e5, 4],
  ] as const) {
    const data = overlapping(count, vertices, radius, 200);
    const region = unionOf(data);
    const [united, geometry] = medians([
      () => data.plots.map((plot) => exactKernel.bind(plot).regionSquareMeters(region)).length,
      () => data.plots.map((plot) => exactKernel.bind(plot).overlapGeometry(data.layer, 0)).length,
    ]);
    first ||= united!;
    console.log(
      `union of ${count} areas of ${vertices} vertices: ${(united! * 1e3).toFixed(0)} µs (× ${(united! / first).toFixed(1)}), plot ∩ area constructed: ${(geometry! * 1e3).toFixed(0)} µs`,
    );
  }
}

/** Median CPU milliseconds a query of each; a run answers how many it made. */
function medians(runs: readonly (() => number)[]): number[] {
  const times = runs.map((): number[] => []);
  for (let round = -3; round < rounds; round++) {
    runs.forEach((run, i) => {
      const start = process.cpuUsage();
      const queries = run();
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) times[i]!.push((user + system) / 1000 / queries);
    });
  }
  return times.map((list) => list.sort((p, q) => p - q)[list.length >> 1]!);
}

function pairs(ring: Float64Array): number[][] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
}
