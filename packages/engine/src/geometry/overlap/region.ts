import type { RasterLayer } from "../raster/raster-layer.ts";
import type { AreaLayer } from "../trees/layer.ts";

/** The geometry of a source of areas: rings, or the cells of a grid. */
export type Layer = AreaLayer | RasterLayer;

/** One area of one layer. */
export interface AreaRef<Of extends Layer = AreaLayer> {
  readonly layer: Of;
  /** Of a raster also {@link EXAMINED}. */
  readonly area: number;
}

/** All cells of a raster that are not nodata, as though they were an area. */
export const EXAMINED = -1;

/** A region built from areas; the part of it inside the plot is what gets measured. */
export type Region<Of extends Layer = AreaLayer> =
  | {
      readonly op: "areas";
      /** What any of these areas covers. */
      readonly areas: readonly AreaRef<Of>[];
    }
  | {
      /** All of the plot. */
      readonly op: "plot";
    }
  | { readonly op: "union" | "intersection" | "difference"; readonly operands: readonly Region<Of>[] };

/** Whether a layer is of cells. */
export function isRaster(layer: Layer): layer is RasterLayer {
  return "grid" in layer;
}

/** The layer as one of areas with rings; for who asks none but of those. Fails: a `TypeError` of a raster. */
export function ringsOf(layer: Layer): AreaLayer {
  if (isRaster(layer)) throw new TypeError(`"${layer.sourceName}" is a raster, whose areas have no rings`);
  return layer;
}
