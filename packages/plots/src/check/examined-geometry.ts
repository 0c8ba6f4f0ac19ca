import type { InputFault, Plot } from "@groundrule/engine";
import type { ReadGeometry } from "@groundrule/engine/internal";

/** A geometry of a plot as far as it could be read. */
export interface ExaminedGeometry {
  readonly geometry: object;
  /** JSON pointer of it in the Feature. */
  readonly pointer: string;
  readonly read: ReadGeometry;
  /** The faults of its rings; positions that are no place on earth leave no rings to examine. */
  readonly faults: readonly InputFault[];
  /** The geometry as the engine takes it, or the repair that it proposes; undefined where there is neither. */
  readonly plot: Plot | undefined;
}
