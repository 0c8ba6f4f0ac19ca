import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { LeastQueue } from "./least-queue.ts";

const SEED = 20261122;

/** Takes everything out. */
function drainQueue(queue: LeastQueue): number[][] {
  const taken: number[][] = [];
  while (queue.length > 0) {
    taken.push([queue.key, queue.tie, queue.item, queue.other]);
    queue.pop();
  }
  return taken;
}

describe("LeastQueue", () => {
  it(`gives what was pushed by key, then tie, however pushes and pops alternate (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const queue = new LeastQueue();
    let waiting: number[][] = [];
    for (let step = 0; step < 2_000; step++) {
      if (waiting.length > 0 && random.between(0, 1) < (step < 1_000 ? 0.3 : 0.6)) {
        const [key, tie, item, other] = [queue.key, queue.tie, queue.item, queue.other];
        const least = Math.min(...waiting.map(([k]) => k!));
        expect(key).toBe(least);
        expect(tie).toBe(Math.min(...waiting.filter(([k]) => k === least).map(([, t]) => t!)));
        expect(waiting).toContainEqual([key, tie, item, other]);
        waiting = waiting.filter(([, , i]) => i !== item);
        queue.pop();
      } else {
        const pair = [Math.floor(random.between(0, 40)), Math.floor(random.between(0, 4)), step, -1 - step];
        waiting.push(pair);
        queue.push(pair[0]!, pair[1]!, pair[2]!, pair[3]!);
      }
      expect(queue.length).toBe(waiting.length);
    }
  });

  it("keeps the items of a predicate, and orders infinite keys", () => {
    const queue = new LeastQueue();
    for (let i = 0; i < 1000; i++)
      queue.push((i * 37) % 100, i % 2 === 0 ? Number.NEGATIVE_INFINITY : 0, i, 0);
    queue.push(Number.POSITIVE_INFINITY, 0, 1001, 0);
    queue.keep((item) => item % 3 === 0 || item === 1001);
    const taken = drainQueue(queue);
    expect(taken.length).toBe(335);
    expect(taken).toEqual(taken.toSorted(([a, s], [b, t]) => a! - b! || (s! < t! ? -1 : s! > t! ? 1 : 0)));
    expect(taken.at(-1)).toEqual([Number.POSITIVE_INFINITY, 0, 1001, 0]);
    queue.push(1, 2, 3, 4);
    queue.clear();
    expect(queue.length).toBe(0);
  });
});
