import { describe, expect, it } from "vitest";
import eudr from "../../../../../data/rulesets/eudr.json" with { type: "json" };
import { isFactExcluded } from "./excluded-facts.ts";

const listExcluded = (ruleset: object, facts: object, answers: Readonly<Record<string, string | number>>) =>
  Object.keys(facts).filter((fact) => isFactExcluded(ruleset, fact, (other) => answers[other]));

describe("isFactExcluded", () => {
  it.each([
    [{}, []],
    [{ commodity: "coffee" }, ["no_degradation", "forest_rules"]],
    [{ commodity: "wood" }, ["operator_size"]],
    [{ commodity: "cattle" }, ["point_area_ha", "no_degradation", "forest_rules"]],
  ])("finds what %j excludes in the preset of the EUDR: %j", (answers, expected) => {
    const found = listExcluded(eudr, eudr.facts, answers as Readonly<Record<string, string>>);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it.each([
    ["a set that reads it", { sets: { near: { where: "a > fact(b)" } } }],
    [
      "a check with any of its conditions",
      { checks: [{ any: [{ fact: "a", op: "=", value: 1 }, { fact: "b" }] }] },
    ],
    [
      "a limit that is another fact",
      { checks: [{ all: [{ fact: "a", op: "=", value: { fact: "c" } }, { fact: "b" }] }] },
    ],
    ["its own answer", { checks: [{ all: [{ fact: "b", op: "=", value: 1 }] }] }],
  ])("excludes nothing because of %s", (_, changes) => {
    const ruleset = { sets: {}, checks: [{ all: [{ fact: "a", op: "=", value: 1 }, { fact: "b" }] }] };
    expect(listExcluded(ruleset, { b: {} }, { a: 2, b: 2 })).toEqual(["b"]);
    expect(listExcluded({ ...ruleset, ...changes }, { b: {} }, { a: 2, b: 2 })).toEqual([]);
  });
});
