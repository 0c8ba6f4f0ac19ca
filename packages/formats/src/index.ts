export { AreaGeometry } from "./area-geometry.ts";
export { crsOfProjJson, crsOfWkt } from "./crs/crs-of.ts";
export { projJsonName } from "./crs/proj-json-crs.ts";
export { wktName } from "./crs/wkt-crs.ts";
export { CSV_DELIMITERS, type CsvDelimiter, type CsvRow, type CsvSource, readCsv } from "./csv/csv.ts";
export { type Told, tellFormat } from "./detect.ts";
export {
  describePlace,
  FORMAT_ERROR_CODES,
  FormatError,
  type FormatErrorCode,
  type FormatErrorDetails,
  type Place,
  type TextPlace,
} from "./format-error.ts";
export {
  type Feature,
  FORMAT_NAMES,
  type FormatName,
  type FormatReader,
  type GeoJsonForm,
  type OpenTable,
  type ReadOptions,
  type Row,
} from "./format-reader.ts";
export { type UnpackedSource, type UnpackLimits, unpack } from "./gzip.ts";
export {
  FeatureSplitter,
  type PieceReader,
  SPLITTER_LIMITS,
  type SplitterLimits,
  type SplitValue,
} from "./json/feature-splitter.ts";
export {
  type GeoJsonFeature,
  type GeoJsonSource,
  readAreas,
  readGeoJson,
} from "./json/geojson.ts";
export { FORMAT_LIMITS, type FormatLimits, limitsOf, RATIO_FREE_BYTES } from "./limits.ts";
export { type LocalFile, openLocalFile, spool } from "./local-file.ts";
export { openPath } from "./open-path.ts";
export { openStream, openTable } from "./open-table.ts";
export { swapAxes } from "./swap-axes.ts";
export { readWkb } from "./wkb/read-wkb.ts";
