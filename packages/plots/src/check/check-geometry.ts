import { EngineError, type Fault, type InputFault, parsePlot } from "@groundrule/engine";
import {
  describeValue,
  PLOT_POSITION_LIMIT,
  type ReadGeometry,
  readGeoJson,
  repairPolygons,
  WorkMeter,
} from "@groundrule/engine/internal";
import { FINDING_CODES, type FindingCode } from "../finding-codes.ts";
import { buildBordersFromLines, describeGap } from "../lines/border-of-lines.ts";
import { extractLines } from "../lines/lines-of-geometry.ts";
import { closeRing } from "../rings/clean-rings.ts";
import { isForeign } from "../rings/to-longitude-latitude.ts";
import { parseRepairedPlot, toRefusal } from "../taken-plot.ts";
import type { CheckPlotsOptions } from "./check-options.ts";
import type { ExaminedGeometry } from "./examined-geometry.ts";
import type { PlotFindings } from "./plot-findings.ts";

type Options = CheckPlotsOptions & {
  readonly crs?: string | undefined;
  /** True if the format of the file prescribes clockwise outer rings. */
  readonly isClockwise?: boolean | undefined;
};

/** Collections within collections that are looked into. */
const DEEPEST = 8;

const POLYGONS_AND_POINTS = ["Point", "MultiPoint", "Polygon", "MultiPolygon"];
const LINES = ["LineString", "MultiLineString"];

/** Reports faults of a geometry by itself, and returns what could be read of it: several for a collection. */
export function checkGeometry(
  geometry: unknown,
  pointer: string,
  options: Options,
  findings: PlotFindings,
  depth = 0,
): ExaminedGeometry[] {
  if (geometry === null || geometry === undefined) {
    findings.add("GEOMETRY_MISSING", pointer, {
      found: "no geometry",
      expected: "a Polygon, MultiPolygon, Point or MultiPoint",
    });
    return [];
  }
  const { type, coordinates, geometries } = geometry as {
    type?: unknown;
    coordinates?: unknown;
    geometries?: unknown;
  };
  if (type === "GeometryCollection" && depth < DEEPEST) {
    return checkGeometryCollection(geometries, pointer, options, findings, depth);
  }
  if (typeof type === "string" && LINES.includes(type)) {
    reportLineGeometry(geometry, type, pointer, options, findings);
    return [];
  }
  if (typeof geometry !== "object" || typeof type !== "string" || !POLYGONS_AND_POINTS.includes(type)) {
    reportGeometryType(geometry, pointer, findings);
    return [];
  }
  if (isEmpty(coordinates)) {
    findings.add("GEOMETRY_EMPTY", `${pointer}/coordinates`, {
      found: `a ${type} without positions`,
      expected: "positions",
    });
    return [];
  }
  return examineGeometry(geometry, pointer, options, findings);
}

function reportLineGeometry(
  geometry: unknown,
  type: string,
  pointer: string,
  { crs, crsTable }: Options,
  findings: PlotFindings,
): void {
  const lines = extractLines(geometry);
  const of = isForeign(crs) ? { crs, crsTable } : {};
  const borders = lines && buildBordersFromLines(lines, of);
  if (borders !== undefined && "rings" in borders) {
    findings.add("LINE_CLOSED", `${pointer}/type`, {
      found: `a ${type} that ends where it starts`,
      expected: "a Polygon",
    });
    return;
  }
  findings.add("LINE_UNSUPPORTED", `${pointer}/type`, {
    found: borders === undefined ? `a ${type}` : `a ${type} whose ends ${describeGap(borders.gapMeters)}`,
    expected: "a Polygon, MultiPolygon, Point or MultiPoint",
  });
}

function checkGeometryCollection(
  geometries: unknown,
  pointer: string,
  options: Options,
  findings: PlotFindings,
  depth: number,
): ExaminedGeometry[] {
  if (!Array.isArray(geometries)) {
    findings.add("COORDINATES_INVALID", `${pointer}/geometries`, {
      found: describeValue(geometries),
      expected: "an array of geometries",
    });
    return [];
  }
  if (geometries.length === 0) {
    findings.add("GEOMETRY_EMPTY", `${pointer}/geometries`, {
      found: "a collection of no geometries",
      expected: "geometries",
    });
    return [];
  }
  findings.add("COLLECTION", `${pointer}/type`, {
    found: `a GeometryCollection of ${geometries.length}`,
    expected: "a Polygon, MultiPolygon, Point or MultiPoint",
    severity: options.profile?.takesCollections ? "warning" : "error",
  });
  return geometries.flatMap((each, i) =>
    checkGeometry(each, `${pointer}/geometries/${i}`, options, findings, depth + 1),
  );
}

function reportGeometryType(geometry: unknown, pointer: string, findings: PlotFindings): void {
  const type = typeof geometry === "object" ? (geometry as { type?: unknown }).type : undefined;
  const meant =
    typeof type === "string"
      ? [...POLYGONS_AND_POINTS, ...LINES].find((name) => name.toLowerCase() === type.trim().toLowerCase())
      : undefined;
  findings.add("GEOMETRY_TYPE_INVALID", typeof geometry === "object" ? `${pointer}/type` : pointer, {
    found: describeValue(typeof geometry === "object" ? type : geometry),
    expected: "a Polygon, MultiPolygon, Point or MultiPoint",
    ...(meant !== undefined && { mend: `Write "${meant}".` }),
  });
}

/** True if coordinates are arrays within arrays and nothing else. */
function isEmpty(coordinates: unknown, depth = 0): boolean {
  return (
    Array.isArray(coordinates) && depth < DEEPEST && coordinates.every((each) => isEmpty(each, depth + 1))
  );
}

function examineGeometry(
  geometry: object,
  pointer: string,
  options: Options,
  findings: PlotFindings,
): ExaminedGeometry[] {
  const { crs, crsTable, profile, meter } = options;
  meter?.add(READING_STEPS * countPositions((geometry as { readonly coordinates?: unknown }).coordinates));
  const reading = { crs, crsTable, pointer, positionLimit: PLOT_POSITION_LIMIT };
  let read: ReadGeometry;
  try {
    read = readGeoJson(geometry, reading);
  } catch (error) {
    reportEngineRefusal(error, pointer, findings);
    return [];
  }
  for (const { code, pointer: at, message } of read.warnings) {
    findings.add(toFindingCode(code), at, {
      ...splitFaultMessage(message, "ordinates and positions that are used"),
      severity: "warning",
    });
  }
  if (read.faults.length > 0) {
    reportGeometryFaults(read, read.faults, findings);
    return [{ geometry, pointer, read, faults: read.faults, plot: undefined }];
  }
  reportRepeatedPositions(read, profile === undefined ? "warning" : "error", findings);
  reportLongitudesBeyond180(read, profile === undefined ? "warning" : "error", findings);
  try {
    const { plot, warnings } = parsePlot(geometry, { crs, crsTable, pointer, meter });
    if (warnings.some(({ code }) => code === "WINDING_REVERSED")) {
      reportRingWinding(read, options.isClockwise === true, findings);
    }
    return [{ geometry, pointer, read, faults: [], plot }];
  } catch (error) {
    const { faults = [], repaired } = toRefusal(error, meter).details;
    if (faults.length === 0) reportEngineRefusal(error, pointer, findings);
    reportGeometryFaults(read, faults as readonly InputFault[], findings);
    return [
      {
        geometry,
        pointer,
        read,
        faults: faults as readonly InputFault[],
        plot: repaired === undefined ? undefined : parseRepairedPlot(repaired, meter),
      },
    ];
  }
}

/** Units of work of a position, besides those that the engine counts: reading it, and looking for repetitions. */
const READING_STEPS = 100;

/** Positions of coordinates, whatever their nesting. */
function countPositions(coordinates: unknown, depth = 0): number {
  if (!Array.isArray(coordinates) || depth > DEEPEST) return 0;
  if (typeof coordinates[0] === "number") return 1;
  return coordinates.reduce((sum: number, each) => sum + countPositions(each, depth + 1), 0);
}

function reportEngineRefusal(error: unknown, pointer: string, findings: PlotFindings): void {
  if (!(error instanceof EngineError)) throw error;
  const faults: readonly Fault[] = error.details.faults ?? [
    { pointer, code: error.code, message: error.message },
  ];
  for (const { pointer: at, code, message } of faults) {
    findings.add(
      toFindingCode(code),
      at || pointer,
      splitFaultMessage(message, "a geometry as RFC 7946 has it"),
    );
  }
}

function reportGeometryFaults(
  read: ReadGeometry,
  faults: readonly InputFault[],
  findings: PlotFindings,
): void {
  const straight = new Set<string>();
  for (const { code, polygon, ring } of faults) {
    const key = `${polygon}/${ring}`;
    if (code === "RING_SELF_OVERLAP" && !straight.has(key) && isStraight(read.parts[polygon]![ring]!))
      straight.add(key);
  }
  const reported = new Set<string>();
  for (const { code, pointer, message, coordinate, polygon, ring } of faults) {
    const isOnEarth = Math.abs(coordinate[0]) <= 540 && Math.abs(coordinate[1]) <= 90;
    const position = isOnEarth ? coordinate : undefined;
    const key = `${polygon}/${ring}`;
    if (SELF_FAULTS.has(code) && straight.has(key)) {
      if (reported.has(key)) continue;
      reported.add(key);
      findings.add("RING_STRAIGHT", pointer, {
        found: "a ring whose positions lie on one line",
        expected: "a ring that encloses land",
        position,
      });
    } else {
      findings.add(toFindingCode(code), pointer, {
        ...splitFaultMessage(message, EXPECTED[code] ?? "a valid geometry"),
        position,
      });
    }
  }
}

const SELF_FAULTS: ReadonlySet<string> = new Set([
  "RING_SELF_CROSSING",
  "RING_SELF_TOUCH",
  "RING_SELF_OVERLAP",
]);

/** True if a ring encloses nothing, all of its positions being on one line. */
export function isStraight(ring: Float64Array): boolean {
  if (!isNearlyStraight(ring)) return false;
  try {
    return repairPolygons([[closeRing(ring)]], { meter: new WorkMeter(STRAIGHT_WORK) }).length === 0;
  } catch (error) {
    toRefusal(error, undefined);
    return false;
  }
}

/** Units of work of telling a straight ring from one that is nearly so. */
const STRAIGHT_WORK = 1_000_000;

/** True if all positions lie within rounding of the line from the first to the one farthest from it. */
function isNearlyStraight(xy: Float64Array): boolean {
  let [dx, dy, farthest] = [0, 0, 0];
  for (let i = 2; i < xy.length; i += 2) {
    const [x, y] = [xy[i]! - xy[0]!, xy[i + 1]! - xy[1]!];
    if (x * x + y * y > farthest) [dx, dy, farthest] = [x, y, x * x + y * y];
  }
  for (let i = 2; i < xy.length; i += 2) {
    const cross = dx * (xy[i + 1]! - xy[1]!) - dy * (xy[i]! - xy[0]!);
    if (Math.abs(cross) > ROUNDING * farthest) return false;
  }
  return true;
}

/** Far above the rounding of coordinates, as a share of the length of a line. */
const ROUNDING = 1e-6;

function reportRepeatedPositions(
  read: ReadGeometry,
  severity: "error" | "warning",
  findings: PlotFindings,
): void {
  forEachRepeat(read, (part, ring, i, position) => {
    findings.add("REPEATED_POSITION", read.pointerOf(part, ring, i), {
      found: `[${position[0]}, ${position[1]}] again`,
      expected:
        read.dimension === "point" ? "each point only once" : "a position that differs from the one before",
      severity,
      position,
    });
  });
}

/** Every position that repeats the one before it, and of points any one before. */
export function forEachRepeat(
  { dimension, parts }: Pick<ReadGeometry, "dimension" | "parts">,
  visit: (part: number, ring: number, position: number, coordinate: [number, number]) => void,
): void {
  const points = new Set<string>();
  parts.forEach((rings, part) => {
    rings.forEach((xy, ring) => {
      for (let i = 0; i < xy.length; i += 2) {
        const [x, y] = [xy[i]!, xy[i + 1]!];
        const repeats =
          dimension === "point" ? points.has(`${x},${y}`) : i > 0 && x === xy[i - 2] && y === xy[i - 1];
        if (dimension === "point") points.add(`${x},${y}`);
        if (repeats) visit(part, ring, i / 2, [x, y]);
      }
    });
  });
}

function reportLongitudesBeyond180(
  read: ReadGeometry,
  severity: "error" | "warning",
  findings: PlotFindings,
): void {
  for (const [part, rings] of read.parts.entries()) {
    for (const [ring, xy] of rings.entries()) {
      for (let i = 0; i < xy.length; i += 2) {
        if (Math.abs(xy[i]!) <= 180) continue;
        findings.add("LONGITUDE_BEYOND_180", read.pointerOf(part, ring, i / 2), {
          found: `longitude ${xy[i]}`,
          expected: "−180 to 180",
          severity,
          position: [xy[i]!, xy[i + 1]!],
        });
        return;
      }
    }
  }
}

/** @param isClockwise whether outer rings are to be clockwise, and holes counter-clockwise */
function reportRingWinding(read: ReadGeometry, isClockwise: boolean, findings: PlotFindings): void {
  const isAsPrescribed =
    isClockwise &&
    read.parts.every((rings) => rings.every((xy, ring) => computeDoubledArea(xy) > 0 === ring > 0));
  if (isAsPrescribed) return;
  read.parts.forEach((rings, part) => {
    rings.forEach((xy, ring) => {
      const isCounterClockwise = computeDoubledArea(xy) > 0;
      if (isCounterClockwise === (ring === 0)) return;
      findings.add("WINDING_REVERSED", computeRingPointer(read, part, ring), {
        found: `${ring === 0 ? "an outer ring" : "a hole"} that winds ${isCounterClockwise ? "counter-clockwise" : "clockwise"}`,
        expected: ring === 0 ? "counter-clockwise" : "clockwise",
      });
    });
  });
}

/** Twice the area of a ring in square degrees, about its first position; above 0: counter-clockwise. */
function computeDoubledArea(xy: Float64Array): number {
  let sum = 0;
  for (let i = 2; i + 3 < xy.length; i += 2) {
    sum += (xy[i]! - xy[0]!) * (xy[i + 3]! - xy[1]!) - (xy[i + 2]! - xy[0]!) * (xy[i + 1]! - xy[1]!);
  }
  return sum;
}

/** JSON pointer of a ring. */
export function computeRingPointer(read: ReadGeometry, part: number, ring: number): string {
  const pointer = read.pointerOf(part, ring, 0);
  return pointer.slice(0, pointer.lastIndexOf("/"));
}

/** The finding code for a code of the engine; most are the same. */
function toFindingCode(code: string): FindingCode {
  return FINDING_CODES.find((known) => known === code) ?? "GEOMETRY_MALFORMED";
}

/** The engine's sentence as what was found and what was expected. */
function splitFaultMessage(
  message: string,
  expected: string,
): { found: string; expected: string; mend?: string } {
  const [head, ...tail] = message.split("; ");
  const match = /^found (.*), expected (.*)$/s.exec(head!);
  const mend = tail.length === 0 ? {} : { mend: formatSentence(tail.join("; ")) };
  return match === null ? { found: message, expected } : { found: match[1]!, expected: match[2]!, ...mend };
}

function formatSentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

const EXPECTED: Readonly<Record<string, string>> = {
  POSITION_NOT_FINITE: "a position on earth",
  LONGITUDE_SPAN: "longitudes within 360°",
  LONGITUDE_JUMP: "edges of less than 180° of longitude",
  RING_NOT_CLOSED: "the first position again at the end",
  RING_TOO_SHORT: "four positions or more, the last as the first",
  RING_SELF_CROSSING: "a ring that does not meet itself",
  RING_SELF_TOUCH: "a ring that does not meet itself",
  RING_SELF_OVERLAP: "a ring that does not meet itself",
  RINGS_CROSS: "rings that do not cross",
  HOLE_OUTSIDE_SHELL: "a hole within its outer ring",
  HOLES_OVERLAP: "holes apart from each other",
  INTERIOR_EMPTY: "holes that do not cover the whole polygon",
  INTERIOR_DISCONNECTED: "holes that leave one piece of land",
  PARTS_OVERLAP: "parts that do not overlap",
};
