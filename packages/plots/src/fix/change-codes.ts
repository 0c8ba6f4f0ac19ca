/** Every change that `fixPlot` makes, and what it means. */
export const CHANGES = {
  AXES_SWAPPED:
    "Longitude and latitude were swapped, because an option says so or because the plot is in its country only then.",
  CRS_CHANGED: "The coordinates were transformed to longitude and latitude on WGS 84.",
  HEIGHT_DROPPED: "Heights and further ordinates of positions were left out.",
  COLLECTION_UNFOLDED:
    "The geometries of a collection became a MultiPolygon, a MultiPoint, or one plot each.",
  LINE_CLOSED:
    "A line that ends where it starts, or lines that do so together, became the border of a Polygon.",
  READ_AS_BORDER: "A line that its file calls closed was read as the border of a Polygon.",
  LABEL_DROPPED: "A point inside the polygon of the same placemark, which carries its label, was left out.",
  RING_CLOSED: "The first position was repeated at the end of a ring.",
  POSITION_DROPPED: "A position that repeats the one before was left out.",
  COORDINATES_CUT: "Digits beyond the decimals to keep were cut off.",
  RING_DROPPED: "A ring that encloses nothing after the cut was left out: a hole, or one of several parts.",
  REGION_REPAIRED:
    "Rings that crossed, touched or folded in the input were rebuilt as valid rings, on the grid of decimals.",
  CUT_REPAIRED:
    "Rings that crossed, touched or folded after the cut were rebuilt as valid rings, on the grid of decimals.",
  EDGE_DISSOLVED: "An edge that two rings share was removed: it separates nothing.",
  WINDING_TURNED: "Rings were reversed: outer rings are now counter-clockwise, holes clockwise.",
  ANTIMERIDIAN_SPLIT: "A plot across the antimeridian was split into parts within ±180.",
  HOLES_SPLIT:
    "A polygon with holes was cut into parts without holes; the parts share edges, so each is a separate plot.",
  MEMBER_RENAMED: "A property was renamed exactly as the profile reads it.",
  AREA_READ: "The area was text or in another unit, and became a number of hectares in `Area`.",
  AREA_SHARED: "A plot became several, and its `Area` was divided among them by their measured areas.",
  IDENTIFIER_CORRECTED:
    "An identifier that its scheme excludes became the value that fits: leading zeros were restored, or words and signs around it left out.",
  COUNTRY_CODE: "The country became the two-letter code of ISO 3166-1, in capitals.",
  COUNTRY_FILLED:
    "The country was missing, and became the one declared for all plots, or the only one in which the plot lies.",
  AREA_FILLED: "`Area` of a polygon was missing, and became its area on the WGS 84 ellipsoid, in hectares.",
} as const;

/** Name of a change; {@link CHANGES} explains it. */
export type ChangeCode = keyof typeof CHANGES;
