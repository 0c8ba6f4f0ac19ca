import type { WorkMeter } from "../../base/work-meter.ts";
import type { BoundPlot, Kernel } from "../../geometry/kernel/kernel.ts";
import type { OverlapGeometry } from "../../geometry/overlap/overlap-geometry.ts";
import type { Relations } from "../../geometry/overlap/relation.ts";
import type { AreaSnapshot } from "../../snapshot/snapshot.ts";
import {
  PRINTED_DISTANCE_SLACK_METERS,
  printedArea,
  printedDistance,
  printedRatio,
  printedShare,
} from "../../verdict/rounding.ts";
import type { AreaEvidence } from "../../verdict/verdict.ts";

/** What was measured of the areas of one source near a plot. */
export interface SourceFacts {
  /** Areas that share a point with the plot, ascending by area index. */
  readonly intersecting: readonly AreaFact[];
  /** Areas within the distance asked for, ascending by area index; empty where none was. */
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
export function measureSource(
  kernel: Kernel,
  plot: BoundPlot,
  snapshot: AreaSnapshot,
  maxMeters: number | undefined,
  meter: WorkMeter,
): SourceFacts {
  const facts = new Map<number, AreaFact>();
  for (const { area, overlapSquareMeters, overlapRatio } of plot.intersections(snapshot.layer)) {
    meter.add(FACT_UNITS);
    facts.set(area, new AreaFact(kernel, plot, snapshot, area, overlapSquareMeters, overlapRatio));
  }
  const intersecting = [...facts.values()];
  if (maxMeters === undefined) return { intersecting, near: [] };
  const near = plot
    .distances(snapshot.layer, maxMeters + PRINTED_DISTANCE_SLACK_METERS)
    .map(({ area, distanceMeters }) => {
      meter.add(FACT_UNITS);
      const fact = facts.get(area) ?? new AreaFact(kernel, plot, snapshot, area, 0, 0);
      fact.distanceMeters = printedDistance(distanceMeters);
      return fact;
    });
  return { intersecting, near };
}

/** What was measured of one area against the plot. Values are printed ones unless they say otherwise. */
export class AreaFact {
  readonly snapshot: AreaSnapshot;
  readonly area: number;
  readonly overlapSquareMeters: number;
  readonly unroundedOverlapSquareMeters: number;
  readonly overlapRatio: number;
  /** Metres, where a set asked for distances; 0 of an area that meets the plot otherwise. */
  distanceMeters = 0;
  readonly #kernel: Kernel;
  readonly #plot: BoundPlot;
  #id: string | undefined;
  #areaOverlapRatio: number | null | undefined;
  #relations: Relations | undefined;
  #evidence: AreaEvidence | undefined;

  constructor(
    kernel: Kernel,
    plot: BoundPlot,
    snapshot: AreaSnapshot,
    area: number,
    overlapSquareMeters: number,
    overlapRatio: number,
  ) {
    this.#kernel = kernel;
    this.#plot = plot;
    this.snapshot = snapshot;
    this.area = area;
    // A part is no greater than the whole; measured apart, the two may differ in their last digits.
    this.unroundedOverlapSquareMeters = Math.min(overlapSquareMeters, plot.areaSquareMeters);
    this.overlapSquareMeters = printedArea(this.unroundedOverlapSquareMeters);
    this.overlapRatio = printedRatio(Math.min(overlapRatio, 1));
  }

  get sourceName(): string {
    return this.snapshot.meta.manifest.source_name;
  }

  get id(): string {
    this.#id ??= this.snapshot.attributes.id(this.area);
    return this.#id;
  }

  /** What checks that find it show, besides what their sets ask for. */
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
      };
    }
    return this.#evidence;
  }

  /** Share of the whole area that lies in the plot; null where the whole prints as 0. */
  get areaOverlapRatio(): number | null {
    if (this.#areaOverlapRatio === undefined) {
      const whole = this.#kernel.areaSquareMeters(this.snapshot.layer, this.area);
      this.#areaOverlapRatio = printedShare(this.unroundedOverlapSquareMeters, whole);
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
