import { mulberry32, type Random, toRandom } from "@groundrule/testing/random";
import {
  createBoxRing,
  createStarRing,
  type Polygons,
  reverseRing,
  toPlot,
  toRing,
} from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { randomAdversarialPair } from "../../../../test/adversarial-pair.ts";
import { buildAreaLayer } from "../../../../test/build-layer.ts";
import { WorkMeter } from "../../../base/work-meter.ts";
import { ELLIPSOID } from "../../earth/authalic.ts";
import { exactKernel } from "../../kernel/exact-kernel.ts";
import type { Plot } from "../../plot/plot.ts";
import { findPolygonFaults } from "../../plot/validity/validity.ts";
import { openRing } from "../../trees/candidates.ts";
import type { AreaLayer } from "../../trees/layer.ts";
import { PlotRings } from "../../trees/plot-rings.ts";
import { createBoundarySum, setWindow } from "../boundary-sum.ts";
import { createEdgeWalk } from "../edge-walk.ts";
import { sumOverRings } from "../two-trees.ts";

const SEED = 20261122;

describe("the sum over a small plot", () => {
  it(`is that of two trees, and touches where it does, on adversarial pairs (seed ${SEED})`, () => {
    const random = toRandom(mulberry32(SEED));
    let met = 0;
    for (let i = 0; i < 1500; i++) {
      const { plot, area } = i % 2 === 0 ? randomAdversarialPair(random) : randomNearbyPair(random);
      // Rings that cross themselves are no input of a kernel.
      if (findPolygonFaults(plot).length > 0 || findPolygonFaults(area).length > 0) continue;
      met += compare(toPlot(plot), buildAreaLayer([area]), `pair ${i}`);
    }
    expect(met).toBeGreaterThan(750);
  });

  it("is that of two trees beside boundaries of many edges, in chains and nodes of every level", () => {
    const random = toRandom(mulberry32(SEED + 1));
    let met = 0;
    for (let i = 0; i < 30; i++) {
      const [lon, lat, radius] = [random.between(-170, 170), random.between(-70, 70), random.between(0.5, 5)];
      const layer = buildAreaLayer([[[randomCoast(random, lon, lat, radius, 5000)]]]);
      for (let k = 0; k < 8; k++) {
        const at = 2 * random.integer(5000);
        const size = radius * 10 ** random.between(-5, -0.3);
        const plot = createStarRing(random, layer.xy[at]!, layer.xy[at + 1]!, size, 3 + random.integer(190));
        if (plot.some((v, j) => j % 2 === 1 && Math.abs(v) > 90)) continue;
        met += compare(toPlot([[plot]]), layer, `area ${i}, plot ${k}`);
      }
    }
    expect(met).toBeGreaterThan(150);
  });

  it("is touched by what crosses only an upright side, and by what only reaches it", () => {
    const plot = toPlot([[createBoxRing(10, 50, 10.01, 50.01)]]);
    for (const tip of [10.005, 10.01]) {
      for (const turn of [0, -360]) {
        const wedge = toRing([
          [tip + turn, 50.004],
          [10.03 + turn, 50.003],
          [10.03 + turn, 50.006],
        ]);
        const layer = buildAreaLayer([[[wedge]]]);
        expect(exactKernel.bind(plot).intersections(layer)).toHaveLength(1);
        if (turn === 0) compare(plot, layer, `a wedge to ${tip}`);
      }
    }
  });

  it("takes few units where few edges are near, however many there are", () => {
    const counted = [1000, 30_000].map((edges) => {
      const random = toRandom(mulberry32(SEED));
      const layer = buildAreaLayer([[[randomCoast(random, 10, 50, 1, edges)]]]);
      const meter = new WorkMeter();
      let plots = 0;
      for (let i = 0; i < 100; i++) {
        const at = 2 * random.integer(edges);
        const plot = toPlot([[createStarRing(random, layer.xy[at]!, layer.xy[at + 1]!, 1e-4, 50)]]);
        plots += exactKernel.bind(plot, meter).intersections(layer).length;
      }
      expect(plots).toBe(100);
      return meter.counted / plots;
    });
    expect(counted[0]).toBeLessThan(LEAST_UNITS);
    expect(counted[1]).toBeLessThan(1.5 * LEAST_UNITS);
  });
});

/** Units of a plot of 50 edges on a boundary of 1,000, and some more. */
const LEAST_UNITS = 2500;

/** A ring that is rough, but leads on. */
function randomCoast(random: Random, lon: number, lat: number, radius: number, edges: number): Float64Array {
  const ring = new Float64Array(2 * edges + 2);
  for (let i = 0; i < edges; i++) {
    const angle = (2 * Math.PI * i) / edges;
    const r = radius * (1 + 0.1 * Math.sin(9 * angle) + (4 / edges) * random.between(-1, 1));
    ring[2 * i] = lon + r * Math.cos(angle);
    ring[2 * i + 1] = lat + r * Math.sin(angle);
  }
  return closeRing(ring);
}

/** Identical rings, rings moved by next to nothing, boxes through vertices, stars on a grid, holes. */
function randomNearbyPair(random: Random): { readonly plot: Polygons; readonly area: Polygons } {
  const [lon, lat, size] = [
    random.between(-175, 175),
    random.between(-75, 75),
    10 ** random.between(-5, 0.5),
  ];
  const ring = createStarRing(random, lon, lat, size, 3 + random.integer(random.integer(2) === 0 ? 20 : 190));
  const hole = reverseRing(createStarRing(random, lon, lat, size / 5, 3 + random.integer(9)));
  const area: Polygons = random.integer(3) === 0 ? [[ring, hole]] : [[ring]];
  const vertex = (): number => 2 * random.integer(ring.length / 2 - 1);
  switch (random.integer(5)) {
    case 0:
      return { plot: area, area };
    case 1: {
      const tiny = 10 ** random.between(-14, -9);
      return { plot: [[closeRing(ring.map((v) => v + random.between(-tiny, tiny)))]], area };
    }
    case 2: {
      const [a, b] = [vertex(), vertex()];
      const [xs, ys] = [
        [ring[a]!, ring[b]!],
        [ring[a + 1]!, ring[b + 1]!],
      ] as const;
      const [w, s, e, n] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      return { plot: [[w < e && s < n ? createBoxRing(w, s, e, n) : ring]], area };
    }
    case 3: {
      const grid = size / (8 + random.integer(8));
      const snapped = (r: Float64Array): Float64Array => r.map((v) => Math.round(v / grid) * grid);
      return {
        plot: [[snapped(createStarRing(random, lon, lat, size, 4))]],
        area: [[snapped(createBoxRing(lon, lat, lon + size, lat + size))]],
      };
    }
    default: {
      const at = vertex();
      return {
        plot: [[createStarRing(random, ring[at]!, ring[at + 1]!, size * 10 ** random.between(-3, 0.5), 40)]],
        area,
      };
    }
  }
}

function closeRing(ring: Float64Array): Float64Array {
  return ring.fill(ring[0]!, ring.length - 2, ring.length - 1).fill(ring[1]!, ring.length - 1);
}

/** Sets the kernel's overlap beside the sum of two trees; returns how many areas are met. */
function compare(plot: Plot, layer: AreaLayer, name: string): number {
  const sum = createBoundarySum();
  const walk = createEdgeWalk();
  const [west, south, east, north] = plot.bbox;
  setWindow(sum, ELLIPSOID, west, south, east, north);
  const rings = new PlotRings(plot, ELLIPSOID);
  let total = 0;
  for (let ring = 0; ring < layer.ringCount; ring++) {
    openRing(sum.area, layer, ring, 0);
    for (let own = 0; own < rings.count; own++) {
      rings.open(sum.plot, own, 0);
      total += sumOverRings(sum, walk);
    }
  }
  const bound = exactKernel.bind(plot, new WorkMeter(Infinity));
  const [hit] = bound.intersections(layer);
  if (sum.touched) expect(hit, name).toBeDefined();
  const bbox = 2 * sum.terms[1]! * (east - west) * (north - south);
  const difference = Math.abs((hit?.overlapSquareMeters ?? 0) - Math.max(total, 0)) / bbox;
  expect(difference, name).toBeLessThan(3e-15);
  return hit === undefined ? 0 : 1;
}
