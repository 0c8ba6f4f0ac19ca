import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeOddEdges } from "./noding.ts";
import { segmentsIntersect } from "./predicates.ts";
import { WorkMeter } from "./work-meter.ts";

const unlimited = (): WorkMeter => new WorkMeter(Number.POSITIVE_INFINITY);

/** Rings with much that nearly coincides: corners of a lattice, off by some units in the last place. */
function nearlyCoincident(): fc.Arbitrary<Float64Array> {
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
      fc.property(nearlyCoincident(), (ring) => {
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
      { seed: 31_337, numRuns: 500 },
    );
    if (rounds === 2) expect(onGrid).toBeGreaterThan(50);
  });

  it("drops what occurs twice and keeps what occurs three times", () => {
    const triangle = Float64Array.from([0, 0, 1, 0, 0, 1, 0, 0]);
    expect(nodeOddEdges([[triangle, triangle]], unlimited()).count).toBe(0);
    expect(nodeOddEdges([[triangle, triangle, triangle]], unlimited()).count).toBe(3);
  });
});
