import type { Unit } from "@groundrule/engine/internal";
import { forms } from "./en/forms.ts";
import type { NumberForms } from "./forms.ts";

const SQUARE_METERS_PER_HECTARE = 10_000;

/** More decimals than a printed value has in any unit; what needs more is written as the program writes it. */
const MOST_DECIMALS = 20;

/**
 * Numbers and measures for people, the same on every host.
 *
 * A text may round, yet it never says what the number does not: it is nothing, all, or equal to a number that it stands
 * `beside` only where the number is, and lies on the same side of them. A text has as many decimals as that takes,
 * and at least those of its unit. A greater number is never written as a smaller one.
 *
 * Numbers are meant as they are printed: by the decimal that JSON writes.
 */
export class Figures {
  readonly forms: NumberForms;
  readonly #leastInHectares: number;

  /** @param leastInHectares square metres from which areas are written in hectares: a tenth of one */
  constructor(forms: NumberForms, leastInHectares: number = SQUARE_METERS_PER_HECTARE / 10) {
    this.forms = forms;
    this.#leastInHectares = leastInHectares;
  }

  /** Square metres, as hectares from a tenth of one up. */
  area(squareMeters: number, ...others: readonly number[]): string {
    return this.#writtenArea(squareMeters, squareMeters, others);
  }

  #writtenArea(squareMeters: number, greatest: number, others: readonly number[]): string {
    const isSmall = Math.abs(greatest) < this.#leastInHectares;
    const decimals = squareMeters === 0 ? 0 : 2;
    return `${this.#written(squareMeters, isSmall ? 0 : -4, decimals, others)} ${isSmall ? "m²" : "ha"}`;
  }

  /** Metres: kilometres from one up; whole ones without decimals. */
  distance(meters: number, ...others: readonly number[]): string {
    const isSmall = Math.abs(meters) < 1000;
    const decimals = meters % (isSmall ? 1 : 1000) === 0 ? 0 : isSmall ? 1 : 2;
    return `${this.#written(meters, isSmall ? 0 : -3, decimals, others)} ${isSmall ? "m" : "km"}`;
  }

  /** Width and height in metres. */
  sides([width, height]: readonly [width: number, height: number]): string {
    return `${this.decimal(width, 1)} × ${this.decimal(height, 1)} m`;
  }

  /** A share of one, in percent. */
  share(ratio: number, ...others: readonly number[]): string {
    return `${this.#written(ratio, 2, ratio === 0 || ratio === 1 ? 0 : 2, [1, ...others])} %`;
  }

  /**
   * A number in its unit.
   *
   * @param value in that unit
   * @param others numbers that stand beside it
   * @param greatest of the numbers of which an area is one: all are in the unit of this one
   */
  inUnit(
    unit: Unit,
    value: number,
    others: readonly number[] = [],
    greatest: number = others.reduce((most, other) => Math.max(most, other), value),
  ): string {
    if (unit === "m²") return this.#writtenArea(value, greatest, others);
    if (unit === "m") return this.distance(value, ...others);
    return unit === "share" ? this.share(value, ...others) : this.plain(value);
  }

  /**
   * A whole number, or one with all its digits.
   *
   * @param value is not rounded
   */
  plain(value: number): string {
    return value % 1 === 0 ? this.decimal(value, 0) : String(value).replace(".", this.forms.decimalMark);
  }

  /**
   * A number with so many decimals, or more if fewer would be misleading.
   *
   * @param value of no unit
   * @param decimals at least so many
   */
  decimal(value: number, decimals: number, others: readonly number[] = []): string {
    return this.#written(value, 0, decimals, others);
  }

  /** A number times 10^places. */
  #written(value: number, places: number, least: number, others: readonly number[]): string {
    const shown = moveDecimalPoint(value, places);
    for (let decimals = least; decimals <= MOST_DECIMALS; decimals++) {
      const units = Math.round(moveDecimalPoint(value, places + decimals));
      const rounded = moveDecimalPoint(units, -places - decimals);
      const isTrue = (other: number): boolean => Math.sign(rounded - other) === Math.sign(value - other);
      if (isTrue(0) && others.every(isTrue))
        return this.#grouped(moveDecimalPoint(units, -decimals).toFixed(decimals));
    }
    return this.#grouped(String(shown));
  }

  #grouped(text: string): string {
    const { decimalMark, groupMark, leastGrouped } = this.forms;
    const [whole, ...fraction] = text.split(".") as [string, ...string[]];
    const isGrouped = whole.replace("-", "").length >= leastGrouped;
    // No number is written with more than 21 digits before its point.
    const grouped = isGrouped ? whole.replace(/\B(?=(?:\d{3}){1,7}$)/g, groupMark) : whole;
    return [grouped, ...fraction].join(decimalMark);
  }
}

/** Figures in messages that programs pass on: English, and in hectares from one up, as they have always travelled. */
export const englishFigures: Figures = new Figures(forms.numbers, SQUARE_METERS_PER_HECTARE);

/**
 * The unit that a measure's name ends in.
 *
 * @param measure as a comparison names it: by its word, or by its word and a column; a record of a later release may
 *   name one that nobody knows here
 */
export function findMeasureUnit(measure: string | object): Unit {
  if (typeof measure !== "string") return "column";
  if (measure.endsWith("_ratio")) return "share";
  if (measure.endsWith("_m2")) return "m²";
  return measure.endsWith("_m") ? "m" : "count";
}

/** The thresholds of a check's comparisons in a unit, next to which evidence in that unit is read. */
export function listThresholdsInUnit(
  comparisons: readonly {
    /** As a comparison of a verdict names it. */
    readonly measure: string | object;
    /** Threshold of the comparison. */
    readonly threshold: number | null;
  }[],
  unit: Unit,
): number[] {
  return comparisons
    .filter(({ measure }) => findMeasureUnit(measure) === unit)
    .flatMap(({ threshold }) => threshold ?? []);
}

/** The double nearest to a decimal times 10^places: its point is moved, and nothing is multiplied. */
function moveDecimalPoint(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}
