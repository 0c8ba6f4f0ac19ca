import { plotOf } from "@groundrule/testing/shapes";
import { exactKernel } from "../../packages/engine/src/geometry/kernel/exact-kernel.ts";
import { askPredicates } from "../../packages/engine/test/adversarial-predicates.ts";
import { buildLayer } from "../../packages/engine/test/build-layer.ts";
import { ellipsoidalOverlap } from "../../packages/engine/test/planar-overlap.ts";
import { fractalRing, plotNear, seededRandom } from "../data.ts";
import type { Line, Options } from "./line.ts";
import { loadNow } from "./timing.ts";

const SEED = 3;
const AREA_TARGET = 1e-12;
const PREDICATE_PAIRS = 100_000;

/** How far overlap areas are off, and how many predicates are wrong. */
export async function measureAccuracy(options: Options): Promise<Line[]> {
  return [areaErrorLine(options.quick ? 20 : 100), predicateLine(options.quick ? 20_000 : PREDICATE_PAIRS)];
}

function areaErrorLine(pairs: number): Line {
  const random = seededRandom(SEED);
  let worst = 0;
  for (let found = 0; found < pairs; ) {
    const ring = fractalRing(random, random.between(-170, 170), random.between(-65, 65), 0.2, 60);
    const plot = plotNear(random, [ring]);
    if (plot.length > 60) continue;
    const bound = exactKernel.bind(plotOf([[plot]]));
    const [hit] = bound.intersections(buildLayer([[[ring]]]));
    if (hit === undefined || hit.overlapRatio === 1) continue;
    found++;
    const truth = ellipsoidalOverlap([[plot]], [[ring]]);
    worst = Math.max(worst, Math.abs(hit.overlapSquareMeters - truth) / bound.areaSquareMeters);
  }
  return {
    asked: `error of the overlap area as a share of the plot's, ${pairs} pairs`,
    ours: worst.toExponential(1),
    peer: "quadrature in 256 bits",
    theirs: "",
    target: `≤ ${AREA_TARGET.toExponential(0)}`,
    measured: worst.toExponential(1),
    met: worst <= AREA_TARGET,
    load: loadNow(),
  };
}

function predicateLine(pairs: number): Line {
  const random = seededRandom(SEED);
  let wrong = 0;
  for (let i = 0; i < pairs; i++) {
    const { side, exactSide, meet, exactMeet } = askPredicates(random);
    if (side !== exactSide || meet !== exactMeet) wrong++;
  }
  return {
    asked: `wrong predicates on ${pairs.toLocaleString("en-US")} adversarial pairs of segments`,
    ours: String(wrong),
    peer: "integers",
    theirs: "",
    target: "0",
    measured: String(wrong),
    met: wrong === 0,
    load: loadNow(),
  };
}
