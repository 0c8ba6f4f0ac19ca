/** How results are written. */
export interface ResultFormat {
  readonly name: "ndjson" | "compact" | "csv" | "parquet";
  /** What stands before the first line. */
  readonly header: Uint8Array;
  /** Turns the lines of a run, which were written aside, into the output at its end; absent: the lines are the output. */
  readonly finish?: (spool: string, output: string) => Promise<void>;
}
