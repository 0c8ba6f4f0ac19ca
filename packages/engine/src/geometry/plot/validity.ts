import Flatbush from "flatbush";
import { FAULT_LIMIT } from "../../base/errors.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { orient2d } from "../earth/predicates.ts";
import { crossingPoint } from "../noding/crossing-point.ts";
import { type Edges, forEachNearPair } from "../noding/near-edges.ts";
import { sweepEdges, sweepPairs } from "../noding/sweep-edges.ts";

/** What can be wrong with the rings of a polygon or multipolygon. */
export type GeometryFaultCode =
  /** Two edges of a ring cross, or the ring crosses itself at one of its positions. */
  | "RING_SELF_CROSSING"
  /** A ring meets itself at a point without crossing: it encloses two regions, or one with a pinch. */
  | "RING_SELF_TOUCH"
  /** A ring runs back over itself: a spike, or a doubled edge. */
  | "RING_SELF_OVERLAP"
  /** Fewer than three distinct positions. */
  | "RING_TOO_SHORT"
  /** Two rings of one polygon cross. */
  | "RINGS_CROSS"
  /** A hole lies outside its own outer ring. */
  | "HOLE_OUTSIDE_SHELL"
  /** One hole lies within another of the same polygon. */
  | "HOLES_OVERLAP"
  /** Holes cover the whole polygon. */
  | "INTERIOR_EMPTY"
  /** Holes that touch cut the interior in pieces; each piece must be a polygon of its own. */
  | "INTERIOR_DISCONNECTED"
  /** Two polygons of one multipolygon share more than boundary. */
  | "PARTS_OVERLAP";

/** One place where rings do not bound a region, in terms of what was handed in. */
export interface GeometryFault<Code extends string = GeometryFaultCode> {
  readonly code: Code;
  readonly message: string;
  /** Index of the polygon. */
  readonly polygon: number;
  /** Index of the ring in its polygon; 0 is the outer one. */
  readonly ring: number;
  /** Index in its ring of the position the fault is at, or of the start of the edge it is on. */
  readonly position: number;
  /** Where it is, `[lon, lat]`; crossings rounded to doubles. */
  readonly coordinate: readonly [number, number];
}

/**
 * Finds where the rings of a polygon (or the parts of a multipolygon) do not bound a region.
 *
 * A region is valid when every ring is simple (meets itself nowhere), no two rings cross, every
 * hole lies within its outer ring and in no other hole, the interior of each polygon is connected,
 * and polygons have disjoint interiors. Rings may touch each other in points, and along edges too,
 * since that overlaps nothing: neighbouring fields written as one multipolygon, a lake written as a
 * hole that reaches the shore. There the OGC rules, which otherwise are the same, are stricter; what
 * reads geometries leaves such edges out ({@link mendPolygons}), since they bound nothing.
 * Winding and repeated positions do not matter. Longitudes are plain numbers here: parts that meet
 * at +180 and −180 neither touch nor overlap.
 *
 * Every decision is exact. Cost of finding where rings meet: O((n + k) log n) for n positions and k
 * places where edges cross or touch, m strands through one point counting m² / 2. Edges are first
 * searched by their boxes, in ring order, which is fastest where boxes keep apart, as in outlines of
 * real places, and ends with the edges in which the limit was reached ({@link forEachNearPair}); where
 * that takes too long, a sweep starts over ({@link sweepPairs}).
 *
 * @param polygons rings of each polygon, outer first; flat `[lon, lat, …]`, closed, all finite
 * @param options.limit greatest number of faults to report, default {@link FAULT_LIMIT}
 * @param options.meter counts the work (see {@link forEachNearPair} and {@link sweepEdges}; 64 units more
 *   for rings that touch, 48 for one whose box lies in another's, 50 a position, 400 a ring), default no limit
 * @returns faults in ring order (by polygon, ring, position; those on one edge by the other); beyond the limit, the first ones
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed`.
 */
export function findFaults(
  polygons: readonly (readonly Float64Array[])[],
  options: FaultOptions = {},
): GeometryFault[] {
  return examineRings(polygons, options).faults;
}

export interface FaultOptions {
  readonly limit?: number;
  readonly meter?: WorkMeter | undefined;
}

/** What {@link findFaults} finds, and how many stretches of edges different rings share. */
export function examineRings(
  polygons: readonly (readonly Float64Array[])[],
  options: FaultOptions = {},
): { readonly faults: GeometryFault[]; readonly sharedStretches: number } {
  const limit = options.limit ?? FAULT_LIMIT;
  const meter = options.meter ?? new WorkMeter(Number.POSITIVE_INFINITY);
  const faults: GeometryFault[] = [];
  const rings = readRings(polygons, faults);
  meter.add(READING_STEPS * rings.count + RING_STEPS * rings.ringCount);
  const contacts = findContacts(rings, meter, limit);
  faults.push(...contacts.faults);
  if (faults.length < limit) {
    findNestingFaults(rings, contacts, meter, faults);
    findInteriorFaults(rings, contacts, faults);
  }
  faults.sort((a, b) => a.polygon - b.polygon || a.ring - b.ring || a.position - b.position);
  return { faults: faults.slice(0, limit), sharedStretches: contacts.allSharedStretches };
}

const READING_STEPS = 50;
const RING_STEPS = 400;

/** The rings with repeated positions left out, as edges one after another. */
interface Rings extends Edges {
  readonly ringCount: number;
  /** First edge of each ring; one entry more. */
  readonly starts: Int32Array;
  readonly polygonOf: Int32Array;
  /** Index of the ring within its polygon. */
  readonly indexOf: Int32Array;
  readonly ringOf: Int32Array;
  /** Position in the ring as handed in that an edge starts at. */
  readonly positionOf: Int32Array;
  /** Whether the interior is to the left of the edges. */
  readonly interiorLeft: readonly boolean[];
}

function readRings(polygons: readonly (readonly Float64Array[])[], faults: GeometryFault[]): Rings {
  let capacity = 0;
  let ringCapacity = 0;
  for (const polygon of polygons) {
    for (const ring of polygon) {
      capacity += ring.length / 2;
      ringCapacity++;
    }
  }
  const x0 = new Float64Array(capacity);
  const y0 = new Float64Array(capacity);
  const x1 = new Float64Array(capacity);
  const y1 = new Float64Array(capacity);
  const ringOf = new Int32Array(capacity);
  const positionOf = new Int32Array(capacity);
  const starts = new Int32Array(ringCapacity + 1);
  const polygonOf = new Int32Array(ringCapacity);
  const indexOf = new Int32Array(ringCapacity);
  const interiorLeft: boolean[] = [];
  let count = 0;
  let ringCount = 0;

  polygons.forEach((polygon, p) => {
    polygon.forEach((ring, r) => {
      const first = count;
      for (let i = 0; i + 3 < ring.length; i += 2) {
        if (ring[i] === ring[i + 2] && ring[i + 1] === ring[i + 3]) continue;
        x0[count] = ring[i]!;
        y0[count] = ring[i + 1]!;
        x1[count] = ring[i + 2]!;
        y1[count] = ring[i + 3]!;
        ringOf[count] = ringCount;
        positionOf[count] = i / 2;
        count++;
      }
      if (count - first < 3) {
        count = first;
        faults.push({
          code: "RING_TOO_SHORT",
          message: "the ring has fewer than three distinct positions, so it encloses no area",
          polygon: p,
          ring: r,
          position: 0,
          coordinate: [ring[0] ?? Number.NaN, ring[1] ?? Number.NaN],
        });
        return;
      }
      polygonOf[ringCount] = p;
      indexOf[ringCount] = r;
      interiorLeft.push(windsLeft(x0, y0, first, count));
      starts[++ringCount] = count;
    });
  });
  return {
    count,
    x0,
    y0,
    x1,
    y1,
    ringCount,
    starts,
    polygonOf,
    indexOf,
    ringOf,
    positionOf,
    interiorLeft,
  };
}

/** Whether a simple ring winds counter-clockwise: the turn at its westernmost position says so. */
function windsLeft(x: Float64Array, y: Float64Array, start: number, end: number): boolean {
  let west = start;
  for (let i = start + 1; i < end; i++) {
    if (x[i]! < x[west]! || (x[i] === x[west] && y[i]! < y[west]!)) west = i;
  }
  const before = west === start ? end - 1 : west - 1;
  const after = west === end - 1 ? start : west + 1;
  return orient2d(x[before]!, y[before]!, x[west]!, y[west]!, x[after]!, y[after]!) > 0;
}

/** How rings meet. Pairs of rings are keyed `a * ringCount + b`. */
interface Contacts {
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

interface ContactPoint extends Meeting {
  readonly a: number;
  readonly b: number;
}

function compareMeetings(p: Meeting, q: Meeting): number {
  return p.i - q.i || p.j - q.j || p.x - q.x || p.y - q.y;
}

/** Where both are known by, or nothing if one is not. */
function laterOf(p: Meeting | undefined, q: Meeting | undefined): Meeting | undefined {
  if (p === undefined || q === undefined) return undefined;
  return compareMeetings(p, q) > 0 ? p : q;
}

function findContacts(rings: Rings, meter: WorkMeter, limit: number): Contacts {
  return (
    collectContacts(rings, meter, limit, (visit, stop) => forEachNearPair(rings, meter, visit, stop)) ??
    collectContacts(rings, meter, limit, (visit) => {
      sweepPairs(rings, meter, visit);
      return true;
    })!
  );
}

/**
 * What pairs of edges that meet say of their rings, in whatever order they come.
 *
 * @param forEachPair visits pairs i < j until told to stop; false: it gave up
 */
function collectContacts(
  rings: Rings,
  meter: WorkMeter,
  limit: number,
  forEachPair: (visit: (i: number, j: number) => void, stop: () => boolean) => boolean,
): Contacts | undefined {
  const { x0, y0, x1, y1, ringOf, starts, polygonOf, interiorLeft, ringCount } = rings;
  const first = new FirstFaults(limit);
  const broken = new Uint8Array(ringCount);
  const touches = new Map<number, Touch>();
  const crossing = new Set<number>();
  const points: ContactPoint[] = [];
  const sharedStretches = new Map<number, number>();
  let allSharedStretches = 0;
  if (!forEachPair(visit, () => first.count >= limit)) return undefined;

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

/** Keeps the first faults by edge, then by the other edge: one edge may cross all others. */
class FirstFaults {
  readonly #limit: number;
  #kept: { readonly edge: number; readonly other: number; readonly fault: GeometryFault }[] = [];
  #lastEdge = Number.POSITIVE_INFINITY;
  #lastOther = Number.POSITIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#kept.length;
  }

  add(edge: number, other: number, describe: () => GeometryFault): void {
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

/** Which rings lie within which, decided for pairs that do not cross. */
function findNestingFaults(
  rings: Rings,
  contacts: Contacts,
  meter: WorkMeter,
  faults: GeometryFault[],
): void {
  const { ringCount, polygonOf, indexOf } = rings;
  const { broken } = contacts;
  if (ringCount < 2) return;
  const within = findContainments(rings, contacts, meter);
  const isWithin = (a: number, b: number): boolean => within.has(a * ringCount + b);
  const crosses = (a: number, b: number): boolean => contacts.crossing.has(a * ringCount + b);

  let shell = -1;
  for (let a = 0; a < ringCount; a++) {
    if (indexOf[a] === 0) {
      shell = a;
      continue;
    }
    // The outer ring itself may have been left out as too short.
    if (shell < 0 || polygonOf[shell] !== polygonOf[a] || broken[a] || broken[shell]) continue;
    if (!isWithin(a, shell) && !crosses(a, shell)) {
      faultRing(a, "HOLE_OUTSIDE_SHELL", "the hole lies outside the outer ring of its polygon");
    }
  }

  const containing = new Map<number, number[]>();
  for (const key of within) {
    const a = Math.floor(key / ringCount);
    const b = key % ringCount;
    if (isWithin(b, a) && a < b) continue; // Equal rings: told once, at the later one.
    const list = containing.get(a);
    if (list === undefined) containing.set(a, [b]);
    else list.push(b);
  }
  const crossedPolygons = new Set<number>();
  for (const key of contacts.crossing) {
    const a = Math.floor(key / ringCount);
    crossedPolygons.add(a * ringCount + polygonOf[key % ringCount]!);
  }
  for (const [a, outer] of containing) {
    const inHoles = new Set(outer.filter((b) => indexOf[b] !== 0).map((b) => polygonOf[b]!));
    for (const b of outer.sort((p, q) => p - q)) {
      if (polygonOf[a] === polygonOf[b]) {
        if (indexOf[b] !== 0 && indexOf[a] !== 0) {
          faultRing(a, "HOLES_OVERLAP", `the hole lies within ring ${indexOf[b]} of the same polygon`);
        }
      } else if (indexOf[a] === 0 && indexOf[b] === 0) {
        // A ring that crosses a hole of that polygon has been reported.
        if (inHoles.has(polygonOf[b]!) || crossedPolygons.has(a * ringCount + polygonOf[b]!)) continue;
        faultRing(a, "PARTS_OVERLAP", `the polygon lies within polygon ${polygonOf[b]}`);
      }
    }
  }

  function faultRing(ring: number, code: GeometryFaultCode, message: string): void {
    const edge = rings.starts[ring]!;
    faults.push(faultOf(rings, code, message, edge, rings.x0[edge]!, rings.y0[edge]!));
  }
}

/**
 * Pairs `a * ringCount + b` where ring a lies within ring b or equals it, as far as the rules ask:
 * holes in rings of their polygon, outer rings in rings of other polygons.
 */
function findContainments(rings: Rings, contacts: Contacts, meter: WorkMeter): Set<number> {
  const { ringCount, polygonOf, indexOf } = rings;
  const { broken } = contacts;
  const within = new Set<number>();
  /** By containing ring: the rings that meet it nowhere, to be located by their first position. */
  const toLocate = new Map<number, number[]>();
  forEachBoxWithinBox(rings, meter, (a, b) => {
    meter.add(48);
    if (broken[a] || broken[b] || contacts.crossing.has(a * ringCount + b)) return;
    const asked = polygonOf[a] === polygonOf[b] ? indexOf[a] !== 0 : indexOf[a] === 0;
    if (!asked) return;
    const touch = contacts.touches.get(Math.min(a, b) * ringCount + Math.max(a, b));
    const [inside, outside] = a < b ? [touch?.[0], touch?.[1]] : [touch?.[2], touch?.[3]];
    if (inside !== undefined) {
      if (outside === undefined) within.add(a * ringCount + b);
    } else if (outside === undefined) {
      const list = toLocate.get(b);
      if (list === undefined) toLocate.set(b, [a]);
      else list.push(a);
    }
  });

  for (const [b, list] of toLocate) {
    const found = locateByPass(rings, b, list, meter) ?? locateBySweep(rings, b, list, meter);
    for (const a of found) within.add(a * ringCount + b);
  }
  return within;
}

/**
 * Of rings that meet ring b nowhere, or equal it, those that lie within it or equal it, in one pass
 * over its edges; nothing where many edges pass many of the rings, as with holes between long teeth.
 */
function locateByPass(
  rings: Rings,
  b: number,
  asked: readonly number[],
  meter: WorkMeter,
): number[] | undefined {
  const { starts, x0, y0, x1, y1 } = rings;
  const list = [...asked].sort((p, q) => y0[starts[p]!]! - y0[starts[q]!]! || p - q);
  const crossed = new Uint8Array(list.length);
  const on = new Uint8Array(list.length);
  const givenUpAt = meter.counted + PASS_STEPS * (starts[b + 1]! - starts[b]! + list.length);
  for (let e = starts[b]!; e < starts[b + 1]!; e++) {
    const low = Math.min(y0[e]!, y1[e]!);
    const high = Math.max(y0[e]!, y1[e]!);
    let k = firstAtLeast(low);
    meter.add(1);
    for (; k < list.length; k++) {
      const x = x0[starts[list[k]!]!]!;
      const y = y0[starts[list[k]!]!]!;
      if (y > high) break;
      meter.add(1);
      if (Math.max(x0[e]!, x1[e]!) < x) continue;
      const side = orient2d(x0[e]!, y0[e]!, x1[e]!, y1[e]!, x, y);
      // A position on the ring, with no strand noted: the rings are equal.
      if (side === 0 && Math.min(x0[e]!, x1[e]!) <= x) on[k] = 1;
      if (y0[e]! <= y !== y1[e]! <= y && side > 0 === y0[e]! <= y) crossed[k]! ^= 1;
    }
    if (meter.counted > givenUpAt) return undefined;
  }
  return list.filter((_, k) => on[k] === 1 || crossed[k] === 1);

  function firstAtLeast(y: number): number {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (y0[starts[list[middle]!]!]! < y) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Steps an edge or ring that a pass is worth; real layers take 1 to 4. */
const PASS_STEPS = 16;

/** The same by a sweep, in O(n log n) whatever the shape. */
function locateBySweep(rings: Rings, b: number, asked: readonly number[], meter: WorkMeter): number[] {
  const { starts, x0, y0, x1, y1, interiorLeft } = rings;
  const start = starts[b]!;
  const end = starts[b + 1]!;
  const edges: Edges = {
    count: end - start,
    x0: x0.subarray(start, end),
    y0: y0.subarray(start, end),
    x1: x1.subarray(start, end),
    y1: y1.subarray(start, end),
  };
  const queries = Float64Array.from(asked.flatMap((a) => [x0[starts[a]!]!, y0[starts[a]!]!]));
  const found: number[] = [];
  sweepEdges(
    edges,
    meter,
    {
      located(query, below, on) {
        const isJustInside = below !== -1 && edges.x0[below]! < edges.x1[below]! === interiorLeft[b];
        if (on || isJustInside) found.push(asked[query]!);
      },
    },
    queries,
  );
  return found;
}

/** Steps of looking at a box that holds another's corner. */
const CORNER_STEPS = 6;

/** Visits the pairs of rings (a, b) where the box of a lies within the box of b. */
function forEachBoxWithinBox(rings: Rings, meter: WorkMeter, visit: (a: number, b: number) => void): void {
  const { ringCount, starts, x0, y0 } = rings;
  const minX = new Float64Array(ringCount).fill(Number.POSITIVE_INFINITY);
  const minY = new Float64Array(ringCount).fill(Number.POSITIVE_INFINITY);
  const maxX = new Float64Array(ringCount).fill(Number.NEGATIVE_INFINITY);
  const maxY = new Float64Array(ringCount).fill(Number.NEGATIVE_INFINITY);
  const index = new Flatbush(ringCount);
  for (let r = 0; r < ringCount; r++) {
    for (let e = starts[r]!; e < starts[r + 1]!; e++) {
      if (x0[e]! < minX[r]!) minX[r] = x0[e]!;
      if (x0[e]! > maxX[r]!) maxX[r] = x0[e]!;
      if (y0[e]! < minY[r]!) minY[r] = y0[e]!;
      if (y0[e]! > maxY[r]!) maxY[r] = y0[e]!;
    }
    index.add(minX[r]!, minY[r]!, maxX[r]!, maxY[r]!);
  }
  index.finish();
  for (let a = 0; a < ringCount; a++) {
    // A box that contains all of a's contains its south-west corner.
    const around = index.search(minX[a]!, minY[a]!, minX[a]!, minY[a]!, (b) => {
      meter.add(CORNER_STEPS);
      return (
        b !== a &&
        minX[b]! <= minX[a]! &&
        minY[b]! <= minY[a]! &&
        maxX[b]! >= maxX[a]! &&
        maxY[b]! >= maxY[a]!
      );
    });
    for (const b of around) visit(a, b);
  }
}

/**
 * Counts the pieces of each polygon's interior by Euler's formula on the graph its rings form where
 * they meet: faces = components − vertices + edges + 1, of which one is the outside and one lies in
 * each hole. Told only of polygons that have no other fault.
 */
function findInteriorFaults(rings: Rings, contacts: Contacts, faults: GeometryFault[]): void {
  const faulty = new Set(faults.map((fault) => fault.polygon));
  const pointsOf = new Map<number, ContactPoint[]>();
  for (const point of contacts.points) {
    const p = rings.polygonOf[point.a]!;
    if (faulty.has(p)) continue;
    const list = pointsOf.get(p);
    if (list === undefined) pointsOf.set(p, [point]);
    else list.push(point);
  }
  for (const [polygon, points] of pointsOf) {
    // Rings and points are the two kinds of node; a ring through a point is a link.
    const parents = new Map<string, string>();
    const links = new Set<string>();
    let vertices = 0;
    let touchingRings = 0;
    let components = 0;
    let closing: number | undefined;
    const root = (node: string): string => {
      let top = node;
      for (let up = parents.get(top)!; up !== top; up = parents.get(top)!) {
        parents.set(top, parents.get(up)!);
        top = up;
      }
      return top;
    };
    const link = (ring: number, key: string, edge: number): void => {
      const name = `${ring}`;
      if (links.has(`${name}@${key}`)) return;
      links.add(`${name}@${key}`);
      for (const node of [name, key]) {
        if (parents.has(node)) continue;
        parents.set(node, node);
        components++;
        if (node === key) vertices++;
        else touchingRings++;
      }
      const ringRoot = root(name);
      const keyRoot = root(key);
      if (ringRoot === keyRoot) closing ??= edge;
      else {
        parents.set(ringRoot, keyRoot);
        components--;
      }
    };
    for (const { a, b, i, x, y } of points) {
      link(a, `${x},${y}`, i);
      link(b, `${x},${y}`, i);
    }
    const shared = contacts.sharedStretches.get(polygon) ?? 0;
    // Rings that touch no other add a component and a hole each and change nothing.
    const pieces = components - vertices - touchingRings + links.size - shared + 1;
    if (pieces === 1) continue;
    const edge = closing ?? points[0]!.i;
    const { x0, y0 } = rings;
    faults.push(
      pieces < 1
        ? faultOf(rings, "INTERIOR_EMPTY", "holes cover the whole polygon", edge, x0[edge]!, y0[edge]!)
        : faultOf(
            rings,
            "INTERIOR_DISCONNECTED",
            `touching rings cut the interior into ${pieces} pieces; write each piece as a separate polygon`,
            edge,
            x0[edge]!,
            y0[edge]!,
          ),
    );
  }
}

function faultOf(
  rings: Rings,
  code: GeometryFaultCode,
  message: string,
  edge: number,
  x: number,
  y: number,
): GeometryFault {
  const ring = rings.ringOf[edge]!;
  return {
    code,
    message,
    polygon: rings.polygonOf[ring]!,
    ring: rings.indexOf[ring]!,
    position: rings.positionOf[edge]!,
    coordinate: [x, y],
  };
}
