export {
  AreaBuilder,
  type AreaBuilderOptions,
  attributeOf,
  countryOf,
  labelOf,
} from "./area-builder.ts";
export { parseCalendarDay } from "./base/calendar-day.ts";
export { ANSWER_WORK, WorkMeter } from "./base/work-meter.ts";
export { candidateAreas, MAX_CANDIDATES } from "./candidate-areas.ts";
export { countriesOf, coverageOfCountries } from "./country-coverage.ts";
export { areaSquareMetersOf } from "./geometry/earth/authalic.ts";
export { orient2d } from "./geometry/earth/predicates.ts";
export { differenceCoordinates, differenceSquareMeters } from "./geometry/kernel/area-difference.ts";
export { exactKernel } from "./geometry/kernel/exact-kernel.ts";
export type { AreaRef } from "./geometry/overlap/region.ts";
export { isSameCrs } from "./geometry/plot/crs.ts";
export { type PreparedArea, prepareArea, prepareRings } from "./geometry/plot/prepare-area.ts";
export { type ReadGeometry, readGeoJson } from "./geometry/plot/read-geojson.ts";
export { repairPolygons } from "./geometry/plot/repair.ts";
export { findFaults } from "./geometry/plot/validity.ts";
export {
  areaCoordinates,
  type MultiPolygonCoordinates,
} from "./geometry/trees/area-coordinates.ts";
export { canonicalValue } from "./snapshot/canonical-value.ts";
export type { Coverage, CoverageInput, CoveragePieceInput, CoveragePieces } from "./snapshot/coverage.ts";
export { SOURCE_FACTS, type SourceFact, withSourceFacts } from "./snapshot/manifest.ts";
export { type OpenOptions, openSnapshot, verifySnapshot } from "./snapshot/read/reader.ts";
export type {
  AreaInput,
  AreaSnapshot,
  AreaSnapshotWriter,
  Attributes,
  ColumnSummary,
  Identifier,
  IdentifierIndex,
  RecordInput,
  RegisterSnapshot,
  RegisterSnapshotWriter,
  Sha256,
  Snapshot,
  SnapshotFile,
  SnapshotMeta,
  SnapshotWriter,
} from "./snapshot/snapshot.ts";
export { createRegisterWriter } from "./snapshot/write/register-writer.ts";
export { snapshotBytes } from "./snapshot/write/snapshot-bytes.ts";
export type { Spill } from "./snapshot/write/spill.ts";
export { createAreaWriter } from "./snapshot/write/writer.ts";
export type { WriterOptions } from "./snapshot/write/writer-options.ts";
export {
  type AreaFeature,
  type AreaFeatureCollection,
  type BuiltSnapshot,
  type RepairedFeature,
  type SnapshotOfOptions,
  type SnapshotReport,
  snapshotOf,
} from "./snapshot-of.ts";
export { isMixed } from "./sources/fictional.ts";
export { openBorders } from "./sources/open-source.ts";
export { groupEntry, sourceEntry } from "./sources/source-catalog.ts";
