import { type CrsTable, EngineError, type GeometryInput, parsePlot } from "@groundrule/engine";
import type { MultiPolygonCoordinates } from "@groundrule/engine/build";

/**
 * The polygons of a plot in longitude and latitude on WGS 84, to be drawn.
 *
 * @param geometry GeoJSON of polygons, or a Feature around it
 * @param options.crs of its coordinates; absent: longitude and latitude on WGS 84
 * @param options.crsTable what transforms others: `crsTable` of `@groundrule/crs`
 * @returns undefined for what is no plot, and for a CRS that the table does not have
 */
export function plotOutline(
  geometry: GeometryInput,
  options: { readonly crs?: string | undefined; readonly crsTable?: CrsTable | undefined },
): MultiPolygonCoordinates | undefined {
  try {
    const { plot } = parsePlot(geometry, { ...options, dimensions: ["polygon"] });
    const { xy, ringStarts, polygonStarts } = plot;
    return Array.from({ length: polygonStarts.length - 1 }, (_, polygon) =>
      Array.from({ length: polygonStarts[polygon + 1]! - polygonStarts[polygon]! }, (_, i) => {
        const ring = polygonStarts[polygon]! + i;
        return Array.from({ length: ringStarts[ring + 1]! - ringStarts[ring]! }, (_, k) => {
          const at = 2 * (ringStarts[ring]! + k);
          return [xy[at]!, xy[at + 1]!];
        });
      }),
    );
  } catch (error) {
    if (error instanceof EngineError) return undefined; // the replay reports its fault
    throw error;
  }
}
