import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxRing, createStarRing, reverseRing, toPlot } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { referenceKernel } from "../../../../reference/src/reference-kernel.ts";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { exactKernel } from "../kernel/exact-kernel.ts";

const KERNELS = [exactKernel, referenceKernel];

describe.each(KERNELS)("nearestMeters of the $name kernel", (kernel) => {
  it("is the least distance to the queried areas, and infinite beyond the queried reach (seed 1)", () => {
    const random = createSeededRandom(1);
    for (let round = 0; round < 20; round++) {
      const [x, y] = [random.between(-179, 179), random.between(-70, 70)];
      const near = () =>
        createStarRing(random, x + random.between(-0.3, 0.3), y + random.between(-0.3, 0.3), 0.03, 8);
      const layer = buildAreaLayer(Array.from({ length: 12 }, () => [[near()]]));
      const plot = kernel.bind(toPlot([[createStarRing(random, x, y, 0.02, 10)]]));
      const isWanted = (area: number) => area % 3 !== round % 3;
      const hits = plot.distances(layer, 20_000).filter(({ area }) => isWanted(area));
      const least = Math.min(Infinity, ...hits.map(({ distanceMeters }) => distanceMeters));
      expect(plot.nearestMeters(layer, 20_000, isWanted, "area")).toBe(least);
      if (least > 0) {
        expect(plot.nearestMeters(layer, 20_000, isWanted, "boundary")).toBeCloseTo(least, 6);
        if (least < Infinity) {
          expect(plot.nearestMeters(layer, least * 0.99, isWanted, "area")).toBe(Infinity);
        }
      }
    }
  });

  it("reaches the boundary of an area that holds the plot as it would reach the land around it (seed 2)", () => {
    const random = createSeededRandom(2);
    for (let round = 0; round < 20; round++) {
      const [x, y] = [random.between(-170, 170), random.between(-70, 70)];
      const ring = createStarRing(random, x, y, 1, 12);
      const hole = createStarRing(random, x + 0.02, y, 0.01, 8);
      const inside = buildAreaLayer([[[ring, reverseRing(hole)]]]);
      const around = buildAreaLayer([
        [[createBoxRing(x - 5, y - 5, x + 5, y + 5), reverseRing(ring)]],
        [[hole]],
      ]);
      const plot = kernel.bind(toPlot([[createStarRing(random, x, y, 0.005, 8)]]));
      expect(plot.nearestMeters(inside, 1_000, () => true, "area")).toBe(0);
      const toBoundary = plot.nearestMeters(inside, 200_000, () => true, "boundary");
      const toOthers = Math.min(...plot.distances(around, 200_000).map((hit) => hit.distanceMeters));
      expect(toBoundary).toBeGreaterThan(0);
      expect(toBoundary).toBeCloseTo(toOthers, 6);
    }
  });

  it("is 0 to a boundary that runs through the plot, and to one that it touches", () => {
    const layer = buildAreaLayer([[[createBoxRing(0, 0, 1, 1)]]]);
    for (const plot of [
      createBoxRing(0.9, 0.2, 1.1, 0.3),
      createBoxRing(0, 0.2, 0.1, 0.3),
      createBoxRing(1, 0.2, 1.1, 0.3),
    ]) {
      expect(kernel.bind(toPlot([[plot]])).nearestMeters(layer, 100, () => true, "boundary")).toBe(0);
    }
  });
});
