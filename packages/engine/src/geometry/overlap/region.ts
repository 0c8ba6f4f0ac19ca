import type { Layer } from "../layer.ts";
import type { AreaLayer } from "../trees/layer.ts";

/** One area of one layer. */
export interface AreaRef<Of extends Layer = AreaLayer> {
  /** Where the area lies. */
  readonly layer: Of;
  /** Index of the area; for a raster also {@link EXAMINED}. */
  readonly area: number;
}

/** All cells of a raster that are not nodata, as though they were an area. */
export const EXAMINED = -1;

/** A region built from areas; the part of it inside the plot is what gets measured. */
export type Region<Of extends Layer = AreaLayer> =
  | {
      readonly op: "areas";
      /** Covers everything that any of these areas covers. */
      readonly areas: readonly AreaRef<Of>[];
    }
  | {
      /** All of the plot. */
      readonly op: "plot";
    }
  | { readonly op: "union" | "intersection" | "difference"; readonly operands: readonly Region<Of>[] };
