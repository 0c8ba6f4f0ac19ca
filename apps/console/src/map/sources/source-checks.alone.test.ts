import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { type FactParts, factParts } from "../../state/facts.ts";
import { rulesetPlan } from "../ruleset-plan.ts";
import { findAgeLimit, listChecksOfSource } from "./source-checks.ts";

const body = {
  sets: {
    strict: { sources: ["my:group"], max_age_days: 90 },
    plain: { sources: ["my:parks"], max_age_days: 365 },
    both: { union: ["plain", "other"] },
    other: { sources: ["my:roads"] },
  },
  checks: [
    { id: "near-park", title: "Near a park" },
    { id: "in-both" },
    { id: "on-road", title: "On a road" },
  ],
};
const parks = [{ source_name: "my:parks", edition: "e" }];
const plan = {
  sets: [
    // The plan lists members of groups.
    { name: "strict", sources: parks },
    { name: "plain", sources: parks },
    { name: "other", sources: [{ source_name: "my:roads", edition: "f" }] },
    { name: "both", sources: [], operands: { op: "union", sets: ["plain", "other"] } },
  ],
  checks: [
    { id: "near-park", sets: ["plain"] },
    { id: "in-both", sets: ["both"] },
    { id: "on-road", sets: ["other"] },
  ],
};

describe("the use of a source by the chosen ruleset", () => {
  it("is by the checks whose sets have it, also as sets of sets, by title or else id", () => {
    expect(listChecksOfSource("my:parks")).toEqual([]);
    rulesetPlan.value = plan as never;
    factParts.value = { rulesetFacts: signal({ body }) } as Partial<FactParts> as FactParts;
    expect(listChecksOfSource("my:parks")).toEqual(["Near a park", "in-both"]);
    expect(listChecksOfSource("my:roads")).toEqual(["in-both", "On a road"]);
  });

  it("limits its age by the strictest set, and not where no set does", () => {
    expect(findAgeLimit("my:parks")).toBe(90);
    expect(findAgeLimit("my:roads")).toBeUndefined();
  });
});
