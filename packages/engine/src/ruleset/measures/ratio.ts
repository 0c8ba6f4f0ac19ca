import { printedArea, printedRatio } from "../../verdict/rounding.ts";
import { type Growth, NO_VALUE, type PossibleValues, within } from "./possible.ts";

/** Something that has an area, unrounded. */
export interface Extent {
  readonly squareMeters: number;
}

interface Region extends Extent {
  readonly growth: Growth;
}

/** The printed ratio of two areas; null where the whole prints as 0. */
export function quotient(part: number, whole: number): number | null {
  return printedArea(whole) === 0 ? null : printedRatio(part / whole);
}

/** What the ratio of two regions inside the plot can be, both of which failed sources may change. */
export function ratioOfRegions(part: Region, whole: Region, plot: Extent): PossibleValues {
  const numerator = within(part.growth, part.squareMeters, plot.squareMeters);
  const denominator = within(whole.growth, whole.squareMeters, plot.squareMeters);
  const low = quotient(numerator.low, denominator.high);
  const high = quotient(numerator.high, denominator.low);
  return low === null ? NO_VALUE : { low, high: high ?? Number.POSITIVE_INFINITY, none: high === null };
}
