import type { WorkMeter } from "../../../base/work-meter.ts";
import { orient2d } from "../../earth/predicates.ts";
import { computeCrossingPoint } from "../../noding/crossing-point.ts";
import { COMPARED, forEachNearPair } from "../../noding/sweep/near-edges.ts";
import { type SweepVisitor, sweepEdges } from "../../noding/sweep/sweep-edges.ts";
import { findQuickWays } from "../../noding/uncounted-work.ts";
import type { GeometryFault, GeometryFaultCode } from "../geometry-fault.ts";
import { createGeometryFault, type Rings } from "../rings.ts";
import {
  A_INSIDE_B,
  A_OUTSIDE_B,
  B_INSIDE_A,
  B_OUTSIDE_A,
  type Meeting,
  RingTouches,
} from "./ring-touches.ts";
import { areOnSameSide, type Strand, sideOfStrand } from "./strands.ts";

/** How rings meet. Pairs of rings are keyed `a * ringCount + b`. */
export interface Contacts {
  /** Places where rings meet although they must not, in ring order; at most the first ones are reported. */
  readonly faults: readonly GeometryFault[];
  /** Rings that meet themselves; the content inside them cannot be determined. */
  readonly broken: Uint8Array;
  readonly touches: RingTouches;
  /** Pairs known to cross, under both keys. */
  readonly crossing: ReadonlySet<number>;
  /** Points where two rings of one polygon meet, in order of edges. */
  readonly points: readonly ContactPoint[];
  /** How many stretches of edges rings of one polygon share, by polygon. */
  readonly sharedStretches: ReadonlyMap<number, number>;
  /** How many any two rings share. */
  readonly allSharedStretches: number;
  /**
   * A ring and the edge next below its westernmost position (−1: none), in turn, from west to east;
   * of rings that a sweep comes upon where no other edge is.
   */
  readonly openings: readonly number[];
}

/** A point that rings a and b share. */
export interface ContactPoint extends Meeting {
  readonly a: number;
  readonly b: number;
}

/**
 * Finds where rings meet. The edges of a few are compared by boxes, those of many swept. A sweep finds
 * faults from west to east, not in the order of rings; where there are many more than are told,
 * boxes are the quicker way to the first ones, unless they nearly all meet.
 *
 * @param limit greatest number of faults to tell
 * @param compared up to so many edges are compared
 */
export function findRingContacts(
  rings: Rings,
  meter: WorkMeter,
  limit: number,
  compared: number = COMPARED,
): Contacts {
  // Work that counts is that of a sweep, or of comparing boxes in turn.
  const ways = rings.count > COMPARED ? findQuickWays(meter) : undefined;
  const starts = rings.starts.subarray(0, rings.ringCount + 1);
  const join: FindMeetings = ({ pair }, isEnough) =>
    ways!.forEachPair(rings, starts, (i, j) => {
      pair(i, j);
      return !isEnough(10 * limit);
    });
  const sweep: FindMeetings = (visitor, isEnough) =>
    sweepEdges(rings, meter, { ...visitor, stop: () => isEnough(10 * limit) });
  const compare: FindMeetings = ({ pair }, isEnough) =>
    forEachNearPair(rings, meter, pair, () => isEnough(limit));
  const sweepAll: FindMeetings = (visitor) => sweepEdges(rings, meter, visitor);
  const someMany = Math.sqrt(16 * rings.count);
  return (
    (ways && collectRingContacts(rings, meter, limit, join)) ??
    (rings.count > compared ? collectRingContacts(rings, meter, limit, sweep, someMany) : undefined) ??
    collectRingContacts(rings, meter, limit, compare) ??
    collectRingContacts(rings, meter, limit, sweepAll)!
  );
}

/**
 * Calls a visitor for edges that meet, or that may meet in pairs; false: it gave up.
 *
 * @param isEnough whether so many faults have been found, or too many edges meet in one position
 */
type FindMeetings = (
  visitor: SweepVisitor & { pair(i: number, j: number): void },
  isEnough: (faults: number) => boolean,
) => boolean;

/**
 * Relations of rings that follow from edges that meet, which may come in any order; undefined if it gave up.
 *
 * @param together so many edges in one position it looks at
 */
function collectRingContacts(
  rings: Rings,
  meter: WorkMeter,
  limit: number,
  findMeetings: FindMeetings,
  together: number = Number.POSITIVE_INFINITY,
): Contacts | undefined {
  const collector = new ContactCollector(rings, meter, limit, together);
  const isDone = findMeetings(collector, (faults) => collector.isEnough(faults));
  return isDone ? collector.contacts() : undefined;
}

/**
 * Receives edges that meet, or that may meet in pairs, and records the relations of their rings. The visitors are
 * members of their own, so that a copy of the visitor has them.
 */
class ContactCollector {
  readonly #rings: Rings;
  readonly #meter: WorkMeter;
  readonly #together: number;
  readonly #first: FirstFaults;
  readonly #broken: Uint8Array;
  readonly #touches = new RingTouches();
  readonly #crossings = new Set<number>();
  readonly #points: ContactPoint[] = [];
  readonly #sharedStretches = new Map<number, number>();
  #allSharedStretches = 0;
  readonly #openings: number[] = [];
  /** Rings that the sweep has come upon. */
  readonly #isBegun: Uint8Array;
  /** Edges of a position that do not end there, by their rings' direction: each begins a strand. */
  readonly #begun: number[] = [];
  readonly #firstStrand: Strand = { previousX: 0, previousY: 0, nextX: 0, nextY: 0 };
  readonly #secondStrand: Strand = { ...this.#firstStrand };
  /** True if too many edges met in one position. */
  #isCrowded: boolean = false;

  constructor(rings: Rings, meter: WorkMeter, limit: number, together: number) {
    this.#rings = rings;
    this.#meter = meter;
    this.#together = together;
    this.#first = new FirstFaults(limit);
    this.#broken = new Uint8Array(rings.ringCount);
    this.#isBegun = new Uint8Array(rings.ringCount);
  }

  isEnough(faults: number): boolean {
    return this.#isCrowded || this.#first.added >= faults;
  }

  /** The contacts found once all edges that meet were added. */
  contacts(): Contacts {
    const { ringCount } = this.#rings;
    // A ring on both sides of another crosses it, unless either proves broken.
    this.#touches.forEachCrossing((a, b, { i, j, x, y }) => {
      if (this.#crossings.has(a * ringCount + b)) return;
      if (this.#broken[a] === 0 && this.#broken[b] === 0) this.#faultRings(i, j, x, y);
    });
    this.#points.sort(compareMeetings);
    return {
      faults: this.#first.inOrder(),
      broken: this.#broken,
      touches: this.#touches,
      crossing: this.#crossings,
      points: this.#points,
      sharedStretches: this.#sharedStretches,
      allSharedStretches: this.#allSharedStretches,
      openings: this.#openings,
    };
  }

  readonly pair = (i: number, j: number): void => {
    const { x0, y0, x1, y1, ringOf } = this.#rings;
    if (this.#visitedAsCorner(i, j)) return;
    const ax = x0[i]!;
    const ay = y0[i]!;
    const bx = x1[i]!;
    const by = y1[i]!;
    const cx = x0[j]!;
    const cy = y0[j]!;
    const dx = x1[j]!;
    const dy = y1[j]!;
    const c = orient2d(ax, ay, bx, by, cx, cy);
    const d = orient2d(ax, ay, bx, by, dx, dy);
    if ((c > 0 && d > 0) || (c < 0 && d < 0)) return;
    const a = orient2d(cx, cy, dx, dy, ax, ay);
    const b = orient2d(cx, cy, dx, dy, bx, by);
    if ((a > 0 && b > 0) || (a < 0 && b < 0)) return;

    if (a !== 0 && b !== 0 && c !== 0 && d !== 0) {
      const [x, y] = computeCrossingPoint(ax, ay, bx, by, cx, cy, dx, dy);
      if (ringOf[i] === ringOf[j]) this.#faultSelf("RING_SELF_CROSSING", i, j, x, y);
      else this.#faultRings(i, j, x, y);
      return;
    }
    if (c === 0 && d === 0) {
      // On one line: they share what their intervals share, if anything.
      const byX = ax !== bx;
      const low = Math.max(Math.min(byX ? ax : ay, byX ? bx : by), Math.min(byX ? cx : cy, byX ? dx : dy));
      const high = Math.min(Math.max(byX ? ax : ay, byX ? bx : by), Math.max(byX ? cx : cy, byX ? dx : dy));
      if (low < high) {
        this.#shareStretch(i, j);
        if (ringOf[i] === ringOf[j]) return;
      }
    }
    // Where either edge starts on the other; ends are the business of the edges after them.
    if (a === 0 && this.#isOn(j, ax, ay)) this.#meetIn(i, j, ax, ay);
    if (c === 0 && this.#isOn(i, cx, cy) && (cx !== ax || cy !== ay)) this.#meetIn(i, j, cx, cy);
  };

  /** True if a position on the line of an edge is on the edge. */
  #isOn(e: number, x: number, y: number): boolean {
    const { x0, y0, x1, y1 } = this.#rings;
    return (
      Math.min(x0[e]!, x1[e]!) <= x &&
      x <= Math.max(x0[e]!, x1[e]!) &&
      Math.min(y0[e]!, y1[e]!) <= y &&
      y <= Math.max(y0[e]!, y1[e]!)
    );
  }

  readonly crossing = (i: number, j: number): void => {
    this.#meter.add(PAIR_STEPS);
    this.pair(i, j);
  };

  readonly meeting = (at: readonly number[], _: number, x: number, y: number): void => {
    const { x0, y0, x1, y1, ringOf } = this.#rings;
    this.#isCrowded = at.length > this.#together;
    if (this.#isCrowded) return;
    this.#begun.length = 0;
    for (const edge of at) {
      this.#isBegun[ringOf[edge]!] = 1;
      if (x1[edge] !== x || y1[edge] !== y) this.#begun.push(edge);
    }
    this.#meter.add((PAIR_STEPS * this.#begun.length * (this.#begun.length - 1)) / 2);
    for (let q = 1; q < this.#begun.length; q++) {
      for (let p = 0; p < q; p++) {
        const i = Math.min(this.#begun[p]!, this.#begun[q]!);
        const j = Math.max(this.#begun[p]!, this.#begun[q]!);
        const endsHere = (x0[i] === x && y0[i] === y) || (x0[j] === x && y0[j] === y);
        if (!endsHere) this.#crossIn(i, j, x, y);
        else if (!this.#follow(i, j) && !this.#follow(j, i)) this.#meetIn(i, j, x, y);
      }
    }
  };

  readonly along = (i: number, j: number): void => {
    this.#meter.add(PAIR_STEPS);
    if (!this.#visitedAsCorner(i, j)) this.#shareStretch(i, j);
  };

  /** The first opening of a ring without an earlier event is at its westernmost position. */
  readonly opening = (i: number, _: number, below: number): void => {
    const { ringOf } = this.#rings;
    const ring = ringOf[i]!;
    if (this.#isBegun[ring] === 1) return;
    this.#isBegun[ring] = 1;
    this.#openings.push(ring, below);
  };

  /** Edges that run along each other, not one after the other. */
  #shareStretch(i: number, j: number): void {
    const { x0, y0, x1, y1, ringOf, polygonOf } = this.#rings;
    if (ringOf[i] === ringOf[j]) {
      const byX = x0[i] !== x1[i];
      const [start, from, to] = byX ? [x0[i]!, x0[j]!, x1[j]!] : [y0[i]!, y0[j]!, y1[j]!];
      const startsWithin = start >= Math.min(from, to) && start <= Math.max(from, to);
      this.#faultSelf(
        "RING_SELF_OVERLAP",
        i,
        j,
        startsWithin ? x0[i]! : x1[i]!,
        startsWithin ? y0[i]! : y1[i]!,
      );
      return;
    }
    this.#allSharedStretches++;
    const p = polygonOf[ringOf[i]!]!;
    if (p === polygonOf[ringOf[j]!]) this.#sharedStretches.set(p, (this.#sharedStretches.get(p) ?? 0) + 1);
  }

  /** Edges go through a point that is an end of neither: they cross there, unless they run along each other. */
  #crossIn(i: number, j: number, x: number, y: number): void {
    const { x1, y1 } = this.#rings;
    if (orient2d(x, y, x1[i]!, y1[i]!, x1[j]!, y1[j]!) !== 0) this.pair(i, j);
  }

  /** True if edge j of a ring is the one after edge i. */
  #follow(i: number, j: number): boolean {
    const { ringOf, starts } = this.#rings;
    const ring = ringOf[i]!;
    return ringOf[j] === ring && (i + 1 === starts[ring + 1] ? starts[ring]! : i + 1) === j;
  }

  #visitedAsCorner(i: number, j: number): boolean {
    if (this.#follow(i, j)) this.#visitCorner(i, j);
    else if (this.#follow(j, i)) this.#visitCorner(j, i);
    else return false;
    return true;
  }

  /** Edges that follow each other share a position; they may not fold back from there. */
  #visitCorner(i: number, j: number): void {
    const { x0, y0, x1, y1 } = this.#rings;
    const x = x1[i]!;
    const y = y1[i]!;
    if (orient2d(x0[i]!, y0[i]!, x, y, x1[j]!, y1[j]!) !== 0) return;
    if (areOnSameSide(x, y, x0[i]!, y0[i]!, x1[j]!, y1[j]!)) this.#faultSelf("RING_SELF_OVERLAP", i, j, x, y);
  }

  /**
   * Edges i and j share the point (x, y) and cross nowhere. Every meeting of two strands has
   * exactly one pair of edges of which neither ends in the point; the other pairs are left out.
   */
  #meetIn(i: number, j: number, x: number, y: number): void {
    const { x1, y1, ringOf, polygonOf, interiorLeft } = this.#rings;
    if ((x === x1[i] && y === y1[i]) || (x === x1[j] && y === y1[j])) return;
    this.#takeStrand(i, x, y, this.#firstStrand);
    this.#takeStrand(j, x, y, this.#secondStrand);
    const nextSide = sideOfStrand(this.#secondStrand, this.#firstStrand.nextX, this.#firstStrand.nextY, x, y);
    const previousSide = sideOfStrand(
      this.#secondStrand,
      this.#firstStrand.previousX,
      this.#firstStrand.previousY,
      x,
      y,
    );
    if (ringOf[i] === ringOf[j]) {
      // Where strands share a direction the stretch they share is reported.
      if (nextSide === 0 || previousSide === 0) return;
      this.#faultSelf(nextSide === previousSide ? "RING_SELF_TOUCH" : "RING_SELF_CROSSING", i, j, x, y);
      return;
    }
    const a = ringOf[i]!;
    const b = ringOf[j]!;
    const known = this.#touches.count;
    const met = this.#touches.pairOf(a, b);
    if (this.#touches.count > known) this.#meter.add(TOUCHING_RINGS_STEPS);
    const insideB = interiorLeft[b] ? 1 : -1;
    const insideA = interiorLeft[a] ? 1 : -1;
    this.#note(met, A_INSIDE_B, A_OUTSIDE_B, nextSide * insideB, previousSide * insideB, i, j, x, y);
    const nextOfB = sideOfStrand(this.#firstStrand, this.#secondStrand.nextX, this.#secondStrand.nextY, x, y);
    const previousOfB = sideOfStrand(
      this.#firstStrand,
      this.#secondStrand.previousX,
      this.#secondStrand.previousY,
      x,
      y,
    );
    this.#note(met, B_INSIDE_A, B_OUTSIDE_A, nextOfB * insideA, previousOfB * insideA, i, j, x, y);
    if (polygonOf[a] === polygonOf[b]) this.#points.push({ a, b, i, j, x, y });
  }

  /** A ring comes and goes on the inside (1) of another or the outside (−1); beside a simple one it keeps to one side. */
  #note(
    met: number,
    inside: number,
    outside: number,
    oneSide: number,
    otherSide: number,
    i: number,
    j: number,
    x: number,
    y: number,
  ): void {
    if (oneSide > 0 || otherSide > 0) this.#touches.note(met, inside, i, j, x, y);
    if (oneSide < 0 || otherSide < 0) this.#touches.note(met, outside, i, j, x, y);
  }

  /** The way a ring takes through a point of its edge e that is not the edge's end. */
  #takeStrand(e: number, x: number, y: number, strand: Strand): void {
    const { x0, y0, x1, y1, ringOf, starts } = this.#rings;
    const isInside = x !== x0[e] || y !== y0[e];
    const before = e === starts[ringOf[e]!]! ? starts[ringOf[e]! + 1]! - 1 : e - 1;
    strand.previousX = isInside ? x0[e]! : x0[before]!;
    strand.previousY = isInside ? y0[e]! : y0[before]!;
    strand.nextX = x1[e]!;
    strand.nextY = y1[e]!;
  }

  #faultSelf(code: GeometryFaultCode, i: number, j: number, x: number, y: number): void {
    const { ringOf, positionOf } = this.#rings;
    const how =
      code === "RING_SELF_CROSSING" ? "crosses" : code === "RING_SELF_TOUCH" ? "touches" : "runs back over";
    const [earlier, later] = i < j ? [i, j] : [j, i];
    this.#broken[ringOf[i]!] = 1;
    this.#first.add(earlier, later, () => {
      const message = `the ring ${how} itself: the edge from position ${positionOf[earlier]} meets the edge from position ${positionOf[later]}`;
      return createGeometryFault(this.#rings, code, message, earlier, x, y);
    });
  }

  #faultRings(i: number, j: number, x: number, y: number): void {
    const { ringOf, polygonOf, ringCount } = this.#rings;
    const a = ringOf[i]!;
    const b = ringOf[j]!;
    this.#crossings.add(a * ringCount + b).add(b * ringCount + a);
    this.#first.add(i, j, () => {
      const ofOnePolygon = polygonOf[a] === polygonOf[b];
      const what = ofOnePolygon
        ? `ring ${this.#rings.indexOf[b]} of the same polygon`
        : `ring ${this.#rings.indexOf[b]} of polygon ${polygonOf[b]}`;
      const message = `the ring crosses ${what}, at its edge from position ${this.#rings.positionOf[j]}`;
      return createGeometryFault(
        this.#rings,
        ofOnePolygon ? "RINGS_CROSS" : "PARTS_OVERLAP",
        message,
        i,
        x,
        y,
      );
    });
  }
}

const PAIR_STEPS = 16;
const TOUCHING_RINGS_STEPS = 64;

function compareMeetings(p: Meeting, q: Meeting): number {
  return p.i - q.i || p.j - q.j || p.x - q.x || p.y - q.y;
}

/** Keeps the first faults by edge, then by the other edge: one edge may cross all others. */
class FirstFaults {
  /** How many were found, kept or not. */
  added = 0;
  readonly #limit: number;
  #kept: { readonly edge: number; readonly other: number; readonly fault: GeometryFault }[] = [];
  #lastEdge = Number.POSITIVE_INFINITY;
  #lastOther = Number.POSITIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(edge: number, other: number, describe: () => GeometryFault): void {
    this.added++;
    if (edge > this.#lastEdge || (edge === this.#lastEdge && other > this.#lastOther)) return;
    this.#kept.push({ edge, other, fault: describe() });
    if (this.#kept.length < 2 * this.#limit) return;
    this.inOrder();
    this.#kept.length = this.#limit;
    const { edge: lastEdge, other: lastOther } = this.#kept[this.#limit - 1]!;
    this.#lastEdge = lastEdge;
    this.#lastOther = lastOther;
  }

  inOrder(): GeometryFault[] {
    return this.#kept.sort((p, q) => p.edge - q.edge || p.other - q.other).map(({ fault }) => fault);
  }
}
