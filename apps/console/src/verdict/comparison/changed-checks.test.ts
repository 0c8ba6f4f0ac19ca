import type { CheckResult, Verdict } from "@groundrule/engine";
import { describe, expect, it } from "vitest";
import {
  couldAnswerDiffer,
  formatSliderEndLabels,
  listChangedChecks,
  listChangedEditions,
} from "./changed-checks.ts";

const area = (source_id: string) => ({ source_name: "parks", source_id, name: source_id });

function check(id: string, outcome: CheckResult["outcome"], more: object = {}): CheckResult {
  const comparison = { set: "parks", measure: "overlap_ratio", op: ">", value: 0, threshold: 0.1 };
  const triggered = outcome !== null;
  const of = { id, title: `Of ${id}`, outcome, triggered, status: "ok", comparisons: [comparison] };
  return { ...of, undetermined: 0, evidence: [], evidence_total: 0, ...more } as never;
}

function createVerdict(checks: readonly CheckResult[], more: object = {}): Verdict {
  return {
    checks,
    ruleset: { name: "rules", version: 1, digest: "a".repeat(64) },
    evaluated_at: "2026-11-01T10:00:00Z",
    sources: [{ source_name: "parks", edition: "1".repeat(64), collected_at: "2026-08-01T00:00:00Z" }],
    ...more,
  } as never;
}

describe("changedChecks", () => {
  it("lists the checks whose outcome differs, with the values and the areas that made the difference", () => {
    const value = { set: "parks", measure: "overlap_ratio", op: ">", value: 0.4, threshold: 0.1 };
    const after = check("a", "NON_COMPLIANT", {
      comparisons: [value],
      evidence: [area("p1"), area("p2")],
      evidence_total: 2,
    });
    const before = check("a", null, { evidence: [area("p1")], evidence_total: 1 });
    const [change, ...others] = listChangedChecks(
      createVerdict([before, check("same", "WARNING")]),
      createVerdict([after, check("same", "WARNING", { comparisons: [] })]),
    );
    expect(others).toEqual([]);
    expect(change).toMatchObject({ id: "a", title: "Of a", before, after, gone: [] });
    expect(change!.values).toEqual([{ before: before.comparisons[0], after: value }]);
    expect(change!.come).toEqual([area("p2")]);
  });

  it("reports no areas where a list of evidence was cut off: one that is not in it may be there all the same", () => {
    const [change] = listChangedChecks(
      createVerdict([check("a", null, { evidence: [area("p1")], evidence_total: 7 })]),
      createVerdict([check("a", "WARNING", { evidence: [area("p2")], evidence_total: 1 })]),
    );
    expect([change!.come, change!.gone]).toEqual([[], []]);
  });

  it("lists checks of one ruleset alone where they found something", () => {
    const changes = listChangedChecks(
      createVerdict([check("old", "WARNING"), check("passed", null)]),
      createVerdict([check("new", "NOTICE"), check("fine", null)]),
    );
    expect(changes.map(({ id, before, after }) => [id, before?.outcome, after?.outcome])).toEqual([
      ["new", undefined, "NOTICE"],
      ["old", "WARNING", undefined],
    ]);
  });
});

describe("two verdicts", () => {
  const write = (instant: string, withTime: boolean): string => instant.slice(0, withTime ? 19 : 10);
  const edition = (digit: string, collected_at?: string) => ({
    sources: [
      {
        source_name: "parks",
        edition: digit.repeat(64),
        ...(collected_at !== undefined && { collected_at }),
      },
    ],
  });
  const ruleset = (name: string | null, version: number | null, digit: string) => ({
    ruleset: { name, version, digest: digit.repeat(64) },
  });

  it.each([
    ["rulesets", ruleset("other", 3, "b"), ["rules v1", "other v3"]],
    ["rulesets without a name", ruleset(null, null, "b"), ["rules v1", "bbbbbbbb"]],
    ["one name of two texts", ruleset("rules", 1, "b"), ["rules v1 aaaaaaaa", "rules v1 bbbbbbbb"]],
    ["the days of their data", edition("2", "2026-10-01T00:00:00Z"), ["2026-08-01", "2026-10-01"]],
    [
      "when they were made, where the data has no other day",
      { ...edition("2", "2026-08-01T00:00:00Z"), evaluated_at: "2026-11-02T10:00:00Z" },
      ["2026-11-01", "2026-11-02"],
    ],
    [
      "the time, on one day",
      { evaluated_at: "2026-11-01T11:30:00Z" },
      ["2026-11-01T10:00:00", "2026-11-01T11:30:00"],
    ],
  ])("are distinguished by %s", (_, more, labels) => {
    expect(formatSliderEndLabels([createVerdict([]), createVerdict([], more)], write)).toEqual(labels);
  });

  it("name the sources of both that had another edition, and no others", () => {
    const more = {
      sources: [
        { source_name: "parks", edition: "2".repeat(64) },
        { source_name: "new", edition: "3".repeat(64) },
      ],
    };
    expect(listChangedEditions(createVerdict([]), createVerdict([], more))).toEqual([
      { source_name: "parks", before: "1".repeat(64), after: "2".repeat(64) },
    ]);
  });
});

describe("couldDiffer", () => {
  const source = { source_name: "parks", status: "ok", edition: "1".repeat(64) };
  const plan = { ruleset: { digest: "a".repeat(64) }, semantics: 6, sources: [source] };
  const now = "2026-11-02T09:00:00Z";
  const differs = (of: object, planned: object = plan): boolean =>
    couldAnswerDiffer(
      createVerdict([], { semantics: 6, sources: [{ ...source, ...of }] }),
      planned as never,
      now,
    );

  it("is false for a verdict on today's editions and ruleset, however old", () => {
    expect(differs({})).toBe(false);
  });

  it.each<[string, object, object?]>([
    ["another ruleset", {}, { ...plan, ruleset: { digest: "b".repeat(64) } }],
    ["another semantics", {}, { ...plan, semantics: 7 }],
    ["another edition", { edition: "2".repeat(64) }],
    ["a source that joined a group", {}, { ...plan, sources: [source, { ...source, source_name: "more" }] }],
    ["a source that failed", { status: "failed" }],
    ["a source without editions", { edition: undefined }],
    ["a source that may be too old by today", { overage: false }],
  ])("is true where there is %s", (_, of, planned) => {
    expect(differs(of, planned)).toBe(true);
  });
});
