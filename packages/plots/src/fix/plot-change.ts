import type { ChangeCode } from "./change-codes.ts";

/** One thing that was changed in one plot. */
export interface PlotChange {
  /** Number of the plot as it was read. */
  readonly plot: number;
  /** Its id as it was read. */
  readonly id: string | number;
  /** Line of the file, where each plot has one. */
  readonly line?: number;
  /** Stable UPPER_SNAKE name; `CHANGES` explains it. */
  readonly code: ChangeCode;
  /** JSON pointer into the Feature as it was read, to the first place of the change. */
  readonly pointer: string;
  /** Place of the change on earth, `[longitude, latitude]` in degrees. */
  readonly position?: readonly [number, number];
  /** How many positions, rings or plots it is about. */
  readonly count: number;
  /** One sentence that states the change. */
  readonly message: string;
  /** Area of the whole plot before the change, square metres on WGS 84; for polygons only. */
  readonly square_meters_before?: number;
  /** Area of the whole plot after the change. */
  readonly square_meters_after?: number;
}
