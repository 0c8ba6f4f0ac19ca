import { seededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { NONE, SweepStatus } from "./sweep-status.ts";

describe("SweepStatus", () => {
  it("keeps the order of a plain array through 20,000 random insertions, removals and exchanges", () => {
    const random = seededRandom(99);
    const status = new SweepStatus(20_000);
    const expected: number[] = [];
    for (let edge = 0; edge < 20_000; edge++) {
      const growing = edge % 4000 < 2400;
      if (expected.length === 0 || random.next() < (growing ? 0.8 : 0.3)) {
        const at = random.integer(expected.length + 1);
        status.insertAbove(at === 0 ? NONE : status.nodeOf[expected[at - 1]!]!, edge);
        expected.splice(at, 0, edge);
      } else {
        const at = random.integer(expected.length);
        status.remove(status.nodeOf[expected[at]!]!);
        expected.splice(at, 1);
      }
      if (expected.length > 1) {
        const at = random.integer(expected.length - 1);
        status.swapWithAbove(status.nodeOf[expected[at]!]!);
        [expected[at], expected[at + 1]] = [expected[at + 1]!, expected[at]!];
      }
      if (edge % 500 === 0) {
        expect(alongLine(status)).toEqual(expected);
        expect(inTree(status, status.root)).toEqual(expected);
      }
    }
  });

  it.each([
    ["always highest", (last: number): number => last],
    ["always lowest", (): number => NONE],
  ])("stays as shallow as twice a logarithm when edges come %s", (_, place) => {
    const status = new SweepStatus(10_000);
    let last = NONE;
    for (let edge = 0; edge < 10_000; edge++) last = status.insertAbove(place(last), edge);
    expect(depth(status, status.root)).toBeLessThanOrEqual(2 * 14 + 1);
  });
});

function alongLine(status: SweepStatus): number[] {
  const edges: number[] = [];
  for (let node = status.lowest; node !== NONE; node = status.above[node]!) edges.push(status.edge[node]!);
  return edges;
}

function inTree(status: SweepStatus, node: number): number[] {
  if (node === NONE) return [];
  return [...inTree(status, status.left[node]!), status.edge[node]!, ...inTree(status, status.right[node]!)];
}

function depth(status: SweepStatus, node: number): number {
  if (node === NONE) return 0;
  return 1 + Math.max(depth(status, status.left[node]!), depth(status, status.right[node]!));
}
