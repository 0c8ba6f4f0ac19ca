import type { CrsTable } from "@groundrule/engine";
import type { WorkMeter } from "@groundrule/engine/internal";
import type { Profile } from "../profiles/profile.ts";
import type { Countries } from "./countries.ts";

/** What plots are checked against. */
export interface CheckPlotsOptions {
  /** The system that is to take the plots; absent: what holds for plots of any purpose. */
  readonly profile?: Profile | undefined;
  /** What the plots produce, in lowercase: a point of `cattle` may be larger than others. */
  readonly commodity?: string | undefined;
  /** CRSs that are known besides longitude and latitude: `crsTable` of `@groundrule/crs`. */
  readonly crsTable?: CrsTable | undefined;
  /** Countries and their territory; absent: nothing is said of either. */
  readonly countries?: Countries | undefined;
  /** ISO 3166-1 code of the country of every plot that declares none. */
  readonly country?: string | undefined;
  /** Bounds the work of all plots together; absent: each plot has the bound of an answer of the engine. */
  readonly meter?: WorkMeter | undefined;
}
