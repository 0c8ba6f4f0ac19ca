import type { CrsTable } from "@groundrule/engine";
import type { Countries } from "../check/countries.ts";
import type { Profile } from "../profiles/profile.ts";

/** How plots are fixed. */
export interface FixOptions {
  /** The system that is to take them. */
  readonly profile: Profile;
  /** Whether latitude stands before longitude. Absent: where the country of a plot proves it, see `countries`. */
  readonly swapAxes?: boolean | undefined;
  /** CRSs that are known besides longitude and latitude: `crsTable` of `@groundrule/crs`. */
  readonly crsTable?: CrsTable | undefined;
  /**
   * Countries and their territory: a plot that lies outside its country, and inside once longitude and latitude change
   * places, is mended, and countries are written as the profile reads them. Absent: neither.
   */
  readonly countries?: Countries | undefined;
  /** ISO 3166-1 code of the country of every plot that declares none. */
  readonly country?: string | undefined;
}
