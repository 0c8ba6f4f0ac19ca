import { createRegularStar, createSlantedComb } from "@groundrule/testing/hard-rings";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WorkMeter } from "../../base/work-meter.ts";
import { segmentsIntersect } from "../earth/predicates.ts";
import { nodeOddEdges } from "./noding.ts";

const unlimited = (): WorkMeter => new WorkMeter(Number.POSITIVE_INFINITY);

/** Rings with much that nearly coincides: corners of a lattice, off by some units in the last place. */
function coincidentRingArbitrary(): fc.Arbitrary<Float64Array> {
  const corner = fc.integer({ min: 0, max: 3 });
  const jitter = fc.integer({ min: -3, max: 3 });
  return fc
    .array(fc.tuple(corner, corner, jitter, jitter), { minLength: 3, maxLength: 16 })
    .map((points) => [...points, points[0]!])
    .map((points) =>
      Float64Array.from(
        points.flatMap(([x, y, dx, dy]) => [
          -52.1234567890123 + x * 0.1 + dx * 7e-15,
          3.9 + y * 0.1 + dy * 4e-16,
        ]),
      ),
    );
}

describe("nodeOddEdges", () => {
  it.each([
    ["as usual", 16],
    ["on a grid where two rounds do not settle them", 2],
  ])("gives edges that meet at their ends only, %s", (_, rounds) => {
    let onGrid = 0;
    fc.assert(
      fc.property(coincidentRingArbitrary(), (ring) => {
        const { x, y, from, to, count } = nodeOddEdges([[ring]], unlimited(), rounds);
        if (count > 0 && Number.isInteger(x[from[0]!]! * 549755813888)) onGrid++;
        for (let i = 0; i < count; i++) {
          for (let j = 0; j < i; j++) {
            const [a, b, c, d] = [from[i]!, to[i]!, from[j]!, to[j]!];
            const shared = new Set([a, b, c, d]).size;
            expect(shared).toBeGreaterThan(2);
            // With a common end, edges could only meet again by running along each other.
            const common = a === c || a === d ? a : b;
            const meet =
              shared === 4
                ? segmentsIntersect(x[a]!, y[a]!, x[b]!, y[b]!, x[c]!, y[c]!, x[d]!, y[d]!)
                : runAlong(common, a === common ? b : a, c === common ? d : c);
            expect(meet).toBe(false);
          }
        }

        function runAlong(common: number, p: number, q: number): boolean {
          const at = (id: number): [number, number] => [x[id]!, y[id]!];
          return (
            segmentsIntersect(...at(common), ...at(p), ...at(q), ...at(q)) ||
            segmentsIntersect(...at(common), ...at(q), ...at(p), ...at(p))
          );
        }
      }),
      { seed: 31_337, numRuns: 200 },
    );
    if (rounds === 2) expect(onGrid).toBeGreaterThan(20);
  });

  it("drops what occurs twice and keeps what occurs three times", () => {
    const triangle = Float64Array.from([0, 0, 1, 0, 0, 1, 0, 0]);
    expect(nodeOddEdges([[triangle, triangle]], unlimited()).count).toBe(0);
    expect(nodeOddEdges([[triangle, triangle, triangle]], unlimited()).count).toBe(3);
  });

  it.each([
    ["few edges that cross much", 101, 50],
    ["many edges that cross little", 4001, 3],
  ])("splits a star at all its crossings: %s", (_, n, step) => {
    const noded = nodeOddEdges([[createRegularStar(n, step)]], unlimited());
    expect(noded.x).toHaveLength(n + n * (step - 1));
    expect(noded.count).toBe(n + 2 * n * (step - 1));
  });

  it("takes steps in proportion to k log k for k crossings, and refuses beyond what is allowed", () => {
    const stepsFor = (n: number): number => {
      const meter = unlimited();
      nodeOddEdges([[createRegularStar(n, (n - 1) / 2)]], meter);
      return meter.counted;
    };
    const crossings = (n: number): number => (n * (n - 3)) / 2;
    const [few, many] = [stepsFor(101), stepsFor(401)];
    expect(many / few / (crossings(401) / crossings(101))).toBeLessThan(1.5);
    const refused = (): unknown => nodeOddEdges([[createRegularStar(401, 200)]], new WorkMeter(many / 2));
    expect(refused).toThrow(expect.objectContaining({ code: "GEOMETRY_TOO_COMPLEX" }));
  });

  it("nodes a comb of 20,000 slanted teeth in n log n steps, which one edge crosses", () => {
    const comb = createSlantedComb(40_000);
    const across = Float64Array.from([0, 0.5, 2, 0.6, 2, 0.4, 0, 0.5]);
    const meter = unlimited();
    const { count } = nodeOddEdges([[comb, across]], meter);
    expect(count).toBeGreaterThan(100_000);
    expect(meter.counted).toBeLessThan(2 * 40_000 * 2200);
  });
});
