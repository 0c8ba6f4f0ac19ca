import type { Polygons } from "@groundrule/testing/shapes";
import { toScaled } from "./fixed-point.ts";

export interface ExactRelation {
  /** They share a point. */
  readonly meets: boolean;
  /** They share interior. */
  readonly overlaps: boolean;
  /** Every point of the first lies in the second, and the other way round. */
  readonly within: boolean;
  readonly contains: boolean;
}

/**
 * How two valid (multi)polygons stand to each other, by rational arithmetic alone. Every edge is cut
 * wherever the other's boundary meets it; what lies between cuts is inside, outside or on the
 * boundary as its middle is. Interiors lie to the left: outer rings counter-clockwise, holes clockwise.
 */
export function findExactRelation(first: Polygons, second: Polygons): ExactRelation {
  const [a, b] = [listEdges(first), listEdges(second)];
  const [ofA, ofB] = [cutEdgePieces(a, b), cutEdgePieces(b, a)];
  const has = (pieces: Pieces, place: Place): boolean => pieces.places.has(place);
  const overlaps = has(ofA, "inside") || has(ofB, "inside") || has(ofA, "along");
  return {
    meets: overlaps || ofA.meets,
    overlaps,
    within: !has(ofA, "outside") && !has(ofA, "against") && !has(ofB, "inside"),
    contains: !has(ofB, "outside") && !has(ofB, "against") && !has(ofA, "inside"),
  };
}

/** On the other's boundary: with the interiors on the same side, or on either side. */
type Place = "inside" | "outside" | "along" | "against";

interface Pieces {
  readonly meets: boolean;
  readonly places: ReadonlySet<Place>;
}

/** Doubles times 2^1074. */
interface Edge {
  readonly ax: bigint;
  readonly ay: bigint;
  readonly bx: bigint;
  readonly by: bigint;
}

/** A point (x / w, y / w), w > 0. */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
  readonly w: bigint;
}

interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

function cutEdgePieces(edges: readonly Edge[], others: readonly Edge[]): Pieces {
  let meets = false;
  const places = new Set<Place>();
  for (const edge of edges) {
    const found = others.flatMap((other) => findEdgeCuts(edge, other));
    if (found.length > 0) meets = true;
    const cuts = [{ n: 0n, d: 1n }, ...found, { n: 1n, d: 1n }];
    cuts.sort((s, t) => Number(sign(s.n * t.d - t.n * s.d)));
    for (let i = 1; i < cuts.length; i++) {
      const [s, t] = [cuts[i - 1]!, cuts[i]!];
      if (s.n * t.d === t.n * s.d) continue;
      places.add(
        locatePoint(computePointAt(edge, { n: s.n * t.d + t.n * s.d, d: 2n * s.d * t.d }), edge, others),
      );
    }
  }
  return { meets, places };
}

/** Where along an edge, from 0 to 1, another meets it: nowhere, at one place, or at both ends of a stretch. */
function findEdgeCuts({ ax, ay, bx, by }: Edge, other: Edge): Fraction[] {
  const [ux, uy] = [bx - ax, by - ay];
  const [vx, vy] = [other.bx - other.ax, other.by - other.ay];
  const [wx, wy] = [other.ax - ax, other.ay - ay];
  const cross = ux * vy - uy * vx;
  const isOn = ({ n, d }: Fraction): boolean => n >= 0n && n <= d;
  if (cross !== 0n) {
    const s = sign(cross);
    const d = cross * s;
    const along = { n: (wx * vy - wy * vx) * s, d };
    return isOn(along) && isOn({ n: (wx * uy - wy * ux) * s, d }) ? [along] : [];
  }
  if (wx * uy - wy * ux !== 0n) return [];
  const d = ux * ux + uy * uy;
  const [from, to] = [wx * ux + wy * uy, (wx + vx) * ux + (wy + vy) * uy];
  const [low, high] = from < to ? [from, to] : [to, from];
  if (high < 0n || low > d) return [];
  return [
    { n: low < 0n ? 0n : low, d },
    { n: high > d ? d : high, d },
  ];
}

function computePointAt({ ax, ay, bx, by }: Edge, { n, d }: Fraction): Point {
  return { x: ax * d + n * (bx - ax), y: ay * d + n * (by - ay), w: d };
}

function locatePoint({ x, y, w }: Point, edge: Edge, others: readonly Edge[]): Place {
  let inside = false;
  for (const { ax, ay, bx, by } of others) {
    const side = (bx - ax) * (y - ay * w) - (by - ay) * (x - ax * w);
    const [low, high] = ay < by ? [ay, by] : [by, ay];
    const [west, east] = ax < bx ? [ax, bx] : [bx, ax];
    if (side === 0n && x >= west * w && x <= east * w && y >= low * w && y <= high * w) {
      const same = (edge.bx - edge.ax) * (bx - ax) + (edge.by - edge.ay) * (by - ay) > 0n;
      return same ? "along" : "against";
    }
    // Going up with the point to the left, or down with it to the right: the way east crosses the edge.
    if (y >= low * w && y < high * w && side > 0n === by > ay) inside = !inside;
  }
  return inside ? "inside" : "outside";
}

function listEdges(polygons: Polygons): Edge[] {
  return polygons.flat().flatMap((ring) =>
    Array.from({ length: ring.length / 2 - 1 }, (_, i) => {
      const [ax, ay, bx, by] = Array.from(ring.subarray(2 * i, 2 * i + 4), (x) => toScaled(x, 1074n));
      return { ax: ax!, ay: ay!, bx: bx!, by: by! };
    }),
  );
}

function sign(value: bigint): bigint {
  return value > 0n ? 1n : value < 0n ? -1n : 0n;
}
