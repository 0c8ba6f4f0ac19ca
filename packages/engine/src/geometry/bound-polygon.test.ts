import { describe, expect, it } from "vitest";
import { buildLayer, type Polygons } from "../../test/build-layer.ts";
import { planarOverlap } from "../../test/planar-overlap.ts";
import { seededRandom } from "../../test/random.ts";
import { adversarialPair, plotOf } from "../../test/shapes.ts";
import { PLANE } from "./authalic.ts";
import { createExactKernel, exactKernel } from "./exact-kernel.ts";

const SEED = 20261120;
const LONG = process.env.GROUNDRULE_LONG !== undefined;
const planar = createExactKernel(PLANE);

function bboxArea(polygons: Polygons): number {
  const [west, south, east, north] = plotOf(polygons).bbox;
  return (east - west) * (north - south);
}

describe("overlap in the plane", () => {
  it(`is that of 320-bit arithmetic on adversarial pairs (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    const worst = new Map<string, number>();
    for (let i = 0; i < (LONG ? 20_000 : 800); i++) {
      const pair = adversarialPair(random);
      const truth = planarOverlap(pair.plot, pair.area);
      const bound = planar.bind(plotOf(pair.plot));
      const hits = bound.intersections(buildLayer([pair.area], PLANE));
      const found = hits[0]?.overlapSquareMeters ?? 0;
      const smaller = Math.min(bboxArea(pair.plot), bboxArea(pair.area));
      const error = Math.max(
        Math.abs(found - truth) / smaller / 100,
        Math.abs(found - truth) / bboxArea(pair.plot),
      );
      worst.set(pair.kind, Math.max(worst.get(pair.kind) ?? 0, error));
      if (error > 1e-14)
        expect.fail(
          `${pair.kind}: ${found} instead of ${truth}, off by ${error} of the smaller bbox: ${JSON.stringify({ plot: pair.plot.map((p) => p.map((r) => [...r])), area: pair.area.map((p) => p.map((r) => [...r])) })}`,
        );
    }
    if (LONG) console.log(worst);
  });
});
void exactKernel;
