import { EngineError, FAULT_LIMIT, type Fault, formatFaultsMessage } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { readUntrusted, refusePromise } from "../../base/read-untrusted.ts";
import { describeValue } from "../../shape/describe-value.ts";
import { type Crs, type CrsTable, getCrs, isSameCrs, measureDegreesOutside } from "./crs.ts";
import { readCrsMember } from "./crs-member.ts";
import { type FilledRing, fillEdges, runOnRingLongitudes } from "./densify.ts";
import type { GeometryFault, GeometryFaultCode } from "./geometry-fault.ts";
import type { Plot, Warning } from "./plot.ts";

/** Faults of a geometry that has GeoJSON's shape: in its rings, or in single positions. */
export type PositionFaultCode =
  | "POSITION_NOT_FINITE"
  | "LATITUDE_OUT_OF_RANGE"
  | "LONGITUDE_OUT_OF_RANGE"
  /** Longitudes reach more than once round the earth. */
  | "LONGITUDE_SPAN"
  /** An edge runs half round the earth or more: nearly always one that crosses the antimeridian. */
  | "LONGITUDE_JUMP"
  | "RING_NOT_CLOSED"
  /** A line with fewer than two distinct positions. */
  | "LINE_TOO_SHORT"
  /** A point with an area that lies within 1° of a pole. */
  | "POINT_NEAR_POLE";

/** A fault of an input geometry, with its JSON pointer. */
export type InputFault = GeometryFault<GeometryFaultCode | PositionFaultCode> & Fault;

/**
 * A geometry as it was sent: of GeoJSON's shape, in longitude and latitude, the edges of a projected one filled
 * (`fillEdges`), nothing else checked.
 */
export interface ReadGeometry {
  readonly dimension: Plot["dimension"];
  /** Name of the CRS, from the caller or the geometry; undefined: longitude and latitude. */
  readonly crs: string | undefined;
  /** Flat `[lon, lat, …]` by part and ring as written; lines and points are parts of one ring. */
  readonly parts: readonly (readonly Float64Array[])[];
  /** JSON pointer to a position as it was sent, or to the last one before it. */
  readonly pointerOf: (part: number, ring: number, position: number) => string;
  /** Index in its ring as sent of a position, or of the last one before it: edges of projected rings are filled. */
  readonly sentPosition: (part: number, ring: number, position: number) => number;
  /** Positions that are no place on earth. In ring order, at most {@link FAULT_LIMIT}. */
  readonly faults: InputFault[];
  readonly warnings: Warning[];
}

/** Longitudes further out than this are taken for a mistake: one and a half turns from Greenwich. */
export const LONGITUDE_LIMIT = 540;

/** Positions of an area whose positions are not limited, once its edges are filled: more would not fit in memory. */
const FILLED_LIMIT = 10_000_000;

/** Degrees outside the area of use of a CRS from which a position is taken for one of another CRS. */
const FAR_OUTSIDE = 10;

/**
 * Reads a GeoJSON geometry, or the geometry of a Feature, in one pass over its coordinates.
 *
 * Positions outside the area of use of the CRS bring a warning, those more than {@link FAR_OUTSIDE}
 * degrees outside a refusal; so do degrees where the CRS has metres.
 *
 * Fails: `VALIDATION_FAILED` with every fault of shape (at most 100), and where two names of the CRS
 * contradict each other; `GEOMETRY_TOO_COMPLEX` beyond the limit; `CRS_UNKNOWN`; `CRS_MISMATCH` with
 * `crs` and `areas_of_use`, `[west, south, east, north]` in degrees.
 *
 * @param input a GeoJSON geometry, or a Feature around one; unchecked
 * @param options.crs see {@link getCrs}; the default is what a `crs` member of the geometry or Feature
 *   names in the manner before RFC 7946, else longitude and latitude on WGS 84
 * @param options.crsPointer JSON pointer of `crs`
 * @param options.crsTable holds what CRSs there are besides longitude and latitude on WGS 84
 * @param options.tableOption what the caller's caller passes the table as, for errors; default `crsTable`
 * @param options.pointer JSON pointer of `input`, put before those of faults and warnings
 * @param options.positionLimit positions allowed besides those that close rings, default no limit
 */
export function readGeoJson(input: unknown, options: ReadOptions): ReadGeometry {
  refusePromise(input, options.pointer ?? "");
  return readUntrusted(input, options.pointer ?? "", () => readGeometryMembers(input, options));
}

interface ReadOptions {
  readonly crs?: string | undefined;
  readonly crsPointer?: string | undefined;
  readonly crsTable?: CrsTable | undefined;
  readonly tableOption?: string | undefined;
  readonly dimensions?: readonly Plot["dimension"][] | undefined;
  readonly pointer?: string | undefined;
  readonly positionLimit?: number | undefined;
}

function readGeometryMembers(input: unknown, options: ReadOptions): ReadGeometry {
  const { geometry, pointer, named, shapeFaults } = unwrapGeometry(input, options.pointer ?? "");
  const crs = chooseCrs(options, named);
  const transform = crs?.transform;
  const form = findGeometryForm(geometry, pointer, options.dimensions);
  checkBbox(geometry, pointer, shapeFaults);

  const { coordinates } = geometry;
  const root = `${pointer}/coordinates`;
  const pointerOf = (part: number, ring: number, position: number): string =>
    pointer + pointerToPosition(form, part, ring, position);

  const lists = readPositionLists(coordinates, form, root, shapeFaults);
  const { positionLimit = FILLED_LIMIT } = options;
  if (options.positionLimit !== undefined) refuseTooManyPositions(positionLimit, lists, form.rings);
  const faults: InputFault[] = [];
  let ignoredOrdinates = 0;
  let firstIgnored = "";
  const use = crs === undefined ? undefined : new UseOfCrs(crs);
  const out: [number, number] = [0, 0];
  /** Positions of a projected geometry as sent, ring by ring. */
  const projected =
    crs?.isProjected === true && form.listed ? new Map<Float64Array, Float64Array>() : undefined;
  const parts = lists.map((rings, part) => rings.map((list, ring) => readRing(list, part, ring)));
  if (shapeFaults.length > 0) throw notGeoJsonError(shapeFaults);
  const warnings: Warning[] = use?.conclude() ?? [];
  for (const each of buildOrdinateWarnings(firstIgnored, ignoredOrdinates)) warnings.push(each);
  const read = { dimension: form.dimension, crs: crs?.name, faults, warnings };
  if (crs === undefined || projected === undefined || faults.length > 0) {
    return { ...read, parts, pointerOf, sentPosition: (_part, _ring, position) => position };
  }
  const filled = fillPartEdges(parts, projected, crs, positionLimit).map((rings) =>
    runOnRingLongitudes(rings, form.rings),
  );
  const sentPosition = (part: number, ring: number, position: number): number =>
    filled[part]![ring]!.sent[position]!;
  return {
    ...read,
    parts: filled.map((rings) => rings.map(({ xy }) => xy)),
    pointerOf: (part, ring, position) => pointerOf(part, ring, sentPosition(part, ring, position)),
    sentPosition,
  };

  function readRing(list: readonly unknown[], part: number, ring: number): Float64Array {
    const xy = new Float64Array(list.length * 2);
    const sent = projected && new Float64Array(list.length * 2);
    if (sent !== undefined) projected!.set(xy, sent);
    for (let i = 0; i < list.length; i++) {
      const position = list[i];
      if (!Array.isArray(position) || typeof position[0] !== "number" || typeof position[1] !== "number") {
        shapeFault(part, ring, i, position);
        continue;
      }
      if (position.length > 2) {
        if (position.some((ordinate) => typeof ordinate !== "number")) shapeFault(part, ring, i, position);
        if (ignoredOrdinates++ === 0) firstIgnored = pointerOf(part, ring, i);
      }
      out[0] = position[0];
      out[1] = position[1];
      sent?.set(out, 2 * i);
      if (transform !== undefined && Number.isFinite(out[0]) && Number.isFinite(out[1])) transform(out);
      const longitude = out[0];
      const latitude = out[1];
      xy[2 * i] = longitude;
      xy[2 * i + 1] = latitude;
      if (!(Math.abs(longitude) <= LONGITUDE_LIMIT && Math.abs(latitude) <= 90)) {
        placeFault(part, ring, i, position[0], position[1], longitude, latitude);
      }
      use?.note(position[0], position[1], longitude, latitude, () => pointerOf(part, ring, i));
    }
    return xy;
  }

  function shapeFault(part: number, ring: number, position: number, found: unknown): void {
    if (shapeFaults.length >= FAULT_LIMIT) return;
    shapeFaults.push({
      pointer: pointerOf(part, ring, position),
      code: "POSITION_INVALID",
      message: `found ${describePosition(found)}, expected a position of two or more numbers`,
    });
  }

  function placeFault(
    part: number,
    ring: number,
    position: number,
    x: number,
    y: number,
    longitude: number,
    latitude: number,
  ): void {
    if (faults.length >= FAULT_LIMIT) return;
    let code: PositionFaultCode;
    let message: string;
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      code = "POSITION_NOT_FINITE";
      message = `the position [${x}, ${y}] is not finite`;
    } else if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) {
      code = "POSITION_NOT_FINITE";
      message = `[${x}, ${y}] is not a valid position in ${crs?.name}`;
    } else if (Math.abs(latitude) > 90) {
      code = "LATITUDE_OUT_OF_RANGE";
      message = `found latitude ${latitude}, expected −90 to 90${hintFor(latitude)}`;
    } else {
      code = "LONGITUDE_OUT_OF_RANGE";
      message = `found longitude ${longitude}, expected −${LONGITUDE_LIMIT} to ${LONGITUDE_LIMIT}${hintFor(longitude)}`;
    }
    faults.push({
      pointer: pointerOf(part, ring, position),
      code,
      message,
      polygon: part,
      ring,
      position,
      coordinate: [x, y],
    });
  }

  function hintFor(value: number): string {
    if (crs !== undefined) return "";
    return Math.abs(value) > 1000
      ? "; name the CRS of projected coordinates in `crs` (--crs on the command line)"
      : "; write positions as [longitude, latitude]";
  }
}

/**
 * Rings or lines with their edges filled.
 *
 * @param projected each of them as it was sent
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` beyond `limit` positions.
 */
function fillPartEdges(
  parts: readonly (readonly Float64Array[])[],
  projected: ReadonlyMap<Float64Array, Float64Array>,
  crs: Crs,
  limit: number,
): FilledRing[][] {
  let allowed = limit;
  return parts.map((rings) =>
    rings.map((xy) => {
      const filled = fillEdges(projected.get(xy)!, xy, crs.transform, allowed + 1);
      if (filled === undefined) throw tooManyPositionsError(crs, limit);
      allowed -= filled.sent.length - 1;
      return filled;
    }),
  );
}

function tooManyPositionsError(crs: Crs, allowed: number): EngineError {
  const message = `the edges of the geometry are so long that more than ${allowed} positions are needed to transform them from ${crs.name} within 1 cm, expected at most ${allowed}; send it in parts, or in longitude and latitude`;
  return new EngineError("GEOMETRY_TOO_COMPLEX", message, { allowed });
}

/** JSON pointer from a geometry to one of its positions. */
export function pointerToPosition(form: Form, part: number, ring: number, position: number): string {
  return `/coordinates${form.many ? `/${part}` : ""}${form.rings ? `/${ring}` : ""}${form.listed ? `/${position}` : ""}`;
}

/** Warnings about positions with more than two ordinates. @param pointer to the first of them */
export function buildOrdinateWarnings(pointer: string, count: number): Warning[] {
  if (count === 0) return [];
  const message = `ordinates beyond longitude and latitude were ignored at ${formatPositionCount(count)}`;
  return [{ pointer, code: "ORDINATES_IGNORED", message }];
}

/** How a geometry type nests its positions. */
export interface Form {
  readonly dimension: Plot["dimension"];
  /** True if the geometry has several parts; below: parts have several rings, and rings list their positions. */
  readonly many: boolean;
  readonly rings: boolean;
  readonly listed: boolean;
}

const FORMS: ReadonlyMap<string, Form> = new Map([
  ["Point", { dimension: "point", many: false, rings: false, listed: false }],
  ["MultiPoint", { dimension: "point", many: true, rings: false, listed: false }],
  ["LineString", { dimension: "line", many: false, rings: false, listed: true }],
  ["MultiLineString", { dimension: "line", many: true, rings: false, listed: true }],
  ["Polygon", { dimension: "polygon", many: false, rings: true, listed: true }],
  ["MultiPolygon", { dimension: "polygon", many: true, rings: true, listed: true }],
]);

/** The form of a geometry type; undefined of any other name. */
export function findFormByType(type: string): Form | undefined {
  return FORMS.get(type);
}

/** A short array in full: `[null,null]` is more informative than its length. */
function describePosition(found: unknown): string {
  const parts =
    Array.isArray(found) && found.length > 0 && found.length <= 4 ? [...(found as unknown[])] : [];
  return parts.length > 0 && parts.every((part) => typeof part !== "object" || part === null)
    ? `[${parts.map(describeValue).join(", ")}]`
    : describeValue(found);
}

type Members = Readonly<Record<string, unknown>>;

/** A CRS as a geometry or Feature names it. */
interface NamedCrs {
  readonly name: string;
  readonly pointer: string;
}

function unwrapGeometry(
  input: unknown,
  pointer: string,
): { geometry: Members; pointer: string; named: readonly NamedCrs[]; shapeFaults: Fault[] } {
  const shapeFaults: Fault[] = [];
  if (!isObject(input)) throw notGeoJsonError([geometryTypeFault(pointer, input)]);
  const named: NamedCrs[] = [];
  const readCrs = (members: Members, at: string): void => {
    const found = readNamedCrs(members, at, shapeFaults);
    if (found !== undefined) named.push(found);
  };
  if (input.type !== "Feature") {
    readCrs(input, pointer);
    return { geometry: input, pointer, named, shapeFaults };
  }
  checkBbox(input, pointer, shapeFaults);
  const { geometry } = input;
  if (!isObject(geometry)) throw notGeoJsonError([geometryTypeFault(`${pointer}/geometry`, geometry)]);
  readCrs(input, pointer);
  readCrs(geometry, `${pointer}/geometry`);
  return { geometry, pointer: `${pointer}/geometry`, named, shapeFaults };
}

/** The CRS that a `crs` member names; null counts as absent. */
function readNamedCrs({ crs }: Members, pointer: string, faults: Fault[]): NamedCrs | undefined {
  if (crs === undefined || crs === null) return undefined;
  const named = readCrsMember(crs);
  if (named !== undefined) return { name: named.name, pointer: `${pointer}/crs${named.pointer}` };
  faults.push({
    pointer: `${pointer}/crs`,
    code: "CRS_INVALID",
    message: `found ${describeValue(crs)}, expected {"type": "name", "properties": {"name": "EPSG:…"}}`,
  });
  return undefined;
}

/** The one CRS on which all sources of a name agree. */
function chooseCrs(
  options: Pick<ReadOptions, "crs" | "crsPointer" | "crsTable" | "tableOption">,
  named: readonly NamedCrs[],
): Crs | undefined {
  const { crs, crsPointer = "", crsTable, tableOption } = options;
  const byCaller = crs === undefined ? [] : [{ name: crs, pointer: crsPointer }];
  const [first, ...others] = [...byCaller, ...named];
  if (first === undefined) return undefined;
  const contrary = others.filter(({ name }) => !isSameCrs(first.name, name));
  if (contrary.length > 0) {
    const faults = contrary.map(({ name, pointer }) => ({
      pointer,
      code: "CRS_CONTRADICTED",
      message: `found the CRS ${JSON.stringify(name.slice(0, 64))}, expected ${JSON.stringify(first.name.slice(0, 64))}, which is also named; leave one of them out`,
    }));
    throw new EngineError("VALIDATION_FAILED", faults[0]!.message, { faults });
  }
  try {
    return getCrs(first.name, crsTable, tableOption);
  } catch (error) {
    if (!(error instanceof EngineError) || first.pointer === "") throw error;
    const { code, message, details } = error;
    throw new EngineError(code, message, { ...details, faults: [{ pointer: first.pointer, code, message }] });
  }
}

/** Notes whether positions lie where their CRS is in use. */
class UseOfCrs {
  readonly #crs: Crs;
  /** True if every position so far could be longitude and latitude. */
  #looksLikeDegrees: boolean;
  #first = "";
  #outside = 0;
  #firstOutside = "";
  #farthest = 0;
  readonly #faults: Fault[] = [];

  constructor(crs: Crs) {
    this.#crs = crs;
    this.#looksLikeDegrees = crs.isProjected;
  }

  note(x: number, y: number, longitude: number, latitude: number, pointer: () => string): void {
    if (this.#first === "") this.#first = pointer();
    if (this.#looksLikeDegrees) {
      if (!(Math.abs(x) <= 180 && Math.abs(y) <= 90)) this.#looksLikeDegrees = false;
    }
    if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) return;
    const degrees = measureDegreesOutside(this.#crs.areas, longitude, latitude);
    if (degrees === 0) return;
    if (this.#outside++ === 0) this.#firstOutside = pointer();
    this.#farthest = Math.max(this.#farthest, degrees);
    if (degrees <= FAR_OUTSIDE || this.#faults.length >= FAULT_LIMIT) return;
    this.#faults.push({
      pointer: pointer(),
      code: "CRS_MISMATCH",
      message: `[${x}, ${y}] in ${this.#crs.name} is longitude ${longitude.toFixed(4)}, latitude ${latitude.toFixed(4)}, ${degrees.toFixed(1)}° outside the area of use of that CRS`,
    });
  }

  /** Warnings. Fails: `CRS_MISMATCH`. */
  conclude(): Warning[] {
    const { name, areas, accuracyMeters } = this.#crs;
    const details = { crs: name, areas_of_use: areas };
    if (this.#looksLikeDegrees) {
      const message = `every position looks like degrees, but ${name} is in metres; leave \`crs\` out, or name the CRS of the positions`;
      const faults = [{ pointer: this.#first, code: "CRS_MISMATCH", message }];
      throw new EngineError("CRS_MISMATCH", message, { ...details, faults });
    }
    if (this.#faults.length > 0) {
      const mend = "; name the CRS of the positions, and write easting or longitude first";
      throw new EngineError("CRS_MISMATCH", `${formatFaultsMessage(this.#faults)}${mend}`, {
        ...details,
        faults: this.#faults,
      });
    }
    const warnings: Warning[] = [];
    if (accuracyMeters !== undefined) {
      const message = `the shift of ${name} to WGS 84 is accurate to ${accuracyMeters} m`;
      warnings.push({ pointer: this.#first, code: "CRS_INACCURATE", message });
    }
    if (this.#outside > 0) {
      const message = `${formatPositionCount(this.#outside)} ${this.#outside === 1 ? "lies" : "lie"} up to ${this.#farthest.toFixed(2)}° outside the area of use of ${name}`;
      warnings.push({ pointer: this.#firstOutside, code: "OUTSIDE_AREA_OF_USE", message });
    }
    return warnings;
  }
}

function geometryTypeFault(pointer: string, found: unknown): Fault {
  return {
    pointer,
    code: "GEOMETRY_TYPE_INVALID",
    message: `found ${describeValue(found)}, expected a GeoJSON geometry${typeof found === "string" ? " as an object" : ""}`,
  };
}

function findGeometryForm(
  geometry: Members,
  pointer: string,
  dimensions: readonly Plot["dimension"][] | undefined,
): Form {
  const allowed = [...FORMS].filter(([, { dimension }]) => dimensions?.includes(dimension) ?? true);
  const { type } = geometry;
  const form = typeof type === "string" ? findFormByType(type) : undefined;
  if (typeof type === "string" && form !== undefined && allowed.some(([name]) => name === type)) {
    return form;
  }
  throw notGeoJsonError([
    {
      pointer: `${pointer}/type`,
      code: "GEOMETRY_TYPE_INVALID",
      message: `found ${describeValue(type)}, expected ${allowed.map(([name]) => name).join(", ")}${
        type === "FeatureCollection" ? ": the geometry of one feature" : ""
      }`,
    },
  ]);
}

/** The lists of positions by part and ring, whatever the type's nesting. */
function readPositionLists(
  coordinates: unknown,
  form: Form,
  root: string,
  faults: Fault[],
): readonly unknown[][][] {
  const parts = form.many ? listAt(coordinates, root) : [coordinates];
  // Entries missing from a sparse array are faults too, so it is not mapped.
  return Array.from(parts, (part, p) => {
    const at = form.many ? `${root}/${p}` : root;
    const rings = form.rings ? listAt(part, at) : [part];
    return Array.from(rings, (ring, r) => {
      if (!form.listed) return [ring];
      return listAt(ring, form.rings ? `${at}/${r}` : at);
    });
  });

  function listAt(value: unknown, pointer: string): unknown[] {
    if (Array.isArray(value) && value.length > 0) return value;
    if (faults.length < FAULT_LIMIT) {
      faults.push({
        pointer,
        code: "COORDINATES_INVALID",
        message: `found ${describeValue(value)}, expected an array that is not empty`,
      });
    }
    return [];
  }
}

/**
 * The positions that close rings repeat others and do not count. Rings without another position count as
 * one each, or there could be any number of them.
 */
function refuseTooManyPositions(allowed: number, lists: readonly unknown[][][], closed: boolean): void {
  let counted = 0;
  for (const part of lists) {
    for (const ring of part) counted += Math.max(1, ring.length - (closed && endsAtItsStart(ring) ? 1 : 0));
  }
  if (counted <= allowed) return;
  throw new EngineError(
    "GEOMETRY_TOO_COMPLEX",
    `found ${counted} positions${closed ? ", not counting those that close the rings" : ""}, expected at most ${allowed}; simplify the geometry or send it in parts`,
    { counted, allowed },
  );
}

function endsAtItsStart(ring: readonly unknown[]): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return Array.isArray(first) && Array.isArray(last) && first[0] === last[0] && first[1] === last[1];
}

/** `bbox` is not used; what is not a bbox is refused all the same. */
function checkBbox(members: Members, pointer: string, faults: Fault[]): void {
  const { bbox } = members;
  if (bbox === undefined || bbox === null || isBbox(bbox)) return;
  faults.push({
    pointer: `${pointer}/bbox`,
    code: "BBOX_INVALID",
    message: `found ${describeValue(bbox)}, expected an array of four or six numbers`,
  });
}

/** True if a value is a bbox of two or three dimensions. */
export function isBbox(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    (value.length === 4 || value.length === 6) &&
    value.every((side) => typeof side === "number" && Number.isFinite(side))
  );
}

function notGeoJsonError(faults: readonly Fault[]): EngineError {
  const first = faults[0]!;
  return new EngineError("VALIDATION_FAILED", `not a GeoJSON geometry: ${first.message}`, { faults });
}

/** "1 position", "7 positions". */
export function formatPositionCount(count: number): string {
  return count === 1 ? "1 position" : `${count} positions`;
}
