import type { Fault } from "@groundrule/engine";

/** A plot that cannot be read, in its place among the others. */
export interface UnreadPlot {
  /** Its number in the file, or of its line. */
  readonly number: number;
  /** Id of the plot in its file; its number if it has none. */
  readonly id: string | number;
  /** Line of the file, where each plot has one. */
  readonly line?: number;
  /** Why it cannot be read. */
  readonly error: {
    /** A stable code, e.g. `GEOMETRY_INVALID`. */
    readonly code: string;
    /** One sentence that states what was found and what was expected. */
    readonly message: string;
    /** The same, with its place in the plot. */
    readonly faults?: readonly Fault[];
  };
}
