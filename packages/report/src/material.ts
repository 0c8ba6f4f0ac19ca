import type { AreaEvidence, Bbox, CheckResult, SourceEntry } from "@groundrule/engine";
import type { MultiPolygonCoordinates } from "@groundrule/engine/build";
import { isAreaEvidence, type Replay, type VerdictRecord } from "@groundrule/engine/records";

/** Data that a report shows besides the record; any of it can be missing, and the page states what is. */
export interface ReportMaterial {
  /** The plot in longitude and latitude, whatever its CRS; of points, their discs. */
  readonly plot?: MultiPolygonCoordinates;
  /** The property around the plot, where the input has one. */
  readonly property?: MultiPolygonCoordinates;
  /** The plot itself; then, where evidence lies farther off, its surroundings. */
  readonly views: readonly MapView[];
  /** Titles, licences and addresses of the sources. */
  readonly sources: readonly SourceEntry[];
  /** Result of evaluating the record again. */
  readonly replay?: Replay;
  /** A line of text below the verdict, and no part of it: of `formatLandContext`. */
  readonly context?: string | undefined;
  /** Why there is no more than the record: a sentence. */
  readonly lack?: string;
  /** Present if a service gave the answer and the evaluation was not repeated; the areas are as its map draws them. */
  readonly isUnasked?: true;
}

/** Areas of the evidence as far as a frame shows them. */
export interface MapView {
  /** Frame of the map; its sides have the proportions of `MAP_SHAPE`. */
  readonly frame: Bbox;
  readonly areas: readonly MapArea[];
  /** Other areas of the verdict's sources, as far as the frame shows them; absent if not queried. */
  readonly others?: readonly MultiPolygonCoordinates[];
}

/** An area on a map. */
export interface MapArea {
  readonly source_name: string;
  readonly source_id: string;
  /** The area within the frame. */
  readonly outline: MultiPolygonCoordinates | null;
  /** The area within the plot. */
  readonly overlap: MultiPolygonCoordinates | null;
}

/** How far the surroundings of a plot may reach, metres. */
export const FARTHEST_METERS = 100_000;
/** Width and height of maps: of the plot, of its surroundings. */
export const MAP_SHAPES = [
  { width: 680, height: 310 },
  { width: 330, height: 205 },
] as const;

/** Areas of the evidence that the maps would show, and that they have no shape of. */
export function listUndrawnAreas(record: VerdictRecord, { views }: ReportMaterial): readonly AreaEvidence[] {
  const drawn = new Set(views.flatMap(({ areas }) => areas.map(toAreaKey)));
  const near = listAreaEvidence(record).filter(({ distance_m = 0 }) => distance_m <= FARTHEST_METERS);
  return [...new Map(near.map((item) => [toAreaKey(item), item])).values()].filter(
    (item) => !drawn.has(toAreaKey(item)),
  );
}

/** The areas that a record found, check by check. */
export function listAreaEvidence({ response }: VerdictRecord): AreaEvidence[] {
  return response.data.checks.flatMap(({ evidence }) => evidence.filter(isAreaEvidence));
}

/** Key of an area among all sources. */
export function toAreaKey(area: { readonly source_name: string; readonly source_id: string }): string {
  return `${area.source_name} ${area.source_id}`;
}

/** The nearest area among the evidence, with its distance, where a set of the check selects by distance. */
export function findNearestEvidence({
  evidence,
}: CheckResult): { readonly key: string; readonly meters: number } | undefined {
  const near = evidence.flatMap((item) =>
    "distance_m" in item && item.distance_m !== undefined
      ? [{ key: toAreaKey(item), meters: item.distance_m }]
      : [],
  );
  return near.sort((a, b) => a.meters - b.meters)[0];
}
