import type { CheckResult } from "@groundrule/engine";
import { describe, expect, it } from "vitest";
import { groupChecks } from "./check-groups.ts";

const area = (source_id: string) => ({
  ...{ source_name: "s", source_id, name: null, country_iso3: null, edition: "" },
  ...{ overlap_area_m2: 1, overlap_ratio: 1, area_overlap_ratio: null },
});
const check = (id: string, changes: Partial<CheckResult>): CheckResult => ({
  ...{ id, outcome: null, triggered: false, status: "ok", comparisons: [] },
  ...{ undetermined: 0, evidence: [], evidence_total: 0 },
  ...changes,
});
const needs = (...facts: string[]) => facts.map((fact) => ({ facts: [{ fact, valid: true as const }] }));
const waitsFor = (...facts: string[]): Partial<CheckResult> => ({
  status: "not_declared",
  open: facts.map((fact) => ({ because: "fact" as const, ...(fact !== "" && { fact }) })),
});

const facts = ["crop", "permit", "size", "right"].map((fact) => ({
  ...{ fact, type: "text" as const },
  value: fact === "right" ? "yes" : null,
}));

describe("groupChecks", () => {
  it("groups checks by what follows from them, and lists each missing fact once with the checks that wait for it", () => {
    const checks = [
      check("crop", { ...waitsFor("crop"), outcome: "NOTICE", resolve_by: needs("crop", "permit") }),
      check("loss", {
        ...{ outcome: "NON_COMPLIANT", triggered: true },
        resolve_by: needs("permit.area_m2"),
      }),
      check("open", { ...waitsFor("crop"), outcome: "WARNING", resolve_by: needs("crop", "right") }),
      check("uncovered", { status: "not_covered", open: [{ because: "coverage" }], outcome: "NOTICE" }),
      check("failed", { status: "failed", open: [{ because: "failed" }] }),
      check("unstated", { status: "not_declared" }),
      check("property", { ...waitsFor(""), outcome: "NOTICE" }),
      check("fine", {}),
    ];
    const groups = groupChecks({ checks, facts });
    const ids = (all: readonly CheckResult[]) => all.map(({ id }) => id);
    expect(ids(groups.fails)).toEqual(["loss"]);
    expect(ids(groups.look)).toEqual(["open", "failed"]);
    expect(ids(groups.notices)).toEqual(["uncovered", "unstated"]);
    expect(ids(groups.passed)).toEqual(["fine"]);
    expect(groups.unanswered.map(({ fact, decides, lifts }) => [fact, ids(decides), ids(lifts)])).toEqual([
      ["", ["property"], []],
      ["crop", ["open", "crop"], []],
      ["permit", [], ["loss", "crop"]],
    ]);
  });

  it("finds the checks whose areas are those of a check shown before", () => {
    const [one, two] = [[area("a"), area("b")], [area("a")]];
    const checks = [
      check("warning", { outcome: "WARNING", triggered: true, evidence: one }),
      check("fails", { outcome: "NON_COMPLIANT", triggered: true, evidence: one }),
      check("other", { outcome: "WARNING", triggered: true, evidence: two }),
      check("none", { outcome: "WARNING", triggered: true }),
    ];
    expect([...groupChecks({ checks }).repeated]).toEqual(["warning"]);
  });
});
