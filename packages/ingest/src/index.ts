export { type BuildOptions, buildSnapshot, type IngestProgress } from "./build.ts";
export { CSV_DELIMITERS, type CsvDelimiter, type CsvRow, type CsvSource, readCsv } from "./csv.ts";
export {
  FeatureSplitter,
  type PieceReader,
  SPLITTER_LIMITS,
  type SplitterLimits,
  type SplitValue,
} from "./feature-splitter.ts";
export { type GeoJsonFeature, type GeoJsonFormat, type GeoJsonSource, readGeoJson } from "./geojson.ts";
export {
  describePlace,
  INGEST_ERROR_CODES,
  IngestError,
  type IngestErrorCode,
  type IngestErrorDetails,
  type Place,
} from "./ingest-error.ts";
export {
  type ManifestOptions,
  manifestFromOptions,
  parseManifest,
  sourceFromOptions,
} from "./manifest.ts";
export * from "./report.ts";
export {
  type FetchPlan,
  isLoopback,
  manifestJsonSchema,
  parseSource,
  READ_FORMATS,
  type ReadPlan,
  type Source,
} from "./source.ts";
export { type UnpackedSource, unpack } from "./unpack.ts";
