import { PARQUET_COLUMNS, writeParquet } from "../runs/parquet-rows.ts";

/** Forms of the results of a screening run. */
export type ResultFormatName = "ndjson" | "compact" | "csv" | "parquet";

export const RESULT_FORMATS: readonly ResultFormatName[] = ["ndjson", "compact", "csv", "parquet"];

/** How results are written. */
export interface ResultFormat {
  readonly name: ResultFormatName;
  /** What stands before the first line. */
  readonly header: Uint8Array;
  /** Turns the lines of a run, which were written aside, into the output at its end; absent: the lines are the output. */
  readonly finish?: (spool: string, output: string) => Promise<void>;
}

export function resultFormat(name: ResultFormatName): ResultFormat {
  const header = name === "csv" ? `${PARQUET_COLUMNS.join(",")}\r\n` : "";
  return {
    name,
    header: new TextEncoder().encode(header),
    ...(name === "parquet" && { finish: writeParquet }),
  };
}
