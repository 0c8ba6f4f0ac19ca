import type { ComparisonPlan } from "./compile.ts";
import { columnOf, MEASURES, measureWord } from "./measures/measures.ts";
import { exactly, type PossibleValues } from "./measures/possible.ts";
import type { Extent } from "./measures/ratio.ts";
import type { AreaSelection, Selection } from "./select.ts";

/** A measure's printed value, and every value it could have, whatever failed sources hold. */
export interface MeasuredValue {
  /** By what the open sources hold. Null: the measure has no value. */
  readonly value: number | null;
  readonly possible: PossibleValues;
}

/**
 * Measures the set of a comparison.
 *
 * @param of the selection that a ratio is taken of, where not the plot
 */
export function measure(
  { set, measure: wanted }: ComparisonPlan,
  selection: Selection,
  of: AreaSelection | undefined,
  plot: Extent,
): MeasuredValue {
  const entry = MEASURES[measureWord(wanted)];
  const around = {
    plot,
    of,
    within: set.kind === "area" ? set.within : undefined,
    column: columnOf(wanted),
  };
  const value = entry.value(selection, around);
  const isSettled = selection.growth === "none" && (of === undefined || of.growth === "none");
  return { value, possible: isSettled ? exactly(value) : entry.possible(value, selection, around) };
}
