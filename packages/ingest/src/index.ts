export { type BuildOptions, buildSnapshot, type IngestProgress } from "./build.ts";
export {
  INGEST_ERROR_CODES,
  IngestError,
  type IngestErrorCode,
  type IngestErrorDetails,
} from "./ingest-error.ts";
export type { GranulePlan } from "./manifest/granule-plan.ts";
export { KEPT_POLYGONS, type KeptManifest, keptManifest } from "./manifest/kept-manifest.ts";
export {
  type ManifestOptions,
  manifestFromOptions,
  parseManifest,
  sourceFromOptions,
} from "./manifest/manifest.ts";
export {
  type BuildReadOptions,
  type FetchPlan,
  type FileOrigin,
  isLoopback,
  manifestJsonSchema,
  parseSource,
  type ReadPlan,
  readOptions,
  type Source,
} from "./manifest/source.ts";
export {
  buildRaster,
  type RasterOptions,
  type RasterProgress,
} from "./raster/build-raster.ts";
export type { GranuleSquare } from "./raster/granule-square.ts";
export { type GranuleFile, granulesToFetch } from "./raster/granules.ts";
export { inspectRaster, type RasterContents, type RasterValue, valuesCsv } from "./raster/inspect-raster.ts";
export type { KeepOptions } from "./raster/kept-tiles.ts";
export { type RasterReport, renderRasterReport } from "./raster/raster-report.ts";
export { readValueTable } from "./raster/value-csv.ts";
export * from "./report.ts";
