import { AreaGeometry, toPositions } from "../area-geometry.ts";
import type { ReadNote } from "../format-reader.ts";
import { isDecimal } from "../values.ts";
import { findChildByName, type XmlElement } from "./xml-elements.ts";

/** Reason why a geometry is unreadable, with the line. */
export class GeometryProblem extends Error {
  readonly line: number;
  readonly isUnsupported: boolean;

  constructor(line: number, found: string, expected: string, isUnsupported = false) {
    super(`found ${found}, expected ${expected}`);
    this.line = line;
    this.isUnsupported = isUnsupported;
  }
}

type Position = [number, number];
type Simple =
  | { readonly type: "Point"; readonly coordinates: Position }
  | { readonly type: "LineString"; readonly coordinates: Position[] }
  | { readonly type: "Polygon"; readonly rings: Float64Array[] };

const OF_SEVERAL = new Set(["MultiGeometry", "MultiTrack"]);
const GEOMETRIES = new Set(["Point", "LineString", "LinearRing", "Polygon", "Track", ...OF_SEVERAL]);
const UNSUPPORTED = new Set(["Model"]);

/**
 * The geometry of a placemark: areas as `AreaGeometry`, others and mixed ones as GeoJSON, null where it has none.
 * Heights are dropped. A ring that stands alone is an area, and a label's point inside an area is left out. A geometry of several parts is one of the kind that they share, however they are nested.
 *
 * Fails: {@link GeometryProblem}.
 */
export function readPlacemarkGeometry(
  placemark: XmlElement,
  swapAxes: boolean,
): { readonly geometry: unknown; readonly notes?: readonly ReadNote[] } {
  const found = placemark.children.filter(({ name }) => GEOMETRIES.has(name) || UNSUPPORTED.has(name));
  const [geometry, second] = found;
  if (geometry === undefined) return { geometry: null };
  if (second !== undefined) {
    throw new GeometryProblem(second.line, "a second geometry", "one, or a MultiGeometry of all");
  }
  const parts: Simple[] = [];
  const notes: ReadNote[] = [];
  collectSimpleGeometries(geometry, swapAxes, parts, notes);
  const isMulti = OF_SEVERAL.has(geometry.name);
  const kept = isMulti ? removeLabelPoints(parts, notes) : parts;
  const read =
    isMulti && !(kept.length === 1 && parts.length > 1) ? joinGeometries(kept) : toGeometry(kept[0]!);
  return { geometry: read, ...(notes.length > 0 && { notes }) };
}

/**
 * Parts without points inside a polygon among them: Google Earth and others add one that carries the label. A point
 * elsewhere is a place of its own.
 */
function removeLabelPoints(parts: readonly Simple[], notes: ReadNote[]): readonly Simple[] {
  const areas = parts.flatMap((part) => (part.type === "Polygon" ? [part.rings] : []));
  const kept = parts.filter(
    (part) => part.type !== "Point" || !areas.some((rings) => isInside(rings[0]!, part.coordinates)),
  );
  const dropped = parts.length - kept.length;
  if (dropped > 0) {
    const what = dropped === 1 ? "a point" : `${dropped} points`;
    notes.push({
      code: "LABEL_DROPPED",
      message: `${what} inside the polygon of the same placemark, left out as its label`,
    });
  }
  return kept;
}

/** True if a position lies within a ring, by the crossings of a ray to the east; on the border it may be either. */
function isInside(ring: Float64Array, [x, y]: Position): boolean {
  let isIn = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [x1, y1, x2, y2] = [ring[j]!, ring[j + 1]!, ring[i]!, ring[i + 1]!];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isIn = !isIn;
  }
  return isIn;
}

function collectSimpleGeometries(
  element: XmlElement,
  swapAxes: boolean,
  parts: Simple[],
  notes: ReadNote[],
): void {
  if (UNSUPPORTED.has(element.name)) {
    throw new GeometryProblem(element.line, `a ${element.name}`, "points, lines or polygons", true);
  }
  if (OF_SEVERAL.has(element.name)) {
    for (const child of element.children) {
      if (GEOMETRIES.has(child.name) || UNSUPPORTED.has(child.name))
        collectSimpleGeometries(child, swapAxes, parts, notes);
    }
  } else parts.push(readSimpleGeometry(element, swapAxes, notes));
}

function readSimpleGeometry(element: XmlElement, swapAxes: boolean, notes: ReadNote[]): Simple {
  if (element.name === "Polygon") {
    const outer = element.children.filter(({ name }) => name === "outerBoundaryIs").flatMap(listLinearRings);
    const inner = element.children.filter(({ name }) => name === "innerBoundaryIs").flatMap(listLinearRings);
    if (outer.length !== 1) {
      throw new GeometryProblem(element.line, `${outer.length} outer boundaries`, "one with a LinearRing");
    }
    const rings = [...outer, ...inner].map((ring) => readFlatPositions(ring, swapAxes));
    return { type: "Polygon", rings };
  }
  // A ring is closed by its kind, whether it repeats its first position or not.
  if (element.name === "LinearRing") {
    notes.push({ code: "READ_AS_BORDER", message: "a LinearRing without a Polygon around it" });
    return { type: "Polygon", rings: [closeRing(readFlatPositions(element, swapAxes))] };
  }
  if (element.name === "Track")
    return { type: "LineString", coordinates: readTrackPositions(element, swapAxes) };
  const positions = toPositions(readFlatPositions(element, swapAxes));
  if (element.name !== "Point") return { type: "LineString", coordinates: positions };
  const [position, ...others] = positions;
  if (position === undefined || others.length > 0) {
    throw new GeometryProblem(element.line, `a point of ${positions.length} positions`, "one position");
  }
  return { type: "Point", coordinates: position };
}

/** Positions of Google's `gx:Track`: `longitude latitude height`, each an element of its own. */
function readTrackPositions({ children, line }: XmlElement, swapAxes: boolean): Position[] {
  const positions = children.flatMap((child): Position[] => {
    if (child.name !== "coord") return [];
    const [x = "", y = ""] = child.text.trim().split(/\s+/);
    if (![x, y].every((text) => isDecimal(text) && Number.isFinite(Number(text)))) {
      throw new GeometryProblem(
        child.line,
        `"${child.text.trim().slice(0, 40)}"`,
        "longitude latitude [height]",
      );
    }
    return [swapAxes ? [Number(y), Number(x)] : [Number(x), Number(y)]];
  });
  if (positions.length === 0) throw new GeometryProblem(line, "a Track without positions", "gx:coord");
  return positions;
}

function closeRing(ring: Float64Array): Float64Array {
  const [x, y] = [ring[0]!, ring[1]!];
  const isClosed = ring[ring.length - 2] === x && ring[ring.length - 1] === y;
  return isClosed ? ring : Float64Array.from([...ring, x, y]);
}

function listLinearRings(boundary: XmlElement): XmlElement[] {
  return boundary.children.filter(({ name }) => name === "LinearRing");
}

function toGeometry(part: Simple): unknown {
  return part.type === "Polygon" ? new AreaGeometry([part.rings], false) : part;
}

function joinGeometries(parts: readonly Simple[]): unknown {
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

/** `lon,lat[,alt]`, tuples separated by space; spaces next to commas are accepted. Flat, as areas keep them. */
function readFlatPositions(element: XmlElement, swapAxes: boolean): Float64Array {
  const coordinates = findChildByName(element, "coordinates");
  if (coordinates === undefined) {
    throw new GeometryProblem(element.line, `a ${element.name} without coordinates`, "coordinates");
  }
  const { text } = coordinates;
  let flat = new Float64Array(64);
  let length = 0;
  let at = skipSpace(text, 0);
  if (at === text.length) throw new GeometryProblem(coordinates.line, "empty coordinates", "positions");
  while (at < text.length) {
    const tuple: string[] = [];
    for (;;) {
      const from = at;
      while (at < text.length && text[at] !== "," && !isSpace(text, at)) at++;
      if (tuple.length <= MOST_ORDINATES) tuple.push(text.slice(from, at));
      at = skipSpace(text, at);
      if (text[at] !== ",") break;
      at = skipSpace(text, at + 1);
    }
    const [x = "", y = ""] = tuple;
    const isPosition = [x, y].every((ordinate) => isDecimal(ordinate) && Number.isFinite(Number(ordinate)));
    if (!isPosition || tuple.length > MOST_ORDINATES) {
      const found = `"${tuple.join(",").slice(0, 40)}"`;
      throw new GeometryProblem(coordinates.line, found, "longitude,latitude[,height]");
    }
    if (length === flat.length) {
      const grown = new Float64Array(2 * length);
      grown.set(flat);
      flat = grown;
    }
    flat[length++] = Number(swapAxes ? y : x);
    flat[length++] = Number(swapAxes ? x : y);
  }
  return flat.slice(0, length);
}

const MOST_ORDINATES = 3;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text, at)) at++;
  return at;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0xa0 && /\s/.test(text[at]!));
}
