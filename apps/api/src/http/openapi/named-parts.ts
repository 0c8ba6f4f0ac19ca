import { PART_NAME, schemaRef } from "@groundrule/contract";
import type { Json } from "./json.ts";

/**
 * The schemas, with each named part as a schema of its own. The description of a member stays at the member.
 *
 * Fails: where two parts that differ have one name.
 */
export function extractNamedParts(schemas: Json): Json {
  const parts: Record<string, unknown> = {};
  const extract = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(extract);
    if (typeof value !== "object" || value === null) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, extract(each)]));
    const { [PART_NAME]: name, description, ...part } = inner;
    if (typeof name !== "string") return inner;
    if (Object.hasOwn(parts, name) && JSON.stringify(parts[name]) !== JSON.stringify(part))
      throw new Error(`two different parts of the description are named ${name}`);
    parts[name] = part;
    return { ...(description !== undefined && { description }), $ref: schemaRef(name) };
  };
  const named = extract(schemas) as Json;
  return { ...named, ...parts };
}
