import { type JsonSchema, toJsonSchema } from "@groundrule/engine/internal";
import { policyTestsShape } from "./test-file.ts";

/** JSON Schema (2020-12) of a test file, for editors. `prepareTests` checks more, with better words. */
export function buildPolicyTestsJsonSchema(): JsonSchema {
  const { schema, definitions } = toJsonSchema(policyTestsShape);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "groundrule policy tests",
    ...schema,
    $defs: definitions,
  };
}
