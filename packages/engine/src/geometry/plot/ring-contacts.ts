import type { WorkMeter } from "../../base/work-meter.ts";
import { orient2d } from "../earth/predicates.ts";
import { crossingPoint } from "../noding/crossing-point.ts";
import { forEachNearPair } from "../noding/near-edges.ts";
import { sweepPairs } from "../noding/sweep-edges.ts";
import { quickWaysOf } from "../noding/uncounted-work.ts";
import type { GeometryFault, GeometryFaultCode } from "./geometry-fault.ts";
import { faultOf, type Rings } from "./rings.ts";

/** How rings meet. Pairs of rings are keyed `a * ringCount + b`. */
export interface Contacts {
  /** Where rings meet as they may not, in ring order, at most the first ones told. */
  readonly faults: readonly GeometryFault[];
  /** Rings that meet themselves; what lies inside them cannot be told. */
  readonly broken: Uint8Array;
  /** For rings a < b that meet: where each first runs off to which side of the other. */
  readonly touches: ReadonlyMap<number, Touch>;
  /** Pairs known to cross, under both keys. */
  readonly crossing: ReadonlySet<number>;
  /** Points where two rings of one polygon meet, in order of edges. */
  readonly points: readonly ContactPoint[];
  /** How many stretches of edges rings of one polygon share, by polygon. */
  readonly sharedStretches: ReadonlyMap<number, number>;
  /** How many any two rings share. */
  readonly allSharedStretches: number;
}

/**
 * Where rings a < b that meet first run off each other, if anywhere: a to the inside of b, a to the
 * outside of b, b to the inside of a, b to the outside of a.
 */
type Touch = [Meeting | undefined, Meeting | undefined, Meeting | undefined, Meeting | undefined];

/** A point that edges i < j share. */
interface Meeting {
  readonly i: number;
  readonly j: number;
  readonly x: number;
  readonly y: number;
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
 */
export function findContacts(rings: Rings, meter: WorkMeter, limit: number): Contacts {
  const compare: FindPairs = (visit, isEnough) => forEachNearPair(rings, meter, visit, () => isEnough(limit));
  const sweep: FindPairs = (visit, isEnough) =>
    sweepPairs(rings, meter, visit, () => isEnough(10 * limit), Math.sqrt(16 * rings.count));
  const sweepAll: FindPairs = (visit) => sweepPairs(rings, meter, visit);
  // Work that counts is that of a sweep.
  const ways = quickWaysOf(meter);
  const join: FindPairs = (visit, isEnough) =>
    ways!.forEachPair(rings, rings.starts.subarray(0, rings.ringCount + 1), (i, j) => {
      visit(i, j);
      return !isEnough(10 * limit);
    });
  const joined = ways === undefined ? undefined : collectContacts(rings, meter, limit, join);
  if (joined !== undefined) return joined;
  const first = rings.count > COMPARED ? collectContacts(rings, meter, limit, sweep) : undefined;
  return (
    first ?? collectContacts(rings, meter, limit, compare) ?? collectContacts(rings, meter, limit, sweepAll)!
  );
}

/** Up to so many edges comparing boxes is quicker. */
const COMPARED = 512;

/**
 * Visits pairs i < j of edges that may meet; false: it gave up.
 *
 * @param isEnough whether so many faults have been found
 */
type FindPairs = (visit: (i: number, j: number) => void, isEnough: (faults: number) => boolean) => boolean;

/** What pairs of edges that meet say of their rings, in whatever order they come. */
function collectContacts(
  rings: Rings,
  meter: WorkMeter,
  limit: number,
  findPairs: FindPairs,
): Contacts | undefined {
  const { x0, y0, x1, y1, ringOf, starts, polygonOf, interiorLeft, ringCount } = rings;
  const first = new FirstFaults(limit);
  const broken = new Uint8Array(ringCount);
  const touches = new Map<number, Touch>();
  const crossing = new Set<number>();
  const points: ContactPoint[] = [];
  const sharedStretches = new Map<number, number>();
  let allSharedStretches = 0;
  if (!findPairs(visit, (faults) => first.added >= faults)) return undefined;

  // A ring on both sides of another crosses it, unless either proves broken.
  for (const [key, [aInside, aOutside, bInside, bOutside]] of touches) {
    if (crossing.has(key)) continue;
    const change = laterOf(aInside, aOutside) ?? laterOf(bInside, bOutside);
    if (change === undefined) continue;
    const { i, j, x, y } = change;
    if (broken[ringOf[i]!] === 0 && broken[ringOf[j]!] === 0) faultRings(i, j, x, y);
  }
  points.sort(compareMeetings);
  return { faults: first.inOrder(), broken, touches, crossing, points, sharedStretches, allSharedStretches };

  function visit(i: number, j: number): void {
    const sameRing = ringOf[i] === ringOf[j];
    if (sameRing) {
      const closes = i === starts[ringOf[i]!]! && j === starts[ringOf[i]! + 1]! - 1;
      if (j === i + 1 || closes) {
        if (closes) visitCorner(j, i);
        else visitCorner(i, j);
        return;
      }
    }
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

    if (c === 0 && d === 0) {
      // On one line: they share what their intervals share, if anything.
      const byX = ax !== bx;
      const low = Math.max(Math.min(byX ? ax : ay, byX ? bx : by), Math.min(byX ? cx : cy, byX ? dx : dy));
      const high = Math.min(Math.max(byX ? ax : ay, byX ? bx : by), Math.max(byX ? cx : cy, byX ? dx : dy));
      if (low > high) return;
      const startOf = byX ? [ax, cx] : [ay, cy];
      if (low < high) {
        if (sameRing) {
          const [x, y] = startOf[0]! >= low && startOf[0]! <= high ? [ax, ay] : [bx, by];
          faultSelf("RING_SELF_OVERLAP", i, j, x, y);
          return;
        }
        allSharedStretches++;
        if (polygonOf[ringOf[i]!] === polygonOf[ringOf[j]!]) {
          const p = polygonOf[ringOf[i]!]!;
          sharedStretches.set(p, (sharedStretches.get(p) ?? 0) + 1);
        }
      }
      // Where either edge starts within the other; ends are the business of the edges after them.
      if (startOf[0]! >= low && startOf[0]! <= high) visitMeeting(i, j, ax, ay);
      const startsTogether = ax === cx && ay === cy;
      if (!startsTogether && startOf[1]! >= low && startOf[1]! <= high) visitMeeting(i, j, cx, cy);
    } else if (a !== 0 && b !== 0 && c !== 0 && d !== 0) {
      const [x, y] = crossingPoint(ax, ay, bx, by, cx, cy, dx, dy);
      if (sameRing) faultSelf("RING_SELF_CROSSING", i, j, x, y);
      else faultRings(i, j, x, y);
    } else {
      if (a === 0) visitMeeting(i, j, ax, ay);
      else if (b === 0) visitMeeting(i, j, bx, by);
      else if (c === 0) visitMeeting(i, j, cx, cy);
      else visitMeeting(i, j, dx, dy);
    }
  }

  /** Edges that follow each other share a position; they may not fold back from there. */
  function visitCorner(i: number, j: number): void {
    const x = x1[i]!;
    const y = y1[i]!;
    if (orient2d(x0[i]!, y0[i]!, x, y, x1[j]!, y1[j]!) !== 0) return;
    if (sameSide(x, y, x0[i]!, y0[i]!, x1[j]!, y1[j]!)) faultSelf("RING_SELF_OVERLAP", i, j, x, y);
  }

  /**
   * Edges i and j share the point (x, y) and cross nowhere. Every meeting of two strands has
   * exactly one pair of edges of which neither ends in the point; the other pairs are left out.
   */
  function visitMeeting(i: number, j: number, x: number, y: number): void {
    if ((x === x1[i] && y === y1[i]) || (x === x1[j] && y === y1[j])) return;
    const first = strandAt(i, x, y);
    const second = strandAt(j, x, y);
    const nextSide = sideOf(second, first.nextX, first.nextY, x, y);
    const previousSide = sideOf(second, first.previousX, first.previousY, x, y);
    if (ringOf[i] === ringOf[j]) {
      // Where strands share a direction the stretch they share is reported.
      if (nextSide === 0 || previousSide === 0) return;
      faultSelf(nextSide === previousSide ? "RING_SELF_TOUCH" : "RING_SELF_CROSSING", i, j, x, y);
      return;
    }
    const a = ringOf[i]!;
    const b = ringOf[j]!;
    const key = a * ringCount + b;
    let touch = touches.get(key);
    if (touch === undefined) {
      meter.add(TOUCHING_RINGS_STEPS);
      touch = [undefined, undefined, undefined, undefined];
      touches.set(key, touch);
    }
    const meeting = { i, j, x, y };
    note(touch, 0, nextSide, b, meeting);
    note(touch, 0, previousSide, b, meeting);
    note(touch, 2, sideOf(first, second.nextX, second.nextY, x, y), a, meeting);
    note(touch, 2, sideOf(first, second.previousX, second.previousY, x, y), a, meeting);
    if (polygonOf[a] === polygonOf[b]) points.push({ a, b, i, j, x, y });
  }

  /** A ring runs off to one side of the ring seen; beside a simple one it keeps to one side. */
  function note(touch: Touch, place: 0 | 2, side: number, seen: number, meeting: Meeting): void {
    if (side === 0) return;
    const at = side > 0 === interiorLeft[seen] ? place : place === 0 ? 1 : 3;
    const first = touch[at];
    if (first === undefined || compareMeetings(meeting, first) < 0) touch[at] = meeting;
  }

  /** The way a ring takes through a point of its edge e that is not the edge's end. */
  function strandAt(e: number, x: number, y: number): Strand {
    const inside = x !== x0[e] || y !== y0[e];
    const before = e === starts[ringOf[e]!]! ? starts[ringOf[e]! + 1]! - 1 : e - 1;
    return {
      previousX: inside ? x0[e]! : x0[before]!,
      previousY: inside ? y0[e]! : y0[before]!,
      nextX: x1[e]!,
      nextY: y1[e]!,
    };
  }

  function faultSelf(code: GeometryFaultCode, i: number, j: number, x: number, y: number): void {
    const how =
      code === "RING_SELF_CROSSING" ? "crosses" : code === "RING_SELF_TOUCH" ? "touches" : "runs back over";
    const [earlier, later] = i < j ? [i, j] : [j, i];
    const { positionOf } = rings;
    broken[ringOf[i]!] = 1;
    first.add(earlier, later, () => {
      const message = `the ring ${how} itself: the edge from position ${positionOf[earlier]} meets the edge from position ${positionOf[later]}`;
      return faultOf(rings, code, message, earlier, x, y);
    });
  }

  function faultRings(i: number, j: number, x: number, y: number): void {
    const a = ringOf[i]!;
    const b = ringOf[j]!;
    crossing.add(a * ringCount + b).add(b * ringCount + a);
    first.add(i, j, () => {
      const ofOnePolygon = polygonOf[a] === polygonOf[b];
      const what = ofOnePolygon
        ? `ring ${rings.indexOf[b]} of the same polygon`
        : `ring ${rings.indexOf[b]} of polygon ${polygonOf[b]}`;
      const message = `the ring crosses ${what}, at its edge from position ${rings.positionOf[j]}`;
      return faultOf(rings, ofOnePolygon ? "RINGS_CROSS" : "PARTS_OVERLAP", message, i, x, y);
    });
  }
}

const TOUCHING_RINGS_STEPS = 64;

function compareMeetings(p: Meeting, q: Meeting): number {
  return p.i - q.i || p.j - q.j || p.x - q.x || p.y - q.y;
}

/** Where both are known by, or nothing if one is not. */
function laterOf(p: Meeting | undefined, q: Meeting | undefined): Meeting | undefined {
  if (p === undefined || q === undefined) return undefined;
  return compareMeetings(p, q) > 0 ? p : q;
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

/** Two directions out of a point, given by the positions they lead to. */
interface Strand {
  readonly previousX: number;
  readonly previousY: number;
  readonly nextX: number;
  readonly nextY: number;
}

/** Whether b and c lie on the same side of a; the three are on one line, neither b nor c equals a. */
function sameSide(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): boolean {
  return bx !== ax ? bx < ax === cx < ax : by < ay === cy < ay;
}

/** On which side of a strand through (x, y) the direction to (qx, qy) lies: 1 left, −1 right, 0 along it. */
function sideOf(strand: Strand, qx: number, qy: number, x: number, y: number): number {
  const { previousX, previousY, nextX, nextY } = strand;
  const afterNext = orient2d(x, y, nextX, nextY, qx, qy);
  if (afterNext === 0 && sameSide(x, y, nextX, nextY, qx, qy)) return 0;
  const afterPrevious = orient2d(previousX, previousY, x, y, qx, qy);
  if (afterPrevious === 0 && sameSide(x, y, previousX, previousY, qx, qy)) return 0;
  const turn = orient2d(previousX, previousY, x, y, nextX, nextY);
  if (turn > 0) return afterNext > 0 && afterPrevious > 0 ? 1 : -1;
  if (turn < 0) return afterNext < 0 && afterPrevious < 0 ? -1 : 1;
  return afterNext > 0 ? 1 : -1;
}
