import type { OverlapGeometry } from "../geometry/overlap/overlap-geometry.ts";
import type { Warning } from "../geometry/plot/plot.ts";
import type { MultiPolygonGeometry } from "../geometry/trees/area-coordinates.ts";
import type { MeasuredMatch, NearMatch, SourceOutcome } from "./schema.ts";

export type { AreaMatch, SubjectMatch } from "./schema.ts";

/** Matches of a question, ordered by source name and id (distance: nearest first). */
export interface Answer<Match> {
  /** The matches. */
  readonly matches: readonly Match[];
  /** Every source that was queried, with its edition and how it answered. */
  readonly sources: readonly SourceOutcome[];
  readonly warnings: readonly Warning[];
  /** Set where more matched than the limit of a subject look-up. */
  readonly truncated?: true;
}

/** An area that shares a point with the plot. */
export interface IntersectionMatch extends MeasuredMatch {
  /**
   * GeoJSON, present on request. An overlap is polygons of a polygon, the parts of a line, points of points; null if
   * the two only touch, and with `geometry_status` if it exceeds its budget.
   */
  readonly geometry?: OverlapGeometry | null;
}

/** An area within the requested distance. */
export interface DistanceMatch extends NearMatch {
  /** Present on request. */
  readonly geometry?: MultiPolygonGeometry;
}
