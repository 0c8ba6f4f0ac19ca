import { roundRatio, roundSquareMeters } from "../../verdict/rounding.ts";
import { NO_VALUE, type PossibleValues } from "./possible.ts";

/** Something that has an area, unrounded. */
export interface Extent {
  readonly squareMeters: number;
}

/** A region, and the least and the greatest that it could be; the same object where nothing could change it. */
export interface RegionRange {
  /** By what is known. */
  readonly region: Extent;
  readonly least: Extent;
  readonly greatest: Extent;
}

/** Square metres, unrounded. They are measured apart, and may differ in their last digits even where one holds the other. */
export function measureRegionRange({ region, least, greatest }: RegionRange): {
  readonly low: number;
  readonly high: number;
} {
  const all = [region.squareMeters, least.squareMeters, greatest.squareMeters];
  return {
    low: all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    high: all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  };
}

/** The printed ratio of two areas; null where the whole prints as 0. */
export function computeRoundedRatio(part: number, whole: number): number | null {
  return roundSquareMeters(whole) === 0 ? null : roundRatio(part / whole);
}

/** Possible values of the ratio of two regions inside the plot. */
export function computeRegionRatio(part: RegionRange, whole: RegionRange): PossibleValues {
  const numerator = measureRegionRange(part);
  const denominator = measureRegionRange(whole);
  const low = computeRoundedRatio(numerator.low, denominator.high);
  const high = computeRoundedRatio(numerator.high, denominator.low);
  return low === null ? NO_VALUE : { low, high: high ?? Number.POSITIVE_INFINITY, none: high === null };
}
