import type { OverlapGeometry } from "../geometry/overlap/overlap-geometry.ts";
import type { Warning } from "../geometry/plot/plot.ts";
import type { MultiPolygonGeometry } from "../geometry/trees/area-coordinates.ts";
import type { AttributeValue } from "../snapshot/snapshot.ts";
import type { AreaOverlap, NamedArea, SourceOutcome } from "./verdict.ts";

/** Matches of a question, ordered by source name and id (distance: nearest first). */
export interface Answer<Match> {
  /** What matched. */
  readonly matches: readonly Match[];
  /** Every source that was asked, with its edition and how it answered. */
  readonly sources: readonly SourceOutcome[];
  readonly warnings: readonly Warning[];
  /** Set where more matched than the limit of a subject look-up. */
  readonly truncated?: true;
}

/** An area that an answer is about. */
export interface AreaMatch extends NamedArea {
  readonly properties: Readonly<Record<string, AttributeValue>>;
}

/** An area that shares a point with the plot. */
export interface IntersectionMatch extends AreaMatch, AreaOverlap {
  /**
   * GeoJSON, present when asked for. An overlap is polygons of a polygon, the parts of a line, points of
   * points; null where the two only touch, and with `geometry_status` where it exceeds its budget.
   */
  readonly geometry?: OverlapGeometry | null;
  readonly geometry_status?: "too_complex";
}

/** An area within the distance asked for. */
export interface DistanceMatch extends AreaMatch {
  readonly distance_m: number;
  /** Present when asked for. */
  readonly geometry?: MultiPolygonGeometry;
}

/** A record that the identifier names. */
export interface SubjectMatch {
  readonly source_name: string;
  readonly source_id: string;
  /** The register's own spelling. */
  readonly value: string;
  /**
   * `collected_at` of the edition, else when it was built; absent where nobody said either of the bytes
   * that an engine was opened on.
   */
  readonly indexed_at?: string;
  readonly properties: Readonly<Record<string, AttributeValue>>;
}
