import { WorkMeter } from "../../base/work-meter.ts";
import type { CrsTable } from "./crs.ts";
import { readPlainPlot } from "./fast/plain-plot.ts";
import { type MendedParts, mendLines, mendPolygons } from "./mend/mend-polygons.ts";
import { createPlot, type Plot, type Warning } from "./plot.ts";
import { buildPointDiscs, type DiscArea } from "./point-discs.ts";
import { type ReadGeometry, readGeoJson } from "./read-geojson.ts";
import { checkPlot, invalidGeometryError } from "./validity/check-plot.ts";

/** Positions an input geometry may have, besides those that close rings. */
export const PLOT_POSITION_LIMIT = 100_000;

/** A plot as it was read. */
export interface ParsedPlot {
  readonly plot: Plot;
  readonly crs: string | undefined;
  readonly warnings: Warning[];
}

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
 *   (`uniteDiscs`), for at most {@link POINT_LIMIT} points
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
): ParsedPlot {
  const plain = options.disc === undefined ? readPlainPlot(input, options) : undefined;
  return plain ?? examinePlot(input, options);
}

/** {@link parsePlot} of any geometry, also of those that are not plain: with every fault and every warning. */
export function examinePlot(
  input: unknown,
  options: NonNullable<Parameters<typeof parsePlot>[1]>,
): ParsedPlot {
  const { disc, pointer = "", meter = new WorkMeter() } = options;
  const read = readGeoJson(input, { ...options, positionLimit: PLOT_POSITION_LIMIT });
  if (read.faults.length > 0) throw invalidGeometryError(read.faults);
  const { polygons, warnings } =
    disc === undefined
      ? checkAndMendParts(read, pointer, meter)
      : buildPointDiscs(read, { disc, pointer, meter });
  return {
    plot: createPlot(disc === undefined ? read.dimension : "polygon", polygons),
    crs: read.crs,
    warnings: [...read.warnings, ...warnings],
  };
}

function checkAndMendParts(read: ReadGeometry, pointer: string, meter: WorkMeter): MendedParts {
  const { sharedStretches } = checkPlot(read, meter);
  const { dimension, parts } = read;
  if (dimension === "point") return { polygons: parts, warnings: [] };
  if (dimension === "line") return mendLines(parts, pointer);
  return mendPolygons(parts, { sharedStretches, pointer, meter });
}
