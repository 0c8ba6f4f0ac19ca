/** The faults that rings of a polygon or multipolygon can have. */
export type GeometryFaultCode =
  /** Two edges of a ring cross, or the ring crosses itself at one of its positions. */
  | "RING_SELF_CROSSING"
  /** A ring meets itself at a point without crossing: it encloses two regions, or one with a pinch. */
  | "RING_SELF_TOUCH"
  /** A ring runs back over itself: a spike, or a doubled edge. */
  | "RING_SELF_OVERLAP"
  /** Fewer than three distinct positions. */
  | "RING_TOO_SHORT"
  /** Two rings of one polygon cross. */
  | "RINGS_CROSS"
  /** A hole lies outside its own outer ring. */
  | "HOLE_OUTSIDE_SHELL"
  /** One hole lies within another of the same polygon. */
  | "HOLES_OVERLAP"
  /** Holes cover the whole polygon. */
  | "INTERIOR_EMPTY"
  /** Holes that touch cut the interior in pieces; each piece must be a polygon of its own. */
  | "INTERIOR_DISCONNECTED"
  /** Two polygons of one multipolygon share more than boundary. */
  | "PARTS_OVERLAP";

/** One place where rings do not bound a region, in the terms of the input. */
export interface GeometryFault<Code extends string = GeometryFaultCode> {
  readonly code: Code;
  readonly message: string;
  /** Index of the polygon. */
  readonly polygon: number;
  /** Index of the ring in its polygon; 0 is the outer one. */
  readonly ring: number;
  /** Index in its ring of the position the fault is at, or of the start of the edge it is on. */
  readonly position: number;
  /** Where it is, `[lon, lat]`; crossings rounded to doubles. */
  readonly coordinate: readonly [number, number];
}
