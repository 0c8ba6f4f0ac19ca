export { ENGINE_ERROR_CODES, EngineError, type EngineErrorCode, type Fault } from "./base/errors.ts";
export { type Engine, openEngine } from "./engine.ts";
export type { DistanceHit } from "./geometry/distance/distance.ts";
export type { Bbox } from "./geometry/earth/bbox.ts";
export type { BoundPlot, Kernel, OverlapHit } from "./geometry/kernel/kernel.ts";
export type { OverlapGeometry } from "./geometry/overlap/overlap-geometry.ts";
export type { AreaRef, Region } from "./geometry/overlap/region.ts";
export type { Relations } from "./geometry/overlap/relation.ts";
export type { CrsDefinition, CrsTable, Transform } from "./geometry/plot/crs.ts";
export type { GeometryFault, GeometryFaultCode } from "./geometry/plot/geometry-fault.ts";
export { parsePlot } from "./geometry/plot/parse-plot.ts";
export type { Plot, PlotGeometry, Warning } from "./geometry/plot/plot.ts";
export type { DiscArea } from "./geometry/plot/point-discs.ts";
export type { InputFault, PositionFaultCode } from "./geometry/plot/read-geojson.ts";
export type { MultiPolygonGeometry } from "./geometry/trees/area-coordinates.ts";
export type { AreaLayer } from "./geometry/trees/layer.ts";
export { MAX_DISTANCE_METERS, MAX_RESULTS } from "./questions/options.ts";
export type {
  DistanceOptions,
  EngineOptions,
  IntersectionsOptions,
  LiveNeedsOptions,
  SpatialOptions,
} from "./questions/questions.ts";
export type {
  EvaluationInput,
  FeatureObject,
  GeometryInput,
  GeometryObject,
} from "./ruleset/compile/evaluation-input.ts";
export { MAX_POINT_AREA_HA, MIN_POINT_AREA_HA } from "./ruleset/compile/evaluation-input.ts";
export type {
  CompileOptions,
  EvaluateOptions,
  Policy,
  RulesetInput,
  RulesetOrigin,
} from "./ruleset/compile/policy.ts";
export type { Measure } from "./ruleset/measures/measures.ts";
export type {
  AreaSet,
  Check,
  CheckBase,
  Comparison,
  DerivedSet,
  DocumentOperator,
  FactComparison,
  FactDeclaration,
  FactOperand,
  FactQuestion,
  FactThreshold,
  FactType,
  Filter,
  FilterArgument,
  FilterExpression,
  FilterLiteral,
  MeasuredThreshold,
  Measurement,
  Relation,
  Ruleset,
  RulesetSet,
  SetComparison,
  SubjectSet,
} from "./ruleset/parse/schema.ts";
export type {
  CellArea,
  CellBackground,
  CellMask,
  CellPatches,
  CellRange,
  CellsManifest,
} from "./snapshot/cells-manifest.ts";
export type {
  BuildAllowance,
  ColumnType,
  CoverageKnown,
  CoveragePolygons,
  SchemesByCountry,
  SourceKind,
  SourceManifest,
  StoredCoverage,
  StoredManifest,
} from "./snapshot/manifest.ts";
export type { AttributeValue, Crc32, RangeReader, Sha256 } from "./snapshot/snapshot.ts";
export type {
  CandidateArea,
  CandidateReader,
  LiveDescription,
  LiveExcess,
  LiveNeed,
  Provided,
  ProvidedAreas,
} from "./sources/live-source.ts";
export type {
  FailedSource,
  LiveSource,
  SnapshotBytes,
  SourceInput,
  StoredSource,
} from "./sources/open-source.ts";
export { isOverdue } from "./sources/overdue.ts";
export type { CoverageEntry, SourceEntry, SourceFailure } from "./sources/source-catalog.ts";
export type { GridEntry } from "./sources/source-entry.ts";
export type { MalformedValue, SubjectsAnswer, SubjectsOptions } from "./subjects/look-up.ts";
export type { HeldElsewhere, RegisteredElsewhere } from "./subjects/registered-elsewhere.ts";
export type { RoleScheme, Scheme } from "./subjects/schemes.ts";
export type { TextDigest } from "./verdict/digest.ts";
export type { Answer, AreaMatch, DistanceMatch, IntersectionMatch, SubjectMatch } from "./verdict/match.ts";
export type { MeasuredMatch, NearMatch } from "./verdict/schema.ts";
export type {
  AreaEvidence,
  AreaOverlap,
  AtLeast,
  CheckResult,
  ComparisonOperator,
  ComparisonResult,
  DeclaredComparison,
  DeclaredFact,
  Evaluation,
  Evidence,
  EvidenceOverlap,
  FactDocument,
  FactValue,
  NamedArea,
  NeededFact,
  OpenReason,
  Outcome,
  Properties,
  Resolution,
  SourceCoverage,
  SourceOutcome,
  SubjectEvidence,
  Verdict,
  VerdictInput,
  VerdictStatus,
} from "./verdict/verdict.ts";
