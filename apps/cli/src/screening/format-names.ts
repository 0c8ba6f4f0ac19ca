/** Forms of the results of a screening run; the last four have the columns of `resultColumns`, as `csv` has. */
export const RESULT_FORMATS = [
  "ndjson",
  "compact",
  "csv",
  "geojson",
  "gpkg",
  "parquet",
  "geoparquet",
] as const;

/** One of {@link RESULT_FORMATS}. */
export type ResultFormatName = (typeof RESULT_FORMATS)[number];

/** Formats that are made at the end of a run, and so need a file. */
export const FILE_FORMATS: ReadonlySet<ResultFormatName> = new Set(["gpkg", "parquet", "geoparquet"]);
