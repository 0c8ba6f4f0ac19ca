import { createRegularStar, VALID_SHAPES } from "@groundrule/testing/hard-rings";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { WorkMeter } from "../../../base/work-meter.ts";
import { orient2d, segmentsIntersect } from "../../earth/predicates.ts";
import { type Edges, forEachNearPair } from "./near-edges.ts";
import { sweepEdges } from "./sweep-edges.ts";

/** Random sets of edges on each kind of ordinate. */
const SETS = process.env.GROUNDRULE_FULL ? 4000 : 400;
const unlimited = (): WorkMeter => new WorkMeter(Number.POSITIVE_INFINITY);

describe("sweepEdges, taken in pairs,", () => {
  it.each([
    ["a grid of 2", randomOnGrid(2)],
    ["a grid of 3", randomOnGrid(3)],
    ["a grid of 5", randomOnGrid(5)],
    ["a grid of 9", randomOnGrid(9)],
    ["a grid, off by units in the last place", randomGridOrdinate],
    [
      "numbers of all sizes",
      (random: () => number) => (random() - 0.5) * 10 ** Math.floor(random() * 40 - 20),
    ],
    ["numbers too small and too large for floating-point determinants", randomExtremeOrdinate],
    ["the plane", (random: () => number) => random()],
  ])(
    `visits each pair that meets once, as comparing all pairs says: ${SETS} sets of edges on %s`,
    (_, ordinate) => {
      const random = createSeededRandom(20_261_120).next;
      let met = 0;
      for (let run = 0; run < SETS; run++) {
        const edges = randomEdges(random, ordinate);
        const expected: string[] = [];
        for (let i = 0; i < edges.count; i++) {
          for (let j = i + 1; j < edges.count; j++) if (edgesMeet(edges, i, j)) expected.push(`${i} ${j}`);
        }
        const found: string[] = [];
        const along = visitPairs(edges, (i, j) => found.push(`${i} ${j}`));
        expect(along.sort(), `run ${run}`).toEqual(listOverlappingPairs(edges).sort());
        const reported = new Set(found);
        expect(reported.size, `run ${run}`).toBe(found.length);
        expect(
          found.filter((pair) => !expected.includes(pair)),
          `run ${run}`,
        ).toEqual([]);
        for (const pair of expected.filter((one) => !reported.has(one))) {
          const [i, j] = pair.split(" ").map(Number) as [number, number];
          expect(followWithoutFold(edges, i, j), `run ${run}, ${pair}`).toBe(true);
        }
        met += expected.length;

        const near = new Set<string>();
        expect(forEachNearPair(edges, unlimited(), (i, j) => near.add(`${i} ${j}`))).toBe(true);
        expect(expected.every((pair) => near.has(pair))).toBe(true);
      }
      expect(met).toBeGreaterThan(8 * SETS);
    },
  );
});

describe("sweepEdges", () => {
  it.each([
    ["a grid of 30", (random: () => number): number => Math.floor(random() * 30)],
    ["the plane", (random: () => number): number => random()],
    [
      "lines that all but coincide",
      (random: () => number): number => Math.floor(random() * 40) * 2 ** -52 + 1,
    ],
  ])("crosses long edges by the hundred in %s as comparing all pairs does", (_, ordinate) => {
    const random = createSeededRandom(12).next;
    for (let run = 0; run < 3; run++) {
      const edges = toEdges(
        Array.from({ length: 160 }, () => Array.from({ length: 4 }, () => ordinate(random))),
      );
      const expected: string[] = [];
      for (let i = 0; i < edges.count; i++) {
        for (let j = i + 1; j < edges.count; j++) if (edgesMeet(edges, i, j)) expected.push(`${i} ${j}`);
      }
      const found: string[] = [];
      const along = visitPairs(edges, (i, j) => found.push(`${i} ${j}`));
      expect(along.sort()).toEqual(listOverlappingPairs(edges).sort());
      const reported = new Set(found);
      expect(reported.size).toBe(found.length);
      expect(expected.filter((pair) => !reported.has(pair)).length).toBeLessThan(5);
      const meeting = new Set(expected);
      expect(found.filter((pair) => !meeting.has(pair))).toEqual([]);
    }
  });

  it("reports an edge and the one that follows it only where something else is, or a fold", () => {
    const reported: number[][] = [];
    const visitor = { meeting: (at: readonly number[]) => reported.push([...at].sort()) };
    const square = [0, 0, 4, 0, 4, 4, 0, 4, 0, 0];
    sweepEdges(toRingEdges(Float64Array.from(square)), unlimited(), visitor);
    expect(reported).toEqual([]);
    // A spike to (6, 4) along an edge, then an edge that touches (4, 0).
    sweepEdges(toRingEdges(Float64Array.from([0, 0, 4, 0, 6, 4, 5, 2, 0, 4, 0, 0])), unlimited(), visitor);
    expect(reported.splice(0)).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);
    sweepEdges(
      toEdges([
        [0, 0, 4, 0],
        [4, 0, 4, 4],
        [3, -1, 5, 1],
      ]),
      unlimited(),
      visitor,
    );
    expect(reported).toEqual([[0, 1, 2]]);
  });

  it("reports as crossings those in ends of no edge, and as meetings the others", () => {
    const edges = toEdges([
      [0, 0, 4, 4],
      [0, 4, 4, 0],
      [2, 2, 3, 2],
      [0, 1, 4, 1],
    ]);
    const seen: unknown[] = [];
    sweepEdges(edges, unlimited(), {
      crossing: (i, j) => seen.push([i, j]),
      meeting: (at, oldCount, x, y) => seen.push({ at: [...at].sort(), oldCount, x, y }),
    });
    expect(seen).toEqual([[0, 3], { at: [0, 1, 2], oldCount: 2, x: 2, y: 2 }, [1, 3]]);
  });

  it("finds the edge below positions as comparing with all edges does, over and over", () => {
    const random = createSeededRandom(7).next;
    const ordinate = randomOnGrid(6);
    for (let run = 0; run < SETS / 2; run++) {
      const edges = randomEdges(random, ordinate);
      const queries = Float64Array.from({ length: 20 }, () => ordinate(random) + (random() < 0.5 ? 0.5 : 0));
      sweepEdges(
        edges,
        unlimited(),
        {
          located(query, below, on) {
            const [x, y] = [queries[2 * query]!, queries[2 * query + 1]!];
            const all = Array.from({ length: edges.count }, (_, e) => e);
            const through = all.some((e) => isLong(edges, e) && contains(edges, e, x, y));
            expect(on, `run ${run}`).toBe(through);
            // Just east of the position, edges below it, the highest first.
            const heights = all.flatMap((e) => {
              const [west, east] = edges.x0[e]! < edges.x1[e]! ? [edges.x0, edges.x1] : [edges.x1, edges.x0];
              if (!(west[e]! <= x && x < east[e]!)) return [];
              const slope = (edges.y1[e]! - edges.y0[e]!) / (edges.x1[e]! - edges.x0[e]!);
              const height = edges.y0[e]! + slope * (x - edges.x0[e]!);
              return contains(edges, e, x, y) || height > y ? [] : [height];
            });
            const highest = Math.max(...heights);
            if (below === -1) expect(heights, `run ${run}`).toEqual([]);
            else {
              const slope = (edges.y1[below]! - edges.y0[below]!) / (edges.x1[below]! - edges.x0[below]!);
              expect(edges.y0[below]! + slope * (x - edges.x0[below]!), `run ${run}`).toBeCloseTo(highest, 9);
            }
          },
        },
        queries,
      );
    }
  });

  it.each(Object.entries(VALID_SHAPES))("takes n log n steps for a %s", (_, make) => {
    const stepsFor = (n: number): number => {
      const meter = unlimited();
      const xy = make(n);
      sweepEdges(toRingEdges(xy), meter, { crossing: () => expect.fail("the ring is simple") });
      return meter.counted;
    };
    // 10 for linear growth, 13.3 for n log n at this size, 100 for quadratic.
    expect(stepsFor(20_000) / stepsFor(2000)).toBeLessThan(13.4);
    expect(stepsFor(20_000)).toBeLessThan(20_000 * 500);
  });

  it("takes k log k steps for stars of n edges and k crossings", () => {
    const stepsAndCrossings = (n: number): [number, number] => {
      const meter = unlimited();
      let crossings = 0;
      const crossing = (): void => {
        crossings++;
      };
      sweepEdges(toRingEdges(createRegularStar(n, (n - 1) / 2)), meter, { crossing });
      return [meter.counted, crossings];
    };
    const [few, small] = stepsAndCrossings(101);
    const [many, large] = stepsAndCrossings(301);
    expect(small).toBe((101 * (101 - 3)) / 2);
    expect(large).toBe((301 * (301 - 3)) / 2);
    expect(many / few / (large / small)).toBeLessThan(1.4);
  });

  it("is through with many crossings on a meridian full of ends", () => {
    // Crossings at x = 1, each just north of a row of ends there.
    const lines: number[][] = [];
    for (let i = 0; i < 1000; i++) {
      lines.push([0, 3 * i, 2, 3 * i + 1], [0, 3 * i + 1, 2, 3 * i], [0.9, 3 * i - 1, 1, 3 * i - 1]);
    }
    const meter = unlimited();
    let crossings = 0;
    sweepEdges(toEdges(lines), meter, { crossing: () => crossings++ });
    expect(crossings).toBe(1000);
    expect(meter.counted).toBeLessThan(1000 * 10_000);
  });
});

/** Visits each pair of edges i < j that share a point once, as a sweep tells; returns those along each other. */
function visitPairs(edges: Edges, visit: (i: number, j: number) => void): string[] {
  const { x0, y0, x1, y1 } = edges;
  const along: string[] = [];
  sweepEdges(edges, unlimited(), {
    crossing: visit,
    meeting(at, oldCount, x, y) {
      for (let q = 1; q < at.length; q++) {
        for (let p = 0; p < q; p++) {
          // Edges that come to (x, y) along each other have met before.
          const [ix, iy] = westEnd(at[p]!);
          const [jx, jy] = westEnd(at[q]!);
          if (q < oldCount && orient2d(ix, iy, x, y, jx, jy) === 0) continue;
          visit(Math.min(at[p]!, at[q]!), Math.max(at[p]!, at[q]!));
        }
      }
    },
    along: (i, j) => along.push(`${i} ${j}`),
  });
  return along;

  function westEnd(e: number): [number, number] {
    const forward = x0[e]! < x1[e]! || (x0[e] === x1[e] && y0[e]! < y1[e]!);
    return forward ? [x0[e]!, y0[e]!] : [x1[e]!, y1[e]!];
  }
}

/** Pairs on one line whose intervals share more than a point. */
function listOverlappingPairs(edges: Edges): string[] {
  const { x0, y0, x1, y1, count } = edges;
  const pairs: string[] = [];
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      if (!isLong(edges, i) || !isLong(edges, j)) continue;
      if (orient2d(x0[i]!, y0[i]!, x1[i]!, y1[i]!, x0[j]!, y0[j]!) !== 0) continue;
      if (orient2d(x0[i]!, y0[i]!, x1[i]!, y1[i]!, x1[j]!, y1[j]!) !== 0) continue;
      const [from, to] = x0[i] !== x1[i] ? [x0, x1] : [y0, y1];
      const low = Math.max(Math.min(from[i]!, to[i]!), Math.min(from[j]!, to[j]!));
      const high = Math.min(Math.max(from[i]!, to[i]!), Math.max(from[j]!, to[j]!));
      if (low < high) pairs.push(`${i} ${j}`);
    }
  }
  return pairs;
}

function randomOnGrid(size: number): (random: () => number) => number {
  return (random) => Math.floor(random() * size);
}

function randomGridOrdinate(random: () => number): number {
  return 1 + Math.floor(random() * 3) + Math.floor(random() * 5 - 2) * 2 ** -51;
}

function randomExtremeOrdinate(random: () => number): number {
  return Math.floor(random() * 4) * (random() < 0.5 ? 1e-310 : random() < 0.5 ? 1e160 : 1);
}

function toEdges(lines: readonly (readonly number[])[]): Edges {
  const column = (k: number): Float64Array => Float64Array.from(lines, (line) => line[k]!);
  return { count: lines.length, x0: column(0), y0: column(1), x1: column(2), y1: column(3) };
}

function toRingEdges(xy: Float64Array): Edges {
  return toEdges(Array.from({ length: xy.length / 2 - 1 }, (_, e) => [...xy.subarray(2 * e, 2 * e + 4)]));
}

/** Up to 14 edges, many of them one after another, some of no length. */
function randomEdges(random: () => number, ordinate: (random: () => number) => number): Edges {
  const lines: number[][] = [];
  const count = 1 + Math.floor(random() * 14);
  let [x, y] = [ordinate(random), ordinate(random)];
  while (lines.length < count) {
    if (random() < 0.3) [x, y] = [ordinate(random), ordinate(random)];
    const [toX, toY] = random() < 0.1 ? [x, y] : [ordinate(random), ordinate(random)];
    lines.push([x, y, toX, toY]);
    [x, y] = [toX, toY];
  }
  return toEdges(lines);
}

function isLong({ x0, y0, x1, y1 }: Edges, e: number): boolean {
  return x0[e] !== x1[e] || y0[e] !== y1[e];
}

function edgesMeet(edges: Edges, i: number, j: number): boolean {
  const { x0, y0, x1, y1 } = edges;
  return (
    isLong(edges, i) &&
    isLong(edges, j) &&
    segmentsIntersect(x0[i]!, y0[i]!, x1[i]!, y1[i]!, x0[j]!, y0[j]!, x1[j]!, y1[j]!)
  );
}

/**
 * True if edges i < j follow each other in one run, or are its last and first, and leave each other at their common
 * end.
 */
function followWithoutFold({ x0, y0, x1, y1 }: Edges, i: number, j: number): boolean {
  const turn = (p: number, q: number): boolean =>
    x1[p] === x0[q] && y1[p] === y0[q] && orient2d(x0[p]!, y0[p]!, x1[p]!, y1[p]!, x1[q]!, y1[q]!) !== 0;
  const straightOn = (p: number, q: number): boolean =>
    x1[p] === x0[q] &&
    y1[p] === y0[q] &&
    (x0[p]! < x1[p]! || (x0[p] === x1[p] && y0[p]! < y1[p]!)) ===
      (x0[q]! < x1[q]! || (x0[q] === x1[q] && y0[q]! < y1[q]!));
  return turn(i, j) || turn(j, i) || straightOn(i, j) || straightOn(j, i);
}

function contains({ x0, y0, x1, y1 }: Edges, e: number, x: number, y: number): boolean {
  return (
    orient2d(x0[e]!, y0[e]!, x1[e]!, y1[e]!, x, y) === 0 &&
    segmentsIntersect(x0[e]!, y0[e]!, x1[e]!, y1[e]!, x, y, x, y)
  );
}
