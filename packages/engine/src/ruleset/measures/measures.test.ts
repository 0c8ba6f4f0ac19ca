import { describe, expect, it } from "vitest";
import type { EngineError } from "../../base/errors.ts";
import { parseRuleset } from "../parse/parse.ts";
import {
  COLUMN_MEASURES,
  listMeasureWords,
  MEASURE_WORDS,
  MEASURES,
  type Measured,
  PLAIN_MEASURES,
  type SetKind,
} from "./measures.ts";
import { isEmptyRange, narrowRange } from "./number-range.ts";
import { type Growth, toExactValues } from "./possible.ts";
import type { RegionRange } from "./ratio.ts";

const SETS = {
  area: { sources: ["demo:parks"] },
  derived: { union: ["area", "area"] },
  subject: { registers: ["demo:list"] },
};
const PLOT = { squareMeters: 100 };
const GROWTHS: readonly Growth[] = ["none", "grows", "shrinks", "any"];

const between = (least: number, region: number, greatest: number): RegionRange => ({
  region: { squareMeters: region },
  least: { squareMeters: least },
  greatest: { squareMeters: greatest },
});
const holding = (count: number, growth: Growth, regions: RegionRange): Measured => ({
  areas: [],
  count,
  growth,
  ...regions,
  possible: undefined,
  uncoveredSquareMeters: 0,
  reachMeters: 0,
});
const empty = (growth: Growth): Measured => holding(0, growth, between(0, 0, 0));
const around = { plot: PLOT, of: undefined, within: undefined, column: "n" };

function isRead(set: SetKind, word: string, more: object = {}): boolean {
  const measure = PLAIN_MEASURES.includes(word as never) ? word : { [word]: "n" };
  try {
    parseRuleset({ sets: SETS, checks: [{ id: "c", set, measure, outcome: "NOTICE", ...more }] });
    return true;
  } catch (error) {
    expect((error as EngineError).details.faults?.[0]?.code).toBe("MEASURE_UNSUITED");
    return false;
  }
}

describe("the table of measures", () => {
  it("lists the measures of each kind of set", () => {
    for (const set of Object.keys(SETS) as SetKind[]) {
      expect(MEASURE_WORDS.filter((word) => isRead(set, word))).toEqual(listMeasureWords(set));
    }
    expect([...PLAIN_MEASURES, ...COLUMN_MEASURES]).toEqual(MEASURE_WORDS);
    expect(MEASURE_WORDS.filter((word) => isRead("area", word, { of: "area" }))).toEqual(
      MEASURE_WORDS.filter((word) => MEASURES[word].takesOf),
    );
  });

  it.each(MEASURE_WORDS)("agrees with itself on %s of an empty set", (word) => {
    const { value, possible, range, ofEmptySet } = MEASURES[word];
    expect(value(empty("none"), around)).toBe(ofEmptySet);
    const whatever = range({ kind: "area", isFlat: false, isPart: true, minMeters: 0, maxMeters: 5 });
    for (const growth of GROWTHS) {
      const could = possible(ofEmptySet, empty(growth), around);
      const isPossible =
        ofEmptySet === null ? could.none : could.low <= ofEmptySet && ofEmptySet <= could.high;
      expect(isPossible, growth).toBe(true);
    }
    if (ofEmptySet !== null) expect(isEmptyRange(narrowRange(whatever, "=", ofEmptySet))).toBe(false);
  });

  it("bounds a count of what only grows from below, and a region by what it could be", () => {
    const some = holding(3, "grows", between(40, 40, 100));
    expect(MEASURES.count.possible(3, some, around)).toEqual({ low: 3, high: Infinity, none: false });
    expect(MEASURES.overlap_area_m2.possible(40, some, around)).toEqual({ low: 40, high: 100, none: false });
    const half = holding(3, "none", between(40, 40, 40));
    const whole = between(80, 80, 100);
    const ratio = MEASURES.overlap_ratio;
    expect(ratio.value(half, { ...around, of: whole })).toBe(0.5);
    expect(ratio.possible(0.5, half, { ...around, of: whole })).toEqual({
      low: 0.4,
      high: 0.5,
      none: false,
    });
    expect(ratio.value(half, { ...around, plot: { squareMeters: 0 } })).toBe(null);
    expect(ratio.possible(null, some, { ...around, plot: { squareMeters: 0 } })).toEqual(toExactValues(null));
  });
});
