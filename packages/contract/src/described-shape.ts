import { checkShape, type Shape, toJsonSchema } from "@groundrule/engine/internal";
import { parseJsonPointer } from "@groundrule/engine/internal/json";
import * as z from "zod";

/** The reference to a named part of the description. */
export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** A shape of the engine as a schema of the wire: the engine checks it, and its JSON Schema describes it. */
export function toSchema<Value>(shape: Shape<Value>): z.ZodType<Value> {
  return z
    .unknown()
    .check(({ value, issues }) => {
      for (const { pointer, message } of checkShape(shape, value).faults ?? []) {
        issues.push({ code: "custom", input: value, path: parseJsonPointer(pointer), message });
      }
    })
    .meta({ ...toJsonSchema(shape, schemaRef).schema }) as z.ZodType as z.ZodType<Value>;
}
