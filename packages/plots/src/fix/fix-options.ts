import type { CheckPlotsOptions } from "../check/check-options.ts";
import type { Countries } from "../check/countries.ts";
import type { Profile } from "../profiles/profile.ts";

/** How plots are fixed. */
export interface FixOptions extends Pick<CheckPlotsOptions, "crsTable" | "country"> {
  /** The system that is to take them. */
  readonly profile: Profile;
  /** True if latitude comes before longitude. Absent: if the country of a plot proves it, see `countries`. */
  readonly swapAxes?: boolean | undefined;
  /**
   * True if a missing country is filled from the place of the plot, and a missing area of a polygon from its border; the
   * area of a point never is. Absent: neither.
   */
  readonly fill?: boolean | undefined;
  /** The widest gap between the ends of a line that is closed to make a border of it, metres. Absent: 1. */
  readonly closeGapMeters?: number | undefined;
  /**
   * Countries and their territory: a plot that lies outside its country, and inside once longitude and latitude change
   * places, is mended, and countries are written as the profile reads them; `country` where a plot has none. Absent:
   * none of these.
   */
  readonly countries?: Countries | undefined;
}
