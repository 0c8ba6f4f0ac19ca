import type { FormatsByEnding } from "../command-line/output-format.ts";

/** Formats of a screening run's results; `csv` to `geoparquet` have the columns of `listResultColumns`. */
export const RESULT_FORMATS = [
  "ndjson",
  "compact",
  "csv",
  "geojson",
  "gpkg",
  "parquet",
  "geoparquet",
  "xlsx",
] as const;

/** One of {@link RESULT_FORMATS}. */
export type ResultFormatName = (typeof RESULT_FORMATS)[number];

/** Formats that are completed at the end of a run, and so need a file. */
export const FILE_FORMATS: ReadonlySet<ResultFormatName> = new Set(["gpkg", "parquet", "geoparquet", "xlsx"]);

/** Formats by the ending of the name of their file. */
export const FORMATS_BY_ENDING: FormatsByEnding<ResultFormatName> = {
  csv: ["csv"],
  geojson: ["geojson"],
  geoparquet: ["geoparquet"],
  gpkg: ["gpkg"],
  jsonl: ["ndjson", "compact"],
  ndjson: ["ndjson", "compact"],
  parquet: ["parquet", "geoparquet"],
  xlsx: ["xlsx"],
};
