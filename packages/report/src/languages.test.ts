import { getTongue, type Language } from "@groundrule/words/languages";
import { describe, expect, it } from "vitest";
import { type HardRecord, hardRecords } from "../test/hard-records.ts";
import { gatherMaterial } from "./gather-material.ts";
import { renderReport } from "./render-report.ts";

describe.each(Object.entries(hardRecords()))("the page of the %s record in each language", (_, hard) => {
  const renderPage = ({ record, engine }: HardRecord, language: Language) =>
    renderReport(record, gatherMaterial(record, { engine }), { language });

  it("has the same digests, and the words of its own alone", () => {
    const { data } = hard.record.response;
    for (const language of ["pt", "es"] as const) {
      const page = renderPage(hard, language).replace(/<\/?i>/g, "");
      expect(page).toContain(`<html lang="${language}">`);
      for (const digest of [data.digest!, data.ruleset.digest, data.input.digest])
        expect(page).toContain(digest);
      const isTitled = renderPage(hard, "en").includes("<bdi>Protected areas ");
      expect(page.includes("<bdi>Reservas da lista ")).toBe(isTitled && language === "pt");
      // Text written by programs is English in every language, and marked so.
      const own = page
        .replace(/<span lang="en" dir="ltr">.*?<\/span>/gs, "")
        .replace(/<style>.*?<\/style>/gs, "");
      for (const text of Object.values(getTongue("en").words)) {
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
