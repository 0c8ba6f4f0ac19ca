import type { ComparisonResult } from "@groundrule/engine";
import { FIGURES, type FigureLanguage, type Figures, findMeasureUnit } from "./figures.ts";

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
  language: FigureLanguage,
): LimitRuler | undefined {
  const unit = findMeasureUnit(measure);
  if (value === null || threshold === null || unit === "count" || unit === "column") return undefined;
  const figures = FIGURES[language];
  const most = Math.max(value, threshold);
  const end = unit === "share" && most > 0.5 && most <= 1 ? 1 : roundUpScaleEnd(most * 1.1);
  // As many digits as printed values have: no difference of doubles shows.
  const apart = Number(Math.abs(value - threshold).toPrecision(12));
  const shown = removeTrailingZeros(figures, figures.inUnit(unit, apart));
  const valueText = unit === "share" ? shown.replace("%", POINTS[language]) : shown;
  return {
    value: value / end,
    limit: threshold / end,
    end: removeTrailingZeros(figures, figures.inUnit(unit, end)),
    distance: WORDS[language](valueText)[Math.sign(value - threshold) + 1]!,
  };
}

/** A figure with its unit, without decimals that add nothing. */
function removeTrailingZeros({ forms }: Figures, text: string): string {
  const [whole, fraction] = text.split(forms.decimalMark) as [string, string?];
  if (fraction === undefined) return text;
  const rest = fraction.replace(/(?<!0)0+(?= )/, "");
  return `${whole}${rest.startsWith(" ") ? "" : forms.decimalMark}${rest}`;
}

const POINTS: Readonly<Record<FigureLanguage, string>> = {
  en: "percentage points",
  pt: "pontos percentuais",
  es: "puntos porcentuales",
};

type Apart = (shown: string) => readonly [below: string, at: string, above: string];

const WORDS: Readonly<Record<FigureLanguage, Apart>> = {
  en: (shown) => [`${shown} below the limit`, "at the limit", `${shown} above the limit`],
  pt: (shown) => [`${shown} abaixo do limite`, "no limite", `${shown} acima do limite`],
  es: (shown) => [`${shown} por debajo del límite`, "en el límite", `${shown} por encima del límite`],
};

/** The least of 1, 2, 5 times a power of ten that is no less. */
function roundUpScaleEnd(value: number): number {
  if (value <= 0) return 1;
  const exponent = Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => Number(`${step}e${exponent}`)).find((round) => round >= value)!;
}
