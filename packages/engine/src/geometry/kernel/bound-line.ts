import type { WorkMeter } from "../../base/work-meter.ts";
import { cosDegrees, RADIANS_PER_DEGREE, sinDegrees } from "../earth/elementary.ts";
import { orient2d, segmentsIntersect } from "../earth/predicates.ts";
import { ECCENTRICITY_SQUARED } from "../earth/wgs84.ts";
import type { OverlapGeometry } from "../overlap/overlap-geometry.ts";
import { constructWithinWork } from "../overlap/overlap-geometry.ts";
import type { Relations } from "../overlap/relation.ts";
import { relateBoundaries, relatePoints } from "../overlap/relation.ts";
import type { Plot } from "../plot/plot.ts";
import {
  type Boundary,
  buildAreaBoundary,
  buildPlotBoundary,
  meterRingWork,
  sideOfBoundary,
} from "../trees/boundary.ts";
import { areasAtPole, findRingsNearParts, shiftsToMeet, sideOfPole } from "../trees/candidates.ts";
import { type Chains, forEachNearEdgePair, type Side } from "../trees/chains.ts";
import type { AreaLayer } from "../trees/layer.ts";
import { BoundDistances } from "./bound-distances.ts";
import type { BoundPlot, OverlapHit } from "./kernel.ts";
import type { Workspace } from "./workspace.ts";

/** Units of work of taking up an area, of an edge of the line, of half a degree of its length. */
const AREA_UNITS = 200;
const EDGE_UNITS = 10;
const PANEL_UNITS = 100;

/**
 * A line or several, or points, ready to be measured against layers. They have no area: what is
 * measured is the share of the length that an area covers, or of the points it holds. Length is that
 * of the line itself, straight in longitude and latitude, on the ellipsoid; what runs along an
 * area's boundary is covered, sets being closed.
 */
export class BoundLine extends BoundDistances implements BoundPlot {
  readonly areaSquareMeters = 0;
  readonly #workspace: Workspace;
  readonly #boundary: Boundary;
  readonly #meter: WorkMeter;
  /** Length of each edge, by its first position. */
  #lengths: Float64Array | undefined;

  constructor(plot: Plot, workspace: Workspace, meter: WorkMeter) {
    super(plot, workspace, meter);
    this.#workspace = workspace;
    this.#meter = meter;
    this.#boundary = buildPlotBoundary(plot, meter);
  }

  intersections(layer: AreaLayer, isWanted?: (area: number) => boolean): OverlapHit[] {
    return this.#met(layer, isWanted).map((area) => {
      const boundary = buildAreaBoundary(layer, area, this.plot.bbox, this.#meter);
      const overlapRatio =
        this.plot.dimension === "line"
          ? this.#coveredShare(boundary, layer, area)
          : this.#shareInside(boundary, layer, area);
      return { area, overlapSquareMeters: 0, overlapRatio };
    });
  }

  #met(layer: AreaLayer, isWanted: (area: number) => boolean = () => true): number[] {
    const { bbox } = this.plot;
    const near = new Set<number>();
    for (const shift of shiftsToMeet(bbox, layer)) {
      const found = findRingsNearParts(this.#workspace, layer, this.plot, shift, this.#meter);
      for (let i = 0; i < found.count; i++) near.add(layer.ringAreas[found.rings[i]!]!);
    }
    const met = [...near].filter(isWanted).filter((area) => {
      this.#meter.add(AREA_UNITS);
      return this.#meets(buildAreaBoundary(layer, area, bbox, this.#meter));
    });
    if (bbox[1] === -90 || bbox[3] === 90)
      for (const each of areasAtPole(bbox, layer).filter(isWanted)) met.push(each);
    return [...new Set(met)].sort((a, b) => a - b);
  }

  relation(layer: AreaLayer, area: number): Relations {
    const boundary = buildAreaBoundary(layer, area, this.plot.bbox, this.#meter);
    const { meets, touches, covers } =
      this.plot.dimension === "line"
        ? relateBoundaries("line", this.#boundary, boundary, this.#meter)
        : relatePoints(this.#boundary, boundary, (pole) => this.#sideOfPole(layer, area, pole), this.#meter);
    return { touches: touches || !meets, covers, coveredBy: false };
  }

  regionSquareMeters(): number {
    return 0;
  }

  overlapGeometry(layer: AreaLayer, area: number): OverlapGeometry | null | "too_complex" {
    return constructWithinWork(() => {
      const boundary = buildAreaBoundary(layer, area, this.plot.bbox, this.#meter);
      return this.plot.dimension === "line"
        ? this.#coveredLines(boundary)
        : this.#pointsInside(boundary, layer, area);
    });
  }

  #pointsInside(boundary: Boundary, layer: AreaLayer, area: number): OverlapGeometry | null {
    const inside = this.#boundary.rings
      .map(({ xy, first }) => [xy[2 * first]!, xy[2 * first + 1]!])
      .filter(([x, y]) => this.#holds(boundary, layer, area, x!, y!));
    if (inside.length === 0) return null;
    return inside.length === 1
      ? { type: "Point", coordinates: inside[0]! }
      : { type: "MultiPoint", coordinates: inside };
  }

  /** The parts of the lines that lie in the closed area; those that only touch it are none. */
  #coveredLines(boundary: Boundary): OverlapGeometry | null {
    const lines: number[][][] = [];
    let last: { readonly line: number; readonly at: number } | undefined;
    this.#forEachPiece(boundary, ({ line, i, s, t, isCovered }) => {
      if (!isCovered) return;
      const { xy } = this.#boundary.rings[line]!;
      // A piece that begins where the last one ended goes on with its line.
      const goesOn = last !== undefined && last.line === line && last.at === i + s;
      if (!goesOn) lines.push([interpolatePosition(xy, i, s)]);
      // In the middle of an edge it only touched the boundary.
      else if (s > 0) lines.at(-1)!.pop();
      lines.at(-1)!.push(interpolatePosition(xy, i, t));
      last = { line, at: i + t };
    });
    if (lines.length === 0) return null;
    return lines.length === 1
      ? { type: "LineString", coordinates: lines[0]! }
      : { type: "MultiLineString", coordinates: lines };
  }

  #meets(area: Boundary): boolean {
    for (const { xy, first } of this.#boundary.rings) {
      const [x, y] = [xy[2 * first]!, xy[2 * first + 1]!];
      if (this.#isIn(area, x, y)) return true;
    }
    if (this.plot.dimension !== "line") return false;
    for (const line of this.#boundary.rings) {
      const crosses = area.rings.some((ring) =>
        forEachNearEdgePair(line, ring, (i, j) => {
          if (line.work > 10_000) meterRingWork(line, this.#meter);
          const [p, q] = [line.xy, ring.xy];
          return segmentsIntersect(
            p[2 * i]!,
            p[2 * i + 1]!,
            p[2 * i + 2]!,
            p[2 * i + 3]!,
            q[2 * j]!,
            q[2 * j + 1]!,
            q[2 * j + 2]!,
            q[2 * j + 3]!,
          );
        }),
      );
      meterRingWork(line, this.#meter);
      if (crosses) return true;
    }
    return false;
  }

  /** True if a position lies in the closed area. */
  #isIn(area: Boundary, x: number, y: number): boolean {
    const [west, south, east, north] = area.bbox;
    this.#meter.add(2);
    if (x < west || x > east || y < south || y > north) return false;
    return sideOfBoundary(area, x, y, x, y, this.#meter) !== 0;
  }

  /** Length of the whole edge from position i. */
  #lengthOf({ xy }: Chains, i: number): number {
    this.#lengths ??= new Float64Array(this.plot.xy.length / 2).fill(-1);
    let length = this.#lengths[i]!;
    if (length < 0) {
      length = this.#measure(xy, i, 0, 1);
      this.#lengths[i] = length;
    }
    return length;
  }

  /** Length of the part s to t of the edge from position i. */
  #measure(xy: Float64Array, i: number, s: number, t: number): number {
    const [y0, y1] = [xy[2 * i + 1]!, xy[2 * i + 3]!];
    const panels = Math.max(1, Math.ceil(2 * Math.abs(y1 - y0) * (t - s)));
    this.#meter.add(PANEL_UNITS * panels);
    return lengthOnEllipsoid(xy[2 * i + 2]! - xy[2 * i]!, y0, y1, s, t, panels);
  }

  /** Share of the points that lie in the closed area. */
  #shareInside(boundary: Boundary, layer: AreaLayer, area: number): number {
    let inside = 0;
    for (const { xy, first } of this.#boundary.rings) {
      if (this.#holds(boundary, layer, area, xy[2 * first]!, xy[2 * first + 1]!)) inside++;
    }
    return inside / this.#boundary.rings.length;
  }

  #holds(boundary: Boundary, layer: AreaLayer, area: number, x: number, y: number): boolean {
    return Math.abs(y) === 90 ? this.#sideOfPole(layer, area, y) !== 0 : this.#isIn(boundary, x, y);
  }

  #sideOfPole(layer: AreaLayer, area: number, pole: number): Side {
    const [first, last] = [layer.areaRings[area]!, layer.areaRings[area + 1]!];
    this.#meter.add(layer.ringStarts[last]! - layer.ringStarts[first]!);
    return sideOfPole(layer, area, pole);
  }

  /** Share of the length that lies in the closed area. Error: about 1e-12. */
  #coveredShare(boundary: Boundary, layer: AreaLayer, area: number): number {
    let covered = 0;
    let length = 0;
    this.#forEachPiece(boundary, ({ line, i, s, t, isCovered }) => {
      const chains = this.#boundary.rings[line]!;
      const piece = s === 0 && t === 1 ? this.#lengthOf(chains, i) : this.#measure(chains.xy, i, s, t);
      length += piece;
      if (isCovered) covered += piece;
    });
    if (length > 0) return Math.min(1, covered / length);
    // A line along a pole has no length: it is one point.
    return this.#shareInside(boundary, layer, area) > 0 ? 1 : 0;
  }

  /** The lines cut where they meet the area's boundary, and which pieces lie in the closed area; in order. */
  #forEachPiece(boundary: Boundary, visit: (piece: Piece) => void): void {
    for (const [l, line] of this.#boundary.rings.entries()) {
      const stops = new Map<number, number[]>();
      const along = new Map<number, [number, number][]>();
      for (const ring of boundary.rings) {
        forEachNearEdgePair(line, ring, (i, j) => {
          if (line.work > 10_000) meterRingWork(line, this.#meter);
          noteLineStops(line.xy, i, ring.xy, j, stops, along);
          return false;
        });
      }
      meterRingWork(line, this.#meter);
      this.#meter.add(EDGE_UNITS * line.edges);
      for (let i = line.first; i < line.first + line.edges; i++) {
        const met = stops.get(i);
        const ts = met === undefined ? WHOLE_EDGE : [0, ...met, 1].sort((a, b) => a - b);
        for (let k = 0; k + 1 < ts.length; k++) {
          const [s, t] = [ts[k]!, ts[k + 1]!];
          if (!(s < t)) continue;
          const m = (s + t) / 2;
          const onBoundary = along.get(i)?.some(([from, to]) => from <= m && m <= to) ?? false;
          const [x, y] = interpolatePosition(line.xy, i, m) as [number, number];
          visit({ line: l, i, s, t, isCovered: onBoundary || this.#isIn(boundary, x, y) });
        }
      }
    }
  }
}

/** The part of the edge from position i of a line between two shares of its length in longitude and latitude. */
interface Piece {
  readonly line: number;
  readonly i: number;
  readonly s: number;
  readonly t: number;
  readonly isCovered: boolean;
}

const WHOLE_EDGE: readonly number[] = [0, 1];

/** The position at a share of the edge from position i; its ends to the bit. */
function interpolatePosition(xy: Float64Array, i: number, share: number): number[] {
  const [x0, y0, x1, y1] = [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
  return share === 1 ? [x1, y1] : [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
}

/** Notes where edge i of a line meets edge j of a ring, as shares of the line's edge. */
function noteLineStops(
  p: Float64Array,
  i: number,
  q: Float64Array,
  j: number,
  stops: Map<number, number[]>,
  along: Map<number, [number, number][]>,
): void {
  const [ax, ay, bx, by] = [p[2 * i]!, p[2 * i + 1]!, p[2 * i + 2]!, p[2 * i + 3]!];
  const [cx, cy, dx, dy] = [q[2 * j]!, q[2 * j + 1]!, q[2 * j + 2]!, q[2 * j + 3]!];
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return;
  const list = stops.get(i) ?? [];
  stops.set(i, list);
  if (a !== 0 || b !== 0) {
    list.push(Math.min(1, Math.max(0, a / (a - b))));
    return;
  }
  // Collinear: the stretch they share.
  const horizontal = Math.abs(bx - ax) >= Math.abs(by - ay);
  const share = (x: number, y: number): number => (horizontal ? (x - ax) / (bx - ax) : (y - ay) / (by - ay));
  const [s, t] = [share(cx, cy), share(dx, dy)];
  const from = Math.max(0, Math.min(s, t));
  const to = Math.min(1, Math.max(s, t));
  if (!(from < to)) return;
  list.push(from, to);
  const stretches = along.get(i) ?? [];
  stretches.push([from, to]);
  along.set(i, stretches);
}

/** Nodes and weights of the 5-point Gauss–Legendre rule on [−1, 1]. */
const NODES: readonly (readonly [number, number])[] = [
  [0, 128 / 225],
  [0.5384693101056831, 0.4786286704993665],
  [-0.5384693101056831, 0.4786286704993665],
  [0.906179845938664, 0.2369268850561891],
  [-0.906179845938664, 0.2369268850561891],
];

/**
 * Length, in units of the equatorial radius, of the part s to t of a straight line in longitude and
 * latitude: ∫ √(M² φ'² + N² cos² φ λ'²).
 * @param panels of at most half a degree of latitude
 */
function lengthOnEllipsoid(dx: number, y0: number, y1: number, s: number, t: number, panels: number): number {
  const lambda = dx * RADIANS_PER_DEGREE;
  const phi = (y1 - y0) * RADIANS_PER_DEGREE;
  let sum = 0;
  for (let k = 0; k < panels; k++) {
    const low = s + ((t - s) * k) / panels;
    const half = (t - s) / panels / 2;
    for (const [node, weight] of NODES) {
      const y = y0 + (y1 - y0) * (low + half * (1 + node));
      const sine = sinDegrees(y);
      const w = 1 - ECCENTRICITY_SQUARED * sine * sine;
      const n = 1 / Math.sqrt(w);
      const m = ((1 - ECCENTRICITY_SQUARED) * n) / w;
      const east = n * cosDegrees(y) * lambda;
      sum += weight * half * Math.sqrt(m * m * phi * phi + east * east);
    }
  }
  return sum;
}
