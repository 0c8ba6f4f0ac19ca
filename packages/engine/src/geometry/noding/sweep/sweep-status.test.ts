import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { NONE, SweepStatus } from "./sweep-status.ts";

describe("SweepStatus", () => {
  it("keeps the order of a plain array through 20,000 random insertions, removals and exchanges", () => {
    const random = createSeededRandom(99);
    const status = new SweepStatus(20_000);
    const expected: number[] = [];
    for (let edge = 0; edge < 20_000; edge++) {
      const growing = edge % 4000 < 2400;
      if (expected.length === 0 || random.next() < (growing ? 0.8 : 0.3)) {
        const at = random.integer(expected.length + 1);
        const slot = status.insertAbove(at === 0 ? NONE : status.slotOf(expected[at - 1]!), edge);
        expect(status.edgeAt(slot)).toBe(edge);
        expected.splice(at, 0, edge);
      } else {
        const at = random.integer(expected.length);
        status.remove(status.slotOf(expected[at]!));
        expect(status.slotOf(expected[at]!)).toBe(NONE);
        expected.splice(at, 1);
      }
      if (expected.length > 1) {
        const at = random.integer(expected.length - 1);
        status.swapWithAbove(status.slotOf(expected[at]!));
        [expected[at], expected[at + 1]] = [expected[at + 1]!, expected[at]!];
      }
      if (edge % 500 === 0) {
        expect(fromSouth(status)).toEqual(expected);
        expect(fromNorth(status)).toEqual([...expected].reverse());
        expect(inBlocks(status)).toEqual(expected);
        expect(status.size).toBe(expected.length);
      }
    }
  });

  it.each([
    ["highest", (last: number): number => last],
    ["lowest", (): number => NONE],
  ])("fills blocks by half or more when edges always come %s", (_, place) => {
    const status = new SweepStatus(10_000);
    let last = NONE;
    for (let edge = 0; edge < 10_000; edge++) last = status.insertAbove(place(last), edge);
    expect(fromSouth(status)).toHaveLength(10_000);
    expect(status.blockCount).toBeLessThanOrEqual(10_000 / 32);
  });
});

function fromSouth(status: SweepStatus): number[] {
  const edges: number[] = [];
  for (let slot = status.above(NONE); slot !== NONE; slot = status.above(slot))
    edges.push(status.edgeAt(slot));
  return edges;
}

function fromNorth(status: SweepStatus): number[] {
  const edges: number[] = [];
  let slot = status.above(NONE);
  while (slot !== NONE && status.above(slot) !== NONE) slot = status.above(slot);
  for (; slot !== NONE; slot = status.below(slot)) edges.push(status.edgeAt(slot));
  return edges;
}

/** As a search sees them. */
function inBlocks(status: SweepStatus): number[] {
  const { order, sizes, edges, blockCount } = status;
  const size = edges.length / sizes.length;
  return Array.from(order.subarray(0, blockCount)).flatMap((block) => [
    ...edges.subarray(block * size, block * size + sizes[block]!),
  ]);
}
