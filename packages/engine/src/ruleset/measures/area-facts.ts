import type { WorkMeter } from "../../base/work-meter.ts";
import type { OverlapHit } from "../../geometry/kernel/kernel.ts";
import type { PlotOnLayers } from "../../geometry/kernel/plot-on-layers.ts";
import { isRaster } from "../../geometry/layer.ts";
import type { OverlapGeometry } from "../../geometry/overlap/overlap-geometry.ts";
import type { Relations } from "../../geometry/overlap/relation.ts";
import type { LeafSnapshot } from "../../snapshot/snapshot.ts";
import {
  computeRoundedShare,
  PRINTED_DISTANCE_SLACK_METERS,
  roundMeters,
  roundRatio,
  roundSquareMeters,
} from "../../verdict/rounding.ts";
import type { AreaEvidence } from "../../verdict/verdict.ts";

/** Measurements of the areas of one source near a plot. */
export interface SourceFacts {
  /** Areas that share a point with the plot, ascending by area index. */
  readonly intersecting: readonly AreaFact[];
  /** Areas within the requested distance, ascending by area index; empty if none was requested. */
  readonly near: readonly AreaFact[];
}

/** Units of work of an area's facts. */
const FACT_UNITS = 200;

/**
 * One pass over a source: every area that meets the plot, and every area near it.
 *
 * @param maxMeters the greatest distance anything asks for, compared with the printed distance;
 *   undefined where nothing asks
 */
export function measureSourceAreas(
  plot: PlotOnLayers,
  snapshot: LeafSnapshot,
  maxMeters: number | undefined,
  meter: WorkMeter,
): SourceFacts {
  const facts = new Map<number, AreaFact>();
  const { layer } = snapshot;
  for (const hit of plot.intersections(layer)) {
    meter.add(FACT_UNITS);
    facts.set(hit.area, new AreaFact(plot, snapshot, hit));
  }
  const intersecting = [...facts.values()];
  if (maxMeters === undefined || isRaster(layer)) return { intersecting, near: [] };
  const near = plot
    .distances(layer, maxMeters + PRINTED_DISTANCE_SLACK_METERS)
    .map(({ area, distanceMeters }) => {
      meter.add(FACT_UNITS);
      const fact =
        facts.get(area) ?? new AreaFact(plot, snapshot, { area, overlapSquareMeters: 0, overlapRatio: 0 });
      fact.distanceMeters = roundMeters(distanceMeters);
      return fact;
    });
  return { intersecting, near };
}

/** True if an area is the value of a raster. */
export function isOfRaster({ snapshot }: AreaFact): boolean {
  return isRaster(snapshot.layer);
}

/** Measurements of one area against the plot. Values are rounded as printed unless stated otherwise. */
export class AreaFact {
  readonly snapshot: LeafSnapshot;
  readonly area: number;
  readonly overlapSquareMeters: number;
  readonly unroundedOverlapSquareMeters: number;
  readonly overlapRatio: number;
  /** Metres, if a set needs distances; otherwise 0 for an area that meets the plot. */
  distanceMeters = 0;
  /** For a raster: the number of its cells whose shared area with the plot prints as more than 0 m². */
  readonly cells: number | undefined;
  readonly #plot: PlotOnLayers;
  #id: string | undefined;
  #areaOverlapRatio: number | null | undefined;
  #relations: Relations | undefined;
  #evidence: AreaEvidence | undefined;

  constructor(
    plot: PlotOnLayers,
    snapshot: LeafSnapshot,
    { area, overlapSquareMeters, overlapRatio, cells }: OverlapHit,
  ) {
    this.cells = cells;
    this.#plot = plot;
    this.snapshot = snapshot;
    this.area = area;
    // A part is no greater than the whole; measured apart, the two may differ in their last digits.
    this.unroundedOverlapSquareMeters = Math.min(overlapSquareMeters, plot.areaSquareMeters);
    this.overlapSquareMeters = roundSquareMeters(this.unroundedOverlapSquareMeters);
    this.overlapRatio = roundRatio(Math.min(overlapRatio, 1));
  }

  get sourceName(): string {
    return this.snapshot.meta.manifest.source_name;
  }

  get id(): string {
    this.#id ??= this.snapshot.attributes.id(this.area);
    return this.#id;
  }

  /** Evidence shown by checks that find the area, besides the columns that their sets request. */
  get evidence(): AreaEvidence {
    if (this.#evidence === undefined) {
      const { attributes, meta } = this.snapshot;
      this.#evidence = {
        source_name: this.sourceName,
        source_id: this.id,
        name: attributes.name(this.area),
        country_iso3: attributes.countryIso3(this.area),
        edition: meta.edition,
        overlap_area_m2: this.overlapSquareMeters,
        overlap_ratio: this.overlapRatio,
        area_overlap_ratio: this.areaOverlapRatio,
        ...(this.cells !== undefined && { cells: this.cells }),
      };
    }
    return this.#evidence;
  }

  /** Share of the whole area that lies in the plot; null where the whole prints as 0. */
  get areaOverlapRatio(): number | null {
    if (this.#areaOverlapRatio === undefined) {
      const whole = this.#plot.wholeSquareMeters(this.snapshot.layer, this.area);
      this.#areaOverlapRatio = computeRoundedShare(this.unroundedOverlapSquareMeters, whole);
    }
    return this.#areaOverlapRatio;
  }

  /** The part of the area in the plot; null where they only touch. */
  overlapGeometry(): OverlapGeometry | null | "too_complex" {
    return this.#plot.overlapGeometry(this.snapshot.layer, this.area);
  }

  get relations(): Relations {
    this.#relations ??= this.#plot.relation(this.snapshot.layer, this.area);
    return this.#relations;
  }
}
