import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { CELL_DEGREES, ceilToCell, cellBoxesMeet, floorToCell, toDegreesBox } from "./cells.ts";

const SEED = 20261122;

describe("cells", () => {
  it(`enclose what they round, by less than a cell (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const cases = [0, -0, 540, -540, 90, 1e-9, -1e-9, CELL_DEGREES, 180 - 2 ** -45, -180 + 2 ** -45];
    for (let i = 0; i < 1000; i++) cases.push(random.between(-540, 540));
    for (const x of cases) {
      const [below, above] = [floorToCell(x) * CELL_DEGREES, ceilToCell(x) * CELL_DEGREES];
      expect(below <= x && x < below + CELL_DEGREES).toBe(true);
      expect(above >= x && x > above - CELL_DEGREES).toBe(true);
    }
  });

  it("keep differences within 32 bits, however far away", () => {
    expect((ceilToCell(Infinity) - floorToCell(-Infinity)) | 0).toBe(
      ceilToCell(Infinity) - floorToCell(-Infinity),
    );
    expect((ceilToCell(-Infinity) - floorToCell(Infinity)) | 0).toBe(
      ceilToCell(-Infinity) - floorToCell(Infinity),
    );
  });

  it(`are apart only where boxes are, strictly (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    let apart = 0;
    for (let i = 0; i < 2000; i++) {
      const boxes = [0, 1].map(() => {
        const [x, y] = [random.between(-1, 1), random.between(-1, 1)];
        return [x, y, x + random.between(0, 1), y + random.between(0, 1)] as const;
      });
      const [a, b] = boxes as [(typeof boxes)[0], (typeof boxes)[0]];
      const [p, q] = boxes.map(([w, s, e, n]) =>
        Int32Array.of(floorToCell(w), floorToCell(s), ceilToCell(e), ceilToCell(n)),
      ) as [Int32Array, Int32Array];
      const meet = a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
      expect(toDegreesBox(p, 0)[0]).toBeLessThanOrEqual(a[0]);
      if (!cellBoxesMeet(p, 0, q, 0)) {
        expect(meet).toBe(false);
        apart++;
      }
    }
    expect(apart).toBeGreaterThan(500);
  });
});
