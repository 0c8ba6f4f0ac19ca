import type { ComparisonResult } from "@groundrule/engine";
import { type Figures, findMeasureUnit } from "./figures.ts";
import type { Tongue } from "./tongue.ts";

/** A measured value on a short scale that begins at zero, with its limit. */
export interface LimitRuler {
  /** Where the value lies, from 0 to 1. */
  readonly value: number;
  /** Where the limit lies, from 0 to 1. */
  readonly limit: number;
  /** Label at the end of the scale: `50 %`. */
  readonly end: string;
  /** How far the value is from the limit: `0.40 ha below the limit`. */
  readonly distance: string;
}

/**
 * A comparison of an area, a share or a distance, to be drawn as a bar with a tick at the limit. The scale ends at the
 * first of 1, 2 or 5 times a power of ten that leaves room beyond both; that of a share ends at all of it at most.
 *
 * @returns undefined for a comparison without a value, and for counts and sums of a column, which have no scale
 */
export function limitRuler(
  { measure, value, threshold }: Pick<ComparisonResult, "measure" | "value" | "threshold">,
  { words: { ruler }, formats: figures }: Tongue,
): LimitRuler | undefined {
  const unit = findMeasureUnit(measure);
  if (value === null || threshold === null || unit === "count" || unit === "column") return undefined;
  const most = Math.max(value, threshold);
  const end = unit === "share" && most > 0.5 && most <= 1 ? 1 : roundUpScaleEnd(most * 1.1);
  // As many digits as printed values have: no difference of doubles shows.
  const apart = Number(Math.abs(value - threshold).toPrecision(12));
  const shown = removeTrailingZeros(figures, figures.inUnit(unit, apart, [], most));
  const side = Math.sign(value - threshold);
  const valueText = unit === "share" ? shown.replace("%", ruler.points) : shown;
  return {
    value: value / end,
    limit: threshold / end,
    end: removeTrailingZeros(figures, figures.inUnit(unit, end, [], most)),
    distance: side === 0 ? ruler.at : (side < 0 ? ruler.below : ruler.above)(valueText),
  };
}

/** A figure with its unit, without decimals that add nothing. */
function removeTrailingZeros({ forms }: Figures, text: string): string {
  const [whole, fraction] = text.split(forms.decimalMark) as [string, string?];
  if (fraction === undefined) return text;
  const rest = fraction.replace(/(?<!0)0+(?= )/, "");
  return `${whole}${rest.startsWith(" ") ? "" : forms.decimalMark}${rest}`;
}

/** The least of 1, 2, 5 times a power of ten that is no less. */
function roundUpScaleEnd(value: number): number {
  if (value <= 0) return 1;
  const exponent = Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => Number(`${step}e${exponent}`)).find((round) => round >= value)!;
}
