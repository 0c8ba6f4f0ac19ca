/** A place that stays as it is. */
export interface Exception {
  /** The file, or the folder with everything in it. */
  readonly path: string;
  /** The name, or the comment's first line. */
  readonly text: string;
  readonly reason: string;
}

export const EXCEPTIONS: readonly Exception[] = [];
