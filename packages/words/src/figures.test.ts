import { MEASURES } from "@groundrule/engine/internal";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { roundMeters, roundRatio, roundSquareMeters } from "../../engine/src/verdict/rounding.ts";
import { englishFigures, type Figures, findMeasureUnit } from "./figures.ts";
import { getTongue, LANGUAGES, type Language } from "./languages.ts";

/** A decimal of any length, as digits times 10^-scale. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Powers of ten between what a text counts and the unit of the number. */
const PLACES = { "%": -2, ha: 4, km: 3, "m²": 0, m: 0 } as const;

/** The exact number in a text, parsed independently of the code that wrote it. */
function parseFigure(text: string, language: Language): Decimal {
  const [figure, unit] = text.split(" ");
  const [group, mark] = language === "en" ? [",", "."] : [".", ","];
  expect(figure).toMatch(/^-?[\d.,]+$/);
  return toDecimal(
    `${figure!.replaceAll(group, "").replace(mark, ".")}e${PLACES[unit as keyof typeof PLACES]}`,
  );
}

/** The decimal that JSON prints. */
function toDecimal(text: string): Decimal {
  const [number, exponent = "0"] = text.split("e");
  const [whole, fraction = ""] = number!.split(".");
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(`${whole}${fraction}`);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [a, b].map(({ digits, scale: own }) => digits * 10n ** BigInt(scale - own)) as [
    bigint,
    bigint,
  ];
  return x < y ? -1 : x > y ? 1 : 0;
}

const of = (value: number): Decimal => toDecimal(JSON.stringify(value));

interface Kind {
  readonly written: (figures: Figures, value: number, ...others: readonly number[]) => string;
  readonly printed: (value: number) => number;
  readonly most: number;
  readonly marks: readonly number[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  share: { written: (f, v, ...b) => f.share(v, ...b), printed: roundRatio, most: 1, marks: [0, 1] },
  area: { written: (f, v, ...b) => f.area(v, ...b), printed: roundSquareMeters, most: 3e9, marks: [0] },
  distance: { written: (f, v, ...b) => f.distance(v, ...b), printed: roundMeters, most: 2e6, marks: [0] },
};

describe("figures", () => {
  it.each(Object.entries(KINDS))(
    "of a %s say nothing of 0, 1 and a threshold that is not so (seed 4)",
    (_, kind) => {
      const random = createSeededRandom(4);
      const { written, printed, most, marks } = kind;
      /** Numbers of every size, often very close to one that a person would compare with. */
      const some = (near: number): number => {
        const size = most * 10 ** -random.integer(12);
        const from = [0, most === 1 ? 1 : 0, near, 0.1, 10_000, 1000][random.integer(6)]!;
        return printed(Math.min(most, Math.abs(from + size * random.between(-1, 1))));
      };
      for (let i = 0; i < 600; i++) {
        const language = LANGUAGES[i % 3]!;
        const figures = getTongue(language).formats;
        // A threshold has as many digits as its author gave it, and a value as many as are printed.
        const number = some(0);
        const threshold =
          random.integer(2) === 0 ? number : Number(number.toPrecision(1 + random.integer(8)));
        const [low, high] = [some(threshold), some(threshold)].sort((a, b) => a - b) as [number, number];
        const limit = parseFigure(written(figures, threshold, threshold), language);
        expect(compare(limit, of(threshold))).toBe(0);
        const texts = [low, high].map((value) => {
          const text = parseFigure(written(figures, value, threshold), language);
          for (const mark of marks) {
            expect(compare(text, of(mark)), `${value} and ${mark}`).toBe(compare(of(value), of(mark)));
          }
          expect(compare(text, limit), `${value} and ${threshold}`).toBe(compare(of(value), of(threshold)));
          for (const mark of marks) {
            const alone = parseFigure(written(figures, value), language);
            expect(compare(alone, of(mark))).toBe(compare(of(value), of(mark)));
          }
          return text;
        });
        expect(compare(texts[0]!, texts[1]!), `${low} ≤ ${high}`).toBeLessThanOrEqual(0);
      }
    },
  );

  it("have as many decimals as it takes", () => {
    const [en, pt] = [getTongue("en").formats, getTongue("pt").formats];
    expect([0, 0.000000001, 0.00004, 0.5, 0.996, 0.999996, 1].map((ratio) => en.share(ratio))).toEqual([
      ...["0 %", "0.0000001 %", "0.004 %", "50.00 %", "99.60 %", "99.9996 %", "100 %"],
    ]);
    expect([en.share(0.0999999, 0.1), en.share(0.1, 0.1)]).toEqual(["9.99999 %", "10.00 %"]);
    expect([0, 0.001, 0.04, 5, 1000, 1234.5].map((meters) => pt.distance(meters))).toEqual([
      ...["0 m", "0,001 m", "0,04 m", "5 m", "1 km", "1,23 km"],
    ]);
    expect(en.distance(999.999, 1000)).toBe("999.999 m");
    expect([0, 0.01, 999.99, 1000, 50_000].map((area) => en.area(area))).toEqual([
      ...["0 m²", "0.01 m²", "999.99 m²", "0.10 ha", "5.00 ha"],
    ]);
    // Messages that programs pass on stay as they have travelled.
    expect([9_999.99, 50_000].map((area) => englishFigures.area(area))).toEqual(["9,999.99 m²", "5.00 ha"]);
    expect([en.area(49_999, 50_000), en.decimal(0.0003, 0)]).toEqual(["4.9999 ha", "0.0003"]);
    expect([0, 812, 81_200_000].map((bytes) => en.decimal(bytes / 1e6, 1))).toEqual(["0.0", "0.001", "81.2"]);
    expect([12_345, -0.5, 1e300, 2 ** 60].map((value) => en.plain(value))).toEqual([
      ...["12,345", "-0.5", "1e+300", "1,152,921,504,606,846,976"],
    ]);
    expect(en.decimal(1e-30, 2)).toBe("1e-30");
  });

  it("take the unit of a measure from its name, as the table of measures has it", () => {
    for (const word of Object.keys(MEASURES)) {
      const { unit } = MEASURES[word as keyof typeof MEASURES];
      expect(findMeasureUnit(unit === "column" ? { [word]: "n" } : word)).toBe(unit);
    }
  });
});
