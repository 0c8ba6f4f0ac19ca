import { orient2d } from "@groundrule/engine/internal";
import Flatbush from "flatbush";
import type { Polygons } from "./grid.ts";

/** Positions compared with edges, and edges with edges, before a geometry is left as it is: some seconds. */
const GREATEST_WORK = 20_000_000;
/** Work for a crossing, in the same measure. */
const CROSSING_WORK = 100;

/**
 * Rings whose edges meet at their ends only, all on the integer grid: iterated snap rounding.
 *
 * Every position, and every crossing rounded to the grid, is hot: edges that pass through the square of one unit
 * round it are led through it, and the pieces again, until no edge passes through a hot square but at its ends. So
 * no edge comes nearer than half a unit to a position that is not its own, and the rings still mean the same to
 * whoever reads their degrees as doubles, whose steps are a hundred-millionth of a unit.
 *
 * It ends: a piece of an edge lies within the edge's box, so the sum of its width and height is shared out among its
 * pieces, in whole units, at least one for each. It holds: leading edges through the hot squares they pass moves no
 * edge across a position (Guibas and Marimont 1998; repeated: Halperin and Packer 2002), and each by less than a unit
 * a round.
 *
 * @param polygons integers within ±2³⁰, closed rings
 * @returns the same rings, closed, led through the hot positions; they may run back over themselves. Undefined where
 *   it takes too much work.
 */
export function snapPolygonsToGrid(polygons: Polygons): Float64Array[][] | undefined {
  const work = { left: GREATEST_WORK };
  const edges = listRingEdges(polygons.flat());
  if (edges.length === 0) return polygons.map((rings) => [...rings]);
  const hot = findHotPositions(edges, work);
  if (hot === undefined) return undefined;
  const noded: Float64Array[][] = [];
  for (const rings of polygons) {
    const own: Float64Array[] = [];
    for (const ring of rings) {
      const led = snapRingToHotPositions(ring, hot, work);
      if (led === undefined) return undefined;
      own.push(led);
    }
    noded.push(own);
  }
  return noded;
}

interface Work {
  left: number;
}

/** Flat `[x0, y0, x1, y1, …]`. */
function listRingEdges(rings: readonly Float64Array[]): Float64Array {
  const edges: number[] = [];
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      if (ring[i] === ring[i + 2] && ring[i + 1] === ring[i + 3]) continue;
      edges.push(ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!);
    }
  }
  return Float64Array.from(edges);
}

/** Hot positions by box. */
interface HotPositions {
  readonly index: Flatbush;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

function findHotPositions(edges: Float64Array, work: Work): HotPositions | undefined {
  const positions = new Map<string, readonly [number, number]>();
  const add = (x: number, y: number): void => {
    positions.set(`${x} ${y}`, [x, y]);
  };
  for (let i = 0; i < edges.length; i += 2) add(edges[i]!, edges[i + 1]!);
  if (!forEachCrossing(edges, work, add)) return undefined;
  const x = new Float64Array(positions.size);
  const y = new Float64Array(positions.size);
  const index = new Flatbush(positions.size);
  let count = 0;
  for (const position of positions.values()) {
    [x[count], y[count]] = position;
    index.add(position[0], position[1], position[0], position[1]);
    count++;
  }
  index.finish();
  return { index, x, y };
}

/** Visits where edges cross, rounded to the grid. False where there is too much to compare. */
function forEachCrossing(edges: Float64Array, work: Work, visit: (x: number, y: number) => void): boolean {
  const found = (x: number, y: number): void => {
    work.left -= CROSSING_WORK;
    visit(x, y);
  };
  const count = edges.length / 4;
  const index = new Flatbush(count);
  for (let e = 0; e < count; e++) {
    const [x0, y0, x1, y1] = edges.subarray(4 * e) as unknown as [number, number, number, number];
    index.add(Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1));
  }
  index.finish();
  for (let e = 0; e < count; e++) {
    const [x0, y0, x1, y1] = edges.subarray(4 * e) as unknown as [number, number, number, number];
    const box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)] as const;
    // The filter sees each candidate and collects none: memory stays that of the index.
    index.search(...box, (other) => {
      work.left--;
      if (other > e && work.left >= 0) visitGridCrossing(edges, e, other, found);
      return false;
    });
    if (work.left < 0) return false;
  }
  return true;
}

/** A ring through all hot positions whose squares it passes. */
function snapRingToHotPositions(ring: Float64Array, hot: HotPositions, work: Work): Float64Array | undefined {
  const led: number[] = [ring[0]!, ring[1]!];
  let [x, y] = [ring[0]!, ring[1]!];
  for (let i = 2; i < ring.length; i += 2) {
    /** Positions still to be reached, the next one last. */
    const ahead: (readonly [number, number])[] = [[ring[i]!, ring[i + 1]!]];
    while (ahead.length > 0) {
      const [toX, toY] = ahead.at(-1)!;
      const between = findHotOnEdge(x, y, toX, toY, hot, work);
      if (work.left < 0) return undefined;
      if (between.length > 0) {
        for (const each of between) ahead.push(each);
        continue;
      }
      ahead.pop();
      if (toX !== x || toY !== y) led.push(toX, toY);
      [x, y] = [toX, toY];
    }
  }
  return Float64Array.from(led);
}

/** Hot positions besides its ends whose squares an edge passes, the farthest first. */
function findHotOnEdge(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  { index, x, y }: HotPositions,
  work: Work,
): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  // Squares that an edge between positions of the grid passes are within the box of its ends.
  const box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)] as const;
  index.search(...box, (h) => {
    work.left--;
    const isEnd = (x[h] === x0 && y[h] === y0) || (x[h] === x1 && y[h] === y1);
    if (!isEnd && work.left >= 0 && passesThroughSquare(x0, y0, x1, y1, x[h]!, y[h]!))
      found.push([x[h]!, y[h]!]);
    return false;
  });
  if (found.length < 2) return found;
  // An edge that goes east and north passes squares further east or north, never back.
  const eastward = x1 >= x0 ? 1 : -1;
  const northward = y1 >= y0 ? 1 : -1;
  return found.sort((a, b) => eastward * (b[0] - a[0]) + northward * (b[1] - a[1]));
}

/**
 * True if an edge passes through the square of one unit round a position in its box; the western and southern sides of
 * the square belong to it, so that each place lies in one square. Exact.
 */
function passesThroughSquare(x0: number, y0: number, x1: number, y1: number, x: number, y: number): boolean {
  if (x0 === x1 || y0 === y1) return true;
  // In half units, from west to east.
  const [west, east] = x0 < x1 ? [0, 1] : [1, 0];
  const ends = [2 * x0, 2 * y0, 2 * x1, 2 * y1];
  const [ax, ay, bx, by] = [ends[2 * west]!, ends[2 * west + 1]!, ends[2 * east]!, ends[2 * east + 1]!];
  const sideOf = (cornerX: number, cornerY: number): number => orient2d(ax, ay, bx, by, cornerX, cornerY);
  // Corners that belong to another square may lie on the edge; the south-western one is the square's own.
  return ay < by
    ? sideOf(2 * x - 1, 2 * y + 1) > 0 && sideOf(2 * x + 1, 2 * y - 1) < 0
    : sideOf(2 * x + 1, 2 * y + 1) > 0 && sideOf(2 * x - 1, 2 * y - 1) <= 0;
}

/**
 * Visits where two edges cross between their ends, rounded to the nearest position of the grid, halves to the east
 * and north. Exact: fractions are of integers. Edges that touch, or lie upon each other, do so at a position.
 *
 * @param edges flat `[x0, y0, x1, y1, …]`, integers
 */
function visitGridCrossing(
  edges: Float64Array,
  e: number,
  f: number,
  visit: (x: number, y: number) => void,
): void {
  const [ax, ay, bx, by] = [edges[4 * e]!, edges[4 * e + 1]!, edges[4 * e + 2]!, edges[4 * e + 3]!];
  const [cx, cy, dx, dy] = [edges[4 * f]!, edges[4 * f + 1]!, edges[4 * f + 2]!, edges[4 * f + 3]!];
  const sideC = orient2d(ax, ay, bx, by, cx, cy);
  const sideD = orient2d(ax, ay, bx, by, dx, dy);
  if (!((sideC > 0 && sideD < 0) || (sideC < 0 && sideD > 0))) return;
  const sideA = orient2d(cx, cy, dx, dy, ax, ay);
  const sideB = orient2d(cx, cy, dx, dy, bx, by);
  if (!((sideA > 0 && sideB < 0) || (sideA < 0 && sideB > 0))) return;

  const [alongX, alongY] = [BigInt(bx - ax), BigInt(by - ay)];
  const [acrossX, acrossY] = [BigInt(dx - cx), BigInt(dy - cy)];
  const whole = alongX * acrossY - alongY * acrossX;
  const part = BigInt(cx - ax) * acrossY - BigInt(cy - ay) * acrossX;
  visit(ax + divideToNearestInteger(alongX * part, whole), ay + divideToNearestInteger(alongY * part, whole));
}

/** The quotient rounded to the nearest integer, halves up. */
function divideToNearestInteger(numerator: bigint, denominator: bigint): number {
  const [above, below] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const doubled = 2n * above + below;
  const quotient = doubled / (2n * below);
  return Number(doubled < 0n && doubled % (2n * below) !== 0n ? quotient - 1n : quotient);
}
