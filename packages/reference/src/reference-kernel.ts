import {
  type AreaLayer,
  type Bbox,
  type BoundPlot,
  type DistanceHit,
  EngineError,
  type Kernel,
  type OverlapGeometry,
  type OverlapHit,
  type Plot,
  type Region,
  type Relations,
} from "@groundrule/engine";
import { areaCoordinates } from "@groundrule/engine/build";
import { area as turfArea } from "@turf/area";
import { booleanIntersects } from "@turf/boolean-intersects";
import { booleanPointInPolygon } from "@turf/boolean-point-in-polygon";
import { difference as turfDifference } from "@turf/difference";
import { distance as turfDistance } from "@turf/distance";
import { featureCollection, feature as turfFeature } from "@turf/helpers";
import { intersect as turfIntersect } from "@turf/intersect";
import { pointToPolygonDistance } from "@turf/point-to-polygon-distance";
import { union as turfUnion } from "@turf/union";
import Flatbush from "flatbush";
import type { Feature, LineString, MultiPolygon, Point, Position } from "geojson";

/**
 * The reference kernel: flatbush finds candidates, turf answers. It is the oracle and the baseline
 * of the exact kernel, not a product.
 *
 * Areas and distances are **spherical** (turf's mean radius), overlays are floating point, and
 * turf may throw on valid input; that becomes `GEOMETRY_TOO_COMPLEX`. `semantics` is 0: results
 * are not stable and verdicts carry no digest.
 */
export const referenceKernel: Kernel = {
  name: "reference",
  semantics: 0,
  surface: undefined,
  areaSquareMeters: (layer, area) => turfArea(toAreaFeature(layer, area)),
  bind: (plot) => new ReferencePlot(plot),
};

type Region2D = Feature<MultiPolygon>;

/** Shifts by which a plot meets areas on the other side of the antimeridian. */
/** Cells of the ring index, in which its boxes are, in a degree. */
const CELLS_A_DEGREE = 1048576;
const SHIFTS_DEGREES = [0, -360, 360] as const;

class ReferencePlot implements BoundPlot {
  readonly plot: Plot;
  readonly areaSquareMeters: number;
  readonly #features = new Map<number, Feature<MultiPolygon | LineString | Point>[]>();

  constructor(plot: Plot) {
    this.plot = plot;
    this.areaSquareMeters =
      plot.dimension === "polygon" ? runTurf(() => turfArea(turfFeature(toMultiPolygon(plot, 0)))) : 0;
  }

  intersections(layer: AreaLayer, isSelected: (area: number) => boolean = () => true): OverlapHit[] {
    const hits: OverlapHit[] = [];
    for (const [area, shifts] of this.#candidates(layer, 0)) {
      if (!isSelected(area)) continue;
      let touched = false;
      let overlapSquareMeters = 0;
      let overlapRatio = 0;
      const reference = toAreaFeature(layer, area);
      for (const shift of shifts) {
        for (const part of this.#parts(shift)) {
          if (!runTurf(() => booleanIntersects(part, reference))) continue;
          touched = true;
          if (this.plot.dimension === "polygon") {
            const overlap = runTurf(() => turfIntersect(featureCollection([part as Region2D, reference])));
            if (overlap !== null) overlapSquareMeters += turfArea(overlap);
          } else if (this.plot.dimension === "line") {
            overlapRatio +=
              measureCoveredLength(part as Feature<LineString>, reference) / this.#lengthMeters();
          } else {
            overlapRatio = 1;
          }
        }
      }
      if (!touched) continue;
      if (this.plot.dimension === "polygon") overlapRatio = overlapSquareMeters / this.areaSquareMeters;
      hits.push({ area, overlapSquareMeters, overlapRatio: Math.min(overlapRatio, 1) });
    }
    return hits;
  }

  relation(layer: AreaLayer, area: number): Relations {
    const reference = toAreaFeature(layer, area);
    const overlaps = this.#overlap(layer, area) !== null;
    const plot = this.#region();
    const covers = plot === null ? this.#isCovered(reference) : subtractRegions(plot, reference) === null;
    const coveredBy = plot !== null && subtractRegions(reference, plot) === null;
    return { touches: !overlaps && !covers, covers, coveredBy };
  }

  distances(layer: AreaLayer, maxMeters: number): DistanceHit[] {
    const hits: DistanceHit[] = [];
    for (const [area, shifts] of this.#candidates(layer, maxMeters)) {
      const reference = toAreaFeature(layer, area);
      let distanceMeters = Number.POSITIVE_INFINITY;
      for (const shift of shifts) {
        for (const part of this.#parts(shift)) {
          distanceMeters = Math.min(
            distanceMeters,
            runTurf(() => measureDistance(part, reference)),
          );
        }
      }
      if (distanceMeters <= maxMeters) hits.push({ area, distanceMeters });
    }
    return hits;
  }

  regionSquareMeters(region: Region): number {
    const found = this.#evaluate(region);
    return found === null ? 0 : turfArea(found);
  }

  overlapGeometry(layer: AreaLayer, area: number): OverlapGeometry | null {
    const coordinates = this.#overlap(layer, area)?.geometry.coordinates;
    return coordinates === undefined ? null : { type: "MultiPolygon", coordinates };
  }

  nearestMeters(
    layer: AreaLayer,
    maxMeters: number,
    isSelected: (area: number) => boolean,
    to: "area" | "boundary",
  ): number {
    let least = Number.POSITIVE_INFINITY;
    for (const [area, shifts] of this.#candidates(layer, maxMeters)) {
      if (!isSelected(area)) continue;
      const reference = toAreaFeature(layer, area);
      const toBoundary = to === "boundary" && subtractRegions(this.#region(), reference) === null;
      for (const part of shifts.flatMap((shift) => this.#parts(shift))) {
        const meters = runTurf(() =>
          toBoundary ? metersBetweenEdges(part, reference) : measureDistance(part, reference),
        );
        least = Math.min(least, meters);
      }
    }
    return least <= maxMeters ? least : Number.POSITIVE_INFINITY;
  }

  #evaluate(region: Region): Region2D | null {
    if (region.op === "plot") return this.#region();
    if (region.op === "areas") {
      return region.areas.reduce<Region2D | null>(
        (found, { layer, area }) => uniteRegions(found, this.#overlap(layer, area)),
        null,
      );
    }
    const [first = null, ...others] = region.operands.map((operand) => this.#evaluate(operand));
    const combine = { union: uniteRegions, intersection: intersectRegions, difference: subtractRegions }[
      region.op
    ];
    return others.reduce(combine, first);
  }

  /** plot ∩ area over all shifts; null where they share no area. */
  #overlap(layer: AreaLayer, area: number): Region2D | null {
    if (this.plot.dimension !== "polygon") return null;
    const reference = toAreaFeature(layer, area);
    return SHIFTS_DEGREES.reduce<Region2D | null>(
      (found, shift) =>
        this.#parts(shift).reduce(
          (all, part) => uniteRegions(all, intersectRegions(part as Region2D, reference)),
          found,
        ),
      null,
    );
  }

  #isCovered(reference: Region2D): boolean {
    return this.#parts(0).every((part) =>
      part.geometry.type === "Point"
        ? booleanPointInPolygon(part.geometry, reference)
        : measureCoveredLength(part as Feature<LineString>, reference) >= this.#lengthMeters() * (1 - 1e-12),
    );
  }

  #region(): Region2D | null {
    return this.plot.dimension === "polygon" ? turfFeature(toMultiPolygon(this.plot, 0)) : null;
  }

  #lengthMeters(): number {
    return this.#parts(0).reduce((sum, part) => sum + lineLength(part as Feature<LineString>), 0);
  }

  /** Areas whose envelope comes near the plot's, ascending, each with the shifts at which it does. */
  #candidates(layer: AreaLayer, maxMeters: number): [number, number[]][] {
    const found = new Map<number, number[]>();
    if (layer.index === undefined) return [];
    for (const shift of SHIFTS_DEGREES) {
      const [west, south, east, north] = growBbox(this.plot.bbox, maxMeters);
      const rings = Flatbush.from(layer.index.bytes.buffer, layer.index.bytes.byteOffset).search(
        Math.floor((west + shift) * CELLS_A_DEGREE),
        Math.floor(south * CELLS_A_DEGREE),
        Math.ceil((east + shift) * CELLS_A_DEGREE),
        Math.ceil(north * CELLS_A_DEGREE),
      );
      for (const area of new Set(rings.map((ring) => layer.ringAreas[ring]!))) {
        const shifts = found.get(area);
        if (shifts === undefined) found.set(area, [shift]);
        else shifts.push(shift);
      }
    }
    return [...found].sort(([a], [b]) => a - b);
  }

  #parts(shift: number): Feature<MultiPolygon | LineString | Point>[] {
    let parts = this.#features.get(shift);
    if (parts === undefined) {
      parts = splitPlotToFeatures(this.plot, shift);
      this.#features.set(shift, parts);
    }
    return parts;
  }
}

/** A bbox grown by a distance; a full band of longitudes where a pole comes within reach. */
function growBbox([west, south, east, north]: Bbox, meters: number): Bbox {
  if (meters === 0) return [west, south, east, north];
  const latitudes = meters / METERS_PER_DEGREE_AT_LEAST;
  const poleward = Math.max(Math.abs(south - latitudes), Math.abs(north + latitudes));
  if (poleward >= 89) return [-540, south - latitudes, 540, north + latitudes];
  const longitudes = latitudes / Math.cos((poleward * Math.PI) / 180);
  return [west - longitudes, south - latitudes, east + longitudes, north + latitudes];
}

/** Metres of one degree of latitude, less than it is anywhere on turf's sphere, so that no search box is too small. */
const METERS_PER_DEGREE_AT_LEAST = 110_000;

/** Runs turf; what it throws becomes a refusal, never a crash. */
function runTurf<T>(ask: () => T): T {
  try {
    return ask();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError("GEOMETRY_TOO_COMPLEX", `the reference kernel cannot answer: ${reason}`, {
      reason,
    });
  }
}

function uniteRegions(a: Region2D | null, b: Region2D | null): Region2D | null {
  if (a === null || b === null) return a ?? b;
  return asMultiPolygon(runTurf(() => turfUnion(featureCollection([a, b]))));
}

function intersectRegions(a: Region2D | null, b: Region2D | null): Region2D | null {
  if (a === null || b === null) return null;
  return asMultiPolygon(runTurf(() => turfIntersect(featureCollection([a, b]))));
}

function subtractRegions(a: Region2D | null, b: Region2D | null): Region2D | null {
  if (a === null || b === null) return a;
  return asMultiPolygon(runTurf(() => turfDifference(featureCollection([a, b]))));
}

function asMultiPolygon(found: ReturnType<typeof turfUnion>): Region2D | null {
  if (found === null) return null;
  const { geometry } = found;
  const coordinates = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  return coordinates.length === 0 ? null : turfFeature({ type: "MultiPolygon", coordinates });
}

/** Metres between a part of the plot and an area: one of the closest points is a vertex of either. */
function measureDistance(part: Feature<MultiPolygon | LineString | Point>, reference: Region2D): number {
  return booleanIntersects(part, reference) ? 0 : metersBetweenEdges(part, reference);
}

/** The same, of two whose edges do not cross: also where the part lies inside the area. */
function metersBetweenEdges(part: Feature<MultiPolygon | LineString | Point>, reference: Region2D): number {
  const metersTo = (position: Position, to: Region2D) =>
    Math.abs(pointToPolygonDistance(position, to, { units: "meters", method: "geodesic" }));
  let least = Number.POSITIVE_INFINITY;
  for (const position of listPositions(part)) least = Math.min(least, metersTo(position, reference));
  const asArea =
    part.geometry.type === "Point" ? null : toClosedRegion(part as Feature<MultiPolygon | LineString>);
  if (asArea !== null) {
    for (const position of listPositions(reference)) least = Math.min(least, metersTo(position, asArea));
  }
  return least;
}

/** A line as a polygon that runs along it and back, so that turf measures distances to its edges. */
function toClosedRegion(part: Feature<MultiPolygon | LineString>): Region2D {
  if (part.geometry.type === "MultiPolygon") return part as Region2D;
  const there = part.geometry.coordinates;
  return turfFeature({ type: "MultiPolygon", coordinates: [[[...there, ...there.slice(0, -1).reverse()]]] });
}

/** Metres of a line that lie in the closed area: cut at every crossing, keep pieces whose middle is inside. */
function measureCoveredLength(line: Feature<LineString>, reference: Region2D): number {
  let covered = 0;
  const positions = line.geometry.coordinates;
  for (let i = 1; i < positions.length; i++) {
    const a = positions[i - 1]!;
    const b = positions[i]!;
    const cuts = [0, 1];
    for (const polygon of reference.geometry.coordinates) {
      for (const ring of polygon) {
        for (let k = 1; k < ring.length; k++)
          for (const each of findCrossingParameters(a, b, ring[k - 1]!, ring[k]!)) cuts.push(each);
      }
    }
    cuts.sort((s, t) => s - t);
    for (let k = 1; k < cuts.length; k++) {
      const from = interpolatePosition(a, b, cuts[k - 1]!);
      const to = interpolatePosition(a, b, cuts[k]!);
      const middle = interpolatePosition(a, b, (cuts[k - 1]! + cuts[k]!) / 2);
      if (booleanPointInPolygon(middle, reference)) covered += turfDistance(from, to, { units: "meters" });
    }
  }
  return covered;
}

/** Parameters on a→b at which it meets the segment c→d: none, one, or both ends of a shared run. */
function findCrossingParameters(a: Position, b: Position, c: Position, d: Position): number[] {
  const [ax, ay] = [a[0]!, a[1]!];
  const [ux, uy] = [b[0]! - ax, b[1]! - ay];
  const [vx, vy] = [d[0]! - c[0]!, d[1]! - c[1]!];
  const [wx, wy] = [c[0]! - ax, c[1]! - ay];
  const cross = ux * vy - uy * vx;
  const squared = ux * ux + uy * uy;
  if (cross !== 0) {
    const t = (wx * vy - wy * vx) / cross;
    const s = (wx * uy - wy * ux) / cross;
    return t > 0 && t < 1 && s >= 0 && s <= 1 ? [t] : [];
  }
  if (wx * uy - wy * ux !== 0 || squared === 0) return [];
  return [(wx * ux + wy * uy) / squared, ((wx + vx) * ux + (wy + vy) * uy) / squared].filter(
    (t) => t > 0 && t < 1,
  );
}

function interpolatePosition(a: Position, b: Position, t: number): Position {
  return [a[0]! + t * (b[0]! - a[0]!), a[1]! + t * (b[1]! - a[1]!)];
}

function lineLength(line: Feature<LineString>): number {
  const { coordinates } = line.geometry;
  let meters = 0;
  for (let i = 1; i < coordinates.length; i++) {
    meters += turfDistance(coordinates[i - 1]!, coordinates[i]!, { units: "meters" });
  }
  return meters;
}

function listPositions(part: Feature<MultiPolygon | LineString | Point>): Position[] {
  const { geometry } = part;
  if (geometry.type === "Point") return [geometry.coordinates];
  if (geometry.type === "LineString") return geometry.coordinates;
  return geometry.coordinates.flat(2);
}

/** One feature for a polygonal plot, one a line, one a point. */
function splitPlotToFeatures(plot: Plot, shift: number): Feature<MultiPolygon | LineString | Point>[] {
  if (plot.dimension === "polygon") return [turfFeature(toMultiPolygon(plot, shift))];
  const parts: Feature<LineString | Point>[] = [];
  for (let ring = 0; ring + 1 < plot.ringStarts.length; ring++) {
    const coordinates = slicePositions(plot.xy, plot.ringStarts[ring]!, plot.ringStarts[ring + 1]!, shift);
    parts.push(
      plot.dimension === "line"
        ? turfFeature({ type: "LineString", coordinates })
        : turfFeature({ type: "Point", coordinates: coordinates[0]! }),
    );
  }
  return parts;
}

function toMultiPolygon(plot: Plot, shift: number): MultiPolygon {
  const coordinates: Position[][][] = [];
  for (let polygon = 0; polygon + 1 < plot.polygonStarts.length; polygon++) {
    const rings: Position[][] = [];
    for (let ring = plot.polygonStarts[polygon]!; ring < plot.polygonStarts[polygon + 1]!; ring++) {
      rings.push(slicePositions(plot.xy, plot.ringStarts[ring]!, plot.ringStarts[ring + 1]!, shift));
    }
    coordinates.push(rings);
  }
  return { type: "MultiPolygon", coordinates };
}

/** An area as turf takes it. Built anew for each question: the reference kernel keeps no state. */
function toAreaFeature(layer: AreaLayer, area: number): Region2D {
  return turfFeature({ type: "MultiPolygon", coordinates: areaCoordinates(layer, area) });
}

function slicePositions(xy: Float64Array, from: number, to: number, shift: number): Position[] {
  const found: Position[] = [];
  for (let i = from; i < to; i++) found.push([xy[2 * i]! + shift, xy[2 * i + 1]!]);
  return found;
}
