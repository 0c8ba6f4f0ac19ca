export { loadSqliteBy, openLocalFile, openPath } from "#host/files";
export { AreaGeometry } from "./area-geometry.ts";
export { crsInMember } from "./crs/crs-in-member.ts";
export type { LocalFile } from "./file/local-file.ts";
export { openBlob } from "./file/open-blob.ts";
export {
  describePlace,
  FORMAT_ERROR_CODES,
  FormatError,
  type FormatErrorCode,
  type FormatErrorDetails,
  type Place,
  type TextPlace,
} from "./format-error.ts";
export type {
  Feature,
  GeoJsonForm,
  ReadNote,
  Row,
  TableReading,
} from "./format-reader.ts";
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
  readGeoJson,
} from "./json/geojson.ts";
export {
  describeMembers,
  expectedFeature,
  readGeometryText,
  readObjectAsFeature,
} from "./json/json-object.ts";
export { crsOfCollection, type WithLateCrs, withLateCrs } from "./json/late-crs.ts";
export type { ObjectAsFeature, RowOptions } from "./json/object-as-feature.ts";
export { FORMAT_LIMITS, type FormatLimits } from "./limits.ts";
export { withNeeded } from "./needed.ts";
export { type Detected, detectFormat, type Told, tellFormat } from "./open/detect.ts";
export {
  FORMAT_NAMES,
  FORMATS,
  type Format,
  type FormatName,
  type FormatOptions as ReadOptions,
  type FormatTable as OpenTable,
  formatDetailedFormats,
} from "./open/formats.ts";
export { type UnpackedSource, type UnpackLimits, unpack } from "./open/gzip.ts";
export { openStream, openTable } from "./open/open-table.ts";
export { swapAxes } from "./swap-axes.ts";
export { readEwkbSrid, readWkb } from "./wkb/read-wkb.ts";
export { type ReadWkt, readWkt, WktFault } from "./wkt.ts";
