import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { sortPositions } from "./position-order.ts";

describe("sortPositions", () => {
  const random = createSeededRandom(31);
  const shapes: Readonly<Record<string, (i: number) => readonly [number, number]>> = {
    "a plane": () => [random.next(), random.next()],
    "a grid of 7": () => [random.integer(7), random.integer(7)],
    "one meridian": () => [1, random.next()],
    "one parallel": () => [random.next(), 1],
    "one position": () => [3, 4],
    "two zeros": () => [random.next() < 0.5 ? 0 : -0, random.next() < 0.5 ? 0 : -0],
    "crowds within crowds": () => [
      2 ** -random.integer(1000) * (random.next() < 0.5 ? -1 : 1),
      random.next(),
    ],
    "units in the last place": () => [1 + random.integer(9) * 2 ** -52, random.integer(3)],
    "the range of doubles": () => [(random.next() - 0.5) * 1.7e308 * 2, random.next()],
    "the least of doubles": () => [random.integer(5000) * 5e-324, random.integer(3) * 5e-324],
    "a crowd far from one": (i) => [i === 0 ? 1e9 : random.next(), random.next()],
    "in order": (i) => [i, i],
    "in reverse": (i) => [-i, -i],
  };
  it.each(Object.entries(shapes))("orders as comparing does, positions of %s", (_, shape) => {
    for (const count of [0, 1, 2, 9, 100, 1023, 1024, 5000]) {
      const x = new Float64Array(count);
      const y = new Float64Array(count);
      for (let i = 0; i < count; i++) [x[i], y[i]] = shape(i) as [number, number];
      const expected = Array.from(x, (_, i) => i).sort((p, q) => x[p]! - x[q]! || y[p]! - y[q]! || p - q);
      // Differences of the greatest doubles are no doubles, but have a sign.
      expect([...sortPositions(x, y)]).toEqual(expected);
    }
  });
});
