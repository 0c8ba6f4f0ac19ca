import type { RasterLayer } from "./raster/raster-layer.ts";
import type { AreaLayer } from "./trees/layer.ts";

/** The geometry of a source of areas: rings, or the cells of a grid. */
export type Layer = AreaLayer | RasterLayer;

/** True if a layer consists of cells. */
export function isRaster(layer: Layer): layer is RasterLayer {
  return "grid" in layer;
}

/** The layer as one of areas with rings; for callers that handle only those. Fails: a `TypeError` for a raster. */
export function requireAreaLayer(layer: Layer): AreaLayer {
  if (isRaster(layer)) throw new TypeError(`"${layer.sourceName}" is a raster, whose areas have no rings`);
  return layer;
}
