export { AreaGeometry } from "./area-geometry.ts";
export {
  describePlace,
  FORMAT_ERROR_CODES,
  FormatError,
  type FormatErrorCode,
  type FormatErrorDetails,
  type Place,
} from "./format-error.ts";
export {
  type Feature,
  FORMAT_NAMES,
  type FormatName,
  type FormatReader,
  type OpenTable,
  type ReadOptions,
  type Row,
} from "./format-reader.ts";
export { FORMAT_LIMITS, type FormatLimits, limitsOf, RATIO_FREE_BYTES } from "./limits.ts";
export { type LocalFile, openLocalFile, spool } from "./local-file.ts";
