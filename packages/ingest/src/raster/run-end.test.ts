import { seededRandom } from "@groundrule/testing/random";
import { expect, it } from "vitest";
import { runEnd, wordsOf } from "./run-end.ts";

it("a run of bytes ends where a look at each byte ends it, from any start to any end", () => {
  const random = seededRandom(7);
  for (let round = 0; round < 300; round++) {
    const values = new Uint8Array(60);
    for (let at = 0; at < values.length; ) {
      const next = Math.min(values.length, at + 1 + random.integer(random.next() < 0.5 ? 4 : 40));
      values.fill(random.integer(3) * 127, at, next);
      at = next;
    }
    const words = wordsOf(values);
    expect(words).toHaveLength(15);
    for (let start = 0; start < values.length; start++) {
      const end = start + 1 + random.integer(values.length - start);
      let expected = start + 1;
      while (expected < end && values[expected] === values[start]) expected++;
      expect(runEnd(values, words, start, end)).toBe(expected);
      expect(runEnd(values, undefined, start, end)).toBe(expected);
    }
  }
  expect(wordsOf(new Uint8Array(8).subarray(1))).toBeUndefined();
  expect(wordsOf(new Uint16Array(8))).toBeUndefined();
});
