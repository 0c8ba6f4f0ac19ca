export { cutDecimals } from "./cut/cut-decimals.ts";
export { cutGeometry } from "./cut/cut-geometry.ts";
export {
  FINDING_CODES,
  FINDINGS,
  type FindingCode,
  type FindingKind,
  type Severity,
} from "./finding-codes.ts";
export type { PlotFeature } from "./plot-feature.ts";
export type { PlotFinding } from "./plot-finding.ts";
export { eudr } from "./profiles/eudr.ts";
export type { Profile, ProfileMember, ProfileSources } from "./profiles/profile.ts";
export { findProfile, PROFILE_NAMES, PROFILES } from "./profiles/profiles.ts";
