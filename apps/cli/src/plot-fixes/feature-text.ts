import type { PlotFeature } from "@groundrule/plots";

/** A plot as a GeoJSON Feature; one in another CRS says so in the manner before RFC 7946. */
export function featureText({ id, properties, geometry, crs }: Omit<PlotFeature, "number">): string {
  return JSON.stringify({
    type: "Feature",
    id,
    properties,
    geometry: geometry ?? null,
    ...(crs !== undefined && { crs: { type: "name", properties: { name: crs } } }),
  });
}
