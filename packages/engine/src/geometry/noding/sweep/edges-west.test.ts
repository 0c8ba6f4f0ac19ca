import { mulberry32 } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { repairPolygons } from "../../plot/mend/repair.ts";
import { forEachPairOfChains } from "../chain-join.ts";
import { intersectEvenOdd } from "../even-odd.ts";
import { nodeWoundEdges } from "../noding.ts";
import { UncountedWork } from "../uncounted-work.ts";
import { findEdgesWestInOnePass } from "./edges-west.ts";

const SEED = 20261122;
const quick = (): UncountedWork =>
  new UncountedWork({ forEachPair: forEachPairOfChains, findEdgesWest: findEdgesWestInOnePass });

/** Rings on a coarse grid, so that many ends share parallels and meridians and many rings touch. */
function randomRings(random: () => number, count: number, size: number): Float64Array[] {
  const below = (n: number): number => Math.floor(random() * n);
  return Array.from({ length: count }, () => {
    const [x, y, width] = [below(size), below(size), 1 + below(4)];
    const corners = Array.from({ length: 3 + below(4) }, () => [x + below(width + 1), y + below(width + 1)]);
    return Float64Array.from([...corners, corners[0]!].flat());
  });
}

describe("components placed in one pass", () => {
  it("lie where a sweep places them", () => {
    const random = mulberry32(SEED);
    let polygons = 0;
    for (let run = 0; run < 300; run++) {
      const rings = randomRings(random, 1 + Math.floor(random() * 40), 4 + Math.floor(random() * 30));
      const parts = run % 2 === 0 ? rings.map((ring) => [ring]) : [rings];
      expect(repairPolygons(parts, { meter: quick() }), `run ${run}`).toEqual(repairPolygons(parts));
      const odd = intersectEvenOdd([rings], { meter: quick() });
      expect(odd, `run ${run}`).toEqual(intersectEvenOdd([rings]));
      polygons += odd.length;
    }
    expect(polygons).toBeGreaterThan(1000);
  });

  it("are given up where many edges pass many of them", () => {
    const comb = [0, 0];
    for (let i = 0; i < 400; i++) comb.push(i, 1000, i + 0.5, 1);
    comb.push(400, 1000, 400, 0, 0, 0);
    const rings = [Float64Array.from(comb)];
    for (let i = 1; i < 400; i++) {
      const y = 500 + i / 10;
      rings.push(Float64Array.from([i, y, i + 0.01, y, i, y + 0.01, i, y]));
    }
    const graph = nodeWoundEdges(rings, quick());
    const positions = Array.from({ length: 399 }, (_, i) => graph.from[graph.count - 1 - 3 * i]!);
    expect(findEdgesWestInOnePass(graph, positions)).toBeUndefined();
    expect(findEdgesWestInOnePass(graph, positions.slice(0, 3))).toBeDefined();
    expect(repairPolygons([rings], { meter: quick() })).toEqual(repairPolygons([rings]));
  });
});
