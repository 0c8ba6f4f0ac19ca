import type { CrsTable } from "@groundrule/engine";
import type { Profile } from "../profiles/profile.ts";

/** How plots are fixed. */
export interface FixOptions {
  /** The system that is to take them. */
  readonly profile: Profile;
  /** Whether latitude stands before longitude, in every plot. Never guessed. */
  readonly swapAxes?: boolean | undefined;
  /** CRSs that are known besides longitude and latitude: `crsTable` of `@groundrule/crs`. */
  readonly crsTable?: CrsTable | undefined;
  /** The two capitals of a country's ISO 3166-1 code of two or three letters; absent: countries stay as they are. */
  readonly iso2Of?: ((code: string) => string | undefined) | undefined;
}
