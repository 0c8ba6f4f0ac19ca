import type { PageFinding } from "../state/findings.ts";

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
}

/** Findings by the key of their plot: of all plots that were checked, in place of what was told before. */
export type CheckReply = readonly (readonly [key: string, findings: readonly PageFinding[]])[];
