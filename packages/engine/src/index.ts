export { parseCalendarDay } from "./base/calendar-day.ts";
export * from "./base/errors.ts";
export { escapePointer, jsonPointer } from "./base/json-pointer.ts";
export * from "./base/nearest-name.ts";
export {
  checkStrictJson,
  JSON_DEPTH,
  type JsonFaultCode,
  MalformedJson,
  parseStrictJson,
  type StrictJsonOptions,
} from "./base/strict-json.ts";
export * from "./engine.ts";
export type { DistanceHit } from "./geometry/distance/distance.ts";
export type { Bbox } from "./geometry/earth/bbox.ts";
export type * from "./geometry/kernel/kernel.ts";
export type { OverlapGeometry } from "./geometry/overlap/overlap-geometry.ts";
export type * from "./geometry/overlap/region.ts";
export type { Relations } from "./geometry/overlap/relation.ts";
export { type CrsDefinition, type CrsTable, isSameCrs, type Transform } from "./geometry/plot/crs.ts";
export { PLOT_POSITION_LIMIT, parsePlot } from "./geometry/plot/parse-plot.ts";
export type * from "./geometry/plot/plot.ts";
export { type PreparedArea, prepareArea } from "./geometry/plot/prepare-area.ts";
export type { InputFault, PositionFaultCode } from "./geometry/plot/read-geojson.ts";
export { repairPolygons } from "./geometry/plot/repair.ts";
export {
  findFaults,
  type GeometryFault,
  type GeometryFaultCode,
} from "./geometry/plot/validity.ts";
export {
  areaCoordinates,
  type MultiPolygonCoordinates,
  type MultiPolygonGeometry,
} from "./geometry/trees/area-coordinates.ts";
export type * from "./geometry/trees/layer.ts";
export { parseRecord, type RecordedEvaluation, type VerdictRecord, verdictRecord } from "./records/record.ts";
export {
  CHANGES_SHOWN,
  type Replay,
  type ReplayChange,
  type ReplayPart,
  replayRecord,
} from "./records/replay.ts";
export { rulesetDigest } from "./ruleset/compile.ts";
export { COUNTRY_CODES, isCountryIso3 } from "./ruleset/country-codes.ts";
export type * from "./ruleset/lint-findings.ts";
export { DARK_BACKGROUND, type Palette, palette } from "./ruleset/palette.ts";
export { parseRuleset } from "./ruleset/parse.ts";
export type * from "./ruleset/plan.ts";
export type * from "./ruleset/schema.ts";
export {
  CHECK_ID_PATTERN,
  CHECK_LIMIT,
  RULESET_BYTE_LIMIT,
  RULESET_NAME_PATTERN,
  rulesetJsonSchema,
  SET_LIMIT,
  SET_NAME_PATTERN,
} from "./ruleset/schema.ts";
export { canonicalValue } from "./snapshot/canonical-value.ts";
export { crc32 } from "./snapshot/crc32.ts";
export * from "./snapshot/manifest.ts";
export { type OpenOptions, openSnapshot, verifySnapshot } from "./snapshot/read/reader.ts";
export type * from "./snapshot/snapshot.ts";
export { createAreaWriter, createRegisterWriter, type WriterOptions } from "./snapshot/write/writer.ts";
export { groupEntry, sourceEntry } from "./sources/source-catalog.ts";
export { SUBJECT_MATCH_LIMIT } from "./subjects/look-up.ts";
export {
  checkDigitsWarning,
  ROLE_PATTERN,
  SCHEMES_MAX_COUNT,
  VALUE_MAX_LENGTH,
} from "./subjects/schemes.ts";
export { canonicalJson } from "./verdict/canonical-json.ts";
export { inputDigest, jsonDigest, type TextDigest, verdictDigest } from "./verdict/digest.ts";
export { parseInstant } from "./verdict/instant.ts";
export * from "./verdict/rounding.ts";
export * from "./verdict/verdict.ts";
