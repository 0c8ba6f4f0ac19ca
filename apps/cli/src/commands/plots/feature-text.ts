import { isSameCrs } from "@groundrule/engine/internal";
import type { PlotFeature } from "@groundrule/plots";

/** A plot as a GeoJSON Feature; one in another CRS than that of GeoJSON names it as before RFC 7946. */
export function formatPlotFeature({ id, properties, geometry, crs }: Omit<PlotFeature, "number">): string {
  const isForeign = crs !== undefined && !isSameCrs(crs, "EPSG:4326") && !isSameCrs(crs, "OGC:CRS84");
  return JSON.stringify({
    type: "Feature",
    id,
    properties,
    geometry: geometry ?? null,
    ...(isForeign && { crs: { type: "name", properties: { name: crs } } }),
  });
}
