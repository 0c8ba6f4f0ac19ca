import { stripVTControlCharacters } from "node:util";
import { openEngine } from "@groundrule/engine";
import { describe, expect, it } from "vitest";
import { formatVerdictText } from "./verdict-text.ts";

const RULESET = {
  facts: { modules: { type: "number", question: { en: "How many modules?" } } },
  sets: {},
  checks: [
    {
      id: "late",
      all: [
        { fact: "evaluated_on", op: ">=", value: "2027-01-04" },
        { fact: "modules", op: ">", value: 4 },
      ],
      outcome: "WARNING",
    },
  ],
};

describe("a verdict at a terminal", () => {
  it("has the day of the evaluation in a line of its own, apart from what was declared", () => {
    const input = { geometry: { type: "Point", coordinates: [10, 50] }, area_ha: 4, facts: { modules: 6 } };
    const now = "2027-02-01T00:00:00Z";
    const verdict = openEngine([]).compile(RULESET).evaluate(input, { now });
    const lines = [
      ...formatVerdictText("plot 1", verdict, { width: Infinity, style: (_, text) => text }),
    ].map((line) => line.trim());
    expect(lines).toContain("modules: 6 > 4 (declared, not examined)");
    expect(lines).toContain("Day of the evaluation: 2027-02-01 ≥ 2027-01-04: met");
    expect(lines.join("\n")).not.toContain("evaluated_on");
  });

  it("has notices that wait for what nobody declared in one line, a single one and others in full", () => {
    const document = { type: "document", question: { en: "?" } };
    const notice = (id: string) => ({ id, fact: id, op: "not_valid", outcome: "NOTICE" });
    const day = { id: "early", fact: "evaluated_on", op: "<", value: "2027-06-30", outcome: "NOTICE" };
    const lines = (facts: object) => {
      const checks = [notice("title"), notice("labour"), day];
      const ruleset = { facts: { title: document, labour: document }, sets: {}, checks };
      const verdict = openEngine([])
        .compile(ruleset)
        .evaluate({ facts } as object, { now: "2027-02-01T00:00:00Z" });
      return [
        ...formatVerdictText(
          "plot 1",
          verdict,
          { width: 80, style: (_, text) => text },
          "Forest of 2020: 1 ha",
        ),
      ];
    };
    expect(lines({})).toEqual([
      "plot 1: COMPLIANT",
      "  Forest of 2020: 1 ha",
      "  NOTICE         early",
      "                 Day of the evaluation: 2027-02-01 < 2027-06-30: met",
      "  NOTICE         2 notices wait for a fact or a document; --json lists them",
    ]);
    const title = { id: "D", issuer: "I", issued_on: "2026-01-01" };
    const [, , ...one] = lines({ title });
    expect(one.slice(0, 3)).toEqual([
      "  NOTICE         labour",
      "                 labour: not brought (declared, not examined)",
      "                 to bring: a valid document for ‘labour’",
    ]);
  });

  it("is broken between words to fit, and whole in a pipe", () => {
    const title = "Deforested after the cut-off date of the regulation, by the yearly map of the ministry";
    const ruleset = { ...RULESET, checks: [{ ...RULESET.checks[0], title }] };
    const verdict = openEngine([])
      .compile(ruleset)
      .evaluate({ facts: { modules: 6 } }, { now: "2027-02-01T00:00:00Z" });
    const text = (width: number): string[] => [
      ...formatVerdictText("plot with a name", verdict, {
        width,
        style: (_, text) => `\u001b[33m${text}\u001b[39m`,
      }),
    ];
    const whole = text(Infinity);
    expect(whole.some((line) => line.endsWith(title))).toBe(true);
    for (const width of [40, 60, 80, 120]) {
      const lines = text(width);
      for (const line of lines) expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(width);
      const words = (of: readonly string[]): string[] => of.join(" ").split(/\s+/);
      expect(words(lines)).toEqual(words(whole));
    }
  });
});
