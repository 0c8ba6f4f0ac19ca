import type { ProfileSources } from "./profiles/profile.ts";

/** How much a finding matters: an error stops the plot from being accepted, a warning is to be looked at. */
export type Severity = "error" | "warning";

/** Every code, in the order of the documentation. */
export const FINDING_CODES = [
  "PLOT_UNREADABLE",
  "GEOMETRY_MISSING",
  "GEOMETRY_EMPTY",
  "GEOMETRY_TYPE_INVALID",
  "COORDINATES_INVALID",
  "POSITION_INVALID",
  "GEOMETRY_MALFORMED",
  "LINE_UNSUPPORTED",
  "COLLECTION",
  "CRS_UNKNOWN",
  "CRS_MISMATCH",
  "CRS_NOT_WGS84",
  "OUTSIDE_AREA_OF_USE",
  "POSITION_NOT_FINITE",
  "LATITUDE_OUT_OF_RANGE",
  "LONGITUDE_OUT_OF_RANGE",
  "LONGITUDE_BEYOND_180",
  "LONGITUDE_SPAN",
  "LONGITUDE_JUMP",
  "RING_NOT_CLOSED",
  "RING_TOO_SHORT",
  "RING_STRAIGHT",
  "RING_SELF_CROSSING",
  "RING_SELF_TOUCH",
  "RING_SELF_OVERLAP",
  "RINGS_CROSS",
  "HOLE_OUTSIDE_SHELL",
  "HOLES_OVERLAP",
  "INTERIOR_EMPTY",
  "INTERIOR_DISCONNECTED",
  "PARTS_OVERLAP",
  "GEOMETRY_TOO_COMPLEX",
  "REPEATED_POSITION",
  "WINDING_REVERSED",
  "ORDINATES_IGNORED",
  "AXES_SWAPPED",
  "IN_SEA",
  "OUTSIDE_COUNTRY",
  "PARTLY_OUTSIDE_COUNTRY",
  "AREA_DIFFERS",
  "AREA_NOT_NUMBER",
  "AREA_TOO_SMALL",
  "POINT_TOO_LARGE",
  "POINT_WITHOUT_AREA",
  "HOLE_UNSUPPORTED",
  "FEW_DECIMALS",
  "CUT_BREAKS_RING",
  "CUT_REPEATS_POSITION",
  "CUT_COLLAPSES_RING",
  "MEMBER_MISSPELT",
  "MEMBER_CUT",
  "MEMBER_MISSING",
  "MEMBER_TYPE",
  "COUNTRY_CODE_INVALID",
  "ID_MISSING",
  "ID_REPEATED",
  "FILE_TOO_LARGE",
  "PLOTS_IDENTICAL",
  "PLOTS_OVERLAP",
] as const;

/** Name of a problem of a plot; {@link FINDINGS} tells what it means. */
export type FindingCode = (typeof FINDING_CODES)[number];

/** What every finding of a code has in common. */
export interface FindingKind {
  /** How much it matters; `error or warning` where that depends on the plots. */
  readonly severity: Severity | "error or warning";
  /** What it says, in one sentence. */
  readonly meaning: string;
  /** What mends it. */
  readonly mend: string;
  /** The rule of a profile that asks for it; absent: plots of any purpose are checked for it. */
  readonly rule?: keyof ProfileSources;
}

/** Every finding there is, by its code. */
export const FINDINGS: Readonly<Record<FindingCode, FindingKind>> = {
  PLOT_UNREADABLE: {
    severity: "error",
    meaning: "The file contains something other than a plot in this place.",
    mend: "Correct the file in this place; the other plots are still read.",
  },
  GEOMETRY_MISSING: {
    severity: "error",
    meaning: "The plot has no geometry.",
    mend: "Give it a Polygon, a MultiPolygon, a Point or a MultiPoint.",
  },
  GEOMETRY_EMPTY: {
    severity: "error",
    meaning: "The geometry has no positions.",
    mend: "Give it positions, or leave the plot out.",
  },
  GEOMETRY_TYPE_INVALID: {
    severity: "error",
    meaning: "The type of the geometry is not a GeoJSON type.",
    mend: "Write the type as GeoJSON names it, in the same case.",
  },
  COORDINATES_INVALID: {
    severity: "error",
    meaning: "The coordinates are not nested as the type of the geometry requires.",
    mend: "Nest them as RFC 7946 requires for the type.",
  },
  POSITION_INVALID: {
    severity: "error",
    meaning: "A position is not an array of two or more numbers.",
    mend: "Write it as [longitude, latitude], two numbers.",
  },
  GEOMETRY_MALFORMED: {
    severity: "error",
    meaning: "A member of the geometry besides its coordinates is malformed.",
    mend: "Correct the member or leave it out.",
  },
  LINE_UNSUPPORTED: {
    severity: "error",
    meaning: "The geometry is a line, which encloses no land.",
    mend: "Draw the border of the plot as a Polygon.",
  },
  COLLECTION: {
    severity: "error or warning",
    meaning:
      "The plot is a GeometryCollection, which cannot be evaluated; the eudr profile accepts it (§9.2).",
    mend: "Split it: `groundrule plots fix` makes a plot of each geometry.",
  },
  CRS_UNKNOWN: {
    severity: "error",
    meaning: "The coordinates are in an unknown CRS.",
    mend: "Name the CRS as EPSG:<code> with `--crs`.",
  },
  CRS_MISMATCH: {
    severity: "error",
    meaning: "The coordinates do not fit the named CRS.",
    mend: "Name the CRS of the coordinates with `--crs`.",
  },
  CRS_NOT_WGS84: {
    severity: "warning",
    meaning: "The coordinates are in a CRS other than WGS 84.",
    mend: "`groundrule plots fix` writes longitude and latitude on WGS 84.",
    rule: "decimals",
  },
  OUTSIDE_AREA_OF_USE: {
    severity: "warning",
    meaning: "Positions are outside the area of use of the CRS.",
    mend: "Check that the coordinates are in this CRS.",
  },
  POSITION_NOT_FINITE: {
    severity: "error",
    meaning: "A position is not finite, or not valid in its CRS.",
    mend: "Correct the position.",
  },
  LATITUDE_OUT_OF_RANGE: {
    severity: "error",
    meaning: "A latitude is beyond 90 degrees.",
    mend: "Write longitude first; name the CRS of projected coordinates with `--crs`.",
  },
  LONGITUDE_OUT_OF_RANGE: {
    severity: "error",
    meaning: "A longitude is outside the possible range.",
    mend: "Write longitude first; name the CRS of projected coordinates with `--crs`.",
  },
  LONGITUDE_BEYOND_180: {
    severity: "error or warning",
    meaning: "A longitude is beyond ±180; the plot is read as crossing the antimeridian.",
    mend: "Split the plot at the antimeridian into parts within ±180.",
  },
  LONGITUDE_SPAN: {
    severity: "error",
    meaning: "The longitudes span more than 360 degrees.",
    mend: "Correct the longitudes.",
  },
  LONGITUDE_JUMP: {
    severity: "error",
    meaning:
      "An edge spans 180 degrees of longitude or more: nearly always, it should cross the antimeridian instead.",
    mend: "Split the plot at the antimeridian into parts within ±180.",
  },
  RING_NOT_CLOSED: {
    severity: "error",
    meaning: "A ring does not end where it starts.",
    mend: "`groundrule plots fix` repeats the first position at the end.",
  },
  RING_TOO_SHORT: {
    severity: "error",
    meaning: "A ring has fewer than three distinct positions, so it encloses nothing.",
    mend: "Draw the border with at least three corners.",
  },
  RING_STRAIGHT: {
    severity: "error",
    meaning: "All positions of a ring are on one line, so it encloses nothing.",
    mend: "Draw the border of the plot, or write the plot as a Point.",
  },
  RING_SELF_CROSSING: {
    severity: "error",
    meaning: "Two edges of a ring cross.",
    mend: "`groundrule plots fix` makes a separate part of each loop; or put the positions in the order of the border.",
  },
  RING_SELF_TOUCH: {
    severity: "error",
    meaning: "A ring touches itself at a point.",
    mend: "`groundrule plots fix` makes a separate part of each loop.",
  },
  RING_SELF_OVERLAP: {
    severity: "error",
    meaning: "A ring runs back over itself: a folded side or a spike.",
    mend: "`groundrule plots fix` removes the spike.",
  },
  RINGS_CROSS: {
    severity: "error",
    meaning: "Two rings of a polygon cross.",
    mend: "Draw the hole inside its polygon; `groundrule plots fix` subtracts it from the polygon.",
  },
  HOLE_OUTSIDE_SHELL: {
    severity: "error",
    meaning: "A hole is outside its outer ring.",
    mend: "Draw the hole inside its polygon; `groundrule plots fix` turns it into a separate part.",
  },
  HOLES_OVERLAP: {
    severity: "error",
    meaning: "A hole is inside another hole.",
    mend: "Keep one hole; `groundrule plots fix` merges them.",
  },
  INTERIOR_EMPTY: {
    severity: "error",
    meaning: "Holes cover the whole polygon.",
    mend: "Correct the holes.",
  },
  INTERIOR_DISCONNECTED: {
    severity: "error",
    meaning: "Holes that touch cut the polygon into pieces.",
    mend: "`groundrule plots fix` makes a separate part of each piece.",
  },
  PARTS_OVERLAP: {
    severity: "error",
    meaning: "Two parts of a MultiPolygon overlap.",
    mend: "`groundrule plots fix` merges them.",
  },
  GEOMETRY_TOO_COMPLEX: {
    severity: "error",
    meaning: "The geometry has too many positions, or its edges meet too often, to be examined.",
    mend: "Simplify the geometry, or send it in parts.",
  },
  REPEATED_POSITION: {
    severity: "error or warning",
    meaning: "A position repeats the one before it.",
    mend: "`groundrule plots fix` leaves it out.",
  },
  WINDING_REVERSED: {
    severity: "warning",
    meaning:
      "A ring has the wrong direction: RFC 7946 requires outer rings counter-clockwise and holes clockwise.",
    mend: "`groundrule plots fix` reverses it.",
  },
  ORDINATES_IGNORED: {
    severity: "warning",
    meaning: "Positions have a height, which is not used.",
    mend: "`groundrule plots fix` leaves it out.",
  },
  AXES_SWAPPED: {
    severity: "error",
    meaning:
      "Longitude and latitude are swapped: as written, the plot is outside the country it declares, or not on earth.",
    mend: "`groundrule plots fix` swaps them in this plot alone; `--swap-axes` would swap them in every plot of the file.",
  },
  IN_SEA: {
    severity: "error or warning",
    meaning:
      "The plot declares no country and is in the sea: an error if it would be on land with longitude and latitude swapped, else a warning.",
    mend: "Correct the coordinates, or declare its country; some small islands are missing from the borders.",
  },
  OUTSIDE_COUNTRY: {
    severity: "error",
    meaning: "The plot is outside the country it declares.",
    mend: "Correct the country or the coordinates.",
  },
  PARTLY_OUTSIDE_COUNTRY: {
    severity: "warning",
    meaning: "Part of the plot is outside the country it declares.",
    mend: "Check the border of the plot, or split it and declare the country of each part.",
  },
  AREA_DIFFERS: {
    severity: "warning",
    meaning: "The declared area differs from the measured one by more than a tenth and by more than 100 m².",
    mend: "Correct the area, in the unit of its column, or the border of the plot.",
  },
  AREA_NOT_NUMBER: {
    severity: "error",
    meaning: "`Area` is not a number; the system reads a string as 0.",
    mend: "Write it as a number of hectares, without quotation marks.",
    rule: "area",
  },
  AREA_TOO_SMALL: {
    severity: "error",
    meaning: "`Area` is below 0.0001 ha, the least that the system accepts.",
    mend: "Write the area of the plot in hectares.",
    rule: "point",
  },
  POINT_TOO_LARGE: {
    severity: "error",
    meaning: "A point stands for more than 4 ha, which is allowed only for cattle establishments.",
    mend: "Draw the border of the plot as a Polygon; for cattle use `--commodity cattle`.",
    rule: "point",
  },
  POINT_WITHOUT_AREA: {
    severity: "warning",
    meaning: "A point has no `Area`, so the system assumes 4 ha.",
    mend: "Write its hectares in `Area`.",
    rule: "point",
  },
  HOLE_UNSUPPORTED: {
    severity: "error",
    meaning:
      "The polygon has a hole: one section of the specification does not support holes, another counts them as land.",
    mend: "`groundrule plots fix` makes parts without holes.",
    rule: "holes",
  },
  FEW_DECIMALS: {
    severity: "warning",
    meaning: "Every position of the plot has fewer than six decimals.",
    mend: "Export the coordinates with all decimals that the device recorded.",
    rule: "decimals",
  },
  CUT_BREAKS_RING: {
    severity: "error",
    meaning: "Valid rings cross, touch or overlap once coordinates are cut to six decimals.",
    mend: "`groundrule plots fix` cuts them and repairs the rings that this breaks.",
    rule: "cut",
  },
  CUT_REPEATS_POSITION: {
    severity: "error",
    meaning: "Two different positions become the same once coordinates are cut to six decimals.",
    mend: "`groundrule plots fix` leaves out the second.",
    rule: "cut",
  },
  CUT_COLLAPSES_RING: {
    severity: "error",
    meaning: "A ring encloses nothing once coordinates are cut to six decimals.",
    mend: "Draw the plot larger, or as a Point with its `Area`.",
    rule: "cut",
  },
  MEMBER_MISSPELT: {
    severity: "error or warning",
    meaning: "The name of a property is not spelled exactly as the system reads it; capitals count.",
    mend: "Rename it.",
    rule: "members",
  },
  MEMBER_CUT: {
    severity: "warning",
    meaning:
      "The name of a property was cut to ten characters, as in Shapefiles; it is read as the full name.",
    mend: "`groundrule plots fix` and `groundrule plots export` write the full name.",
    rule: "members",
  },
  MEMBER_MISSING: {
    severity: "warning",
    meaning: "A property that the system groups plots by is missing.",
    mend: "Add it to the plot.",
    rule: "members",
  },
  MEMBER_TYPE: {
    severity: "error",
    meaning: "The value of a property does not have the type that the system reads.",
    mend: "Write it as a string.",
    rule: "members",
  },
  COUNTRY_CODE_INVALID: {
    severity: "error",
    meaning: "`ProducerCountry` is not an ISO 3166-1 alpha-2 code.",
    mend: "Write the code as two capital letters.",
    rule: "members",
  },
  ID_MISSING: {
    severity: "warning",
    meaning: "The column of the plots' ids is empty here.",
    mend: "Enter an id for the plot, or name another column with `--id`.",
  },
  ID_REPEATED: {
    severity: "warning",
    meaning: "Two plots have the same id.",
    mend: "Give each plot a different id.",
  },
  FILE_TOO_LARGE: {
    severity: "error",
    meaning: "The plots need more than 25 MB as one GeoJSON file.",
    mend: "`groundrule plots export` writes several files.",
    rule: "file",
  },
  PLOTS_IDENTICAL: {
    severity: "error",
    meaning: "Two plots cover exactly the same land.",
    mend: "Keep one of them.",
  },
  PLOTS_OVERLAP: {
    severity: "error or warning",
    meaning:
      "Two plots overlap: an error if their producers differ, a warning if they have the same producer.",
    mend: "Correct the border between them.",
  },
};
