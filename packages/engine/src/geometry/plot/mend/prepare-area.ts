import { EngineError, FAULT_LIMIT } from "../../../base/errors.ts";
import type { WorkMeter } from "../../../base/work-meter.ts";
import { sumPolygonAreas } from "../../earth/authalic.ts";
import { forEachPairOfChains } from "../../noding/chain-join.ts";
import { closeRing } from "../../noding/mend-rings.ts";
import { findEdgesWestInOnePass } from "../../noding/sweep/edges-west.ts";
import { type QuickWays, UncountedWork } from "../../noding/uncounted-work.ts";
import type { CrsTable } from "../crs.ts";
import type { GeometryFault } from "../geometry-fault.ts";
import {
  describeLongitudeJump,
  forEachJump,
  takeShortWay,
  turnPolygonsTogether,
} from "../longitude-jumps.ts";
import type { Warning } from "../plot.ts";
import { LONGITUDE_LIMIT, readGeoJson } from "../read-geojson.ts";
import { examineRings } from "../validity/validity.ts";
import { keepMapEdges } from "./map-edges.ts";
import { mendPolygons } from "./mend-polygons.ts";
import { repairPolygons } from "./repair.ts";
import { findRepairLoss, type RepairLoss } from "./repair-loss.ts";

/** A reference area made ready for a snapshot. */
export interface PreparedArea {
  /**
   * Valid polygons, outer ring first, flat `[lon, lat, …]` in degrees; rings closed, without
   * repeated positions, outer ones counter-clockwise, holes clockwise.
   */
  readonly polygons: readonly (readonly Float64Array[])[];
  /** The faults found, the first 100 in ring order; empty if the geometry was valid. */
  readonly faults: readonly GeometryFault<string>[];
  /** Changes that did not alter the region; pointers into the geometry. */
  readonly mended: readonly Warning[];
  /** True if the polygons are a repair, because there were faults. */
  readonly repaired: boolean;
  /** Where repaired: what the outer rings as they came enclose, holes taken off, and what remains. */
  readonly squareMetersBefore?: number;
  /** Square metres of the repaired area. */
  readonly squareMetersAfter?: number;
  /** Where the geometry can be read in another way, and the repair leaves out more than a tenth of that. */
  readonly loss?: RepairLoss;
}

/**
 * Checks a GeoJSON polygon or multipolygon of a reference source (also as the geometry of a
 * Feature) and repairs it where it has faults, so that no area is lost for them or for its size:
 * there is no limit of positions, and none of work but that of a meter.
 *
 * Which regions are valid: `findFaults`; how others are repaired: {@link repairPolygons}. Rings that
 * do not end where they start are closed, which counts as a fault. So does an edge of 180° of longitude
 * or more, but for those that mean what they say (`isJump`, `keepMapEdges`): it is read the short way round,
 * at exactly 180° as it is written. Parts that lie upon each other a whole turn apart overlap like any others.
 *
 * Fails: `GEOMETRY_INVALID` for what cannot be an area: no polygon of GeoJSON's shape, positions
 * that are no place on earth, nothing enclosed; `details.faults` say which. `CRS_UNKNOWN`,
 * `CRS_MISMATCH`. `GEOMETRY_TOO_COMPLEX` beyond the limit of the meter.
 *
 * @param options.crs CRS of the coordinates, `EPSG:n` or `OGC:CRS84`, default WGS 84 longitude and latitude
 * @param options.crsTable holds what other CRSs there are: `crsTable` of `@groundrule/crs`
 * @param options.meter counts the work; the area is the same
 */
export function prepareArea(geometry: unknown, options: PrepareOptions = {}): PreparedArea {
  const { meter, ...reading } = options;
  return prepareParts(readPolygons(geometry, reading), meter);
}

interface ReadingOptions {
  readonly crs?: string | undefined;
  readonly crsTable?: CrsTable | undefined;
}

interface PrepareOptions extends ReadingOptions {
  readonly meter?: WorkMeter | undefined;
}

/**
 * Like {@link prepareArea}, for polygons that were read already.
 *
 * @param polygons rings of each, outer first; flat `[lon, lat, …]`, longitudes within ±540, latitudes within ±90, every
 *   polygon with a ring and every ring with a position. Rings of the result may be those that were handed in.
 *   Pointers of faults are those into a MultiPolygon.
 *
 * Fails: `GEOMETRY_INVALID` where nothing is enclosed.
 */
export function prepareRings(polygons: readonly (readonly Float64Array[])[]): PreparedArea {
  return prepareParts({
    parts: polygons,
    warnings: [],
    pointerOf: (polygon, ring, position) => `/coordinates/${polygon}/${ring}/${position}`,
    sentPosition: (_polygon, _ring, position) => position,
  });
}

const QUICK_WAYS: QuickWays = { forEachPair: forEachPairOfChains, findEdgesWest: findEdgesWestInOnePass };

function prepareParts(
  read: Pick<ReturnType<typeof readGeoJson>, "parts" | "warnings" | "pointerOf" | "sentPosition">,
  meter: WorkMeter = new UncountedWork(QUICK_WAYS),
): PreparedArea {
  const faults: GeometryFault<string>[] = [];
  const asSent = (fault: GeometryFault<string>): GeometryFault<string> => ({
    ...fault,
    position: sentPosition(fault.polygon, fault.ring, fault.position),
  });
  const written = read.parts.map((rings, polygon) =>
    rings.map((ring, r) => {
      const whole = closeRing(ring);
      if (whole !== ring) faults.push(ringNotClosedFault(ring, polygon, r));
      return whole;
    }),
  );
  const polygons = keepMapEdges(written, meter);
  const warnings = polygons === written ? read.warnings : [...read.warnings, AS_WRITTEN];
  const sentPosition = (polygon: number, ring: number, position: number): number =>
    read.sentPosition(
      polygon,
      ring,
      findWrittenPosition(written[polygon]![ring]!, polygons[polygon]![ring]!, position),
    );
  let jumps = 0;
  forEachJump(polygons, (polygon, r, position) => {
    jumps++;
    if (faults.length < FAULT_LIMIT)
      faults.push(createJumpFault(polygons[polygon]![r]!, polygon, r, position));
  });
  const taken = jumps === 0 ? turnPartsTogether(polygons) : (takeShortWay(polygons) ?? polygons);
  const examined = examineRings(taken, { meter });
  for (const each of examined.faults) faults.push(each);
  faults.sort((a, b) => a.polygon - b.polygon || a.ring - b.ring || a.position - b.position);
  if (faults.length === 0) {
    // Edges that parts share a turn apart are dissolved where they lie side by side.
    const whole = mendPolygons(examined.sharedStretches > 0 ? taken : polygons, {
      ...examined,
      pointer: "",
      meter,
    });
    return {
      polygons: whole.polygons,
      faults,
      mended: [...warnings, ...whole.warnings],
      repaired: false,
    };
  }

  const repaired =
    jumps > 0 && examined.faults.length === 0
      ? mendPolygons(taken, { ...examined, pointer: "", meter }).polygons
      : repairPolygons(taken, { meter });
  if (repaired.length === 0) {
    throw new EngineError("GEOMETRY_INVALID", `the geometry encloses no area: ${faults[0]!.message}`, {
      faults: faults.map((fault) => ({
        pointer: read.pointerOf(
          fault.polygon,
          fault.ring,
          findWrittenPosition(
            written[fault.polygon]![fault.ring]!,
            polygons[fault.polygon]![fault.ring]!,
            fault.position,
          ),
        ),
        ...asSent(fault),
      })),
    });
  }
  const loss =
    jumps > 0 || examined.faults.length > 0 ? findRepairLoss(polygons, repaired, meter) : undefined;
  return {
    polygons: repaired,
    faults: faults.map(asSent),
    mended: warnings,
    repaired: true,
    squareMetersBefore: sumPolygonAreas(polygons),
    squareMetersAfter: sumPolygonAreas(repaired),
    ...(loss !== undefined && { loss }),
  };
}

const AS_WRITTEN: Warning = {
  pointer: "",
  code: "LONGITUDE_AS_WRITTEN",
  message:
    "edges of 180° or more were read as they are written, because their polygon runs along longitude ±180 or a pole",
};

/** Index of a position, or of the last one before it, in the ring to which positions were added. */
function findWrittenPosition(written: Float64Array, ring: Float64Array, position: number): number {
  if (written === ring) return position;
  let at = 0;
  for (let i = 1; i <= position; i++) {
    if (ring[2 * i] === written[2 * at + 2] && ring[2 * i + 1] === written[2 * at + 3]) at++;
  }
  return at;
}

/** Parts that reach more than once round the earth turned next to each other, within the longitudes there are. */
function turnPartsTogether(
  polygons: readonly (readonly Float64Array[])[],
): readonly (readonly Float64Array[])[] {
  const turned = turnPolygonsTogether(polygons);
  const isThere = (value: number, i: number): boolean => i % 2 === 1 || Math.abs(value) <= LONGITUDE_LIMIT;
  return turned === polygons || turned.flat().every((ring) => ring.every(isThere)) ? turned : polygons;
}

function readPolygons(geometry: unknown, options: ReadingOptions): ReturnType<typeof readGeoJson> {
  let read: ReturnType<typeof readGeoJson>;
  try {
    read = readGeoJson(geometry, { ...options, dimensions: ["polygon"] });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "VALIDATION_FAILED") throw error;
    throw new EngineError("GEOMETRY_INVALID", error.message, error.details);
  }
  const { faults } = read;
  if (faults.length > 0) {
    throw new EngineError(
      "GEOMETRY_INVALID",
      `the geometry has positions that are not valid on the earth: ${faults[0]!.message}`,
      {
        faults,
      },
    );
  }
  return read;
}

function ringNotClosedFault(ring: Float64Array, polygon: number, r: number): GeometryFault<string> {
  const position = ring.length / 2 - 1;
  return {
    code: "RING_NOT_CLOSED",
    message: "the ring does not end at the position it starts at",
    polygon,
    ring: r,
    position,
    coordinate: [ring[2 * position]!, ring[2 * position + 1]!],
  };
}

function createJumpFault(
  xy: Float64Array,
  polygon: number,
  ring: number,
  position: number,
): GeometryFault<string> {
  const [longitude, latitude] = [xy[2 * position]!, xy[2 * position + 1]!];
  const message = `the edge was read as the shorter way round: ${describeLongitudeJump(longitude, xy[2 * position + 2]!)}`;
  return { code: "LONGITUDE_JUMP", message, polygon, ring, position, coordinate: [longitude, latitude] };
}
