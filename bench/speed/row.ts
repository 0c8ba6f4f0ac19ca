/** One line of the table of speed: a figure, what it is to be, and the command that takes it alone. */
export interface SpeedRow {
  /** What is measured, and against what. */
  readonly figure: string;
  /** The value with its unit. */
  readonly measured: string;
  /** The value that it is held to. */
  readonly goal: string;
  readonly met: boolean;
  readonly command: string;
}
