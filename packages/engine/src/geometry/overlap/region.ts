import type { AreaLayer } from "../trees/layer.ts";

/** One area of one layer. */
export interface AreaRef {
  readonly layer: AreaLayer;
  readonly area: number;
}

/** A region built from areas; the part of it inside the plot is what gets measured. */
export type Region =
  | {
      readonly op: "areas";
      /** What any of these areas covers. */
      readonly areas: readonly AreaRef[];
    }
  | {
      /** All of the plot. */
      readonly op: "plot";
    }
  | { readonly op: "union" | "intersection" | "difference"; readonly operands: readonly Region[] };
