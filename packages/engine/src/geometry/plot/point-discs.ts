import { EngineError, FAULT_LIMIT } from "../../base/errors.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import { DISC_LATITUDE_LIMIT, POINT_LIMIT, uniteDiscs } from "./discs.ts";
import type { MendedParts } from "./mend/mend-polygons.ts";
import type { InputFault, ReadGeometry } from "./read-geojson.ts";
import { createPositionFault, findSpanFaults, invalidGeometryError } from "./validity/check-plot.ts";

/** The area of the disc that each point of a geometry stands for. */
export interface DiscArea {
  /** 1 to 1e9. */
  readonly squareMeters: number;
  /** JSON pointer to it in the request. */
  readonly pointer: string;
}

/**
 * Makes polygons of points: the union of the discs around them.
 *
 * @param options.pointer JSON pointer of the geometry, for the warnings
 *
 * Fails: `VALIDATION_FAILED` for what is no point, `GEOMETRY_TOO_COMPLEX` beyond {@link POINT_LIMIT} points,
 * `GEOMETRY_INVALID` for discs near a pole or once round the earth.
 */
export function buildPointDiscs(
  read: ReadGeometry,
  options: { readonly disc: DiscArea; readonly pointer: string; readonly meter: WorkMeter },
): MendedParts {
  const { disc, meter, pointer } = options;
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
  if (faults.length > 0) throw invalidGeometryError(faults.slice(0, FAULT_LIMIT));
  const united = uniteDiscs(points, { squareMeters: disc.squareMeters, pointer, meter });
  if (united === undefined) {
    throw invalidGeometryError([
      createPositionFault(
        read,
        0,
        0,
        0,
        "LONGITUDE_SPAN",
        "the discs around the points span more than 360° of longitude; send the points in parts",
      ),
    ]);
  }
  return united;
}

function findPolarFaults(read: ReadGeometry): InputFault[] {
  return read.parts.flatMap(([point], part) => {
    const latitude = point![1]!;
    if (Math.abs(latitude) <= DISC_LATITUDE_LIMIT) return [];
    const message = `the point at latitude ${latitude} is within 1° of a pole, expected −${DISC_LATITUDE_LIMIT} to ${DISC_LATITUDE_LIMIT}, the latitudes at which points become discs; send the land as a Polygon`;
    return [createPositionFault(read, part, 0, 0, "POINT_NEAR_POLE", message)];
  });
}
