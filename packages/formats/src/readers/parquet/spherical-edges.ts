import { AreaGeometry } from "../../area-geometry.ts";

/**
 * A geometry whose edges run along great circles, with positions put in until straight edges between them lie within
 * 1 cm of those: an edge is halved while its middle or a quarter of it lies more than 8 mm off. Every position stays. Ends
 * alike decide where an edge is cut, so that two areas that share one share all positions on it.
 *
 * @param geometry in degrees, as readers make it; others than lines and polygons come back as they are
 */
export function densifyGreatCircles(geometry: unknown): unknown {
  if (geometry instanceof AreaGeometry) {
    const { type } = geometry.toGeoJson();
    return new AreaGeometry(
      geometry.polygons.map((rings) => rings.map(densifyRing)),
      type === "MultiPolygon",
    );
  }
  if (typeof geometry !== "object" || geometry === null) return geometry;
  const { type, coordinates, geometries } = geometry as {
    readonly type?: unknown;
    readonly coordinates?: unknown;
    readonly geometries?: readonly unknown[];
  };
  if (type === "LineString") return { type, coordinates: densifyPositions(coordinates as Position[]) };
  if (type === "MultiLineString") {
    return { type, coordinates: (coordinates as Position[][]).map(densifyPositions) };
  }
  if (type === "GeometryCollection") return { type, geometries: geometries!.map(densifyGreatCircles) };
  return geometry;
}

type Position = [number, number];

function densifyPositions(positions: readonly Position[]): Position[] {
  const xy = densifyRing(Float64Array.from(positions.flat()));
  return Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!]);
}

/** How far from the great circle a straight edge may lie where it is looked at, metres; 1 cm in between. */
const MOST_METERS = 0.008;
const METERS_PER_DEGREE = 111_320;
/** Halvings of one edge: of half the earth into pieces of 20 m. */
const MOST_HALVINGS = 20;
/** A ring may come to no more, as areas may elsewhere. */
const MOST_POSITIONS = 10_000_000;

function densifyRing(ring: Float64Array): Float64Array {
  const xy: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const to: Position = [ring[i]!, ring[i + 1]!];
    if (i > 0) insertEdgePositions([ring[i - 2]!, ring[i - 1]!], to, MOST_HALVINGS, xy);
    xy.push(to[0], to[1]);
  }
  return xy.length === ring.length ? ring : Float64Array.from(xy);
}

/** Puts in what is needed between two positions; an edge of half the earth or more is a fault that is found elsewhere. */
function insertEdgePositions(from: Position, to: Position, left: number, xy: number[]): void {
  if (left === 0 || Math.abs(to[0] - from[0]) >= 180 || xy.length >= 2 * MOST_POSITIONS) return;
  const middle = computeGreatCircleMiddle(from, to);
  const isStraight =
    computeOffsetMeters(middle, from, to, 1 / 2) <= MOST_METERS &&
    computeOffsetMeters(computeGreatCircleMiddle(from, middle), from, to, 1 / 4) <= MOST_METERS &&
    computeOffsetMeters(computeGreatCircleMiddle(middle, to), from, to, 3 / 4) <= MOST_METERS;
  if (isStraight) return;
  insertEdgePositions(from, middle, left - 1, xy);
  xy.push(middle[0], middle[1]);
  insertEdgePositions(middle, to, left - 1, xy);
}

/** How far a position of the great circle lies from where the straight edge is at that part of it. */
function computeOffsetMeters([x, y]: Position, from: Position, to: Position, part: number): number {
  const [dx, dy] = [x - (from[0] + part * (to[0] - from[0])), y - (from[1] + part * (to[1] - from[1]))];
  const scale = Math.cos((y * Math.PI) / 180);
  // Along the edge nothing is lost: what counts is the distance from its line.
  const [ex, ey] = [(to[0] - from[0]) * scale, to[1] - from[1]];
  const length = Math.hypot(ex, ey);
  if (length === 0) return 0;
  return (METERS_PER_DEGREE * Math.abs(dx * scale * ey - dy * ex)) / length;
}

/** The middle of the great circle between two positions, its longitude near theirs. */
function computeGreatCircleMiddle(from: Position, to: Position): Position {
  const [a, b] = [toUnitVector(from), toUnitVector(to)];
  const [x, y, z] = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const longitude = (Math.atan2(y, x) * 180) / Math.PI;
  const latitude = (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI;
  const near = (from[0] + to[0]) / 2;
  return [longitude + 360 * Math.round((near - longitude) / 360), latitude];
}

function toUnitVector([longitude, latitude]: Position): readonly [number, number, number] {
  const [lambda, phi] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}
