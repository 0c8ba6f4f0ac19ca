import type { MeasuredPlan } from "./compile.ts";
import { columnOf, MEASURES, type Measured, measureWord } from "./measures/measures.ts";
import { exactly, type PossibleValues } from "./measures/possible.ts";
import type { Extent, RegionRange } from "./measures/ratio.ts";
import type { AreaSelection, Selection } from "./select.ts";

/** A measure's printed value, and every value it could have, whatever the sources do not tell. */
export interface MeasuredValue {
  /** By what the open sources tell. Null: the measure has no value. */
  readonly value: number | null;
  readonly possible: PossibleValues;
}

/**
 * Measures a set.
 *
 * @param whole the selection that a ratio is taken of, where not the plot
 */
export function measure(
  { set, measure: wanted }: MeasuredPlan,
  selection: Selection,
  whole: AreaSelection | undefined,
  plot: Extent,
): MeasuredValue {
  const entry = MEASURES[measureWord(wanted)];
  const measured = measuredOf(selection);
  const of = whole && { region: whole.region, ...whole.bounds.subtracts };
  const around = {
    plot,
    of,
    within: set.kind === "area" ? set.within : undefined,
    column: columnOf(wanted),
  };
  const value = entry.value(measured, around);
  const isSettled = measured.growth === "none" && isCertain(measured) && (of === undefined || isCertain(of));
  return { value, possible: isSettled ? exactly(value) : entry.possible(value, measured, around) };
}

function measuredOf(selection: Selection): Measured {
  if (selection.kind === "subject") {
    const { count, growth } = selection;
    return { ...OF_RECORDS, count, growth };
  }
  const { areas, undeclared, region, bounds, growth, unknown } = selection;
  let uncoveredSquareMeters = unknown === undefined ? 0 : greatestOf(unknown.uncovered);
  let reachMeters = unknown?.reachMeters ?? 0;
  for (const fact of undeclared) {
    uncoveredSquareMeters = Math.max(uncoveredSquareMeters, fact.unroundedOverlapSquareMeters);
    reachMeters = Math.min(reachMeters, fact.distanceMeters);
  }
  return {
    areas,
    count: areas.length,
    region,
    ...bounds.adds,
    growth,
    uncoveredSquareMeters,
    reachMeters,
  };
}

function greatestOf(uncovered: readonly Extent[]): number {
  let greatest = 0;
  for (const { squareMeters } of uncovered) greatest = Math.max(greatest, squareMeters);
  return greatest;
}

const NOTHING: Extent = { squareMeters: 0 };
const OF_RECORDS = {
  areas: [],
  region: NOTHING,
  least: NOTHING,
  greatest: NOTHING,
  uncoveredSquareMeters: 0,
  reachMeters: 0,
};

function isCertain({ least, greatest }: RegionRange): boolean {
  return least === greatest;
}
