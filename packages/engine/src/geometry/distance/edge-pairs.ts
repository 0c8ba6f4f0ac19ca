import { RADIANS_PER_DEGREE } from "../earth/elementary.ts";
import { leastEdgeChordSquared, ROUNDING } from "./bounds/chord-bounds.ts";
import {
  axisDistance,
  completeEdgeRecord,
  GREATEST_RADIUS,
  GREATEST_SAG,
  LEAST_RADIUS,
  PER_SQUARE,
  PLACE,
  type PlotTree,
  RECORD,
  SAG,
  WAY,
} from "./plot-tree.ts";
import type { Reach } from "./reach.ts";
import { type SearchWork, STEPS_PER_CUT, STEPS_PER_PAIR } from "./search-work.ts";
import type { ShortestLine } from "./shortest-line.ts";

/** Compares edges of a plot with edges of an area, all placed in the plot's frame. */
export class EdgePairs {
  readonly #reach: Reach;
  readonly #line: ShortestLine;
  readonly #work: SearchWork;
  /** Records of the halves of edges being cut. */
  readonly #halves = new Float64Array(RECORD * 2 * MOST_CUTS);

  constructor(reach: Reach, line: ShortestLine, work: SearchWork) {
    this.#reach = reach;
    this.#line = line;
    this.#work = work;
  }

  /**
   * Compares an edge of the plot, at `first[e]`, with one of the area, at `second[f]`. Long ones are cut;
   * else the shortest line between them ends at an end of one of them, up to an error within the bounds
   * promised, and what may be that line becomes a candidate.
   */
  compare(
    plot: PlotTree,
    first: Float64Array,
    e: number,
    second: Float64Array,
    f: number,
    depth: number,
  ): void {
    this.#work.steps += STEPS_PER_PAIR;
    const sagE = first[e + SAG]!;
    const sagF = second[f + SAG]!;
    if (sagE > GREATEST_SAG || sagF > GREATEST_SAG) {
      this.#cut(plot, first, e, second, f, sagF >= sagE, depth);
      return;
    }
    // From the first end of the plot's edge, P, to the area's, A; the ways u from P to Q, v from A to B.
    const wx = second[f + PLACE]! - first[e + PLACE]!;
    const wy = second[f + PLACE + 1]! - first[e + PLACE + 1]!;
    const wz = second[f + PLACE + 2]! - first[e + PLACE + 2]!;
    const ux = first[e + WAY]!;
    const uy = first[e + WAY + 1]!;
    const uz = first[e + WAY + 2]!;
    const vx = second[f + WAY]!;
    const vy = second[f + WAY + 1]!;
    const vz = second[f + WAY + 2]!;
    // Shares of the edges at which P, Q, A and B are nearest, below 0 or above 1 beyond their ends.
    const uv = ux * vx + uy * vy + uz * vz;
    const wu = wx * ux + wy * uy + wz * uz;
    const wv = wx * vx + wy * vy + wz * vz;
    const perU = first[e + PER_SQUARE]!;
    const perV = second[f + PER_SQUARE]!;
    const shareP = -wv * perV;
    const shareQ = (uv - wv) * perV;
    const shareA = wu * perU;
    const shareB = (wu + uv) * perU;
    const p = Math.max(0, Math.min(1, shareP));
    const q = Math.max(0, Math.min(1, shareQ));
    const a = Math.max(0, Math.min(1, shareA));
    const b = Math.max(0, Math.min(1, shareB));
    const squareP = lengthSquared(wx + p * vx, wy + p * vy, wz + p * vz);
    const squareQ = lengthSquared(wx - ux + q * vx, wy - uy + q * vy, wz - uz + q * vz);
    const squareA = lengthSquared(wx - a * ux, wy - a * uy, wz - a * uz);
    const squareB = lengthSquared(wx + vx - b * ux, wy + vy - b * uy, wz + vz - b * uz);

    const slack = sagE + sagF + 2 * plot.frame.errorMeters + ROUNDING;
    const square = Math.min(squareP, squareQ, squareA, squareB);
    const farthest = this.#reach.leafChord + slack;
    const limit = farthest * farthest;
    if (square > limit) return;
    const chord = Math.sqrt(square) + slack;
    if (edgeNeedsCut(second, f, chord)) {
      this.#cut(plot, first, e, second, f, true, depth);
    } else if (edgeNeedsCut(first, e, chord)) {
      this.#cut(plot, first, e, second, f, false, depth);
    } else {
      const line = this.#line;
      if (squareP <= limit) line.consider(plot, squareP, shareP, first, e, second, f, 1);
      if (squareQ <= limit) line.consider(plot, squareQ, shareQ, first, e + 2, second, f, 1);
      if (squareA <= limit) line.consider(plot, squareA, shareA, second, f, first, e, -1);
      if (squareB <= limit) line.consider(plot, squareB, shareB, second, f + 2, first, e, -1);
    }
  }

  /** Halves one of two edges and compares each half with the other edge, the nearer half first. */
  #cut(
    plot: PlotTree,
    first: Float64Array,
    e: number,
    second: Float64Array,
    f: number,
    halveSecond: boolean,
    depth: number,
  ): void {
    if (depth === MOST_CUTS) throw new Error("an edge was halved more often than its length allows");
    this.#work.steps += STEPS_PER_CUT;
    this.#work.settleMany();
    const source = halveSecond ? second : first;
    const at = halveSecond ? f : e;
    const halves = this.#halves;
    const a = 2 * RECORD * depth;
    const b = a + RECORD;
    const lon = (source[at]! + source[at + 2]!) / 2;
    const lat = (source[at + 1]! + source[at + 3]!) / 2;
    halves[a] = source[at]!;
    halves[a + 1] = source[at + 1]!;
    halves[a + 2] = halves[b] = lon;
    halves[a + 3] = halves[b + 1] = lat;
    halves[b + 2] = source[at + 2]!;
    halves[b + 3] = source[at + 3]!;
    completeEdgeRecord(halves, a, plot.frame);
    completeEdgeRecord(halves, b, plot.frame);
    const other = halveSecond ? first : second;
    const o = halveSecond ? e : f;
    const pole = Math.max(-other[o + 1]!, other[o + 1]!, -other[o + 3]!, other[o + 3]!);
    const axis = axisDistance(pole);
    const meridian = plot.meridianRadius;
    const leastA = leastEdgeChordSquared(other, o, halves, a, meridian, axis, pole);
    const leastB = leastEdgeChordSquared(other, o, halves, b, meridian, axis, pole);
    for (let i = 0; i < 2; i++) {
      const takeA = leastA <= leastB === (i === 0);
      if ((takeA ? leastA : leastB) > this.#reach.chordSquared) continue;
      const half = takeA ? a : b;
      if (halveSecond) this.compare(plot, first, e, halves, half, depth + 1);
      else this.compare(plot, halves, half, second, f, depth + 1);
    }
  }
}

/** Turn in longitude, radians, below which an edge needs no cutting however far the other side. */
const SMALL_TURN = 5e-4;
/** Edges are halved fewer times than this: 12 to undo the sag of a whole turn, 14 for its turn, both edges. */
const MOST_CUTS = 64;

function lengthSquared(x: number, y: number, z: number): number {
  return x * x + y * y + z * z;
}

/**
 * True if an edge may have more than one nearest point to a position this far away: it bends by no more than 2 |Δλ|
 * over its length, and has only one while bending · distance < 1. Edges that turn little never need cutting.
 */
function edgeNeedsCut(edges: Float64Array, edge: number, chord: number): boolean {
  const turn = Math.abs(edges[edge + 2]! - edges[edge]!) * RADIANS_PER_DEGREE;
  if (turn <= SMALL_TURN) return false;
  const latA = edges[edge + 1]!;
  const latB = edges[edge + 3]!;
  const north = LEAST_RADIUS * (latB - latA) * RADIANS_PER_DEGREE;
  const east = axisDistance(Math.max(-latA, latA, -latB, latB)) * turn;
  const length = Math.sqrt(north * north + east * east);
  return length > 1e-3 && (4 * chord * turn > length || chord > GREATEST_RADIUS);
}
