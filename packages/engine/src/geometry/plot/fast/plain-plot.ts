import { isObject } from "../../../base/is-object.ts";
import type { WorkMeter } from "../../../base/work-meter.ts";
import { computeBbox } from "../../earth/bbox.ts";
import { windsCounterClockwise } from "../../noding/mend-rings.ts";
import { isNameOfWgs84 } from "../crs.ts";
import { buildWindingWarnings } from "../mend/mend-polygons.ts";
import { makeZerosPositive, type Plot, type Warning } from "../plot.ts";
import {
  buildOrdinateWarnings,
  type Form,
  findFormByType,
  isBbox,
  LONGITUDE_LIMIT,
  pointerToPosition,
} from "../read-geojson.ts";
import { READING_STEPS, RING_STEPS } from "../validity/validity.ts";
import { countStepsToProveApart, findWindingAbout, ringContains } from "./simple-rings.ts";

/** Most positions and parts or rings of a plot that is plain: beyond, trees are quicker. */
const POSITION_LIMIT = 4_096;
const RING_LIMIT = 256;
/** Degrees of longitude that it may reach; an edge of half a turn could be meant the other way. */
const LONGEST_REACH = 180;

/** A plot with no warnings except about the winding of its rings and unused heights. */
interface PlainPlot {
  readonly plot: Plot;
  readonly crs: string | undefined;
  readonly warnings: Warning[];
}

/**
 * Reads a geometry in which there is nothing to refuse and nothing to mend but the winding of its rings,
 * as nearly all are: positions of two numbers on WGS 84, or of three, none repeated, closed rings that meet neither
 * themselves nor each other, holes in their outer rings. The result is that of `parsePlot`, to the bit.
 *
 * Makes nothing besides the plot, and describes no fault: at the first doubt it gives up, and the
 * geometry is read again by what can tell what is wrong with it.
 *
 * @returns nothing where it gave up
 */
export function readPlainPlot(
  input: unknown,
  options: {
    readonly crs?: string | undefined;
    readonly dimensions?: readonly Plot["dimension"][] | undefined;
    readonly pointer?: string | undefined;
    readonly meter?: WorkMeter | undefined;
  },
): PlainPlot | undefined {
  if (options.crs !== undefined && !isNameOfWgs84(options.crs)) return undefined;
  const read = tryReadMembers(input, options.dimensions);
  if (read === undefined) return undefined;
  const { plot } = read;
  const { crs, pointer = "" } = options;
  if (crs !== undefined && Math.max(-plot.bbox[0], plot.bbox[2]) > 180) return undefined;
  const warnings = buildOrdinateWarnings(pointer + read.firstHeight, read.heights);
  if (plot.dimension === "point") return { plot, crs, warnings };
  if (plot.dimension === "line") return hasRepeats(plot) ? undefined : { plot, crs, warnings };
  const { xy, ringStarts } = plot;
  const ringCount = ringStarts.length - 1;
  const winding = ringCount === 1 ? windingAboutMiddle(plot) : 0;
  let turned = 0;
  let compared = 0;
  if (winding === 0) {
    compared = countStepsToProveApart(xy, ringStarts);
    if (compared < 0 || (ringCount > 1 && !areNested(plot))) return undefined;
    turned = turnAsMeant(plot);
  } else if (winding < 0) {
    reversePositions(xy, 0, xy.length / 2);
    turned = 1;
  }
  options.meter?.add(READING_STEPS * (xy.length / 2 - ringCount) + RING_STEPS * ringCount + compared);
  if (turned > 0) for (const each of buildWindingWarnings(pointer, turned)) warnings.push(each);
  return { plot, crs, warnings };
}

/** A geometry as it is written, its rings not compared yet. */
interface Read {
  readonly plot: Plot;
  /** Positions with a third ordinate, and the JSON pointer to the first of them. */
  readonly heights: number;
  readonly firstHeight: string;
}

function windingAboutMiddle({ xy, bbox }: Plot): -1 | 0 | 1 {
  return findWindingAbout(xy, 0, xy.length / 2, (bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2);
}

/** A value that throws while it is read is not plain data; the full reading reports its faults. */
function tryReadMembers(
  input: unknown,
  dimensions: readonly Plot["dimension"][] | undefined,
): Read | undefined {
  try {
    return readGeometryMembers(input, dimensions);
  } catch {
    return undefined;
  }
}

function readGeometryMembers(
  input: unknown,
  dimensions: readonly Plot["dimension"][] | undefined,
): Read | undefined {
  if (!isObject(input)) return undefined;
  let geometry = input;
  let pointer = "";
  let { type } = input;
  if (type === "Feature") {
    const geometryInput = input.geometry;
    if (!isObject(geometryInput) || !hasPlainMembers(input)) return undefined;
    geometry = geometryInput;
    pointer = "/geometry";
    type = geometryInput.type;
  }
  const form = typeof type === "string" ? findFormByType(type) : undefined;
  if (form === undefined || (dimensions !== undefined && !dimensions.includes(form.dimension)))
    return undefined;
  return hasPlainMembers(geometry) ? readPositions(geometry.coordinates, form, pointer) : undefined;
}

/** True if it names no CRS, and its bbox, if any, is one. */
function hasPlainMembers({ crs, bbox }: Readonly<Record<string, unknown>>): boolean {
  return (crs === undefined || crs === null) && (bbox === undefined || bbox === null || isBbox(bbox));
}

/** The positions as they are written. */
function readPositions(coordinates: unknown, form: Form, pointer: string): Read | undefined {
  const counted = countPositions(coordinates, form);
  if (counted === undefined) return undefined;
  const { ringStarts, polygonStarts } = counted;
  const parts = polygonStarts.length - 1;
  const xy = new Float64Array(2 * ringStarts[ringStarts.length - 1]!);
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  let at = 0;
  let heights = 0;
  let firstHeight = "";
  for (let p = 0; p < parts; p++) {
    const part = form.many ? getItem(coordinates, p) : coordinates;
    const first = polygonStarts[p]!;
    for (let r = first; r < polygonStarts[p + 1]!; r++) {
      const ring = form.rings ? getItem(part, r - first) : part;
      const from = at;
      for (let i = 0, count = ringStarts[r + 1]! - ringStarts[r]!; i < count; i++) {
        const position: unknown = form.listed ? (ring as readonly unknown[])[i] : ring;
        if (!Array.isArray(position)) return undefined;
        if (position.length !== 2) {
          if (position.length !== 3 || typeof position[2] !== "number") return undefined;
          if (heights++ === 0) firstHeight = pointer + pointerToPosition(form, p, r - first, i);
        }
        const x: unknown = position[0];
        const y: unknown = position[1];
        if (typeof x !== "number" || typeof y !== "number") return undefined;
        if (!(x >= -LONGITUDE_LIMIT && x <= LONGITUDE_LIMIT && y >= -90 && y <= 90)) return undefined;
        xy[at] = x;
        xy[at + 1] = y;
        at += 2;
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < south) south = y;
        if (y > north) north = y;
      }
      if (form.rings && (xy[from] !== xy[at - 2] || xy[from + 1] !== xy[at - 1])) return undefined;
    }
  }
  if (east - west >= LONGEST_REACH) return undefined;
  const { dimension } = form;
  const bbox = makeZerosPositive(west, south, east, north);
  return { plot: { dimension, xy, ringStarts, polygonStarts, bbox }, heights, firstHeight };
}

const LEAST_POSITIONS: Readonly<Record<Plot["dimension"], number>> = { point: 1, line: 2, polygon: 4 };

function countPositions(
  coordinates: unknown,
  form: Form,
): Pick<Plot, "ringStarts" | "polygonStarts"> | undefined {
  const least = LEAST_POSITIONS[form.dimension];
  const parts = form.many ? countItems(coordinates) : 1;
  if (parts === 0 || parts > POSITION_LIMIT) return undefined;
  const polygonStarts = new Uint32Array(parts + 1);
  let rings = 0;
  for (let p = 0; p < parts; p++) {
    rings += form.rings ? countItems(form.many ? getItem(coordinates, p) : coordinates) : 1;
    if (rings === polygonStarts[p]! || rings > POSITION_LIMIT) return undefined;
    polygonStarts[p + 1] = rings;
  }
  if (form.rings && rings > RING_LIMIT) return undefined;
  const ringStarts = new Uint32Array(rings + 1);
  let positions = 0;
  for (let p = 0; p < parts; p++) {
    const part = form.many ? getItem(coordinates, p) : coordinates;
    const first = polygonStarts[p]!;
    for (let r = first; r < polygonStarts[p + 1]!; r++) {
      const count = form.listed ? countItems(form.rings ? getItem(part, r - first) : part) : 1;
      positions += count;
      if (count < least || positions > POSITION_LIMIT) return undefined;
      ringStarts[r + 1] = positions;
    }
  }
  return { ringStarts, polygonStarts };
}

function countItems(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function getItem(list: unknown, i: number): unknown {
  return Array.isArray(list) ? list[i] : undefined;
}

function hasRepeats({ xy, ringStarts }: Plot): boolean {
  for (let line = 0; line + 1 < ringStarts.length; line++) {
    for (let i = ringStarts[line]! + 1; i < ringStarts[line + 1]!; i++) {
      if (xy[2 * i] === xy[2 * i - 2] && xy[2 * i + 1] === xy[2 * i - 1]) return true;
    }
  }
  return false;
}

/**
 * True if holes lie in their outer rings and in no other hole, and no polygon lies in another's outer ring; for rings
 * that meet nowhere. A polygon in a hole of another returns false: it is rare.
 */
function areNested({ xy, ringStarts, polygonStarts }: Plot): boolean {
  const polygons = polygonStarts.length - 1;
  const boxes = Array.from({ length: ringStarts.length - 1 }, (_, ring) =>
    computeBbox(xy, ringStarts[ring]!, ringStarts[ring + 1]!),
  );
  const holds = (one: number, other: number): boolean => {
    const x = xy[2 * ringStarts[other]!]!;
    const y = xy[2 * ringStarts[other]! + 1]!;
    const [west, south, east, north] = boxes[one]!;
    if (x < west || x > east || y < south || y > north) return false;
    return ringContains(xy, ringStarts[one]!, ringStarts[one + 1]!, x, y);
  };
  for (let p = 0; p < polygons; p++) {
    const shell = polygonStarts[p]!;
    const end = polygonStarts[p + 1]!;
    for (let hole = shell + 1; hole < end; hole++) {
      if (!holds(shell, hole)) return false;
      for (let other = shell + 1; other < end; other++) {
        if (other !== hole && holds(other, hole)) return false;
      }
    }
    for (let other = 0; other < polygons; other++) {
      if (other !== p && holds(shell, polygonStarts[other]!)) return false;
    }
  }
  return true;
}

/** Outer rings counter-clockwise, holes clockwise; how many had to be turned. */
function turnAsMeant({ xy, ringStarts, polygonStarts }: Plot): number {
  let turned = 0;
  for (let p = 0; p + 1 < polygonStarts.length; p++) {
    const shell = polygonStarts[p]!;
    for (let ring = shell; ring < polygonStarts[p + 1]!; ring++) {
      const from = ringStarts[ring]!;
      const to = ringStarts[ring + 1]!;
      if (windsCounterClockwise(xy, from, to) === (ring === shell)) continue;
      reversePositions(xy, from, to);
      turned++;
    }
  }
  return turned;
}

/** Runs a ring through backwards, in place. */
function reversePositions(xy: Float64Array, from: number, to: number): void {
  for (let i = 2 * from, j = 2 * to - 2; i < j; i += 2, j -= 2) {
    const x = xy[i]!;
    const y = xy[i + 1]!;
    xy[i] = xy[j]!;
    xy[i + 1] = xy[j + 1]!;
    xy[j] = x;
    xy[j + 1] = y;
  }
}
