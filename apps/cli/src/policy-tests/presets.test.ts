import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { presets } from "@groundrule/data/rulesets";
import { lintRuleset } from "@groundrule/engine/rulesets";
import { ExercisedPolicy, runTestCase } from "@groundrule/policy-tests";
import { describe, expect, it } from "vitest";
import { openTestFile } from "./open-tests.ts";

const FOLDER = fileURLToPath(new URL("../../../../data/rulesets/", import.meta.url));
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".test.yaml"));
const noData = () => {
  throw new Error("the tests of presets have sources of their own");
};
const load = (name: string) => openTestFile(`${FOLDER}${name}`, { now: undefined, openData: noData });

describe("the tests of the presets", () => {
  it("stand beside each preset", () => {
    const tested = FILES.map((name) => `preset.${name.slice(0, -".test.yaml".length)}`);
    expect(tested.sort()).toEqual([...presets().keys()]);
  });

  it.for(FILES)(
    "%s pass, and leave no check and no condition of a filter unexercised, and lint finds nothing",
    async (name) => {
      const { policy, engine, cases, rulesetPath } = await load(name);
      const exercised = new ExercisedPolicy(rulesetPath, policy);
      for (const test of cases) {
        const result = runTestCase(policy, test);
        expect({ case: test.name, differences: result.differences }).toEqual({
          case: test.name,
          differences: [],
        });
        exercised.add(result, engine);
      }
      expect(exercised.gaps()).toEqual([]);
      // Cases contain areas without a date, a name or a number that checks use.
      const found = lintRuleset(engine, policy.ruleset).map(({ code }) => code);
      expect(found.filter((code) => code !== "NULLS_IN_COLUMN")).toEqual([]);
    },
  );
});
