import type { OpenReason } from "@groundrule/engine";
import { describe, expect, it } from "vitest";
import { bundleEntry } from "../../../tools/size/bundle-entry.ts";
import { getTongue } from "./languages.ts";
import { describeReason, type Reasoned } from "./reason.ts";
import { LANGUAGES } from "./tags.ts";

type Check = Reasoned["checks"][number];

const passed = (id: string): Check => ({ id, status: "ok", outcome: null, triggered: false });
const found = (title: string, outcome: Check["outcome"]): Check => ({
  id: title,
  title,
  status: "ok",
  outcome,
  triggered: true,
});
const open = (title: string, outcome: Check["outcome"]): Check => ({
  id: title,
  title,
  status: "not_covered",
  outcome,
  triggered: false,
});
/** A check that is open for these reasons, and whose title would be untrue. */
const because = (...reasons: readonly OpenReason["because"][]): Check => ({
  ...open("Overlaps a protected area", "WARNING"),
  open: reasons.map((because) => ({ because, ...(because === "coverage" && { covered_ratio: 0 }) })),
});
const failed = (id: string): Check => ({ id, status: "failed", outcome: null, triggered: false });
const PARK = found("Overlaps a protected area or indigenous land", "NON_COMPLIANT");
const NEAR = found("A park within ten kilometres.", "WARNING");

describe("reasonOf", () => {
  it.each([
    [
      "NON_COMPLIANT",
      [passed("a"), PARK, passed("b")],
      "1 of 3 checks failed: overlaps a protected area or indigenous land.",
    ],
    [
      "NON_COMPLIANT",
      [NEAR, PARK, passed("b")],
      "1 of 3 checks failed: overlaps a protected area or indigenous land. 1 needs a look: a park within ten kilometres.",
    ],
    ["WARNING", [NEAR, passed("b")], "1 of 2 checks needs a look: a park within ten kilometres."],
    ["WARNING", [NEAR], "The only check needs a look: a park within ten kilometres."],
    ["COMPLIANT", [passed("a"), passed("b"), passed("c")], "All 3 checks passed."],
    ["COMPLIANT", [passed("a")], "The only check passed."],
    [
      "COMPLIANT",
      [found("In a buffer", "NOTICE"), passed("b"), open("In a park", null)],
      "1 of 3 checks passed. 1 gives a notice: in a buffer. 1 could not be decided and is waived: not covered.",
    ],
    [
      "NON_COMPLIANT",
      [open("In a park", "NON_COMPLIANT"), open("Near one", "WARNING"), passed("c")],
      "1 of 3 checks could not be decided and counts as failed: not covered. 1 could not be decided and needs a look: not covered.",
    ],
    [
      "DEGRADED",
      [PARK, failed("embargo"), passed("c")],
      "1 of 3 checks could not be decided, because a source failed. 1 failed: overlaps a protected area or indigenous land.",
    ],
    [
      "NON_COMPLIANT",
      ["One", "Two", "Three", "Four", "Five"].map((title) => found(title, "NON_COMPLIANT")),
      "All 5 checks failed: one; two; three; and 2 more.",
    ],
    [
      "NON_COMPLIANT",
      [
        PARK,
        ...["One", "Two", "Three"].map((title) => found(title, "WARNING")),
        ...["Four", "Five"].map((title) => found(title, "NOTICE")),
      ],
      "1 of 6 checks failed: overlaps a protected area or indigenous land. 3 need a look: one; two; and 1 more. 2 give a notice.",
    ],
    [
      "WARNING",
      [
        NEAR,
        because("coverage", "coverage"),
        because("age", "coverage"),
        because("fact"),
        because("left_out"),
      ],
      "1 of 5 checks needs a look: a park within ten kilometres. 4 could not be decided and need a look: not covered (1); too old (1); not declared (1); incomplete source (1).",
    ],
    [
      "WARNING",
      ["One", "Two", "Three"].map(() => because("coverage")),
      "No source covers this plot. None of the 3 checks could be decided.",
    ],
    ["WARNING", [because("coverage")], "No source covers this plot. The only check could not be decided."],
    [
      "WARNING",
      [because("coverage"), { ...because("coverage"), open: [{ because: "coverage", covered_ratio: 0.5 }] }],
      "All 2 checks could not be decided and need a look: not covered.",
    ],
  ] satisfies [Reasoned["verdict"], Check[], string][])(
    "says why a verdict is %s",
    (verdict, checks, text) => {
      expect(describeReason({ verdict, checks }, getTongue("en"))).toBe(text);
    },
  );

  it("speaks every language", () => {
    const verdict = { verdict: "NON_COMPLIANT", checks: [PARK, NEAR, passed("c")] } as const;
    expect(describeReason(verdict, getTongue("pt"))).toBe(
      "1 de 3 verificações foi reprovada: overlaps a protected area or indigenous land. 1 requer atenção: a park within ten kilometres.",
    );
    expect(describeReason(verdict, getTongue("es"))).toBe(
      "1 de 3 comprobaciones no se aprobó: overlaps a protected area or indigenous land. 1 requiere atención: a park within ten kilometres.",
    );
  });

  it("names no check that did not trigger, in any language", () => {
    const statuses = ["failed", "not_covered", "undetermined", "not_declared"] as const;
    for (const language of LANGUAGES) {
      for (const status of statuses) {
        for (const outcome of ["NON_COMPLIANT", "WARNING", "NOTICE", null] as const) {
          for (const others of [[], [passed("a")], [PARK, passed("a")]]) {
            const check = { ...open("A secret title", outcome), status };
            const verdict = { verdict: "WARNING", checks: [...others, check] } as const;
            expect(describeReason(verdict, getTongue(language))).not.toMatch(/secret/i);
          }
        }
      }
    }
  });

  it.each([
    ["EU list", "EU list"],
    ["Natura 2000 site", "Natura 2000 site"],
    ["São Paulo", "São Paulo"],
    ["Área embargada", "área embargada"],
    ["A Natura 2000 site", "a Natura 2000 site"],
    ["In the Amazon", "in the Amazon"],
    ["Cleared after 31 December", "cleared after 31 December"],
    ["X-ray", "X-ray"],
    ["重叠", "重叠"],
  ])("keeps the capital of a name: %s", (title, text) => {
    expect(
      describeReason({ verdict: "WARNING", checks: [found(title, "WARNING"), passed("b")] }, getTongue("en")),
    ).toBe(`1 of 2 checks needs a look: ${text}.`);
  });

  it("is an entry of its own, without the rest of the report", async () => {
    const { gzipped, modules } = await bundleEntry("packages/words/src/reason.ts");
    expect(gzipped).toBeLessThanOrEqual(3_000);
    expect(
      modules.filter((path) => /lineclip|borders|workbook|geometry|languages\/(?:en|pt|es)/.test(path)),
    ).toEqual([]);
  });
});
