import { mulberry32 } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { orient2d } from "../earth/predicates.ts";
import { forEachPairOfChains } from "./chain-join.ts";
import type { Edges } from "./sweep/near-edges.ts";

const RUNS = process.env.GROUNDRULE_FULL === undefined ? 15 : 200;
const SEED = 20261122;

/** Edges of rings one after another, and the first of each ring. */
function toEdges(rings: readonly (readonly number[])[]): { edges: Edges; starts: number[] } {
  const [x0, y0, x1, y1]: [number[], number[], number[], number[]] = [[], [], [], []];
  const starts = [0];
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      if (ring[i] === ring[i + 2] && ring[i + 1] === ring[i + 3]) continue;
      x0.push(ring[i]!);
      y0.push(ring[i + 1]!);
      x1.push(ring[i + 2]!);
      y1.push(ring[i + 3]!);
    }
    if (x0.length > starts.at(-1)!) starts.push(x0.length);
  }
  const [a, b, c, d] = [x0, y0, x1, y1].map((list) => Float64Array.from(list)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return { edges: { count: a.length, x0: a, y0: b, x1: c, y1: d }, starts };
}

/** Walks, closed or not, on a grid of some fineness: many share positions, cross or run along each other. */
function randomWalks(random: () => number, count: number): number[][] {
  const below = (n: number): number => Math.floor(random() * n);
  return Array.from({ length: count }, () => {
    const fineness = 1 + below(3);
    let [x, y] = [below(20), below(20)];
    const ring = [x, y];
    for (let i = below(60); i > 0; i--) {
      x += (below(5) - 2) / fineness;
      y += (below(5) - 2) / fineness;
      ring.push(x, y);
    }
    if (below(2) === 0) ring.push(ring[0]!, ring[1]!);
    return ring;
  });
}

function boxesMeet({ x0, y0, x1, y1 }: Edges, i: number, j: number): boolean {
  const apart = (p0: number, p1: number, q0: number, q1: number): boolean =>
    Math.max(p0, p1) < Math.min(q0, q1) || Math.min(p0, p1) > Math.max(q0, q1);
  return !apart(x0[i]!, x1[i]!, x0[j]!, x1[j]!) && !apart(y0[i]!, y1[i]!, y0[j]!, y1[j]!);
}

/** True if edge j starts where edge i ends and does not run back over it. */
function continuesEdge({ x0, y0, x1, y1 }: Edges, i: number, j: number): boolean {
  if (j !== i + 1 || x1[i] !== x0[j] || y1[i] !== y0[j]) return false;
  if (orient2d(x0[i]!, y0[i]!, x1[i]!, y1[i]!, x1[j]!, y1[j]!) !== 0) return true;
  return (x1[i]! - x0[i]!) * (x1[j]! - x0[j]!) + (y1[i]! - y0[i]!) * (y1[j]! - y0[j]!) > 0;
}

function findPairs(edges: Edges, starts: readonly number[] | undefined): Set<string> {
  const found = new Set<string>();
  const isDone = forEachPairOfChains(edges, starts, (i, j) => {
    const pair = `${i} ${j}`;
    if (i >= j || found.has(pair)) expect.fail(`the pair ${pair} comes twice, or the wrong way round`);
    found.add(pair);
    return true;
  });
  expect(isDone).toBe(true);
  return found;
}

describe("forEachPairOfChains", () => {
  it("visits each pair of edges whose boxes meet once, but for some that go on from each other", () => {
    const random = mulberry32(SEED);
    let visited = 0;
    for (let run = 0; run < RUNS; run++) {
      const { edges, starts } = toEdges(randomWalks(random, 1 + Math.floor(random() * 12)));
      for (const ringStarts of [starts, undefined]) {
        const found = findPairs(edges, ringStarts);
        visited += found.size;
        for (let i = 0; i < edges.count; i++) {
          for (let j = i + 1; j < edges.count; j++) {
            const isFound = found.has(`${i} ${j}`);
            const mayBeLeftOut =
              continuesEdge(edges, i, j) && !(starts.includes(j) && ringStarts !== undefined);
            const isRight = boxesMeet(edges, i, j) ? isFound || mayBeLeftOut : !isFound;
            if (!isRight) expect.fail(`run ${run}: ${i} ${j} is ${isFound ? "found" : "left out"}`);
          }
        }
      }
    }
    expect(visited).toBeGreaterThan(800 * RUNS);
  });

  it("ends when its visitor returns false, and gives up where boxes nearly all meet", () => {
    const { edges, starts } = toEdges([[0, 0, 1, 0, 0, 1, 1, 1, 0, 0]]);
    let calls = 0;
    expect(forEachPairOfChains(edges, starts, () => ++calls < 2)).toBe(false);
    expect(calls).toBe(2);
    const aslant = Array.from({ length: 4000 }, (_, i) => [i, 0, i + 4000, 4000 + (i % 7)]);
    expect(forEachPairOfChains(toEdges(aslant).edges, undefined, () => true)).toBe(false);
    expect(forEachPairOfChains(toEdges([]).edges, undefined, () => true)).toBe(true);
  });

  it("looks at no more than some boxes an edge of outlines like those of real places", () => {
    const random = mulberry32(SEED);
    const ring: number[] = [];
    const count = 20_000;
    for (let i = 0; i < count; i++) {
      const angle = (2 * Math.PI * i) / count;
      const far = 1 + 0.1 * Math.sin(9 * angle) + (4 / count) * random();
      ring.push(far * Math.cos(angle), far * Math.sin(angle));
    }
    const { edges, starts } = toEdges([[...ring, ring[0]!, ring[1]!]]);
    expect(findPairs(edges, starts).size).toBeLessThan(3 * count);
  });
});
