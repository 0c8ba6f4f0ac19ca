import { type AnyShape, checkShape, type Form, type Shape, toJsonSchema } from "@groundrule/engine/internal";
import { parseJsonPointer } from "@groundrule/engine/internal/json";
import * as z from "zod";

/** The reference to a named part of the description. */
export function schemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** The keyword that holds the name of a part of a request, which the description has as a schema of its own. */
export const PART_NAME = "x-part";

/** A schema with a name of its own in the description. */
export function namedPart<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return schema.meta({ [PART_NAME]: name });
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

/** A schema of {@link absentable}. */
type Absentable<Schema extends z.ZodType> = z.ZodPipe<
  z.ZodOptional<z.ZodNullable<Schema>>,
  z.ZodTransform<NonNullable<z.output<Schema>> | undefined, z.output<z.ZodOptional<z.ZodNullable<Schema>>>>
>;

/** Makes a member optional, with `null` equivalent to its absence. */
function absentable<Schema extends z.ZodType>(schema: Schema): Absentable<Schema> {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Text of at most `maxLength` characters, counted in code points as in JSON Schema. */
export function createTextSchema(maxLength: number): z.ZodString {
  return z
    .string()
    .refine((text) => [...text].length <= maxLength, `expected at most ${maxLength} characters`)
    .meta({ maxLength });
}

/** A value without its members that are undefined. */
export function dropAbsentMembers<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;
}

/** Schemas that are not made from their shapes, such as those of geometries, which the engine reads by itself. */
export type OwnSchemas = ReadonlyMap<Form, z.ZodType>;

/**
 * The schema of a request's members: made from their shapes, with their words. A member that may be left out may be
 * null, and is then undefined.
 */
export function toMemberSchemas(members: object, own: OwnSchemas): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries<AnyShape | { readonly optional: AnyShape }>(
      members as Readonly<Record<string, AnyShape>>,
    ).map(([name, member]) => {
      if (!("optional" in member)) return [name, toRequestSchema(member, own)];
      const { description, form } = member.optional;
      const schema = absentable(toRequestSchema({ form }, own));
      return [name, description === undefined ? schema : schema.describe(description)];
    }),
  );
}

/** The schema of a request's part, made from its shape. */
export function toRequestSchema(shape: AnyShape, own: OwnSchemas): z.ZodType {
  const { description, form } = shape;
  const schema = own.get(form) ?? buildFormSchema(form, own);
  return description === undefined ? schema : schema.describe(description);
}

function buildFormSchema(form: Form, own: OwnSchemas): z.ZodType {
  switch (form.kind) {
    case "anything":
      return z.unknown();
    case "boolean":
      return z.boolean();
    case "named":
      return namedPart(form.name, toRequestSchema(form.shape(), own));
    case "text": {
      const { max, pattern, words, hint } = form;
      if (pattern === undefined) return max === undefined ? z.string() : createTextSchema(max);
      const text = max === undefined ? z.string() : z.string().max(max);
      return text.regex(pattern, { error: ({ input }) => `expected ${words}${hint?.(String(input)) ?? ""}` });
    }
    case "number": {
      let number: z.ZodNumber = form.whole === true ? z.int() : z.number();
      if (form.min !== undefined) number = number.min(form.min);
      if (form.max !== undefined) number = number.max(form.max);
      return number;
    }
    case "choice":
      return z.enum(form.choices as readonly string[] as [string, ...string[]]);
    case "array": {
      let array = z.array(toRequestSchema(form.items, own));
      if (form.min !== undefined) array = array.min(form.min);
      if (form.max !== undefined) array = array.max(form.max);
      return array;
    }
    case "union":
      return z.union(form.alternatives.map((each) => toRequestSchema(each, own)));
    case "object": {
      const members = Object.fromEntries(
        [...form.members].map(([name, { shape, isOptional }]) => [
          name,
          isOptional ? { optional: shape } : shape,
        ]),
      );
      const schemas = toMemberSchemas(members, own);
      return form.isOpen === true ? z.looseObject(schemas) : z.strictObject(schemas);
    }
    case "record":
    case "fitting":
      throw new Error(`no request has a part of the kind ${form.kind}`);
  }
}
