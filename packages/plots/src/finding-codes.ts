import type { ProfileSources } from "./profiles/profile.ts";
import { QUALITY } from "./quality-bounds.ts";

/** How much a finding matters: an error stops the plot from being accepted, a warning is to be looked at. */
export type Severity = "error" | "warning";

/** Every code, in the order of the documentation. */
export const FINDING_CODES = [
  "NO_PLOTS",
  "PLOT_UNREADABLE",
  "GEOMETRY_MISSING",
  "GEOMETRY_EMPTY",
  "GEOMETRY_TYPE_INVALID",
  "COORDINATES_INVALID",
  "POSITION_INVALID",
  "GEOMETRY_MALFORMED",
  "LINE_UNSUPPORTED",
  "LINE_CLOSED",
  "READ_AS_BORDER",
  "LABEL_DROPPED",
  "COLLECTION",
  "CRS_UNKNOWN",
  "CRS_INACCURATE",
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
  "PLOT_TOO_SMALL",
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
  "IDENTIFIER_UNREADABLE",
  "IDENTIFIER_MALFORMED",
  "CHECK_DIGITS_WRONG",
  "ID_MISSING",
  "ID_REPEATED",
  "ID_DIGITS_LOST",
  "GPS_ACCURACY_LOW",
  "FILE_TOO_LARGE",
  "PLOTS_IDENTICAL",
  "PLOTS_OVERLAP",
  "SPIKE",
  "SEGMENT_SHORT",
  "FEW_VERTICES",
  "SIZE_IMPLAUSIBLE",
  "FAR_FROM_GROUP",
  "PRODUCER_SPELLINGS",
] as const;

/** Name of a problem of a plot; {@link FINDINGS} explains it. */
export type FindingCode = (typeof FINDING_CODES)[number];

type Rule = keyof ProfileSources;

/** Properties that every finding with one code shares. */
export interface FindingKind {
  /** How much it matters; `error or warning` where that depends on the plots. */
  readonly severity: Severity | "error or warning";
  /** One sentence that explains the code. */
  readonly meaning: string;
  /** Description of how to mend it. */
  readonly mend: string;
  /** The rule of a profile that requires it; absent: plots of any purpose are checked for it. */
  readonly rule?: Rule;
  /** The profile with versions of its own that has it: `quality@1`; absent: none. */
  readonly profile?: string;
}

const defineKinds =
  (severity: FindingKind["severity"]) =>
  (meaning: string, mend: string, rule?: Rule): FindingKind => ({
    severity,
    meaning,
    mend,
    ...(rule && { rule }),
  });
const error = defineKinds("error");
const warning = defineKinds("warning");
const either = defineKinds("error or warning");

/** A doubt of the profile `quality`: never an error, and never mended by a program. */
const doubt = (meaning: string, mend: string): FindingKind => ({
  ...warning(meaning, mend),
  profile: `${QUALITY.name}@${QUALITY.version}`,
});

/** Every finding there is, by its code. */
export const FINDINGS: Readonly<Record<FindingCode, FindingKind>> = {
  NO_PLOTS: warning(
    "The file has no plot.",
    "Check that it is the file that was meant, and that the export was not empty.",
  ),
  PLOT_UNREADABLE: error(
    "The file contains something other than a plot in this place.",
    "Correct the file in this place; the other plots are still read.",
  ),
  GEOMETRY_MISSING: error(
    "The plot has no geometry.",
    "Give it a Polygon, a MultiPolygon, a Point or a MultiPoint.",
  ),
  GEOMETRY_EMPTY: error("The geometry has no positions.", "Give it positions, or leave the plot out."),
  GEOMETRY_TYPE_INVALID: error(
    "The type of the geometry is not a GeoJSON type.",
    "Write the type as GeoJSON names it, in the same case.",
  ),
  COORDINATES_INVALID: error(
    "The coordinates are not nested as the type of the geometry requires.",
    "Nest them as RFC 7946 requires for the type.",
  ),
  POSITION_INVALID: error(
    "A position is not an array of two or more numbers.",
    "Write it as [longitude, latitude], two numbers.",
  ),
  GEOMETRY_MALFORMED: error(
    "A member of the geometry besides its coordinates is malformed.",
    "Correct the member or leave it out.",
  ),
  LINE_UNSUPPORTED: error(
    "The geometry is a line that does not end where it starts, so it encloses no land.",
    "Draw the border of the plot as a Polygon; if the line is its border, `groundrule plots fix` closes gaps up to the metres of `--close-gap`.",
  ),
  LINE_CLOSED: error(
    "The geometry is a line that ends where it starts: the border of a plot, and no Polygon.",
    "`groundrule plots fix` makes a Polygon of it.",
  ),
  READ_AS_BORDER: warning(
    "The file has a ring or a closed track here; it was read as the border of the plot.",
    "Check that it is the border; `groundrule plots fix` writes it as a Polygon.",
  ),
  LABEL_DROPPED: warning(
    "A point inside the polygon of the same placemark, as Google Earth writes for its label, was left out.",
    "If it is a plot of its own, make it a placemark of its own.",
  ),
  COLLECTION: either(
    "The plot is a GeometryCollection, which cannot be evaluated; the eudr profile accepts it (§9.2).",
    "Split it: `groundrule plots fix` makes a plot of each geometry.",
  ),
  CRS_INACCURATE: warning(
    "The datum of the CRS can be shifted to WGS 84 by no better than the stated metres.",
    "Export the coordinates as longitude and latitude on WGS 84 from a program that has the country's own grid.",
  ),
  CRS_UNKNOWN: error("The coordinates are in an unknown CRS.", "Name the CRS as EPSG:<code> with `--crs`."),
  CRS_MISMATCH: error(
    "The coordinates do not fit the named CRS.",
    "Name the CRS of the coordinates with `--crs`.",
  ),
  CRS_NOT_WGS84: warning(
    "The coordinates are in a CRS other than WGS 84.",
    "`groundrule plots fix` writes longitude and latitude on WGS 84.",
    "decimals",
  ),
  OUTSIDE_AREA_OF_USE: warning(
    "Positions are outside the area of use of the CRS.",
    "Check that the coordinates are in this CRS.",
  ),
  POSITION_NOT_FINITE: error("A position is not finite, or not valid in its CRS.", "Correct the position."),
  LATITUDE_OUT_OF_RANGE: error(
    "A latitude is beyond 90 degrees.",
    "Write longitude first; name the CRS of projected coordinates with `--crs`.",
  ),
  LONGITUDE_OUT_OF_RANGE: error(
    "A longitude is outside the possible range.",
    "Write longitude first; name the CRS of projected coordinates with `--crs`.",
  ),
  LONGITUDE_BEYOND_180: either(
    "A longitude is beyond ±180; the plot is read as crossing the antimeridian.",
    "Split the plot at the antimeridian into parts within ±180.",
  ),
  LONGITUDE_SPAN: error("The longitudes span more than 360 degrees.", "Correct the longitudes."),
  LONGITUDE_JUMP: error(
    "An edge spans 180 degrees of longitude or more: nearly always, it should cross the antimeridian instead.",
    "Split the plot at the antimeridian into parts within ±180.",
  ),
  RING_NOT_CLOSED: error(
    "A ring does not end where it starts.",
    "`groundrule plots fix` repeats the first position at the end.",
  ),
  RING_TOO_SHORT: error(
    "A ring has fewer than three distinct positions, so it encloses nothing.",
    "Draw the border with at least three corners.",
  ),
  RING_STRAIGHT: error(
    "All positions of a ring are on one line, so it encloses nothing.",
    "Draw the border of the plot, or write the plot as a Point.",
  ),
  RING_SELF_CROSSING: error(
    "Two edges of a ring cross.",
    "`groundrule plots fix` makes a separate part of each loop; or put the positions in the order of the border.",
  ),
  RING_SELF_TOUCH: error(
    "A ring touches itself at a point.",
    "`groundrule plots fix` makes a separate part of each loop.",
  ),
  RING_SELF_OVERLAP: error(
    "A ring runs back over itself: a folded side or a spike.",
    "`groundrule plots fix` removes the spike.",
  ),
  RINGS_CROSS: error(
    "Two rings of a polygon cross.",
    "Draw the hole inside its polygon; `groundrule plots fix` subtracts it from the polygon.",
  ),
  HOLE_OUTSIDE_SHELL: error(
    "A hole is outside its outer ring.",
    "Draw the hole inside its polygon; `groundrule plots fix` turns it into a separate part.",
  ),
  HOLES_OVERLAP: error(
    "A hole is inside another hole.",
    "Keep one hole; `groundrule plots fix` merges them.",
  ),
  INTERIOR_EMPTY: error("Holes cover the whole polygon.", "Correct the holes."),
  INTERIOR_DISCONNECTED: error(
    "Holes that touch cut the polygon into pieces.",
    "`groundrule plots fix` makes a separate part of each piece.",
  ),
  PARTS_OVERLAP: error("Two parts of a MultiPolygon overlap.", "`groundrule plots fix` merges them."),
  PLOT_TOO_SMALL: error(
    "The plot has less than 1 m², so it is not evaluated.",
    "Correct the coordinates, their unit, or the CRS that they are said to be in.",
  ),
  GEOMETRY_TOO_COMPLEX: error(
    "The geometry has too many positions, or its edges meet too often, to be examined.",
    "Simplify the geometry, or send it in parts.",
  ),
  REPEATED_POSITION: either("A position repeats the one before it.", "`groundrule plots fix` leaves it out."),
  WINDING_REVERSED: warning(
    "A ring has the wrong direction: RFC 7946 requires outer rings counter-clockwise and holes clockwise.",
    "`groundrule plots fix` reverses it.",
  ),
  ORDINATES_IGNORED: warning(
    "Positions have a height, which is not used.",
    "`groundrule plots fix` leaves it out.",
  ),
  AXES_SWAPPED: error(
    "Longitude and latitude are swapped: as written, the plot is outside the country it declares, or not on earth.",
    "`groundrule plots fix` swaps them in this plot alone; `--swap-axes` would swap them in every plot of the file.",
  ),
  IN_SEA: either(
    "The plot declares no country and is in the sea: an error if it would be on land with longitude and latitude swapped, else a warning.",
    "Correct the coordinates, or declare its country; some small islands are missing from the borders.",
  ),
  OUTSIDE_COUNTRY: error(
    "The plot is outside the country it declares.",
    "Correct the country or the coordinates.",
  ),
  PARTLY_OUTSIDE_COUNTRY: warning(
    "Part of the plot is outside the country it declares.",
    "Check the border of the plot, or split it and declare the country of each part.",
  ),
  AREA_DIFFERS: warning(
    "The declared area differs from the measured one by more than a tenth and by more than 100 m².",
    "Correct the area, in the unit of its column, or the border of the plot.",
  ),
  AREA_NOT_NUMBER: error(
    "`Area` is not a number; the system reads a string as 0.",
    "Write it as a number of hectares, without quotation marks.",
    "area",
  ),
  AREA_TOO_SMALL: error(
    "`Area` is below 0.0001 ha, the least that the system accepts.",
    "Write the area of the plot in hectares.",
    "point",
  ),
  POINT_TOO_LARGE: error(
    "A point stands for more than 4 ha, which is allowed only for cattle establishments.",
    "Draw the border of the plot as a Polygon; for cattle use `--commodity cattle`.",
    "point",
  ),
  POINT_WITHOUT_AREA: warning(
    "A point has no `Area`, so the system assumes 4 ha.",
    "Write its hectares in `Area`.",
    "point",
  ),
  HOLE_UNSUPPORTED: error(
    "The polygon has a hole: one section of the specification does not support holes, another counts them as land.",
    "`groundrule plots fix` makes parts without holes.",
    "holes",
  ),
  FEW_DECIMALS: warning(
    "Every position of the plot has fewer than six decimals.",
    "Export the coordinates with all decimals that the device recorded.",
    "decimals",
  ),
  CUT_BREAKS_RING: error(
    "Valid rings cross, touch or overlap once coordinates are cut to six decimals.",
    "`groundrule plots fix` cuts them and repairs the rings that this breaks.",
    "cut",
  ),
  CUT_REPEATS_POSITION: error(
    "Two different positions become the same once coordinates are cut to six decimals.",
    "`groundrule plots fix` leaves out the second.",
    "cut",
  ),
  CUT_COLLAPSES_RING: error(
    "A ring encloses nothing once coordinates are cut to six decimals.",
    "Draw the plot larger, or as a Point with its `Area`.",
    "cut",
  ),
  MEMBER_MISSPELT: either(
    "The name of a property is not spelled exactly as the system reads it; capitals count.",
    "Rename it.",
    "members",
  ),
  MEMBER_CUT: warning(
    "The name of a property was cut to ten characters, as in Shapefiles; it is read as the full name.",
    "`groundrule plots fix` and `groundrule plots export` write the full name.",
    "members",
  ),
  MEMBER_MISSING: warning(
    "A property that the system groups plots by is missing.",
    "Add it to the plot.",
    "members",
  ),
  MEMBER_TYPE: error(
    "The value of a property does not have the type that the system reads.",
    "Write it as a string.",
    "members",
  ),
  COUNTRY_CODE_INVALID: error(
    "`ProducerCountry` is not an ISO 3166-1 alpha-2 code.",
    "Write the code as two capital letters.",
    "members",
  ),
  IDENTIFIER_UNREADABLE: warning(
    "An identifier in `scheme` is not `{type, value}` with texts, so an evaluation refuses the plot.",
    'Write it as `{"type": "br:cnpj", "value": "11.222.333/0001-81"}`, or an array of such objects.',
  ),
  IDENTIFIER_MALFORMED: warning(
    "An identifier has a length or characters that its scheme excludes, so a look-up that finds nothing proves nothing.",
    "Correct the identifier; `groundrule plots fix` restores leading zeros that a spreadsheet dropped, where the check digits or the prefix fit.",
  ),
  CHECK_DIGITS_WRONG: warning(
    "The check digits of an identifier do not fit the others, so a look-up that finds nothing proves nothing.",
    "Correct the identifier.",
  ),
  ID_MISSING: warning(
    "The column of the plots' ids is empty here.",
    "Enter an id for the plot, or name another column with `--id`.",
  ),
  ID_REPEATED: warning("Two plots have the same id.", "Give each plot a different id."),
  ID_DIGITS_LOST: warning(
    "A spreadsheet shortened the id, so that its last digits are lost.",
    "Export the column as text from where it comes. Lost digits are never filled up with zeros.",
  ),
  GPS_ACCURACY_LOW: warning(
    "The receiver states that its position may be more than 10 m away.",
    "Take the position again under open sky; `--max-accuracy-m` refuses plots beyond a limit.",
  ),
  FILE_TOO_LARGE: error(
    "The plots need more than 25 MB as one GeoJSON file.",
    "`groundrule plots export` writes several files.",
    "file",
  ),
  PLOTS_IDENTICAL: error("Two plots cover exactly the same land.", "Keep one of them."),
  PLOTS_OVERLAP: either(
    "Two plots overlap: an error if their producers differ, a warning if they have the same producer.",
    "Correct the border between them.",
  ),
  SPIKE: doubt(
    "Two edges of 5 m or more meet at an angle of less than 3° and stay within 2 m of each other: a spike outward, or a slit inward.",
    "Look at the vertex; if the border does not go there, draw it without the vertex.",
  ),
  SEGMENT_SHORT: doubt(
    "A segment is shorter than 10 mm, which no survey measures: the vertex was recorded twice, or is left of a computation.",
    "Draw the border with one vertex in this place.",
  ),
  FEW_VERTICES: doubt(
    "A ring has few vertices for the land that it encloses: 3 above 10 ha, 4 above 300 ha, or up to 7 above 1,000 ha.",
    "Draw the border as it is on the ground, or confirm that it is so straight.",
  ),
  SIZE_IMPLAUSIBLE: doubt(
    "The plot is larger than plots of its commodity in its country can be expected to be.",
    "Check the border, and that it is one plot of one producer.",
  ),
  FAR_FROM_GROUP: doubt(
    "The plot is far from the other plots of its producer: more than 100 km, and more than ten times the median distance, from their middle.",
    "Check the coordinates and the producer of the plot.",
  ),
  PRODUCER_SPELLINGS: doubt(
    "The name of the producer differs from another only by case, accents, signs or the order of its words.",
    "Write one spelling in every plot, or tell the producers apart by more of their names.",
  ),
};
