import type { Profile } from "@groundrule/plots";
import type { MendedPlot, PageFinding } from "../../state/findings.ts";

/** A plot as it is checked. */
export interface CheckedPlot {
  readonly key: string;
  readonly id: string;
  /** `input` of the question about it: its geometry and its CRS as they came. */
  readonly input: object;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What the page tells its checker: what has changed in the list since it last told. */
export interface CheckMessage {
  /** New plots, and those that were changed. */
  readonly put: readonly CheckedPlot[];
  readonly removed: readonly string[];
  /** The system that is to take the plots; absent: none yet. */
  readonly profile?: Profile["name"] | undefined;
  /** True to check for doubtful shapes, sizes and producers too. */
  readonly quality?: boolean | undefined;
}

/** What the checker finds: of all plots that were checked, in place of what was told before. */
export interface CheckReply {
  /** By the key of their plot. */
  readonly found: readonly (readonly [key: string, findings: readonly PageFinding[]])[];
  /** Plots of which the fixing of plots mends something. */
  readonly mends: readonly (readonly [key: string, mended: readonly MendedPlot[]])[];
  /** Why plots were not compared with the borders of their countries; absent where they were. */
  readonly withoutBorders?: string;
}
