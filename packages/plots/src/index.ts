export type { CheckPlotsOptions, QualityChecks } from "./check/check-options.ts";
export type { Countries, Territory } from "./check/countries.ts";
export { checkPlots, PlotChecker } from "./check/plot-checker.ts";
export { type StatedAccuracy, statedAccuracy } from "./columns/accuracy-column.ts";
export { type AreaUnit, detectAreaUnit, type StatedArea, statedArea } from "./columns/area-column.ts";
export { countryColumns } from "./columns/country-column.ts";
export {
  type FactDeclarations,
  meantFact,
  requireKnownFacts,
  withFactColumns,
} from "./columns/declared-facts.ts";
export { type FactColumns, isFactColumn, readFactColumns } from "./columns/fact-columns.ts";
export { type IdColumn, idColumns, idIn } from "./columns/id-column.ts";
export {
  type IdentifierColumn,
  type IdentifierKind,
  parseIdentifierKind,
  schemeNamedBy,
  type UnknownKind,
} from "./columns/identifier-kind.ts";
export { withIdentifiers } from "./columns/identifiers.ts";
export { MAPPED_NAMES } from "./columns/mapped-names.ts";
export { columnNamed, toPlainName } from "./columns/plain-name.ts";
export {
  isPoints,
  type PlotInput,
  type PlotInputError,
  readPlotInput,
  withPointArea,
} from "./columns/plot-input.ts";
export { overlapFinding } from "./compare/overlap-finding.ts";
export {
  type ComparePlotsOptions,
  comparePlots,
  type OverlappingPlot,
  PlotComparer,
  type PlotOverlap,
  TOLERATED_OVERLAP_SQUARE_METERS,
} from "./compare/plot-comparer.ts";
export { cutDecimals } from "./cut/cut-decimals.ts";
export { cutGeometry } from "./cut/cut-geometry.ts";
export {
  type ExportedPlots,
  type ExportFile,
  type ExportType,
  exportPlots,
  type RespeltProducer,
  textLimit,
} from "./export/export-plots.ts";
export {
  FINDING_CODES,
  FINDINGS,
  type FindingCode,
  type FindingKind,
  type Severity,
} from "./finding-codes.ts";
export { CHANGES, type ChangeCode } from "./fix/change-codes.ts";
export type { FixOptions } from "./fix/fix-options.ts";
export { type FixedPlot, fixPlot, fixPlots } from "./fix/fix-plot.ts";
export { isMendedByFixing } from "./fix/mended-findings.ts";
export type { PlotChange } from "./fix/plot-change.ts";
export type { MisnamedPlot, PlotFeature } from "./plot-feature.ts";
export type { PlotFinding } from "./plot-finding.ts";
export { eudr } from "./profiles/eudr.ts";
export type { Profile, ProfileMember, ProfileSources } from "./profiles/profile.ts";
export { findProfile, PROFILE_NAMES, PROFILES } from "./profiles/profiles.ts";
export { PLAUSIBLE_SIZES, type PlausibleSize } from "./quality/plausible-sizes.ts";
export { ProducerGroups, placeIn } from "./quality/producer-groups.ts";
export { qualityChecks } from "./quality/quality-checks.ts";
export { QUALITY, type Quality } from "./quality-bounds.ts";
