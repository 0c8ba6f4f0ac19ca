import type { WorkMeter } from "../../base/work-meter.ts";
import type { Bbox } from "../earth/bbox.ts";
import { growBbox } from "../earth/bbox.ts";
import { areasAtPole, shiftsToMeet } from "./candidates.ts";
import type { AreaLayer } from "./layer.ts";
import { findRingsMeetingBox } from "./ring-index.ts";

/** Units of work of a ring that is found. */
const FOUND_UNITS = 30;

/**
 * How many areas of a layer the index offers for a plot: those one of whose rings has an envelope
 * that meets the plot's, grown by a distance. No fewer than lie within that distance.
 */
export function countCandidateAreas(
  layer: AreaLayer,
  plot: Bbox,
  withinMeters: number,
  meter: WorkMeter,
): number {
  const bbox = growBbox(plot, withinMeters);
  const areas = new Set(areasAtPole(bbox, layer));
  const [west, south, east, north] = bbox;
  for (const shift of shiftsToMeet(bbox, layer)) {
    const rings = findRingsMeetingBox(layer.index!, west - shift, south, east - shift, north);
    meter.add(FOUND_UNITS * rings.length);
    for (const ring of rings) areas.add(layer.ringAreas[ring]!);
  }
  return areas.size;
}
