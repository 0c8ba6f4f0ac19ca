/** A member of a plot's properties that a profile knows. */
export interface ProfileMember {
  /** Its name, exact in case. */
  readonly name: string;
  /** The type of its value. */
  readonly type: "string" | "number" | "country";
  /** True if a plot without it has a finding. */
  readonly isExpected: boolean;
  /** Where the rule is written. */
  readonly source: string;
}

/** Where each rule of a profile is written. */
export interface ProfileSources {
  /** Which geometries are taken. */
  readonly geometry: string;
  /** Faults for which a ring is refused. */
  readonly rings: string;
  /** Holes. */
  readonly holes: string;
  /** The decimals of coordinates that are kept. */
  readonly cut: string;
  /** The decimals that coordinates should have. */
  readonly decimals: string;
  /** The area of a point. */
  readonly point: string;
  /** The type of `Area`. */
  readonly area: string;
  /** The names of members. */
  readonly members: string;
  /** The size of a file. */
  readonly file: string;
}

/** The rules of one system that takes plots. */
export interface Profile {
  /** Its name on the command line. */
  readonly name: "eudr";
  /** Its name for people. */
  readonly title: string;
  /** Decimals of coordinates that are kept; the rest is cut, not rounded. */
  readonly decimals: number;
  /** The properties it reads. */
  readonly members: readonly ProfileMember[];
  /** Hectares that a point without `Area` counts. */
  readonly assumedPointHectares: number;
  /** Hectares above which a point has to be a polygon. */
  readonly greatestPointHectares: number;
  /** Commodities whose points may be larger. */
  readonly commoditiesOfAnyPoint: readonly string[];
  /** Least `Area`, hectares. */
  readonly leastHectares: number;
  /** True if a polygon may have holes. */
  readonly takesHoles: boolean;
  /** True if a GeometryCollection is accepted. */
  readonly takesCollections: boolean;
  /** Greatest size of a file, bytes; `Infinity`: any. */
  readonly greatestFileBytes: number;
  /** Greatest count of commodities in a statement. */
  readonly greatestCommodityCount: number;
  /** Where each rule is written. */
  readonly sources: ProfileSources;
}
