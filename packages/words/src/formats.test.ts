import { describe, expect, it } from "vitest";
import { forms } from "./en/forms.ts";
import { Formats } from "./formats.ts";
import { getTongue, LANGUAGES } from "./languages.ts";

describe("numbers and dates", () => {
  it("are written as each language writes them, on every host", () => {
    const written = LANGUAGES.map((language) => {
      const { formats } = getTongue(language);
      return [
        formats.area(17_143_800.5),
        formats.area(171_438_000.5),
        formats.distance(1500),
        formats.share(0.00001),
        formats.plain(2001.25),
        formats.instant("2026-11-03T07:43:12Z"),
        formats.place(-59.60608, -10.55416),
      ];
    });
    expect(written).toEqual([
      [
        "1,714.38 ha",
        "17,143.80 ha",
        "1.50 km",
        "0.001 %",
        "2001.25",
        "3 November 2026, 07:43 UTC",
        "10.55416° S, 59.60608° W",
      ],
      [
        "1.714,38 ha",
        "17.143,80 ha",
        "1,50 km",
        "0,001 %",
        "2001,25",
        "3 de novembro de 2026, 07:43 UTC",
        "10,55416° S, 59,60608° O",
      ],
      [
        "1714,38 ha",
        "17.143,80 ha",
        "1,50 km",
        "0,001 %",
        "2001,25",
        "3 de noviembre de 2026, 07:43 UTC",
        "10,55416° S, 59,60608° O",
      ],
    ]);
  });

  it("have the day before the month, but for readers in the United States", () => {
    const days = (locale?: string): readonly string[] => {
      const formats = new Formats(forms, locale);
      return [formats.day("2026-11-28T23:00:00Z"), formats.shortDay("2026-11-28")];
    };
    expect([days(), days("en-GB"), days("en-US")]).toEqual([
      ["28 November 2026", "28 Nov 2026"],
      ["28 November 2026", "28 Nov 2026"],
      ["November 28, 2026", "Nov 28, 2026"],
    ]);
    for (const language of LANGUAGES) {
      const { formats } = getTongue(language);
      for (let month = 1; month <= 12; month++) {
        const day = `2026-${String(month).padStart(2, "0")}-28`;
        const short = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
          dateStyle: "medium",
          timeZone: "UTC",
        });
        // Britain alone has four letters in September.
        expect(formats.shortDay(day)).toBe(
          short.format(new Date(day)).replace("Sept", language === "en" ? "Sep" : "Sept"),
        );
      }
      expect(formats.day("someday")).toBe("someday");
    }
  });
});
