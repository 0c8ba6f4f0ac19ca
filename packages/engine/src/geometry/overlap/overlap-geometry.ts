import { EngineError } from "../../base/errors.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import type { Bbox } from "../earth/bbox.ts";
import { toPositions } from "../earth/to-positions.ts";
import { intersectEvenOdd } from "../noding/even-odd.ts";
import { halveJumpingEdges } from "../plot/longitude-jumps.ts";
import type { Plot } from "../plot/plot.ts";
import type { MultiPolygonCoordinates, MultiPolygonGeometry } from "../trees/area-coordinates.ts";
import { growBox, openRing, ringMeetsBox, shiftsToMeet } from "../trees/candidates.ts";
import { CELL_DEGREES, toDegreesBox } from "../trees/cells.ts";
import { FAN_OUT } from "../trees/chain-tree.ts";
import { type Chains, createChains, getLevelSpan } from "../trees/chains.ts";
import type { AreaLayer } from "../trees/layer.ts";

/** The common part of a plot and an area, in GeoJSON: of a polygon, a line, or points. */
export type OverlapGeometry =
  | MultiPolygonGeometry
  | {
      /** A line of a line, points of points. */
      readonly type: "LineString" | "MultiPoint";
      readonly coordinates: number[][];
    }
  | { readonly type: "MultiLineString"; readonly coordinates: number[][][] }
  | { readonly type: "Point"; readonly coordinates: number[] };

/** Units of work of a construction, of a ring taken up, and of a position of it that is looked at or kept. */
const CONSTRUCTION_UNITS = 12_000;
const RING_UNITS = 60;
const POSITION_UNITS = 6;
/** Degrees (about 10 nm) below which a polygon's or hole's mean width is the rounding of crossings. */
const THINNEST = 1e-13;

/**
 * plot ∩ area for people to look at: valid polygons in the plot's longitudes that the input check
 * accepts, outer rings counter-clockwise, holes clockwise. Null where they share no area.
 *
 * Positions of plot and area are kept to the bit (the area's longitudes plus a multiple of 360,
 * rounded, across the antimeridian); those added are where edges cross, within 10 nm. Where the two
 * boundaries all but coincide at length, positions can move by 0.2 µm (see `nodeOddEdges`).
 * Cost: the edges of either near the bbox the two share, n log n.
 */
export function constructOverlapGeometry(
  plot: Plot,
  layer: AreaLayer,
  area: number,
  meter: WorkMeter,
): OverlapGeometry | null | "too_complex" {
  return constructWithinWork(() => {
    const coordinates = constructOverlapCoordinates(plot, layer, area, meter);
    return coordinates.length === 0 ? null : { type: "MultiPolygon", coordinates };
  });
}

/** The result of the construction, or `too_complex` if the work left to the answer did not suffice. */
export function constructWithinWork<Constructed>(construct: () => Constructed): Constructed | "too_complex" {
  try {
    return construct();
  } catch (error) {
    if (error instanceof EngineError && error.code === "GEOMETRY_TOO_COMPLEX") return "too_complex";
    throw error;
  }
}

function constructOverlapCoordinates(
  plot: Plot,
  layer: AreaLayer,
  area: number,
  meter: WorkMeter,
): MultiPolygonCoordinates {
  const near = findAreaRings(plot, layer, area, meter);
  meter.add(CONSTRUCTION_UNITS + RING_UNITS * plot.ringStarts.length + POSITION_UNITS * (plot.xy.length / 2));
  const window = computeSharedBox(plot, layer, near);
  const plotRings: Float64Array[] = [];
  for (let ring = 0; ring + 1 < plot.ringStarts.length; ring++) {
    const shortened = new ShortenedRing(plot.xy, 0, window);
    const start = plot.ringStarts[ring]!;
    shortened.start(start);
    shortened.addEdges(start, plot.ringStarts[ring + 1]! - 1);
    plotRings.push(shortened.positions());
  }
  const chains = createChains();
  const areaRings = near.map(({ ring, shift }) => {
    openRing(chains, layer, ring, shift);
    const shortened = new ShortenedRing(layer.xy, shift, window);
    shortened.start(chains.first);
    addChain(shortened, chains, chains.levels - 1, chains.levelStarts[chains.levels - 1]!);
    meter.add(RING_UNITS + POSITION_UNITS * shortened.seen);
    return shortened.positions();
  });
  const polygons = intersectEvenOdd([plotRings, areaRings], { meter })
    .filter(([outer]) => !isThin(outer!))
    .map((rings) => rings.filter((ring) => !isThin(ring)));
  // The remainder of an edge that ran once round the earth would be read the short way.
  return halveJumpingEdges(polygons).map((rings) => rings.map(toPositions));
}

interface ShiftedRing {
  readonly ring: number;
  readonly shift: number;
}

function findAreaRings({ bbox }: Plot, layer: AreaLayer, area: number, meter: WorkMeter): ShiftedRing[] {
  const near: ShiftedRing[] = [];
  for (const shift of shiftsToMeet(bbox, layer)) {
    meter.add(layer.areaRings[area + 1]! - layer.areaRings[area]!);
    for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
      if (ringMeetsBox(layer, ring, bbox[0] - shift, bbox[1], bbox[2] - shift, bbox[3]))
        near.push({ ring, shift });
    }
  }
  return near;
}

/** The common box of the plot's bbox and the rings. */
function computeSharedBox({ bbox }: Plot, layer: AreaLayer, rings: readonly ShiftedRing[]): Bbox {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { ring, shift } of rings) {
    growBox(box, toDegreesBox(layer.chainBoxes, 4 * (layer.chainStarts[ring + 1]! - 1)), shift);
  }
  return [
    Math.max(box[0], bbox[0]),
    Math.max(box[1], bbox[1]),
    Math.min(box[2], bbox[2]),
    Math.min(box[3], bbox[3]),
  ];
}

const WEST = 1;
const EAST = 2;
const SOUTH = 4;
const NORTH = 8;

/**
 * A ring whose runs beyond one side of a box are replaced by the edge from their first to their last
 * position. That edge lies beyond the same side, so within the box the ring encloses the same; and
 * the ring stays within its own bbox, so that two rings shortened to the box their bboxes share
 * still have nothing in common outside it.
 */
class ShortenedRing {
  readonly #xy: Float64Array;
  readonly #shift: number;
  readonly #box: Bbox;
  readonly #kept: number[] = [];
  /** Chains and edges looked at. */
  seen = 0;
  /** Sides beyond which the last edge lies, if it replaces others or could. */
  #beyond = 0;

  constructor(xy: Float64Array, shift: number, box: Bbox) {
    this.#xy = xy;
    this.#shift = shift;
    this.#box = box;
  }

  start(position: number): void {
    this.#kept.push(position);
  }

  /** Adds the edges between two positions, the first of which was added last. */
  addEdges(from: number, to: number): void {
    this.seen += to - from;
    let before = this.#sidesOf(from);
    for (let i = from + 1; i <= to; i++) {
      const after = this.#sidesOf(i);
      this.#add(i, before & after);
      before = after;
    }
  }

  /** Adds a chain up to position `to` as one edge where its box lies beyond a side; false: it does not. */
  skip(to: number, boxes: Int32Array, at: number): boolean {
    this.seen++;
    const [west, south, east, north] = this.#box;
    const sides =
      (boxes[at + 2]! * CELL_DEGREES + this.#shift < west ? WEST : 0) |
      (boxes[at]! * CELL_DEGREES + this.#shift > east ? EAST : 0) |
      (boxes[at + 3]! * CELL_DEGREES < south ? SOUTH : 0) |
      (boxes[at + 1]! * CELL_DEGREES > north ? NORTH : 0);
    if (sides !== 0) this.#add(to, sides);
    return sides !== 0;
  }

  positions(): Float64Array {
    const out = new Float64Array(2 * this.#kept.length);
    this.#kept.forEach((i, k) => {
      out[2 * k] = this.#xy[2 * i]! + this.#shift;
      out[2 * k + 1] = this.#xy[2 * i + 1]!;
    });
    return out;
  }

  #add(position: number, beyond: number): void {
    const common = this.#beyond & beyond;
    if (common !== 0) this.#kept.pop();
    this.#kept.push(position);
    this.#beyond = common !== 0 ? common : beyond;
  }

  #sidesOf(i: number): number {
    const x = this.#xy[2 * i]! + this.#shift;
    const y = this.#xy[2 * i + 1]!;
    const [west, south, east, north] = this.#box;
    return (x < west ? WEST : x > east ? EAST : 0) | (y < south ? SOUTH : y > north ? NORTH : 0);
  }
}

function addChain(ring: ShortenedRing, chains: Chains, level: number, node: number): void {
  const index = node - chains.levelStarts[level]!;
  const span = getLevelSpan(chains, level);
  const start = chains.first + index * span;
  const end = Math.min(start + span, chains.first + chains.edges);
  if (ring.skip(end, chains.boxes, 4 * (chains.node + node))) return;
  if (level === 0) {
    ring.addEdges(start, end);
    return;
  }
  const below = chains.levelStarts[level - 1]!;
  const last = Math.min(below + (index + 1) * FAN_OUT, chains.levelStarts[level]!);
  for (let child = below + index * FAN_OUT; child < last; child++) addChain(ring, chains, level - 1, child);
}

/** True if a ring encloses less than a band half as long as the ring and THINNEST wide. */
function isThin(ring: Float64Array): boolean {
  const [x0, y0] = [ring[0]!, ring[1]!];
  let doubled = 0;
  let length = 0;
  for (let i = 2; i < ring.length; i += 2) {
    const [xa, ya] = [ring[i - 2]! - x0, ring[i - 1]! - y0];
    const [xb, yb] = [ring[i]! - x0, ring[i + 1]! - y0];
    doubled += xa * yb - xb * ya;
    length += Math.sqrt((xb - xa) * (xb - xa) + (yb - ya) * (yb - ya));
  }
  return Math.abs(doubled) < THINNEST * length;
}
