export { candidateAreas } from "./areas/candidate-areas.ts";
export {
  type AreaFeature,
  type AreaFeatureCollection,
  type BuiltSnapshot,
  type HiddenProperty,
  type RepairedFeature,
  type SnapshotOfOptions,
  type SnapshotReport,
  snapshotOf,
} from "./areas/snapshot-of.ts";
export { type PreparedArea, prepareArea } from "./geometry/plot/mend/prepare-area.ts";
export { areaCoordinates, type MultiPolygonCoordinates } from "./geometry/trees/area-coordinates.ts";
export type { Coverage, CoverageInput, CoveragePieceInput, CoveragePieces } from "./snapshot/coverage.ts";
export {
  type CellChange,
  type CellContent,
  diffRasters,
  type RasterDiff,
} from "./snapshot/read/diff-rasters.ts";
export {
  type OpenOptions,
  openSnapshot,
  type SnapshotSource,
  verifySnapshot,
} from "./snapshot/read/reader.ts";
export type {
  AreaInput,
  AreaSnapshot,
  AreaSnapshotWriter,
  Attributes,
  ColumnSummary,
  Identifier,
  IdentifierIndex,
  RangeReader,
  RasterAreaInput,
  RasterSnapshot,
  RasterSnapshotWriter,
  RecordInput,
  RegisterSnapshot,
  RegisterSnapshotWriter,
  Sha256,
  Snapshot,
  SnapshotFile,
  SnapshotMeta,
  SnapshotWriter,
} from "./snapshot/snapshot.ts";
export { isRaster } from "./snapshot/snapshot.ts";
export { createRasterWriter } from "./snapshot/write/raster-writer.ts";
export { createRegisterWriter } from "./snapshot/write/register-writer.ts";
export { snapshotBytes } from "./snapshot/write/snapshot-bytes.ts";
export type { Spill } from "./snapshot/write/spill.ts";
export { createAreaWriter } from "./snapshot/write/writer.ts";
export type { WriterOptions } from "./snapshot/write/writer-options.ts";
export { readSourceAreas, type SourceAreas, type SourceTerritory } from "./source-areas.ts";
