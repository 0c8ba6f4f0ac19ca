import type { MeasuredPlan } from "../compile/compile.ts";
import { type AreaFact, isOfRaster } from "../measures/area-facts.ts";
import { listAreasLackingValue } from "../measures/columns.ts";
import { getMeasuredColumn, getMeasureWord, MEASURES, type Measured } from "../measures/measures.ts";
import { type PossibleValues, toExactValues } from "../measures/possible.ts";
import type { Extent, RegionRange } from "../measures/ratio.ts";
import type { AreaSelection, Selection } from "./select.ts";

/** A measure's printed value, and every value it could have, given the unknown content of the sources. */
export interface MeasuredValue {
  /** Value by the known content of the open sources. Null: the measure has no value. */
  readonly value: number | null;
  readonly possible: PossibleValues;
}

/**
 * Measures a set.
 *
 * @param whole the selection that a ratio is taken of, where not the plot
 */
export function measureSet(
  { set, measure: wanted, reach }: MeasuredPlan,
  selection: Selection,
  whole: AreaSelection | undefined,
  plot: Extent,
): MeasuredValue {
  const entry = MEASURES[getMeasureWord(wanted)];
  const measured = toMeasured(selection, plot.squareMeters);
  const of = whole && { region: whole.region, ...whole.bounds.subtracts };
  const around = {
    plot,
    of,
    within: set.kind === "area" ? set.within : undefined,
    column: getMeasuredColumn(wanted),
  };
  const value = entry.value(measured, around);
  const isSettled =
    measured.growth === "none" &&
    isCertain(measured) &&
    (of === undefined || isCertain(of)) &&
    !(entry.isOfWhole && measured.areas.some(isOfRaster)) &&
    listAreasWithoutValue({ set, measure: wanted }, selection).length === 0;
  const possible = isSettled ? toExactValues(value) : entry.possible(value, measured, around);
  return {
    value,
    possible: reach === undefined || !possible.none ? possible : boundFartherThan(reach, possible),
  };
}

/** Half of the last digit that distances print. */
const HALF_MILLIMETER = 0.0005;

/** The range of a distance where no area was found up to `reach`: without a bound of it, any. */
function boundFartherThan(reach: number | "unreached", { low, high }: PossibleValues): PossibleValues {
  const beyond = reach === "unreached" ? 0 : reach + HALF_MILLIMETER;
  return { low: low <= high ? Math.min(low, beyond) : beyond, high: Number.POSITIVE_INFINITY, none: false };
}

function toMeasured(selection: Selection, plotSquareMeters: number): Measured {
  if (selection.kind === "subject") {
    const { count, growth } = selection;
    return { ...OF_RECORDS, count, growth };
  }
  const { areas, possible, region, bounds, growth, unknown } = selection;
  let uncoveredSquareMeters = unknown === undefined ? 0 : findGreatestSquareMeters(unknown.uncovered);
  let reachMeters = unknown?.reachMeters ?? 0;
  for (const { fact } of possible) {
    uncoveredSquareMeters = Math.max(uncoveredSquareMeters, fact.unroundedOverlapSquareMeters);
    reachMeters = Math.min(reachMeters, fact.distanceMeters);
  }
  if (unknown !== undefined && unknown.uncoveredBySource.size > 0) {
    // The value of a raster goes on where no cell was examined.
    for (const fact of [...areas, ...possible.map((one) => one.fact)]) {
      if (!isOfRaster(fact)) continue;
      const most = fact.unroundedOverlapSquareMeters + (unknown.uncoveredBySource.get(fact.sourceName) ?? 0);
      uncoveredSquareMeters = Math.max(uncoveredSquareMeters, Math.min(most, plotSquareMeters));
    }
  }
  const isListed = unknown !== undefined && unknown.uncovered.length === 0 && !unknown.isSurroundingsOpen;
  return {
    areas,
    count: areas.length,
    region,
    ...bounds.adds,
    growth,
    possible: isListed ? possible.map(({ fact }) => fact) : undefined,
    uncoveredSquareMeters,
    reachMeters,
  };
}

/** Areas of a set without a value in the column that is measured, where that leaves the measure open. */
export function listAreasWithoutValue(
  { set, measure: wanted }: Pick<MeasuredPlan, "set" | "measure">,
  selection: Selection,
): readonly AreaFact[] {
  const column = getMeasuredColumn(wanted);
  if (column === "" || set.kind !== "area" || selection.kind === "subject") return [];
  if (set.unknown === "exclude") return [];
  const without = listAreasLackingValue(selection.areas, column);
  const { isOfOverlap } = MEASURES[getMeasureWord(wanted)];
  return isOfOverlap ? without.filter((fact) => fact.unroundedOverlapSquareMeters > 0) : without;
}

function findGreatestSquareMeters(uncovered: readonly Extent[]): number {
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
  possible: undefined,
  uncoveredSquareMeters: 0,
  reachMeters: 0,
};

function isCertain({ least, greatest }: RegionRange): boolean {
  return least === greatest;
}
