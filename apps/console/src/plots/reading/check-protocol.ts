import type { Profile } from "@groundrule/plots";
import type { MendedPlot, PageFinding } from "../../state/findings.ts";

/** A plot in the form for the checker. */
export interface CheckedPlot {
  readonly key: string;
  readonly id: string;
  /** `input` of the question about it: its geometry and CRS, unchanged. */
  readonly input: object;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A message to the checker: the changes of the list since the last message. */
export interface CheckMessage {
  /** New plots, and changed ones. */
  readonly put: readonly CheckedPlot[];
  readonly removed: readonly string[];
  /** The system that is to accept the plots; absent: none yet. */
  readonly profile?: Profile["name"] | undefined;
  /** True to check for doubtful shapes, sizes and producers too. */
  readonly quality?: boolean | undefined;
}

/** The checker's reply: the findings of all checked plots, replacing those of earlier replies. */
export interface CheckReply {
  /** Findings by the key of their plot. */
  readonly found: readonly (readonly [key: string, findings: readonly PageFinding[]])[];
  /** Plots for which a fix is known. */
  readonly mends: readonly (readonly [key: string, mended: readonly MendedPlot[]])[];
  /** The reason why plots were not compared with the borders of their countries; absent if they were. */
  readonly withoutBorders?: string;
}
