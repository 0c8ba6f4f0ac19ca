import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { comparePredicates } from "../../../test/adversarial-predicates.ts";
import { segmentsIntersect } from "./predicates.ts";

const SEED = 20261120;
const COUNT = process.env.GROUNDRULE_FULL ? 400_000 : 20_000;

describe("predicates", () => {
  it(`orient2d and segmentsIntersect agree with integers on ${COUNT} adversarial cases (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    let met = 0;
    for (let i = 0; i < COUNT; i++) {
      const answers = comparePredicates(random);
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
});
