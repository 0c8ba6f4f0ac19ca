import type { Layer } from "../../geometry/layer.ts";
import type { Region } from "../../geometry/overlap/region.ts";

/** A region of the plot. Its area is measured when it is first needed, as many checks only count. */
export class PlotRegion {
  /** Undefined where it is empty. */
  readonly region: Region<Layer> | undefined;
  readonly #measure: () => number;
  #squareMeters: number | undefined;

  constructor(region: Region<Layer> | undefined, measure: () => number) {
    this.region = region;
    this.#measure = measure;
  }

  /** Unrounded. */
  get squareMeters(): number {
    this.#squareMeters ??= this.#measure();
    return this.#squareMeters;
  }
}

/** Role of a set in a comparison: its area is added, or subtracted. */
export type Role = "adds" | "subtracts";

/**
 * The least and the greatest possible region of a set, given the unknown content of its sources; the same object if
 * nothing could change it.
 */
export type RegionBounds = {
  readonly [Of in Role]: { readonly least: PlotRegion; readonly greatest: PlotRegion };
};
