import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { buildPolicyTestsJsonSchema } from "./json-schema.ts";

it("is what the package publishes", () => {
  const published = new URL("../../../apps/cli/schema/policy-test.schema.json", import.meta.url);
  const written = JSON.parse(readFileSync(published, "utf8"));
  expect(written, "npm run tool -- write-schemas writes it").toEqual(
    JSON.parse(JSON.stringify(buildPolicyTestsJsonSchema())),
  );
});
