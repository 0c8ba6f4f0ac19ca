import { getHeapStatistics } from "node:v8";
import { mulberry32, toRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { examinePlot, parsePlot } from "../src/geometry/plot/parse-plot.ts";

const random = toRandom(mulberry32(50));
const PLOTS = Array.from({ length: 500 }, () => {
  const ring = Array.from({ length: 49 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * (i + random.between(0, 0.6))) / 49;
    const r = 0.01 * random.between(0.8, 1.2);
    return [-52 + r * Math.cos(angle), 3 + r * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [[...ring, ring[0]!]] };
});

/**
 * Bytes of the heap that a call allocates, once the host has compiled it: the least of a hundred passes, because a
 * busy machine compiles late, and code that is not compiled allocates more.
 */
function measureBytesPerCall(read: (plot: object) => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < 100; pass++) {
    const before = getHeapStatistics().total_allocated_bytes;
    for (const plot of PLOTS) read(plot);
    least = Math.min(least, getHeapStatistics().total_allocated_bytes - before);
  }
  return least / PLOTS.length;
}

describe("garbage", () => {
  // Counted, so the machine's speed does not matter. It was 1.1 kB and 18 kB.
  it("of reading a plot of 50 positions is little more than the plot", () => {
    const plain = measureBytesPerCall((plot) => parsePlot(plot));
    expect(plain).toBeLessThan(3_000);
    expect(plain).toBeLessThan(measureBytesPerCall((plot) => examinePlot(plot, {})) / 3);
  });
});
