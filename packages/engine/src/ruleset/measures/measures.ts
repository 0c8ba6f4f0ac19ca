import { roundMeters, roundSquareMeters } from "../../verdict/rounding.ts";
import { type AreaFact, isOfRaster } from "./area-facts.ts";
import {
  computeColumnMean,
  computeColumnSum,
  computeWeightedMean,
  findGreatestValue,
  findLeastValue,
  listColumnValues,
} from "./columns.ts";
import { createNumberRange, type NumberRange } from "./number-range.ts";
import { ANY_NUMBER, boundByGrowth, type Growth, type PossibleValues } from "./possible.ts";
import {
  computeRegionRatio,
  computeRoundedRatio,
  type Extent,
  measureRegionRange,
  type RegionRange,
} from "./ratio.ts";

/** Unit of a measure's number: things, square metres, a share of one, metres, or the unit of a column. */
export type Unit = "count" | "m²" | "share" | "m" | "column";

/** Measures that a comparison names by their word alone. */
export type PlainMeasure =
  | "count"
  | "overlap_area_m2"
  | "overlap_ratio"
  | "max_overlap_area_m2"
  | "area_overlap_ratio"
  | "min_distance_m";

/** Measures of a column of numbers. */
type OfColumn =
  | {
      /** Sum of the column over the set. */
      readonly sum: string;
    }
  | {
      /** Least value of the column in the set. */
      readonly min: string;
    }
  | {
      /** Greatest value of the column in the set. */
      readonly max: string;
    }
  | {
      /** Mean of the column over the set. */
      readonly avg: string;
    }
  | {
      /** Mean of the column over the set, each area weighted by what it shares with the plot. */
      readonly mean: string;
    };

/** The number that a check compares; the last five take the name of a column. */
export type Measure = PlainMeasure | OfColumn;

export type ColumnMeasure = OfColumn extends infer Each
  ? Each extends OfColumn
    ? keyof Each
    : never
  : never;

export type MeasureWord = PlainMeasure | ColumnMeasure;

/** The kinds of set: what a set can be measured by, and stand in, depends on it. */
export type SetKind = "area" | "derived" | "subject";

/** The part of a selection that a measure reads. */
export interface Measured extends RegionRange {
  readonly areas: readonly AreaFact[];
  /** Areas, or records of a register. */
  readonly count: number;
  readonly growth: Growth;
  /** The only areas that the set could also hold; undefined where its sources could contain others. */
  readonly possible: readonly AreaFact[] | undefined;
  /**
   * The greatest part of the plot that an entry of the set does not cover, that one possible area could add, or that the
   * value of a raster takes together with what its entry does not cover.
   */
  readonly uncoveredSquareMeters: number;
  /** To the nearest point that the set does not cover, or the nearest possible area, or less; 0 of a set without distances. */
  readonly reachMeters: number;
}

/** Context of a selection when it is measured. */
export interface Surroundings {
  readonly plot: Extent;
  /** Denominator of a ratio, if it is not the plot. */
  readonly of: RegionRange | undefined;
  /** The distances that the set selects by. */
  readonly within: { readonly minMeters: number; readonly maxMeters: number } | undefined;
  /** The column of a {@link ColumnMeasure}. */
  readonly column: string;
}

/** Facts about a set that follow from the ruleset alone. */
export interface SetFacts {
  readonly kind: SetKind;
  /** Its areas share at most a border with the plot. */
  readonly isFlat: boolean;
  /** Its region lies in the one that a ratio is taken of. */
  readonly isPart: boolean;
  readonly minMeters: number;
  readonly maxMeters: number;
}

/** One measure: what it is, and how it is computed. */
export interface MeasureEntry {
  /** The kinds of set that can be measured by it. */
  readonly suits: readonly SetKind[];
  readonly unit: Unit;
  /** True if the measure is defined only for areas that share a region with the plot. */
  readonly isOfOverlap: boolean;
  /** True if it depends on whole areas; those of rasters go on where nobody examined cells. */
  readonly isOfWhole: boolean;
  /** True if `of` may name the denominator. */
  readonly takesOf: boolean;
  /** The printed value; null where there is none. */
  readonly value: (measured: Measured, around: Surroundings) => number | null;
  /**
   * Values possible if all content of the sources were known. Called if something may change the value.
   *
   * @param value by what the open sources tell
   */
  readonly possible: (value: number | null, measured: Measured, around: Surroundings) => PossibleValues;
  /** Every number it can print, whatever the data. */
  readonly range: (set: SetFacts) => NumberRange;
  /** Its value of a set that holds nothing. */
  readonly ofEmptySet: 0 | null;
  /** True if a set that is not empty may have no value. */
  readonly isNullable: boolean;
}

/** A little more than the whole earth. */
export const EARTH_SQUARE_METERS = 5.2e14;

const NOTHING = createNumberRange(0, 0);
const ANY = createNumberRange(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);

const area = {
  suits: ["area"],
  isOfOverlap: true,
  isOfWhole: false,
  takesOf: false,
  ofEmptySet: 0,
  isNullable: false,
} as const;

const column = {
  ...area,
  unit: "column",
  isOfOverlap: false,
  range: () => ANY,
} as const;

/**
 * Every measure: what it is, how it is computed, and how it changes when more becomes known. Schema,
 * parser, lint and evaluation read this table, and nothing else distinguishes measures.
 */
export const MEASURES: { readonly [Word in MeasureWord]: MeasureEntry } = {
  count: {
    ...area,
    suits: ["area", "derived", "subject"],
    unit: "count",
    isOfOverlap: false,
    value: ({ count }) => count,
    possible: (value, { growth, count, possible }) =>
      boundByGrowth(
        growth,
        value,
        possible === undefined ? Number.POSITIVE_INFINITY : count + possible.length,
      ),
    range: ({ kind, isFlat }) =>
      kind === "derived" && isFlat ? NOTHING : createNumberRange(0, Number.POSITIVE_INFINITY, true),
  },
  overlap_area_m2: {
    ...area,
    suits: ["area", "derived"],
    unit: "m²",
    value: ({ region }) => roundSquareMeters(region.squareMeters),
    possible: (_, measured) => {
      const { low, high } = measureRegionRange(measured);
      return { low: roundSquareMeters(low), high: roundSquareMeters(high), none: false };
    },
    range: ({ isFlat }) => (isFlat ? NOTHING : createNumberRange(0, EARTH_SQUARE_METERS)),
  },
  overlap_ratio: {
    ...area,
    suits: ["area", "derived"],
    unit: "share",
    takesOf: true,
    value: ({ region }, { plot, of }) =>
      computeRoundedRatio(region.squareMeters, (of?.region ?? plot).squareMeters),
    possible: (_, part, { plot, of }) =>
      computeRegionRatio(part, of ?? { region: plot, least: plot, greatest: plot }),
    range: ({ isFlat, isPart }) => {
      if (isFlat) return NOTHING;
      return isPart ? createNumberRange(0, 1) : createNumberRange(0, Number.POSITIVE_INFINITY);
    },
  },
  max_overlap_area_m2: {
    ...area,
    unit: "m²",
    value: ({ areas }) => findGreatestValue(areas.map((fact) => fact.overlapSquareMeters)) ?? 0,
    possible: (value, { uncoveredSquareMeters }) => {
      const low = value ?? 0;
      return { low, high: Math.max(low, roundSquareMeters(uncoveredSquareMeters)), none: false };
    },
    range: ({ isFlat }) => (isFlat ? NOTHING : createNumberRange(0, EARTH_SQUARE_METERS)),
  },
  area_overlap_ratio: {
    ...area,
    unit: "share",
    isNullable: true,
    isOfWhole: true,
    value: ({ areas }) =>
      areas.length === 0 ? 0 : findGreatestValue(areas.map((fact) => fact.areaOverlapRatio)),
    // The first area to be found may be one whose whole prints as 0, which has no share.
    possible: (value, { growth, areas, possible: others }) => {
      const none = value === null || areas.length === 0;
      const ofRings = areas.filter((fact) => !isOfRaster(fact));
      if (ofRings.length < areas.length) {
        return { low: findGreatestValue(ofRings.map((fact) => fact.areaOverlapRatio)) ?? 0, high: 1, none };
      }
      const isListed = others !== undefined && !others.some(isOfRaster);
      const most = isListed
        ? (findGreatestValue([value, ...others.map((fact) => fact.areaOverlapRatio)]) ?? 0)
        : 1;
      return { ...boundByGrowth(growth, value, most), none };
    },
    range: ({ isFlat }) => (isFlat ? NOTHING : createNumberRange(0, 1)),
  },
  min_distance_m: {
    ...area,
    unit: "m",
    isOfOverlap: false,
    ofEmptySet: null,
    value: ({ areas }) => findLeastValue(areas.map((fact) => fact.distanceMeters)),
    possible: (value, { reachMeters }, { within: bounds }) => {
      const high = value ?? bounds?.maxMeters ?? 0;
      const nearest = Math.max(bounds?.minMeters ?? 0, reachMeters === 0 ? 0 : roundMeters(reachMeters));
      return { low: Math.min(high, nearest), high, none: value === null };
    },
    range: ({ minMeters, maxMeters }) => createNumberRange(minMeters, maxMeters),
  },
  sum: {
    ...column,
    value: ({ areas }, { column }) => computeColumnSum(listColumnValues(areas, column)),
    possible: (value) => ({ ...ANY_NUMBER, none: value === null }),
  },
  min: {
    ...column,
    ofEmptySet: null,
    value: ({ areas }, { column }) => findLeastValue(listColumnValues(areas, column)),
    possible: (value) => ({ ...ANY_NUMBER, high: value ?? Number.POSITIVE_INFINITY, none: value === null }),
  },
  max: {
    ...column,
    ofEmptySet: null,
    value: ({ areas }, { column }) => findGreatestValue(listColumnValues(areas, column)),
    possible: (value) => ({ ...ANY_NUMBER, low: value ?? Number.NEGATIVE_INFINITY, none: value === null }),
  },
  avg: {
    ...column,
    ofEmptySet: null,
    value: ({ areas }, { column }) => computeColumnMean(listColumnValues(areas, column)),
    possible: (value) => ({ ...ANY_NUMBER, none: value === null }),
  },
  mean: {
    ...column,
    ofEmptySet: null,
    isOfOverlap: true,
    isNullable: true,
    value: ({ areas }, { column }) => computeWeightedMean(areas, column),
    possible: (value) => ({ ...ANY_NUMBER, none: value === null }),
  },
};

export const MEASURE_WORDS: readonly MeasureWord[] = Object.keys(MEASURES) as MeasureWord[];

/** The words that stand alone, and those that take a column, in the order of the table. */
export const PLAIN_MEASURES: readonly PlainMeasure[] = MEASURE_WORDS.filter((word) => !takesColumn(word));
export const COLUMN_MEASURES: readonly ColumnMeasure[] = MEASURE_WORDS.filter(takesColumn);

function takesColumn(word: MeasureWord): word is ColumnMeasure {
  return MEASURES[word].unit === "column";
}

/** The words of the measures that suit a kind of set. */
export function listMeasureWords(kind: SetKind): readonly MeasureWord[] {
  return MEASURE_WORDS.filter((word) => MEASURES[word].suits.includes(kind));
}

/** The word that names a measure: its own, or that of a column's. */
export function getMeasureWord(measure: Measure): MeasureWord {
  return typeof measure === "string" ? measure : (Object.keys(measure)[0] as ColumnMeasure);
}

/** The column a measure like `{"sum": "column"}` reads; empty where it reads none. */
export function getMeasuredColumn(measure: NamedMeasure): string {
  return typeof measure === "string" ? "" : (Object.values(measure)[0] ?? "");
}

/** A measure as an answer names it; a record of a later release may name one that is not in the table. */
export type NamedMeasure = string | Readonly<Record<string, string>>;
