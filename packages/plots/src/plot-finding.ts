import type { FindingCode, Severity } from "./finding-codes.ts";

/** One problem of one plot, with its place and its mend. */
export interface PlotFinding {
  /** Number of the plot; 0 where the finding is about the file. */
  readonly plot: number;
  /** Id of the plot; empty where the finding is about the file. */
  readonly id: string | number;
  /** Line of the file, where each plot has one. */
  readonly line?: number;
  /** Stable UPPER_SNAKE name of the problem; `docs/semantics/plots.md` explains each. */
  readonly code: FindingCode;
  /** True if it stops the plot from being accepted. */
  readonly severity: Severity;
  /** The profile and its version that bounds it, where that has versions: `quality@1`. */
  readonly profile?: string;
  /** JSON pointer into the Feature, e.g. `/geometry/coordinates/0/3` or `/properties/Area`. */
  readonly pointer: string;
  /** Where on earth, `[longitude, latitude]` in degrees. */
  readonly position?: readonly [number, number];
  /** The same place with longitude and latitude swapped, if the plot then lies where it should. */
  readonly swapped?: readonly [number, number];
  /** The value found. */
  readonly found: string;
  /** The value expected. */
  readonly expected: string;
  /** Description of how to mend it. */
  readonly mend: string;
  /** Square metres that the finding is about: land outside the country, a difference of areas, an overlap. */
  readonly square_meters?: number;
  /** The measured value, and the bound that it exceeds. */
  readonly measure?: {
    /** The measured value. */
    readonly value: number;
    /** The bound. */
    readonly bound: number;
    /** The unit of both. */
    readonly unit: "degrees" | "meters" | "hectares" | "spellings";
  };
  /** The other plot of a duplicate or an overlap. */
  readonly other?: {
    /** Its number. */
    readonly plot: number;
    /** Its id. */
    readonly id: string | number;
  };
}
