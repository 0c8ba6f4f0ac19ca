import { EngineError, FAULT_LIMIT, formatFaultsMessage } from "../../../base/errors.ts";
import type { WorkMeter } from "../../../base/work-meter.ts";
import { closeRing, isClosed, withoutRepeats } from "../../noding/mend-rings.ts";
import { describeLongitudeJump, forEachJump } from "../longitude-jumps.ts";
import { proposeRepair, proposeShortWay } from "../mend/propose-repair.ts";
import type { InputFault, PositionFaultCode, ReadGeometry } from "../read-geojson.ts";
import { examineRings } from "./validity.ts";

/**
 * Checks what was read: that no edge takes half a turn, that the whole takes one at most, that rings bound a region
 * (`findFaults`) and lines have a length.
 *
 * @param meter counts the work of checking, and of the repair that is proposed within what it leaves
 * @returns how many stretches of edges different rings share
 *
 * Fails: `GEOMETRY_INVALID` as `parsePlot`; `GEOMETRY_TOO_COMPLEX`.
 */
export function checkPlot(read: ReadGeometry, meter: WorkMeter): { readonly sharedStretches: number } {
  const jumps = findJumpFaults(read);
  if (jumps.length > 0) throw invalidGeometryError(jumps, proposeShortWay(read, meter));
  const { faults, sharedStretches } = examineGeometry(read, meter);
  if (faults.length === 0) return { sharedStretches };
  faults.sort((a, b) => a.polygon - b.polygon || a.ring - b.ring || a.position - b.position);
  throw invalidGeometryError(
    faults.slice(0, FAULT_LIMIT),
    read.dimension === "polygon" ? proposeRepair(meter, read.parts.map(closeRings)) : {},
  );
}

function examineGeometry(
  read: ReadGeometry,
  meter: WorkMeter,
): { readonly faults: InputFault[]; readonly sharedStretches: number } {
  const faults = findSpanFaults(read);
  if (read.dimension === "point") return { faults, sharedStretches: 0 };
  if (read.dimension === "line") {
    return { faults: [...faults, ...findLineFaults(read)], sharedStretches: 0 };
  }
  const rings = examinePolygons(read, meter);
  return { ...rings, faults: [...faults, ...rings.faults] };
}

/** Edges of half a turn or more; what else is wrong shows once they are mended. */
function findJumpFaults(read: ReadGeometry): InputFault[] {
  const faults: InputFault[] = [];
  if (read.dimension === "point") return faults;
  forEachJump(read.parts, (polygon, ring, position) => {
    if (faults.length >= FAULT_LIMIT) return;
    const xy = read.parts[polygon]![ring]!;
    const message = describeLongitudeJump(xy[2 * position]!, xy[2 * position + 2]!);
    faults.push(createPositionFault(read, polygon, ring, position, "LONGITUDE_JUMP", message));
  });
  return faults;
}

/** Beyond a whole turn, parts may lie on each other unseen. */
export function findSpanFaults(read: ReadGeometry): InputFault[] {
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let fault: InputFault | undefined;
  read.parts.forEach((rings, polygon) => {
    rings.forEach((ring, r) => {
      for (let i = 0; i < ring.length; i += 2) {
        west = Math.min(west, ring[i]!);
        east = Math.max(east, ring[i]!);
        if (east - west <= 360 || fault !== undefined) continue;
        const message = `the longitudes run from ${west} to ${east}, which is more than 360°`;
        fault = createPositionFault(read, polygon, r, i / 2, "LONGITUDE_SPAN", message);
      }
    });
  });
  return fault === undefined ? [] : [fault];
}

function examinePolygons(
  read: ReadGeometry,
  meter: WorkMeter,
): { readonly faults: InputFault[]; readonly sharedStretches: number } {
  const faults: InputFault[] = [];
  read.parts.forEach((rings, polygon) => {
    rings.forEach((ring, r) => {
      if (isClosed(ring) || faults.length >= FAULT_LIMIT) return;
      const message = "the ring does not end at the position it starts at";
      faults.push(createPositionFault(read, polygon, r, ring.length / 2 - 1, "RING_NOT_CLOSED", message));
    });
  });
  const polygons = read.parts.map(closeRings);
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
    const message = "the line has fewer than two distinct positions";
    faults.push(createPositionFault(read, part, 0, 0, "LINE_TOO_SHORT", message));
  });
  return faults;
}

/** A fault at a position of what was read. */
export function createPositionFault(
  read: ReadGeometry,
  polygon: number,
  ring: number,
  position: number,
  code: PositionFaultCode,
  message: string,
): InputFault {
  const xy = read.parts[polygon]![ring]!;
  return {
    pointer: read.pointerOf(polygon, ring, position),
    code,
    message,
    polygon,
    ring,
    position: read.sentPosition(polygon, ring, position),
    coordinate: [xy[2 * position]!, xy[2 * position + 1]!],
  };
}

/** `GEOMETRY_INVALID` with its faults and, where there is one, its repair. */
export function invalidGeometryError(
  faults: readonly InputFault[],
  repair: Readonly<Record<string, unknown>> = {},
): EngineError {
  return new EngineError("GEOMETRY_INVALID", `the geometry is invalid: ${formatFaultsMessage(faults)}`, {
    faults,
    ...repair,
  });
}

function closeRings(rings: readonly Float64Array[]): Float64Array[] {
  return rings.map(closeRing);
}
