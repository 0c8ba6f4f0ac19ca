/** Name of a change; {@link CHANGES} tells what it means. */
export type ChangeCode =
  | "AXES_SWAPPED"
  | "CRS_CHANGED"
  | "HEIGHT_DROPPED"
  | "COLLECTION_UNFOLDED"
  | "RING_CLOSED"
  | "POSITION_DROPPED"
  | "COORDINATES_CUT"
  | "RING_DROPPED"
  | "REGION_REPAIRED"
  | "CUT_REPAIRED"
  | "EDGE_DISSOLVED"
  | "WINDING_TURNED"
  | "ANTIMERIDIAN_SPLIT"
  | "HOLES_SPLIT"
  | "MEMBER_RENAMED"
  | "AREA_READ"
  | "AREA_SHARED"
  | "COUNTRY_CODE";

/** Every change that `fixPlot` makes, and what it means. */
export const CHANGES: Readonly<Record<ChangeCode, string>> = {
  AXES_SWAPPED:
    "Longitude and latitude changed places, as asked or because the plot then lies in its country.",
  CRS_CHANGED: "The coordinates were turned into longitude and latitude on WGS 84.",
  HEIGHT_DROPPED: "Heights and further ordinates of positions were left out.",
  COLLECTION_UNFOLDED:
    "The geometries of a collection became a MultiPolygon, a MultiPoint, or a plot of each.",
  RING_CLOSED: "The first position was repeated at the end of a ring.",
  POSITION_DROPPED: "A position that repeats the one before was left out.",
  COORDINATES_CUT: "Digits beyond the decimals that are kept were left out.",
  RING_DROPPED: "A ring that encloses nothing once it is cut was left out: a hole, or a part of several.",
  REGION_REPAIRED: "Rings that crossed, touched or folded as they came were made a region, on the grid.",
  CUT_REPAIRED: "Rings that crossed, touched or folded once they were cut were made a region, on the grid.",
  EDGE_DISSOLVED: "An edge that two rings share was removed: it bounds nothing.",
  WINDING_TURNED: "Outer rings were turned counter-clockwise, holes clockwise.",
  ANTIMERIDIAN_SPLIT: "A plot across the antimeridian was split into parts within ±180.",
  HOLES_SPLIT:
    "A polygon with holes was cut into parts without, which share edges and so are plots of their own.",
  MEMBER_RENAMED: "A property was given the name that the profile reads, to the letter.",
  AREA_READ: "The area, written as text or in another unit, became a number of hectares in `Area`.",
  AREA_SHARED: "`Area` was shared out among the plots that one became, by their measured areas.",
  COUNTRY_CODE: "The country was written as the two capitals of ISO 3166-1.",
};
