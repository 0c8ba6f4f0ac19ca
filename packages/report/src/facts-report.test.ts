import type { NeededFact } from "@groundrule/engine";
import { createRulesetTongue, declaredHolds, describeNeeds, otherComparisons } from "@groundrule/words";
import { getTongue, type Language } from "@groundrule/words/languages";
import { describe, expect, it } from "vitest";
import { hardRecords } from "../test/hard-records.ts";
import { gatherMaterial } from "./gather-material.ts";
import { portfolioCsv } from "./portfolio/portfolio-csv.ts";
import { CHECK_STATES } from "./portfolio/portfolio-rows.ts";
import { SCRIPT } from "./portfolio/portfolio-script.ts";
import { renderPortfolio } from "./portfolio/render-portfolio.ts";
import { renderReport } from "./render-report.ts";

const { declared, uncovered } = hardRecords();
const { record } = declared;
const pageIn = (language: Language) => renderReport(record, gatherMaterial(record, declared), { language });
const toText = (page: string) =>
  page
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

describe("a report of declared facts", () => {
  const page = pageIn("en");
  const text = toText(page);

  it("has them in a group of their own, beside what was measured", () => {
    expect(text).toContain("Declared, not examined");
    expect(text).toMatch(/How many fiscal modules\? 6 modules &gt; 4 modules met/);
    expect(text).toMatch(/When was it planted\? not declared &gt; 1 January 2020 unknown/);
    expect(text).toContain("Is it of a community? no");
    expect(text).toContain("because facts that the ruleset asks for were not declared.");
    expect(text).not.toContain("do not cover all of the land to examine");
  });

  it("names a document with its issuer, days, area and digest, and one that is absent as not brought", () => {
    const { digest } = record.response.data.facts!.find((fact) => fact.digest !== undefined)!;
    expect(text).toContain("Issued by State · Issued on 1 January 2024 · Valid until 1 January 2025");
    expect(text).toContain("Area 0.10 ha");
    expect(page).toContain(`title="${digest}">${digest!.slice(0, 12)}…`);
    expect(page.replace(/<\/?i>/g, "")).toContain(`<span class="mono digest">${digest}</span>`);
    expect(text).toMatch(/Authorisation of suppression not valid Recovery plan .* not brought Evidence/);
  });

  it("states the source of a threshold, and what was measured on the property", () => {
    expect(text).toContain("2 × the area in the document for ‘Authorisation of suppression’");
    expect(text).toContain("0.5 × Area of the plot covered by “parks”");
    expect(text).toContain("Area of the declared property covered by “parks”");
    expect(text).toContain("p · measured on the declared property");
    expect(text).toMatch(/Area of the declared property 2\d\d\.\d\d ha/);
  });

  it.each([
    ["en", "Day of the evaluation: 1 October 2026 < 4 January 2027: met"],
    ["pt", "Dia da avaliação: 1 de outubro de 2026 < 4 de janeiro de 2027: cumprido"],
    ["es", "Día de la evaluación: 1 de octubre de 2026 < 4 de enero de 2027: se cumple"],
  ] as const)(
    "has the day of the evaluation in a line of its own, in %s: nobody declared it",
    (language, line) => {
      const day = { fact: "evaluated_on", op: "<", value: "2026-10-01", threshold: "2027-01-04" } as const;
      // The last reads nothing else that was told.
      const more = [[], [day], [], [day]];
      const checks = record.response.data.checks.map((check, i) => {
        const declared = [...(check.declared ?? []), ...more[i]!];
        return declared.length > 0 ? { ...check, declared } : check;
      });
      const data = { ...record.response.data, checks };
      const dated = { ...record, response: { ...record.response, data } };
      const page = renderReport(dated, gatherMaterial(record, declared), { language });
      const lines = page.match(/<p><bdi>[^<]*<\/bdi><\/p>/g)?.map((each) => toText(each).trim());
      expect(lines).toEqual(Array(2).fill(line.replace("<", "&lt;")));
      const { words } = getTongue(language);
      const before = toText(pageIn(language)).split(words.facts.declared).length;
      expect(toText(page).split(words.facts.declared)).toHaveLength(before);
      expect(toText(page)).not.toContain(words.facts.evaluatedOn);
    },
  );

  it("draws the property, and states that beneath the map", () => {
    expect(page.match(/<path d="M[^"]*Z" class="property"\/>/g)).toHaveLength(1);
    expect(page).toContain(`<span class="swatch property"></span>the declared property`);
    const { engine, record } = uncovered;
    expect(renderReport(record, gatherMaterial(record, { engine }))).not.toContain(`class="property"`);
  });

  it.each([
    [
      "en",
      "a valid document for ‘Authorisation of suppression’",
      "‘How many fiscal modules?’ were at most 4 modules",
    ],
    [
      "pt",
      "um documento válido para “Autorização de supressão”",
      "“Quantos módulos fiscais?” fosse no máximo 4 modules",
    ],
    ["es", "un documento válido para «Autorización»", "«¿Cuántos módulos?» fuera como máximo 4 modules"],
  ] as const)(
    "lists in %s before the map what would lift each check that decides the verdict",
    (language, document, answer) => {
      const text = toText(pageIn(language));
      const { lifts, anyOneLifts, map } = getTongue(language).words;
      const table = text.slice(text.indexOf(lifts), text.indexOf(` ${map} 1 `));
      expect(table).toContain(
        `${anyOneLifts} Embargo ${getTongue(language).words.outcomes.NON_COMPLIANT} ${document}`,
      );
      expect(table).toContain(answer);
    },
  );
});

describe("what to bring", () => {
  const declared = createRulesetTongue(getTongue("en"), undefined, {
    facts: {
      area: { type: "number", min: 0, max: 9, question: { en: "Size?" } },
      since: { type: "date", question: { en: "Since?" } },
      owner: { type: "text", values: ["us", "them"], question: { en: "Who?" } },
      title: { type: "document", question: { en: "Deed" } },
    },
  });
  const tongue = { ...declared, day: (day: string) => day };
  const text = (...facts: readonly NeededFact[]) =>
    describeNeeds(tongue, { resolve_by: [{ facts }] }, [{ fact: "owner", type: "text", value: "them" }]);

  it("leaves out bounds that every answer has, and distinguishes ends that are in and out", () => {
    const first = (facts: NeededFact) => text(facts).toBring[0]?.text;
    expect(first({ fact: "area", at_least: 0, below: 4 })).toBe("a declaration for ‘Size?’: less than 4");
    expect(first({ fact: "area", above: 2, at_most: 3 })).toBe(
      "a declaration for ‘Size?’: more than 2 and at most 3",
    );
    expect(first({ fact: "area", at_least: 2, at_most: 2 })).toBe("a declaration for ‘Size?’: 2");
    expect(first({ fact: "area", at_least: 0, at_most: 9 })).toBe("a declaration for ‘Size?’: any value");
    expect(first({ fact: "since", at_least: "2020-01-01" })).toBe(
      "a declaration for ‘Since?’: 2020-01-01 or later",
    );
  });

  it("joins what is needed together, and is no thing to bring where an answer would have to differ", () => {
    const { toBring, wouldChange } = text({ fact: "title", valid: true }, { fact: "owner", one_of: ["us"] });
    expect(toBring).toEqual([]);
    expect(wouldChange).toEqual([
      {
        text: "together: a valid document for ‘Deed’ and if the answer for ‘Who?’ were us",
        facts: ["title", "owner"],
      },
    ]);
  });

  it("parts the day from what was declared, with the fact that it is compared with", () => {
    const day = { fact: "evaluated_on", op: ">", value: "2026-10-01" } as const;
    const size = { fact: "area", op: ">", value: 5, threshold: 4 } as const;
    const since = { ...day, threshold: null, threshold_of: { fact: "since", times: 1 } };
    expect(
      otherComparisons(tongue, { declared: [since, size, { ...day, threshold: "2026-10-01" }] }),
    ).toEqual({
      declared: [size],
      days: [
        "Day of the evaluation: 2026-10-01 > unknown (‘Since?’): unknown",
        "Day of the evaluation: 2026-10-01 > 2026-10-01: not met",
      ],
    });
    expect(otherComparisons(tongue, {})).toEqual({ declared: [], days: [] });
  });

  it.each([
    [{ op: "not_valid", value: null }, true],
    [{ op: "not_valid", value: true }, false],
    [{ op: "valid", value: null }, undefined],
    [{ op: ">", value: 5, threshold: 4 }, true],
    [{ op: "<=", value: "2020-01-02", threshold: "2020-01-01" }, false],
    [{ op: "=", value: false, threshold: true }, false],
    [{ op: ">", value: 5, threshold: null }, undefined],
  ] as const)("rests on comparisons that hold as the engine has it: %j", (comparison, expected) => {
    expect(declaredHolds({ fact: "f", ...comparison })).toBe(expected);
  });
});

describe("a portfolio of declared facts", () => {
  const rows = [
    { id: 1, record },
    { id: 2, record: uncovered.record },
  ];

  it("lists what would lift each check, plot by plot", () => {
    expect(portfolioCsv(rows).split("\r\n")[1]).toContain(
      "embargo: permit valid | plan valid; reserve: modules at_least 0 and at_most 4; late: planted at_most 2020-01-01",
    );
    const page = renderPortfolio(rows, { language: "pt" });
    expect(page).toContain(`<th scope="col">${getTongue("pt").words.facts.toBring}</th>`);
    expect(toText(page)).toContain("um documento válido para “Autorização de supressão”");
    expect(renderPortfolio(rows.slice(1))).not.toContain(`${getTongue("en").words.facts.toBring}</th>`);
  });

  it("counts checks that were not declared, and finds their plots", () => {
    expect(renderPortfolio(rows)).toContain(`<th scope="col" class="n">Not declared</th>`);
    const found = /"(\d+)"\.includes\(row\.dataset\.c/.exec(SCRIPT)![1]!;
    const open = CHECK_STATES.map((state, i) => (state === "not_triggered" ? "" : i)).join("");
    expect(found).toBe(open);
  });
});
