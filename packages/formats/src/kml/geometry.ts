import { AreaGeometry } from "../area-geometry.ts";
import { isDecimal } from "../values.ts";
import { childOf, type XmlElement } from "./xml-elements.ts";

/** What makes a geometry unreadable, and where. */
export class GeometryProblem extends Error {
  readonly line: number;
  readonly found: string;
  readonly expected: string;
  readonly isUnsupported: boolean;

  constructor(line: number, found: string, expected: string, isUnsupported = false) {
    super(`found ${found}, expected ${expected}`);
    this.line = line;
    this.found = found;
    this.expected = expected;
    this.isUnsupported = isUnsupported;
  }
}

type Position = [number, number];
type Simple =
  | { readonly type: "Point"; readonly coordinates: Position }
  | { readonly type: "LineString"; readonly coordinates: Position[] }
  | { readonly type: "Polygon"; readonly rings: Float64Array[] };

const GEOMETRIES = new Set(["Point", "LineString", "LinearRing", "Polygon", "MultiGeometry"]);
const UNSUPPORTED = new Set(["Model", "Track", "MultiTrack"]);

/**
 * The geometry of a placemark: areas as `AreaGeometry`, others and mixed ones as GeoJSON, null where it has none.
 * Heights are dropped. A geometry of several parts is one of the kind that they share, however they are nested.
 *
 * Fails: {@link GeometryProblem}.
 */
export function readGeometry(placemark: XmlElement, swapAxes: boolean): unknown {
  const found = placemark.children.filter(({ name }) => GEOMETRIES.has(name) || UNSUPPORTED.has(name));
  const [geometry, second] = found;
  if (geometry === undefined) return null;
  if (second !== undefined) {
    throw new GeometryProblem(second.line, "a second geometry", "one, or a MultiGeometry of all");
  }
  const parts: Simple[] = [];
  collect(geometry, swapAxes, parts);
  return geometry.name === "MultiGeometry" ? joined(parts) : toGeometry(parts[0]!);
}

function collect(element: XmlElement, swapAxes: boolean, parts: Simple[]): void {
  if (UNSUPPORTED.has(element.name)) {
    throw new GeometryProblem(element.line, `a ${element.name}`, "points, lines or polygons", true);
  }
  if (element.name === "MultiGeometry") {
    for (const child of element.children) {
      if (GEOMETRIES.has(child.name) || UNSUPPORTED.has(child.name)) collect(child, swapAxes, parts);
    }
  } else parts.push(simple(element, swapAxes));
}

function simple(element: XmlElement, swapAxes: boolean): Simple {
  if (element.name === "Polygon") {
    const outer = element.children.filter(({ name }) => name === "outerBoundaryIs").flatMap(ringsIn);
    const inner = element.children.filter(({ name }) => name === "innerBoundaryIs").flatMap(ringsIn);
    if (outer.length !== 1) {
      throw new GeometryProblem(element.line, `${outer.length} outer boundaries`, "one with a LinearRing");
    }
    const rings = [...outer, ...inner].map((ring) => Float64Array.from(positionsOf(ring, swapAxes).flat()));
    return { type: "Polygon", rings };
  }
  const positions = positionsOf(element, swapAxes);
  if (element.name !== "Point") return { type: "LineString", coordinates: positions };
  const [position, ...others] = positions;
  if (position === undefined || others.length > 0) {
    throw new GeometryProblem(element.line, `a point of ${positions.length} positions`, "one position");
  }
  return { type: "Point", coordinates: position };
}

function ringsIn(boundary: XmlElement): XmlElement[] {
  return boundary.children.filter(({ name }) => name === "LinearRing");
}

function toGeometry(part: Simple): unknown {
  return part.type === "Polygon" ? new AreaGeometry([part.rings], false) : part;
}

function joined(parts: readonly Simple[]): unknown {
  const [first] = parts;
  if (first === undefined) return null;
  const areas = parts.flatMap((part) => (part.type === "Polygon" ? [part.rings] : []));
  if (areas.length === parts.length) return new AreaGeometry(areas, true);
  if (areas.length === 0 && parts.every(({ type }) => type === first.type)) {
    const coordinates = parts.map((part) => (part as Exclude<Simple, { type: "Polygon" }>).coordinates);
    return { type: `Multi${first.type}`, coordinates };
  }
  const geometries = parts.map((part) =>
    part.type === "Polygon" ? new AreaGeometry([part.rings], false).toGeoJson() : part,
  );
  return { type: "GeometryCollection", geometries };
}

/** `lon,lat[,alt]`, tuples separated by space; spaces beside commas are let pass. */
function positionsOf(element: XmlElement, swapAxes: boolean): Position[] {
  const coordinates = childOf(element, "coordinates");
  if (coordinates === undefined) {
    throw new GeometryProblem(element.line, `a ${element.name} without coordinates`, "coordinates");
  }
  const text = coordinates.text
    .split(",")
    .map((ordinate) => ordinate.trim())
    .join(",");
  if (text === "") throw new GeometryProblem(coordinates.line, "empty coordinates", "positions");
  return text.split(/\s+/).map((tuple) => {
    const [x = "", y = "", , ...rest] = tuple.split(",");
    const position: Position = [Number(x), Number(y)];
    const isPosition = isDecimal(x) && isDecimal(y) && position.every(Number.isFinite);
    if (!isPosition || rest.length > 0) {
      throw new GeometryProblem(coordinates.line, `"${tuple.slice(0, 40)}"`, "longitude,latitude[,height]");
    }
    return swapAxes ? [position[1], position[0]] : position;
  });
}
