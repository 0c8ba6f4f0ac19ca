import { EngineError, FAULT_LIMIT, faultsMessage } from "../../base/errors.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { signedRingArea } from "../earth/authalic.ts";
import { closed, isClosed, withoutRepeats } from "../noding/mend-rings.ts";
import type { CrsTable } from "./crs.ts";
import { DISC_LATITUDE_LIMIT, POINT_LIMIT, unitedDiscs } from "./discs.ts";
import {
  describeJump,
  forEachJump,
  halveJumps,
  reachBeyondOneTurn,
  takeShortWay,
  takeShortWayOfLines,
  withinOneTurn,
} from "./longitude-jumps.ts";
import { mendPolygons, repeatWarnings } from "./mend-polygons.ts";
import { positiveZeros, readPlainPlot } from "./plain-plot.ts";
import type { Plot, Warning } from "./plot.ts";
import { type InputFault, type PositionFaultCode, type ReadGeometry, readGeoJson } from "./read-geojson.ts";
import { repairPolygons } from "./repair.ts";
import { examineRings } from "./validity.ts";

type Polygons = readonly (readonly Float64Array[])[];

/** The area of the disc that each point of a geometry stands for. */
export interface DiscArea {
  /** 1 to 1e9. */
  readonly squareMeters: number;
  /** JSON pointer to it in the request. */
  readonly pointer: string;
}

/** Positions an input geometry may have, besides those that close rings. */
export const PLOT_POSITION_LIMIT = 100_000;

/**
 * Checks a GeoJSON geometry from outside and readies it for kernels.
 *
 * Takes Polygon, MultiPolygon, LineString, MultiLineString, Point and MultiPoint, also as the
 * geometry of a Feature. Longitudes may run past ±180, to ±540, but a geometry may not reach more
 * than once round the earth, and no edge half round or more: see `isJump` for the two exceptions.
 * Which regions are valid: `findFaults`. `bbox` members and ordinates beyond the second are not used.
 *
 * Mended, each with one warning that counts them: repeated positions are left out, rings that wind
 * the other way than RFC 7946 asks are turned round, edges that rings share are dissolved.
 *
 * @param input a GeoJSON geometry, or a Feature around one; unchecked
 * @param options.crs CRS of the coordinates, `EPSG:n` or `OGC:CRS84`, default what a `crs` member of the
 *   geometry or Feature names, else WGS 84 longitude and latitude
 * @param options.crsPointer JSON pointer of `crs` in the request
 * @param options.crsTable holds what CRSs there are besides WGS 84: `crsTable` of `@groundrule/crs`
 * @param options.tableOption what the caller's caller passes the table as, for errors; default `crsTable`
 * @param options.dimensions what is accepted, default all
 * @param options.pointer JSON pointer of `input` in the request, put before those of faults and warnings
 * @param options.disc makes discs of points: the plot is then polygons, the union of one disc each
 *   (`unitedDiscs`), for at most {@link POINT_LIMIT} points
 * @param options.meter the answer's; a repair is proposed within what it leaves
 *
 * Fails:
 * - `VALIDATION_FAILED`: not a GeoJSON geometry of an accepted type, or `disc` with another than points;
 *   `details.faults`;
 * - `GEOMETRY_INVALID`: of GeoJSON's shape, but no region or line on earth. `details.faults` are the
 *   first 100 in ring order ({@link InputFault}); where a repair exists, `details.repaired` is it, a
 *   GeoJSON geometry in longitude and latitude (see {@link repairPolygons}),
 *   and `details.area_change_m2` its area less what the outer rings as sent enclose, holes
 *   taken off;
 * - `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed`, in positions or units of work;
 * - `CRS_UNKNOWN`, and `CRS_MISMATCH` where positions lie far outside the area of use of the CRS (see
 *   {@link readGeoJson}).
 */
export function parsePlot(
  input: unknown,
  options: {
    readonly crs?: string | undefined;
    readonly crsPointer?: string | undefined;
    readonly crsTable?: CrsTable | undefined;
    readonly tableOption?: string | undefined;
    readonly dimensions?: readonly Plot["dimension"][] | undefined;
    readonly pointer?: string | undefined;
    readonly disc?: DiscArea | undefined;
    readonly meter?: WorkMeter | undefined;
  } = {},
): { readonly plot: Plot; readonly crs: string | undefined; readonly warnings: Warning[] } {
  const plain = options.disc === undefined ? readPlainPlot(input, options) : undefined;
  return plain ?? examinePlot(input, options);
}

/** {@link parsePlot} of any geometry, also of those that are not plain: with every fault and every warning. */
export function examinePlot(
  input: unknown,
  options: NonNullable<Parameters<typeof parsePlot>[1]>,
): ReturnType<typeof parsePlot> {
  const meter = options.meter ?? new WorkMeter();
  const read = readGeoJson(input, { ...options, positionLimit: PLOT_POSITION_LIMIT });
  if (read.faults.length > 0) throw invalid(read.faults);
  if (options.disc !== undefined) return parseDiscs(read, { ...options, disc: options.disc, meter });
  const jumps = findJumps(read);
  if (jumps.length > 0) throw invalid(jumps, proposeShortWay(read, meter));
  const faults: InputFault[] = [...findSpanFaults(read)];
  const rings = read.dimension === "polygon" ? examine(read, meter) : undefined;
  if (rings !== undefined) for (const each of rings.faults) faults.push(each);
  else if (read.dimension === "line") for (const each of findLineFaults(read)) faults.push(each);
  if (faults.length > 0) {
    faults.sort((a, b) => a.polygon - b.polygon || a.ring - b.ring || a.position - b.position);
    const isPolygon = read.dimension === "polygon";
    throw invalid(
      faults.slice(0, FAULT_LIMIT),
      isPolygon ? proposeRepair(meter, read.parts.map(closedRings)) : {},
    );
  }
  const pointer = options.pointer ?? "";
  const mended =
    rings === undefined ? mendLines(read, pointer) : mendPolygons(read.parts, { ...rings, pointer, meter });
  const warnings = [...read.warnings, ...mended.warnings];
  return { plot: plotOf(read.dimension, mended.polygons), crs: read.crs, warnings };
}

/** Points as the discs around them. */
function parseDiscs(
  read: ReadGeometry,
  options: {
    readonly disc: DiscArea;
    readonly pointer?: string | undefined;
    readonly meter: WorkMeter;
  },
): ReturnType<typeof parsePlot> {
  const { disc, meter, pointer = "" } = options;
  if (read.dimension !== "point") {
    const message = `found an area for a ${read.dimension}, expected an area only for a Point or MultiPoint; leave it out, because a ${read.dimension} has its own extent`;
    const faults = [{ pointer: disc.pointer, code: "AREA_NOT_OF_POINTS", message }];
    throw new EngineError("VALIDATION_FAILED", message, { faults });
  }
  const points = read.parts.map(([point]) => point!);
  if (points.length > POINT_LIMIT) {
    throw new EngineError(
      "GEOMETRY_TOO_COMPLEX",
      `found ${points.length} points, expected at most ${POINT_LIMIT}, because each becomes a disc; send them in parts`,
      { counted: points.length, allowed: POINT_LIMIT },
    );
  }
  const faults = [...findSpanFaults(read), ...findPolarFaults(read)];
  if (faults.length > 0) throw invalid(faults.slice(0, FAULT_LIMIT));
  const united = unitedDiscs(points, { squareMeters: disc.squareMeters, pointer, meter });
  if (united === undefined) {
    throw invalid([
      faultOfPoint(
        read,
        0,
        "LONGITUDE_SPAN",
        "the discs around the points span more than 360° of longitude; send the points in parts",
      ),
    ]);
  }
  const warnings = [...read.warnings, ...united.warnings];
  return { plot: plotOf("polygon", united.polygons), crs: read.crs, warnings };
}

function findPolarFaults(read: ReadGeometry): InputFault[] {
  return read.parts.flatMap(([point], part) => {
    const latitude = point![1]!;
    if (Math.abs(latitude) <= DISC_LATITUDE_LIMIT) return [];
    const message = `the point at latitude ${latitude} is within 1° of a pole, expected −${DISC_LATITUDE_LIMIT} to ${DISC_LATITUDE_LIMIT}, the latitudes at which points become discs; send the land as a Polygon`;
    return [faultOfPoint(read, part, "POINT_NEAR_POLE", message)];
  });
}

function faultOfPoint(
  read: ReadGeometry,
  part: number,
  code: PositionFaultCode,
  message: string,
): InputFault {
  const [longitude, latitude] = read.parts[part]![0]!;
  return {
    pointer: read.pointerOf(part, 0, 0),
    code,
    message,
    polygon: part,
    ring: 0,
    position: 0,
    coordinate: [longitude!, latitude!],
  };
}

function invalid(faults: readonly InputFault[], repair: Readonly<Record<string, unknown>> = {}): EngineError {
  return new EngineError("GEOMETRY_INVALID", `the geometry is invalid: ${faultsMessage(faults)}`, {
    faults,
    ...repair,
  });
}

/** Edges of half a turn or more; what else is wrong shows once they are mended. */
function findJumps(read: ReadGeometry): InputFault[] {
  const faults: InputFault[] = [];
  if (read.dimension === "point") return faults;
  forEachJump(read.parts, (polygon, ring, position) => {
    if (faults.length >= FAULT_LIMIT) return;
    const xy = read.parts[polygon]![ring]!;
    const [longitude, latitude] = [xy[2 * position]!, xy[2 * position + 1]!];
    faults.push({
      pointer: read.pointerOf(polygon, ring, position),
      code: "LONGITUDE_JUMP",
      message: describeJump(longitude, xy[2 * position + 2]!),
      polygon,
      ring,
      position: read.sentPosition(polygon, ring, position),
      coordinate: [longitude, latitude],
    });
  });
  return faults;
}

/** Beyond a whole turn, parts may lie on each other unseen. */
function findSpanFaults(read: ReadGeometry): InputFault[] {
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let fault: InputFault | undefined;
  read.parts.forEach((rings, polygon) => {
    rings.forEach((ring, r) => {
      for (let i = 0; i < ring.length; i += 2) {
        west = Math.min(west, ring[i]!);
        east = Math.max(east, ring[i]!);
        if (east - west <= 360 || fault !== undefined) continue;
        fault = {
          pointer: read.pointerOf(polygon, r, i / 2),
          code: "LONGITUDE_SPAN",
          message: `the longitudes run from ${west} to ${east}, which is more than 360°`,
          polygon,
          ring: r,
          position: read.sentPosition(polygon, r, i / 2),
          coordinate: [ring[i]!, ring[i + 1]!],
        };
      }
    });
  });
  return fault === undefined ? [] : [fault];
}

function examine(read: ReadGeometry, meter: WorkMeter): { faults: InputFault[]; sharedStretches: number } {
  const faults: InputFault[] = [];
  read.parts.forEach((rings, polygon) => {
    rings.forEach((ring, r) => {
      if (isClosed(ring) || faults.length >= FAULT_LIMIT) return;
      const position = ring.length / 2 - 1;
      faults.push({
        pointer: read.pointerOf(polygon, r, position),
        code: "RING_NOT_CLOSED",
        message: "the ring does not end at the position it starts at",
        polygon,
        ring: r,
        position: read.sentPosition(polygon, r, position),
        coordinate: [ring[2 * position]!, ring[2 * position + 1]!],
      });
    });
  });
  const polygons = read.parts.map(closedRings);
  const examined = examineRings(polygons, { meter });
  for (const fault of examined.faults) {
    faults.push({
      pointer: read.pointerOf(fault.polygon, fault.ring, fault.position),
      ...fault,
      position: read.sentPosition(fault.polygon, fault.ring, fault.position),
    });
  }
  return { faults, sharedStretches: examined.sharedStretches };
}

function findLineFaults(read: ReadGeometry): InputFault[] {
  const faults: InputFault[] = [];
  read.parts.forEach(([line], part) => {
    if (withoutRepeats(line!).length >= 4 || faults.length >= FAULT_LIMIT) return;
    faults.push({
      pointer: read.pointerOf(part, 0, 0),
      code: "LINE_TOO_SHORT",
      message: "the line has fewer than two distinct positions",
      polygon: part,
      ring: 0,
      position: 0,
      coordinate: [line![0]!, line![1]!],
    });
  });
  return faults;
}

/** The geometry with its jumps taken the short way, repaired where that leaves faults. */
function proposeShortWay(read: ReadGeometry, meter: WorkMeter): Readonly<Record<string, unknown>> {
  if (read.dimension === "line") {
    const lines = halveJumps(takeShortWayOfLines(read.parts)).flat().map(positionsOf);
    return {
      repaired:
        lines.length === 1
          ? { type: "LineString", coordinates: lines[0]! }
          : { type: "MultiLineString", coordinates: lines },
      area_change_m2: 0,
    };
  }
  const asSent = read.parts.map(closedRings);
  return withinWork(() => {
    const taken = takeShortWay(asSent, { meter });
    if (taken === undefined) return {};
    if (examineRings(taken, { meter }).faults.length > 0) {
      return proposeRepair(meter, taken, asSent);
    }
    const wound = mendPolygons(taken, { sharedStretches: 0, pointer: "" }).polygons;
    return proposal(wound, asSent);
  });
}

/** The repaired geometry with its change of area, or nothing where there is none within the limits. */
function proposeRepair(
  meter: WorkMeter,
  polygons: Polygons,
  asSent: Polygons = polygons,
): Readonly<Record<string, unknown>> {
  return withinWork(() => proposal(repairPolygons(withinOneTurn(polygons), { meter }), asSent));
}

function withinWork(propose: () => Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    return propose();
  } catch (error) {
    if (error instanceof EngineError && error.code === "GEOMETRY_TOO_COMPLEX") return {};
    throw error;
  }
}

function proposal(repaired: Polygons, asSent: Polygons): Readonly<Record<string, unknown>> {
  // A ring that runs on round the earth cannot be proposed: no plot may reach so far.
  if (repaired.length === 0 || reachBeyondOneTurn(repaired)) return {};
  const coordinates = halveJumps(repaired).map((rings) => rings.map(positionsOf));
  return {
    repaired:
      coordinates.length === 1
        ? { type: "Polygon", coordinates: coordinates[0]! }
        : { type: "MultiPolygon", coordinates },
    area_change_m2: areaSquareMetersOf(repaired) - areaSquareMetersOf(asSent),
  };
}

/**
 * Square metres the outer rings enclose, holes taken off, whatever the winding; a polygon whose
 * holes are larger than itself counts 0. Closed rings.
 */
export function areaSquareMetersOf(polygons: readonly (readonly Float64Array[])[]): number {
  let sum = 0;
  for (const [outer, ...holes] of polygons) {
    let area = Math.abs(signedRingArea(outer!));
    for (const hole of holes) area -= Math.abs(signedRingArea(hole));
    sum += Math.max(0, area);
  }
  return sum;
}

function positionsOf(ring: Float64Array): number[][] {
  const out: number[][] = [];
  for (let i = 0; i < ring.length; i += 2) out.push([ring[i]!, ring[i + 1]!]);
  return out;
}

function closedRings(rings: readonly Float64Array[]): Float64Array[] {
  return rings.map(closed);
}

/** Lines without repeated positions; points as they are. */
function mendLines(read: ReadGeometry, pointer: string): ReturnType<typeof mendPolygons> {
  if (read.dimension === "point") return { polygons: read.parts, warnings: [] };
  let repeats = 0;
  const polygons = read.parts.map((lines) =>
    lines.map((line) => {
      const distinct = withoutRepeats(line);
      repeats += (line.length - distinct.length) / 2;
      return distinct;
    }),
  );
  return { polygons, warnings: repeatWarnings(pointer, repeats) };
}

function plotOf(dimension: Plot["dimension"], parts: readonly (readonly Float64Array[])[]): Plot {
  const rings = parts.flat();
  const ringStarts = new Uint32Array(rings.length + 1);
  rings.forEach((ring, r) => {
    ringStarts[r + 1] = ringStarts[r]! + ring.length / 2;
  });
  const polygonStarts = new Uint32Array(parts.length + 1);
  parts.forEach((part, p) => {
    polygonStarts[p + 1] = polygonStarts[p]! + part.length;
  });
  const xy = new Float64Array(ringStarts.at(-1)! * 2);
  rings.forEach((ring, r) => {
    xy.set(ring, ringStarts[r]! * 2);
  });
  let [west, south, east, north] = [xy[0]!, xy[1]!, xy[0]!, xy[1]!];
  for (let i = 2; i < xy.length; i += 2) {
    west = Math.min(west, xy[i]!);
    east = Math.max(east, xy[i]!);
    south = Math.min(south, xy[i + 1]!);
    north = Math.max(north, xy[i + 1]!);
  }
  return { dimension, xy, ringStarts, polygonStarts, bbox: positiveZeros(west, south, east, north) };
}
