import { checkShape, jsonSchema, type Shape } from "@groundrule/engine/internal";
import { pointerNames } from "@groundrule/engine/internal/json";
import * as z from "zod";

/** Where a part of the description stands that has a name of its own. */
export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** A shape of the engine among schemas of the wire: the engine checks it, and its JSON Schema describes it. */
export function schemaOf<Value>(shape: Shape<Value>): z.ZodType<Value> {
  return z
    .unknown()
    .check(({ value, issues }) => {
      for (const { pointer, message } of checkShape(shape, value).faults ?? []) {
        issues.push({ code: "custom", input: value, path: pointerNames(pointer), message });
      }
    })
    .meta({ ...jsonSchema(shape, schemaRef).schema }) as z.ZodType as z.ZodType<Value>;
}
