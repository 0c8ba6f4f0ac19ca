// For our own packages, which move with the engine: exports here change in any release (ARCHITECTURE.md).
export { answerFilterConditions } from "./answer-conditions.ts";
export { AreaBuilder, parseCountryCode, toAttribute, toLabel } from "./areas/area-builder.ts";
export { CommonColumns, type HiddenColumn, type MappedColumns } from "./areas/common-columns.ts";
export { buildCountryCoverage } from "./areas/country-coverage.ts";
export { describeRepairLoss } from "./areas/describe-loss.ts";
export { compareStrings } from "./base/ascending.ts";
export { parseCalendarDay } from "./base/calendar-day.ts";
export { COUNTRY_CODES, isCountryIso3 } from "./base/country-codes.ts";
export { escapePointerToken } from "./base/json-pointer.ts";
export { formatSuggestion } from "./base/nearest-name.ts";
export { encodeUtf8 } from "./base/utf8.ts";
export { ANSWER_WORK, WorkMeter } from "./base/work-meter.ts";
export { evaluateWithWrittenJson } from "./compiled-policy.ts";
export { forwardEngineParts } from "./engine-parts.ts";
export { explainInput } from "./explain-question.ts";
export { sumPolygonAreas } from "./geometry/earth/authalic.ts";
export { orient2d } from "./geometry/earth/predicates.ts";
export { toPositions } from "./geometry/earth/to-positions.ts";
export { differenceCoordinates, differenceSquareMeters } from "./geometry/kernel/area-difference.ts";
export { exactKernel } from "./geometry/kernel/exact-kernel.ts";
export { isRaster, type Layer, requireAreaLayer } from "./geometry/layer.ts";
export { isSameCrs } from "./geometry/plot/crs.ts";
export { readCrsMember } from "./geometry/plot/crs-member.ts";
export { prepareRings } from "./geometry/plot/mend/prepare-area.ts";
export { repairPolygons } from "./geometry/plot/mend/repair.ts";
export { PLOT_POSITION_LIMIT } from "./geometry/plot/parse-plot.ts";
export { type ReadGeometry, readGeoJson } from "./geometry/plot/read-geojson.ts";
export { findPolygonFaults } from "./geometry/plot/validity/validity.ts";
export { DamagedTile } from "./geometry/raster/damaged-tile.ts";
export {
  computeTiling,
  lineLatitude,
  lineLongitude,
  type RasterGrid,
  TILE_CELLS,
} from "./geometry/raster/grid.ts";
export {
  BACKGROUND,
  type CellRuns,
  createCellRuns,
  MAX_RASTER_AREAS,
  NODATA,
  type RasterLayer,
} from "./geometry/raster/raster-layer.ts";
export { createPolygonLayer } from "./geometry/trees/create-layer.ts";
export { computeRingCourse, type RingCourse, type RingView } from "./geometry/trees/ring-course.ts";
export { toFindingWarning } from "./ruleset/certain/findings.ts";
export { findCarriedOrigin } from "./ruleset/compile/carried-origin.ts";
export {
  countryCodeShape,
  evaluationInputMembers,
  plainInputMembers,
} from "./ruleset/compile/evaluation-input.ts";
export { listNamesInSets } from "./ruleset/compile/policy.ts";
export { type FilterCondition, listFilterConditions } from "./ruleset/evaluate/conditions.ts";
export { isFactValue, requireFacts } from "./ruleset/facts/require-facts.ts";
export {
  getMeasuredColumn,
  MEASURES,
  type MeasureWord,
  type NamedMeasure,
  type Unit,
} from "./ruleset/measures/measures.ts";
export { describeFactValues } from "./ruleset/parse/fact-types.ts";
export { RULESET_NAME_PATTERN, rulesetMembers } from "./ruleset/parse/schema.ts";
export { planMembers } from "./ruleset/plan/plan.ts";
export { findSmallPlotProblem } from "./ruleset/select/require-size.ts";
export { checkShape } from "./shape/check-shape.ts";
export { describeValue } from "./shape/describe-value.ts";
export { type JsonSchema, type Schemas, toJsonSchema } from "./shape/json-schema.ts";
export { readShape } from "./shape/read-shape.ts";
export {
  type AnyShape,
  anything,
  array,
  boolean,
  choice,
  type Described,
  type DescribedInput,
  describedAs,
  type Form,
  fitting,
  type MembersOf,
  named,
  nullable,
  number,
  type Optional,
  object,
  objectOf,
  openObjectOf,
  optional,
  record,
  type Shape,
  text,
  union,
  type ValueOf,
} from "./shape/shape.ts";
export { canonicalizeValue } from "./snapshot/canonical-value.ts";
export { isRasterFile } from "./snapshot/format.ts";
export {
  BUILD_ALLOWANCES,
  type BuildAllowance,
  instantShape,
  SOURCE_NAME_MAX_LENGTH,
  sourceManifestShape,
  sourceNameShape,
  storedManifestShape,
} from "./snapshot/manifest.ts";
export { editionShape, snapshotMetaShape } from "./snapshot/meta-shape.ts";
export { cellSquareMetersByRow } from "./snapshot/raster/tile-areas.ts";
export {
  findKnownScheme,
  formatSchemeSuggestion,
  KNOWN_SCHEMES,
  type KnownScheme,
  SCHEME_MAX_LENGTH,
  SCHEME_PATTERN,
  schemeTypeShape,
} from "./snapshot/scheme-type.ts";
export { listRingsInBox, type RingEnvelope, readSourceCells, type SourceCells } from "./source-areas.ts";
export { computeAgeDays } from "./sources/age.ts";
export { isMixed } from "./sources/fictional.ts";
export { openBorders } from "./sources/open-source.ts";
export { createGroupEntry, createSourceEntry } from "./sources/source-catalog.ts";
export { sourceEntryMembers } from "./sources/source-entry.ts";
export { type CellIdentifier, type IdentifierCell, readIdentifierCell } from "./subjects/identifier-cell.ts";
export {
  CNPJ_ROOT_LENGTH,
  findSchemeFault,
  hasKnownForm,
  type SchemeFault,
} from "./subjects/scheme-fault.ts";
export {
  parseSchemes,
  ROLE_PATTERN,
  roleSchemeShape,
  SCHEMES_MAX_COUNT,
  schemeMembers,
  schemeShape,
  VALUE_MAX_LENGTH,
} from "./subjects/schemes.ts";
export { textDigest } from "./verdict/digest.ts";
export { factsShape } from "./verdict/fact-shape.ts";
export { parseInstant } from "./verdict/instant.ts";
export {
  answerShapes,
  areaEvidenceMembers,
  bboxShape,
  distanceMatchShape,
  intersectionMatchShape,
  outcomeShape,
  sourceOutcomeShape,
  subjectEvidenceMembers,
  subjectMatchMembers,
  verdictMembers,
  warningShape,
} from "./verdict/schema.ts";
