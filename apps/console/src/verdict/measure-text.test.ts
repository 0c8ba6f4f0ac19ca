import { describe, expect, it } from "vitest";
import { LANGUAGE_NAMES, type LanguageTag, speak } from "../languages/language.ts";
import { valueText } from "./measure-text.ts";

describe("a value of a measure in the page", () => {
  it.each(Object.keys(LANGUAGE_NAMES) as LanguageTag[])(
    "is never rounded into another statement in %s",
    async (tag) => {
      await speak(tag);
      const compared = (measure: string, value: number, threshold: number): string[] =>
        [value, threshold].map((each) => valueText({ measure, threshold }, each).replaceAll(",", "."));
      try {
        expect(compared("overlap_ratio", 0.999996, 1)).toEqual(["99.9996 %", "100 %"]);
        expect(compared("overlap_ratio", 0.0999999, 0.1)).toEqual(["9.99999 %", "10.00 %"]);
        expect(compared("area_overlap_ratio", 0.000000001, 0)).toEqual(["0.0000001 %", "0 %"]);
        expect(compared("overlap_area_m2", 49_999.99, 50_000)).toEqual(["4.999999 ha", "5.00 ha"]);
        expect(compared("min_distance_m", 0.001, 0)).toEqual(["0.001 m", "0 m"]);
        expect(compared("count", 12_345, 12_344).map((text) => text.replaceAll(".", ""))).toEqual([
          "12345",
          "12344",
        ]);
      } finally {
        await speak("en");
      }
    },
  );
});
