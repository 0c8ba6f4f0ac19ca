import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runDescriptionJsonSchema } from "./run-description.ts";

it("is published as a JSON Schema", () => {
  const published = new URL("../../schema/run.schema.json", import.meta.url);
  const written = JSON.parse(readFileSync(published, "utf8"));
  expect(written, "npm run tool -- write-schemas writes it").toEqual(
    JSON.parse(JSON.stringify(runDescriptionJsonSchema())),
  );
});
