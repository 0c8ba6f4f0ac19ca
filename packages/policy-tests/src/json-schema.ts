import { type JsonSchema, jsonSchema } from "@groundrule/engine/internal";
import { policyTestsShape } from "./test-file.ts";

/** JSON Schema (2020-12) of a test file, for editors. `prepareTests` checks more, with better words. */
export function policyTestsJsonSchema(): JsonSchema {
  const { schema, definitions } = jsonSchema(policyTestsShape);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "groundrule policy tests",
    ...schema,
    $defs: definitions,
  };
}
