import { en } from "@groundrule/words/en/report";
import { es } from "@groundrule/words/es/report";
import { getTongue, LANGUAGES } from "@groundrule/words/languages";
import { pt } from "@groundrule/words/pt/report";
import { describe, expect, it } from "vitest";
import { type HardRecord, hardRecords } from "../../test/hard-records.ts";
import { gatherMaterial } from "../gather-material.ts";
import { renderReport } from "../render-report.ts";

/** Texts that are the same in two languages: signs, and words that they share. */
const ALIKE: Readonly<Record<"pt" | "es", readonly string[]>> = {
  pt: [],
  es: [],
};

/** A text of a language, about the same numbers in each. */
function formatWord(word: unknown): string {
  if (typeof word !== "function") return String(word);
  return JSON.stringify([1, 2].map((count) => word(...Array.from({ length: word.length }, () => count))));
}

describe.each([
  ["pt", pt],
  ["es", es],
] as const)("the words of %s", (language, words) => {
  it("are all there, and none is left in English", () => {
    expect(Object.keys(words)).toEqual(Object.keys(en));
    const same = Object.keys(en).filter(
      // Measures have a test of their own.
      (key) =>
        key !== "measure" &&
        formatWord(words[key as keyof typeof en]) === formatWord(en[key as keyof typeof en]),
    );
    expect(same.filter((key) => !ALIKE[language].includes(key))).toEqual([]);
  });

  it("name every measure", () => {
    for (const measure of [
      ...[
        "count",
        "overlap_area_m2",
        "overlap_ratio",
        "max_overlap_area_m2",
        "area_overlap_ratio",
        "min_distance_m",
      ],
      ...[{ sum: "n" }, { min: "n" }, { max: "n" }, { avg: "n" }, { mean: "n" }],
    ]) {
      const named = { measure, set: "“s”", of: undefined, holding: "areas" } as const;
      expect(words.measure(named)).toMatch(/^[A-ZÁÉÍÓÚ].*“s”/);
      expect(words.measure(named)).not.toBe(en.measure(named));
    }
    expect(words.measure({ measure: "unheard", set: "s", of: undefined, holding: "areas" })).toBeUndefined();
  });
});

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
});

describe.each(Object.entries(hardRecords()))("the page of the %s record in each language", (_, hard) => {
  const renderPage = ({ record, engine }: HardRecord, language: (typeof LANGUAGES)[number]) =>
    renderReport(record, gatherMaterial(record, { engine }), { language });

  it("has the same digests, and the words of its own alone", () => {
    const { data } = hard.record.response;
    for (const language of ["pt", "es"] as const) {
      const page = renderPage(hard, language).replace(/<\/?i>/g, "");
      expect(page).toContain(`<html lang="${language}">`);
      for (const digest of [data.digest!, data.ruleset.digest, data.input.digest])
        expect(page).toContain(digest);
      // Text written by programs is English in every language, and marked so.
      const own = page
        .replace(/<span lang="en" dir="ltr">.*?<\/span>/gs, "")
        .replace(/<style>.*?<\/style>/gs, "");
      for (const text of Object.values(en)) {
        if (
          typeof text !== "string" ||
          text.length < 9 ||
          Object.values(getTongue(language).words).includes(text as never)
        )
          continue;
        expect(own).not.toContain(`>${text}`);
      }
    }
  });
});
