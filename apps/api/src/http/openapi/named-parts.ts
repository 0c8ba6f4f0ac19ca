import { PART_NAME, schemaRef } from "@groundrule/contract";
import type { Json } from "./json.ts";

/** The schemas, with the parts that have a name as schemas of their own. What a member says of its part stays at the member. */
export function extractNamedParts(schemas: Json): Json {
  const parts: Record<string, unknown> = {};
  const extract = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(extract);
    if (typeof value !== "object" || value === null) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, extract(each)]));
    const { [PART_NAME]: name, description, ...part } = inner;
    if (typeof name !== "string") return inner;
    parts[name] = part;
    return { ...(description !== undefined && { description }), $ref: schemaRef(name) };
  };
  const named = extract(schemas) as Json;
  return { ...named, ...parts };
}
