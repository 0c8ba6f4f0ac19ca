import { seededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { askPredicates } from "../../../test/adversarial-predicates.ts";
import { pointInRing } from "../../../test/point-in-ring.ts";
import { segmentsIntersect } from "./predicates.ts";

const SEED = 20261120;
const COUNT = process.env.GROUNDRULE_FULL ? 400_000 : 20_000;

describe("predicates", () => {
  it(`orient2d and segmentsIntersect agree with integers on ${COUNT} adversarial cases (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    let met = 0;
    for (let i = 0; i < COUNT; i++) {
      const answers = askPredicates(random);
      if (answers.side !== answers.exactSide || answers.meet !== answers.exactMeet)
        expect.fail(JSON.stringify(answers));
      if (answers.meet) met++;
    }
    expect(met).toBeGreaterThan(COUNT / 5);
    expect(met).toBeLessThan((COUNT * 9) / 10);
  });

  it("segmentsIntersect takes single positions and touching ends", () => {
    expect(segmentsIntersect(0, 0, 0, 0, 0, 0, 0, 0)).toBe(true);
    expect(segmentsIntersect(0, 0, 0, 0, 1, 0, 1, 0)).toBe(false);
    expect(segmentsIntersect(1, 1, 1, 1, 0, 0, 2, 2)).toBe(true);
    expect(segmentsIntersect(0, 0, 1, 0, 1, 0, 2, 5)).toBe(true);
    expect(segmentsIntersect(0, 0, 1, 0, 1 + 2 ** -52, 0, 2, 0)).toBe(false);
  });

  it("pointInRing tells the boundary from both sides of it, holes in the walk and repeated positions included", () => {
    const square = Float64Array.of(0, 0, 4, 0, 4, 0, 4, 4, 2, 2, 0, 4, 0, 0);
    const at = (x: number, y: number): string => pointInRing(x, y, square, 0, 7);
    expect(at(2, 1)).toBe("inside");
    expect(at(2, 2)).toBe("boundary");
    expect(at(2, 2 + 2 ** -51)).toBe("outside");
    expect(at(2, 2 - 2 ** -52)).toBe("inside");
    expect(at(2, 2.1)).toBe("outside");
    expect(at(0, 0)).toBe("boundary");
    expect(at(3, 0)).toBe("boundary");
    expect(at(4, 4)).toBe("boundary");
    expect(at(5, 0)).toBe("outside");
    expect(at(-1, 0)).toBe("outside");
    expect(at(3, 3)).toBe("boundary");
    expect(at(3, 3 + 2 ** -51)).toBe("outside");
    expect(at(3, 3 - 2 ** -51)).toBe("inside");
    expect(at(3.5, 3)).toBe("inside");
    expect(at(1, 4)).toBe("outside");
  });

  it(`pointInRing agrees with a winding number in integers on grid rings (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    for (let trial = 0; trial < 400; trial++) {
      // A star about the middle of a small grid: many vertices on the point's own row and column.
      const n = 3 + random.integer(9);
      const turns = Array.from({ length: n }, () => random.next()).sort((p, q) => p - q);
      const xy: number[] = [];
      for (const t of turns) {
        const r = 1 + random.integer(5);
        xy.push(Math.round(r * Math.cos(t * 6.283)), Math.round(r * Math.sin(t * 6.283)));
      }
      xy.push(xy[0]!, xy[1]!);
      const ring = Float64Array.from(xy);
      for (let x = -6; x <= 6; x++) {
        for (let y = -6; y <= 6; y++) {
          let boundary = false;
          let crossings = 0;
          for (let i = 0; i < n; i++) {
            const [ax, ay, bx, by] = [ring[2 * i]!, ring[2 * i + 1]!, ring[2 * i + 2]!, ring[2 * i + 3]!];
            const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
            if (cross === 0 && (x - ax) * (x - bx) <= 0 && (y - ay) * (y - by) <= 0) boundary = true;
            // A ray of irrational slope meets no grid point but its start.
            const q = (px: number, py: number): number => py - y - (px - x) * 0.0012345678912;
            if (q(ax, ay) > 0 !== q(bx, by) > 0) {
              const t = q(ax, ay) / (q(ax, ay) - q(bx, by));
              if (ax + t * (bx - ax) > x) crossings++;
            }
          }
          const expected = boundary ? "boundary" : crossings % 2 === 1 ? "inside" : "outside";
          expect(pointInRing(x, y, ring, 0, n + 1), JSON.stringify({ xy, x, y })).toBe(expected);
        }
      }
    }
  });
});
