import type { WorkMeter } from "../../base/work-meter.ts";
import { orient2d } from "../earth/predicates.ts";
import { type Boundary, meterBoundaryWork, sideOfBoundary } from "../trees/boundary.ts";
import { forEachEdgeInBox, forEachNearEdgePair, type Side } from "../trees/chains.ts";
import { cutBoundarySeams, getSegment, type RealPieces, type Segment } from "./seams.ts";

/** Exact relations of an area that meets the plot, read "the area … the plot" (closed sets, OGC meanings). */
export interface Relations {
  /** They share points, but no interior point. */
  readonly touches: boolean;
  /** Every point of the plot lies in the area. */
  readonly covers: boolean;
  /** Every point of the area lies in the plot. */
  readonly coveredBy: boolean;
}

/*
 * Exact relations from the two boundaries alone. Where an edge of the one crosses an edge of the
 * other properly, interiors and exteriors all meet. Else they share only vertices of one or the other
 * and pieces along a common line; cut there, every piece of a boundary lies inside the other set,
 * outside it, or along its boundary, and the position in its middle tells which.
 *
 * All this is asked on the earth, where longitudes that differ by whole turns are one: an area is looked
 * at at every turn at which it meets the plot, and edges that bound nothing there are left out (seams.ts).
 */

/** Least units of work for one relation. */
const RELATION_UNITS = 300;
/** Work units for an edge that is classified. */
const EDGE_UNITS = 5;
/** Work units for two rings whose envelopes are compared. */
const PAIR_UNITS = 8;
const METERED_AT = 10_000;

/** Where a boundary is cut, by edge; and which pieces run along an edge of the other. */
interface Cuts {
  readonly positions: Map<number, [number, number][]>;
  /** Ends of the stretches along the other's boundary, and whether both interiors lie on the same side there. */
  readonly along: Map<number, Stretch[]>;
}

interface Stretch {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly same: boolean;
}

/** How the pieces of one boundary stand to the other set. */
interface Found {
  /** True if any edge bounds anything. */
  bounded: boolean;
  outside: boolean;
  alongSame: boolean;
  /** The first piece that lies inside, outside, or along an edge with the other set on the far side. */
  insideAt?: Piece;
  outsideAt?: Piece;
  oppositeAt?: Piece;
}

/** Two positions with nothing but one edge between them. */
type Piece = readonly [from: Stop, to: Stop];

/** Relation of an area to a plot, and whether they share a point at all. */
interface Related extends Relations {
  readonly meets: boolean;
  /**
   * Where the area does not cover a plot that is a polygon: ends of a piece that shows it, and a position between them
   * on the border of what is not covered, or in it; absent: the middle.
   */
  readonly uncovered?: readonly [Stop, Stop, Stop?] | undefined;
}

/** Relation of an area to a plot that is a polygon or a line. */
export function relateBoundaries(
  dimension: "polygon" | "line",
  plot: Boundary,
  area: Boundary,
  meter: WorkMeter,
): Related {
  meter.add(RELATION_UNITS);
  meter.add(PAIR_UNITS * plot.rings.length * area.rings.length);
  const plotPieces = cutBoundarySeams(plot);
  const areaPieces = cutBoundarySeams(area);
  const plotCuts = plot.rings.map((): Cuts => ({ positions: new Map(), along: new Map() }));
  const areaCuts = area.rings.map((): Cuts => ({ positions: new Map(), along: new Map() }));
  let crossing: Related["uncovered"];
  for (const [r, ring] of plot.rings.entries()) {
    for (const [s, other] of area.rings.entries()) {
      const crossed = forEachNearEdgePair(ring, other, (i, j) => {
        if (ring.work > METERED_AT) meterBoundaryWork(plot, meter);
        const ps = plotPieces[r]!.get(i);
        const qs = areaPieces[s]!.get(j);
        for (const p of ps ?? [getSegment(ring, i)]) {
          for (const q of qs ?? [getSegment(other, j)]) {
            if (!cutSegments(p, i, q, j, plotCuts[r]!, areaCuts[s]!)) continue;
            crossing = [[p[0], p[1]], [p[2], p[3]], computeCrossingStop(p, q)];
            return true;
          }
        }
        return false;
      });
      if (crossed) {
        return { meets: true, touches: false, covers: false, coveredBy: false, uncovered: crossing };
      }
    }
  }
  const touched = plotCuts.some((cuts) => cuts.positions.size > 0);
  const ofPlot = classifyBoundary(plot, plotPieces, plotCuts, (p, q) => sideOnArea(area, p, q, meter), meter);
  if (dimension === "line") {
    const isInside = ofPlot.insideAt !== undefined;
    const meets = touched || isInside;
    return {
      meets,
      touches: meets && !isInside,
      covers: meets && !ofPlot.outside,
      coveredBy: false,
    };
  }
  const ofArea = classifyBoundary(
    area,
    areaPieces,
    mergeTurnCuts(area, areaCuts),
    (p, q) => sideOnPlot(plot, p, q, meter),
    meter,
  );
  // A region without a boundary is the whole earth.
  if (!ofPlot.bounded && !ofArea.bounded) {
    return { meets: true, touches: false, covers: true, coveredBy: !area.partial };
  }
  const within = ofPlot.insideAt ?? ofArea.insideAt;
  const interiors = within !== undefined || ofPlot.alongSame;
  const meets = touched || interiors;
  const opposite = ofPlot.oppositeAt;
  const uncovered = ofPlot.outsideAt ?? ofArea.insideAt ?? opposite;
  return {
    meets,
    touches: meets && !interiors,
    covers: interiors && uncovered === undefined && !ofPlot.outside,
    uncovered,
    coveredBy:
      interiors &&
      !area.partial &&
      !ofArea.outside &&
      ofPlot.insideAt === undefined &&
      opposite === undefined,
  };
}

/**
 * A position of a plot that is a polygon at which an area does not cover it: a corner outside of the area where the
 * edge that tells has one, else a position on the border of what is not covered, or in it. Undefined where it is covered.
 *
 * @param area with all its rings near the plot
 */
export function findUncoveredPosition(
  plot: Boundary,
  area: Boundary,
  meter: WorkMeter,
): readonly [number, number] | undefined {
  const { uncovered } = relateBoundaries("polygon", plot, area, meter);
  if (uncovered === undefined) return undefined;
  const [p, q, between = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]] = uncovered;
  return [p, q].find((stop) => sideOnArea(area, stop, stop, meter) === 0) ?? between;
}

/** Where two segments cross properly, rounded. */
function computeCrossingStop([ax, ay, bx, by]: Segment, [cx, cy, dx, dy]: Segment): Stop {
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  const t = a / (a - b);
  return [ax + t * (bx - ax), ay + t * (by - ay)];
}

/** Relations of points; those at a pole have the side from `sideOfPole`. */
export function relatePoints(
  plot: Boundary,
  area: Boundary,
  poleSide: (pole: number) => Side,
  meter: WorkMeter,
): Relations & { meets: boolean } {
  meter.add(RELATION_UNITS);
  let inside = 0;
  let boundary = 0;
  let count = 0;
  const pieces = cutBoundarySeams(area);
  for (const { xy, first } of plot.rings) {
    const [x, y] = [xy[2 * first]!, xy[2 * first + 1]!];
    const atPole = Math.abs(y) === 90;
    const side = atPole ? poleSide(y) : sideOfBoundary(area, x, y, x, y, meter);
    if (side === 1 || (side === 2 && !atPole && !isOnBoundary(area, pieces, x, y, meter))) inside++;
    else if (side === 2) boundary++;
    count++;
  }
  const meets = inside + boundary > 0;
  return { meets, touches: meets && inside === 0, covers: inside + boundary === count, coveredBy: false };
}

/** True if a position lies on an edge that bounds the area. */
function isOnBoundary(
  area: Boundary,
  pieces: readonly RealPieces[],
  x: number,
  y: number,
  meter: WorkMeter,
): boolean {
  let found = false;
  meter.add(PAIR_UNITS * area.rings.length);
  area.rings.forEach((ring, r) => {
    forEachEdgeInBox(ring, x, y, x, y, (i) => {
      for (const [ax, ay, bx, by] of pieces[r]!.get(i) ?? [getSegment(ring, i)]) {
        if (orient2d(ax, ay, bx, by, x, y) === 0 && isBetween(x, y, ax, ay, bx, by)) found = true;
      }
    });
  });
  return found;
}

/** Notes where pieces of edges i and j meet; true if they cross properly. */
function cutSegments(
  [ax, ay, bx, by]: Segment,
  i: number,
  [cx, cy, dx, dy]: Segment,
  j: number,
  oneCuts: Cuts,
  otherCuts: Cuts,
): boolean {
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return false;
  const c = orient2d(ax, ay, bx, by, cx, cy);
  const d = orient2d(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false;
  if (a !== 0 && b !== 0 && c !== 0 && d !== 0) return true;
  const met: [number, number][] = [];
  const note = (x: number, y: number): void => {
    if (!met.some((m) => m[0] === x && m[1] === y)) met.push([x, y]);
  };
  if (a === 0 && isBetween(ax, ay, cx, cy, dx, dy)) note(ax, ay);
  if (b === 0 && isBetween(bx, by, cx, cy, dx, dy)) note(bx, by);
  if (c === 0 && isBetween(cx, cy, ax, ay, bx, by)) note(cx, cy);
  if (d === 0 && isBetween(dx, dy, ax, ay, bx, by)) note(dx, dy);
  // Interiors lie to the left of their edges: on the same side where both run the same way.
  const same = (bx - ax) * (dx - cx) + (by - ay) * (dy - cy) > 0;
  for (const [cuts, edge] of [
    [oneCuts, i],
    [otherCuts, j],
  ] as const) {
    addToKeyedList(cuts.positions, edge, ...met);
    if (met.length === 2) addToKeyedList(cuts.along, edge, { from: met[0]!, to: met[1]!, same });
  }
  return false;
}

/** True if a position on the line of a segment lies within the segment. */
function isBetween(x: number, y: number, ax: number, ay: number, bx: number, by: number): boolean {
  return Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);
}

/**
 * Where the rings of an area are cut, all turns at which a ring was looked at together: at the first of
 * them; nothing for the others, whose edges are the same.
 */
function mergeTurnCuts({ rings, origins, wraps }: Boundary, cuts: readonly Cuts[]): (Cuts | undefined)[] {
  if (!wraps) return [...cuts];
  const firstOf = new Map<number, number>();
  return cuts.map((own, r) => {
    const first = firstOf.get(origins[r]!.ring);
    if (first === undefined) {
      firstOf.set(origins[r]!.ring, r);
      return own;
    }
    const dx = origins[first]!.shift - origins[r]!.shift;
    const offset = rings[first]!.first - rings[r]!.first;
    const moved = ([x, y]: readonly number[]): [number, number] => [x! + dx, y!];
    for (const [i, list] of own.positions)
      addToKeyedList(cuts[first]!.positions, i + offset, ...list.map(moved));
    for (const [i, list] of own.along) {
      const stretches = list.map(({ from, to, same }) => ({ from: moved(from), to: moved(to), same }));
      addToKeyedList(cuts[first]!.along, i + offset, ...stretches);
    }
    return undefined;
  });
}

function addToKeyedList<Item>(lists: Map<number, Item[]>, key: number, ...items: Item[]): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, items);
  else for (const item of items) list.push(item);
}

/** Side of the middle of two positions of the plot with respect to the area, of which every turn near is there. */
function sideOnArea(area: Boundary, [px, py]: Stop, [qx, qy]: Stop, meter: WorkMeter): Side {
  const [west, south, east, north] = area.bbox;
  const far =
    Math.max(px, qx) < west ||
    Math.min(px, qx) > east ||
    Math.max(py, qy) < south ||
    Math.min(py, qy) > north;
  return far ? 0 : sideOfBoundary(area, px, py, qx, qy, meter);
}

/** Side of the middle of two positions of the area with respect to the plot, at whatever turn. */
function sideOnPlot(plot: Boundary, [px, py]: Stop, [qx, qy]: Stop, meter: WorkMeter): Side {
  const [west, south, east, north] = plot.bbox;
  if (Math.max(py, qy) < south || Math.min(py, qy) > north) return 0;
  const first = Math.ceil((west - Math.max(px, qx)) / 360);
  const last = Math.floor((east - Math.min(px, qx)) / 360);
  let inside = 0;
  for (let turn = first; turn <= last; turn++) {
    const side = sideOfBoundary(plot, px + 360 * turn, py, qx + 360 * turn, qy, meter);
    if (side === 2) return 2;
    inside ^= side;
  }
  return inside as Side;
}

type Stop = readonly [x: number, y: number];

/**
 * Classifies every piece of a boundary.
 *
 * @param pieces by ring, what of its edges bounds anything
 * @param cuts by ring, where they are cut; undefined: the ring is looked at elsewhere
 * @param sideOf side of the middle of two positions with respect to the other set
 */
function classifyBoundary(
  boundary: Boundary,
  pieces: readonly RealPieces[],
  cuts: readonly (Cuts | undefined)[],
  sideOf: (p: Stop, q: Stop) => Side,
  meter: WorkMeter,
): Found {
  const found: Found = {
    bounded: false,
    outside: boundary.partial,
    alongSame: false,
  };
  for (const { edges } of boundary.rings) meter.add(EDGE_UNITS * edges);
  for (const [r, ring] of boundary.rings.entries()) {
    if (cuts[r] === undefined) continue;
    const { first, edges } = ring;
    const { positions, along } = cuts[r];
    const { xy } = ring;
    // Between two cuts the side does not change: it is computed once.
    let known = false;
    for (let i = first; i < first + edges; i++) {
      const real = pieces[r]!.get(i);
      const here = positions.get(i);
      if (real !== undefined) {
        known = false;
        for (const piece of real) {
          found.bounded = true;
          classifyPiece(piece, here ?? [], along.get(i));
        }
        continue;
      }
      found.bounded = true;
      if (here !== undefined) {
        known = false;
        classifyPiece(getSegment(ring, i), here, along.get(i));
        continue;
      }
      if (known || (found.insideAt && found.outside)) continue;
      classifyStretch([xy[2 * i]!, xy[2 * i + 1]!], [xy[2 * i + 2]!, xy[2 * i + 3]!]);
      known = true;
    }
  }
  return found;

  function classifyPiece(
    [ax, ay, bx, by]: Segment,
    here: readonly Stop[],
    along: readonly Stretch[] | undefined,
  ): void {
    const horizontal = Math.abs(bx - ax) >= Math.abs(by - ay);
    const forward = horizontal ? bx > ax : by > ay;
    const key = (stop: readonly number[]): number => (horizontal ? stop[0]! : stop[1]!) * (forward ? 1 : -1);
    const [a, b]: [Stop, Stop] = [
      [ax, ay],
      [bx, by],
    ];
    const stops = [a, ...here.filter((stop) => key(stop) > key(a) && key(stop) < key(b)), b];
    stops.sort((p, q) => key(p) - key(q));
    for (let k = 0; k + 1 < stops.length; k++) {
      const [p, q] = [stops[k]!, stops[k + 1]!];
      if (p[0] === q[0] && p[1] === q[1]) continue;
      const stretches = along?.filter(({ from, to }) => {
        const [u, v] = [key(from), key(to)];
        return Math.min(u, v) <= key(p) && key(q) <= Math.max(u, v);
      });
      if (stretches !== undefined && stretches.length > 0) {
        if (stretches.some(({ same }) => same)) found.alongSame = true;
        else found.oppositeAt ??= [p, q];
      } else {
        classifyStretch(p, q);
      }
    }
  }

  /** A stretch on the other's boundary that runs along no edge of it lies on a seam, with the set on both sides. */
  function classifyStretch(p: Stop, q: Stop): void {
    if (sideOf(p, q) === 0) {
      found.outside = true;
      found.outsideAt ??= [p, q];
    } else found.insideAt ??= [p, q];
  }
}
