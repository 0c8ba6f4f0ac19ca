import type { WorkMeter } from "../../base/work-meter.ts";

/** Counts the steps of a search, and meters them now and then. */
export class SearchWork {
  /** Steps done and not yet metered. */
  steps = 0;
  /** Meter of the current answer. */
  #meter: WorkMeter | undefined;

  begin(meter: WorkMeter): void {
    this.#meter = meter;
    this.steps = 0;
  }

  /** Fails: `GEOMETRY_TOO_COMPLEX`. */
  settleMany(): void {
    if (this.steps > METERED_AT) this.settle();
  }

  /** Fails: `GEOMETRY_TOO_COMPLEX`. */
  settle(): void {
    const steps = this.steps;
    this.steps = 0;
    this.#meter!.add(UNITS_A_STEP * steps);
  }
}

/** Units of work of a step: a pair of nodes queued, an edge or a pair of edges looked at. */
const UNITS_A_STEP = 6;
/** Steps after which they are metered. */
const METERED_AT = 10_000;

export const STEPS_PER_INVERSE = 32;
export const STEPS_PER_REFINEMENT = 10;
export const STEPS_PER_PAIR = 3;
export const STEPS_PER_CUT = 16;
export const STEPS_PER_AREA = 30;
export const STEPS_PER_TANGENT = 6;
export const STEPS_PER_RADII = 4;
/** Positions and edges whose heights are measured. */
export const POSITIONS_A_STEP = 8;
/** Pairs of edges whose boxes are compared. */
export const PAIRS_A_STEP = 4;
