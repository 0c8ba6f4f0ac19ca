import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const SEED = 20_261_120;

function drainQueue(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) taken.push(item);
  return taken;
}

describe("FairQueue", () => {
  it("lets lanes take turns, and keeps the order within each", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.push(item[0]!, item);
    expect(drainQueue(queue)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
  });

  it("gives the next turn to a lane whose items come back, so that none is put off for ever", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "b1", "c1", "c2"]) queue.push(item[0]!, item);
    const [a1, b1, c1] = [queue.shift(), queue.shift(), queue.shift()];
    expect([a1, b1, c1]).toEqual(["a1", "b1", "c1"]);
    queue.putBack([
      ["b", "b1"],
      ["c", "c1"],
    ]);
    expect(queue.size).toBe(4);
    expect(drainQueue(queue)).toEqual(["b1", "c1", "a2", "c2"]);
  });

  it("passes by lanes that may not have a turn, which keep their places", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "b1", "b2", "c1"]) queue.push(item[0]!, item);
    const notA = (lane: string) => lane !== "a";
    expect([1, 2, 3, 4].map(() => queue.shift(notA))).toEqual(["b1", "c1", "b2", undefined]);
    expect([queue.size, queue.longest()]).toEqual([2, 2]);
    expect(drainQueue(queue)).toEqual(["a1", "a2"]);
  });

  it("makes nobody wait for more than one item of each other lane", () => {
    const lanes = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(lanes, (sent) => {
        const queue = new FairQueue<string>();
        for (const [i, lane] of sent.entries()) queue.push(lane, `${lane}${i}`);
        const taken = drainQueue(queue);
        expect(taken.toSorted()).toEqual(sent.map((lane, i) => `${lane}${i}`).toSorted());
        for (const lane of new Set(sent)) {
          const own = taken.filter((item) => item[0] === lane);
          expect(own).toEqual(sent.flatMap((other, i) => (other === lane ? [`${lane}${i}`] : [])));
          own.forEach((item, before) => {
            const others = taken.slice(0, taken.indexOf(item)).filter((other) => other[0] !== lane);
            const most = new Set(sent).size - 1;
            expect(others.length).toBeLessThanOrEqual((before + 1) * most);
          });
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it("gives up the last of the longest lane, where that is longer than the minimum", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "b1", "b2", "b3"]) queue.push(item[0]!, item);
    expect(queue.popLongest(3)).toBeUndefined();
    expect([queue.popLongest(1), queue.popLongest(1), queue.popLongest(1)]).toEqual(["b3", "b2", undefined]);
    queue.delete("a", "a1");
    expect([queue.size, queue.sizeOf("a"), queue.sizeOf("b")]).toEqual([2 - 1, 0, 1]);
  });
});
