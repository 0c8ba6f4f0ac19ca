/**
 * How measured values are printed, and, since comparisons are made on what is printed, compared.
 *
 * Each function returns the double nearest to a decimal number: the multiple of the unit nearest to
 * the exact value of the argument, the greater of two equally near. Idempotent and monotone.
 * `toFixed` and `toPrecision` are exactly that by ECMA-262 (§21.1.3.3, §21.1.3.5): they round the
 * exact value of the double, so the language fixes every digit. Arguments are finite and not
 * negative, except for {@link roundAttributeNumber}.
 */

/** Square metres in steps of 0.01, or of 12 significant digits where that is coarser. */
export function roundSquareMeters(squareMeters: number): number {
  return squareMeters < 1e10 ? roundToDigits(squareMeters, 2) : Number(squareMeters.toPrecision(12));
}

/** Metres in steps of 1 mm. */
export function roundMeters(meters: number): number {
  return roundToDigits(meters, 3);
}

/** A ratio in steps of 1e-9. */
export function roundRatio(ratio: number): number {
  return roundToDigits(ratio, 9);
}

/** The printed share of an area that a part of it makes, at most 1; null where the area prints as 0. */
export function computeRoundedShare(partSquareMeters: number, wholeSquareMeters: number): number | null {
  if (roundSquareMeters(wholeSquareMeters) === 0) return null;
  return roundRatio(Math.min(partSquareMeters / wholeSquareMeters, 1));
}

/** A sum or mean of attributes at 15 significant digits, so that 0.1 + 0.2 prints 0.3. */
export function roundAttributeNumber(value: number): number {
  return Number(value.toPrecision(15)) + 0;
}

/** A mean weighted by area at 12 significant digits: areas are not known better. */
export function roundWeightedMean(value: number): number {
  return Number(value.toPrecision(12)) + 0;
}

/** Metres by which an unrounded distance may exceed a bound that its printed value still meets. */
export const PRINTED_DISTANCE_SLACK_METERS = 0.001;

/** From here on doubles are whole numbers, and `toFixed` soon changes to exponents. */
const WHOLE_FROM = 9_007_199_254_740_992;

/** Below so many units a product is wrong by less than {@link DOUBT} of a unit. */
const COUNTED_UNITS = 4e12;
const DOUBT = 1e-3;

/**
 * The multiple of 10^−digits. Where a number of units is clearly nearer to one whole number than to another,
 * a division by a power of ten gives the double nearest to the decimal; `toFixed` decides the others.
 */
function roundToDigits(value: number, digits: 2 | 3 | 9): number {
  const perUnit = digits === 2 ? 100 : digits === 3 ? 1_000 : 1_000_000_000;
  const units = value * perUnit;
  if (units >= 0 && units < COUNTED_UNITS) {
    const whole = Math.floor(units);
    const part = units - whole;
    if (Math.abs(part - 0.5) > DOUBT) return (whole + (part > 0.5 ? 1 : 0)) / perUnit;
  }
  return value < WHOLE_FROM ? Number(value.toFixed(digits)) : value;
}
