import { type CrsTable, EngineError, parsePlot } from "@groundrule/engine";
import { prepareArea } from "@groundrule/engine/build";
import { isSameCrs, toPositions } from "@groundrule/engine/internal";
import { FINDINGS, type FindingCode } from "../finding-codes.ts";
import type { Polygons } from "./grid.ts";
import { ShapeFault, type Shapes } from "./read-shapes.ts";

/** Polygons and points in longitude and latitude on WGS 84. */
export interface Located {
  readonly polygons: Polygons;
  readonly points: readonly number[];
}

/** How coordinates become longitude and latitude. */
export interface LocateOptions {
  /** True if latitude comes before longitude. */
  readonly swapAxes?: boolean | undefined;
  /** CRSs that are known besides longitude and latitude. */
  readonly crsTable?: CrsTable | undefined;
}

/** True if a CRS is named that is not longitude and latitude on WGS 84. */
export function isForeign(crs: string | undefined): boolean {
  return crs !== undefined && !isSameCrs(crs, "EPSG:4326") && !isSameCrs(crs, "OGC:CRS84");
}

/**
 * Coordinates as longitude and latitude: as written, or turned from another CRS the way plots are read.
 *
 * Fails: {@link ShapeFault} for positions that are no place on earth, and for a CRS that is unknown or does not fit.
 */
export function toLongitudeLatitude(
  shapes: Shapes,
  crs: string | undefined,
  options: LocateOptions,
): Located {
  const swap = options.swapAxes === true;
  const polygons = shapes.polygons.map((rings) =>
    rings.map((ring) => (swap ? swapPositionAxes(ring) : ring)),
  );
  const points = swap ? [...swapPositionAxes(Float64Array.from(shapes.points))] : shapes.points;
  if (isForeign(crs)) return transformToDegrees({ polygons, points }, crs!, options);
  for (const [p, rings] of polygons.entries()) {
    for (const [r, ring] of rings.entries()) {
      checkCoordinateRange(ring, LONGITUDE_LIMIT, (i) => `${shapes.polygonPointers[p]}/${r}/${i}`);
    }
  }
  checkCoordinateRange(points, 180, (i) => shapes.pointPointers[i]!);
  return { polygons, points };
}

/** As far as plots may run on past ±180. */
const LONGITUDE_LIMIT = 540;

function checkCoordinateRange(
  xy: ArrayLike<number>,
  limit: number,
  pointerOf: (position: number) => string,
): void {
  for (let i = 0; i < xy.length; i += 2) {
    const [longitude, latitude] = [xy[i]!, xy[i + 1]!];
    if (Math.abs(latitude) > 90) {
      throw new ShapeFault(
        "LATITUDE_OUT_OF_RANGE",
        pointerOf(i / 2),
        `latitude ${latitude}`,
        "−90 to 90 degrees",
      );
    }
    if (Math.abs(longitude) > limit) {
      const found = `longitude ${longitude}`;
      throw new ShapeFault(
        "LONGITUDE_OUT_OF_RANGE",
        pointerOf(i / 2),
        found,
        `−${limit} to ${limit} degrees`,
      );
    }
  }
}

function transformToDegrees(
  { polygons, points }: Located,
  crs: string,
  { crsTable }: LocateOptions,
): Located {
  try {
    const coordinates = polygons.map((rings) => rings.map(toPositions));
    const area = { type: "MultiPolygon", coordinates };
    const turned = polygons.length === 0 ? [] : prepareArea(area, { crs, crsTable }).polygons;
    const point = { type: "MultiPoint", coordinates: toPositions(Float64Array.from(points)) };
    return {
      polygons: turned,
      points: points.length === 0 ? [] : [...parsePlot(point, { crs, crsTable }).plot.xy],
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const fault = error.details.faults?.[0];
    const code = [fault?.code, error.code].find((name) => name !== undefined && name in FINDINGS);
    const found = fault?.message ?? error.message;
    throw new ShapeFault((code ?? "CRS_MISMATCH") as FindingCode, "/geometry", found, `a geometry in ${crs}`);
  }
}

function swapPositionAxes(xy: Float64Array): Float64Array {
  return xy.map((_, i) => xy[i % 2 === 0 ? i + 1 : i - 1]!);
}
