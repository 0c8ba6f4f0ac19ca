import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { readPageExamples } from "../../../test/page-examples.ts";
import { readCaseFiles } from "../../../test/ruleset-cases.ts";
import { rulesetJsonSchema } from "./json-schema.ts";

const published: unknown = JSON.parse(
  readFileSync(new URL("../../../schema/ruleset.schema.json", import.meta.url), "utf8"),
);
const accepts = new Ajv2020({ formats: { date: /^\d{4}-\d{2}-\d{2}$/ } }).compile(published as object);

/** Faults that lie between parts of a ruleset, or in the sources: a schema cannot tell them. */
const BEYOND_A_SCHEMA: readonly string[] = [
  "within_m beside a relation",
  "min_m alone",
  "min_m beyond within_m",
  "a country nobody knows",
  "a derived set of a set that does not exist",
  "sets made of each other",
  "a region of subjects",
  "a check of an unknown set",
  "a measure that does not suit the set",
  "of with another measure than a ratio",
  "two checks of one id",
  "a filter of an unknown column",
  "a day compared with its text",
  "a text that is no filter",
  "a filter in text of unknown columns",
  "a sum of texts",
  "a column that a source lacks cannot be shown",
];

describe("the published JSON Schema of rulesets", () => {
  const cases = readCaseFiles().flatMap(({ cases: listed }) => listed);

  it("is that of the engine: run `npm run tool -- write-schemas`", () => {
    expect(published).toEqual(rulesetJsonSchema());
  });

  it("accepts every ruleset of the page and of the case table that is read", () => {
    for (const [heading, ruleset] of readPageExamples()) expect(accepts(ruleset), heading).toBe(true);
    for (const { name, ruleset, expect: expected } of cases) {
      if (typeof ruleset === "string" || ("error" in expected && expected.error === "RULESET_INVALID"))
        continue;
      expect(accepts(ruleset), name).toBe(true);
    }
  });

  it("refuses every shape that is refused, and only that", () => {
    const refused = cases.filter(
      ({ expect: expected }) => "error" in expected && expected.error === "RULESET_INVALID",
    );
    const accepted = refused.filter(({ ruleset }) => accepts(ruleset)).map(({ name }) => name);
    expect(accepted).toEqual(BEYOND_A_SCHEMA);
    expect(refused.length - accepted.length).toBeGreaterThan(12);
  });
});
