import type { AnyShape, Form, ObjectForm } from "./shape.ts";

/** A JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A shape as JSON Schema, and the named shapes it refers to. */
export interface Schemas {
  /** The shape itself. */
  readonly schema: JsonSchema;
  /** The named shapes, by name. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/**
 * A shape as JSON Schema 2020-12.
 *
 * @param refOf where a named shape will stand; `#/$defs/<name>` unless told otherwise
 */
export function toJsonSchema(
  shape: AnyShape,
  refOf: (name: string) => string = formatDefinitionPointer,
): Schemas {
  const definitions = new Map<string, JsonSchema>();
  const schema = toSchema(shape, { refOf, definitions });
  return { schema, definitions: Object.fromEntries(definitions) };
}

function formatDefinitionPointer(name: string): string {
  return `#/$defs/${name}`;
}

interface Context {
  readonly refOf: (name: string) => string;
  readonly definitions: Map<string, JsonSchema>;
}

function toSchema({ form, description }: AnyShape, context: Context): JsonSchema {
  return { ...(description !== undefined && { description }), ...toFormSchema(form, context) };
}

function toFormSchema(form: Form, context: Context): JsonSchema {
  switch (form.kind) {
    case "fitting":
      throw new Error(`JSON has no ${form.words}`);
    case "anything":
      return {};
    case "boolean":
      return { type: "boolean" };
    case "text": {
      const { min, max, pattern, format } = form;
      return withoutAbsentMembers({
        type: "string",
        format,
        minLength: min,
        maxLength: max,
        pattern: pattern?.source,
      });
    }
    case "number": {
      const { whole, min, max, above } = form;
      const type = whole ? "integer" : "number";
      return withoutAbsentMembers({ type, minimum: min, maximum: max, exclusiveMinimum: above });
    }
    case "choice": {
      if (form.choices.length === 0) return { not: {} };
      const [first, ...others] = form.choices;
      const types = new Set(form.choices.map((value) => (value === null ? "null" : typeof value)));
      const type = types.size === 1 ? [...types][0] : undefined;
      if (first === null && others.length === 0) return { type };
      return withoutAbsentMembers({
        type,
        ...(others.length === 0 ? { const: first } : { enum: form.choices }),
      });
    }
    case "array": {
      const { items, min, max } = form;
      return withoutAbsentMembers({
        type: "array",
        minItems: min,
        maxItems: max,
        items: toSchema(items, context),
      });
    }
    case "record": {
      const names = toSchema(form.names, context);
      return {
        type: "object",
        ...(Object.keys(names).length > 1 && { propertyNames: names }),
        additionalProperties: toSchema(form.values, context),
      };
    }
    case "object":
      return toObjectSchema(form, context);
    case "union":
      return buildUnionSchema(
        form.alternatives.flatMap(flattenAlternatives).map((each) => toSchema(each, context)),
      );
    case "named": {
      const { name, shape } = form;
      if (!context.definitions.has(name)) {
        context.definitions.set(name, {}); // its place, for a shape that holds itself
        context.definitions.set(name, toSchema(shape(), context));
      }
      return { $ref: context.refOf(name) };
    }
  }
}

/** The alternatives of a union inside a union are the outer one's too. */
function flattenAlternatives(shape: AnyShape): readonly AnyShape[] {
  return shape.form.kind === "union" && shape.description === undefined
    ? shape.form.alternatives.flatMap(flattenAlternatives)
    : [shape];
}

function buildUnionSchema(alternatives: readonly JsonSchema[]): JsonSchema {
  const areTypes = alternatives.every((each) => "type" in each && Object.keys(each).length === 1);
  return areTypes ? { type: alternatives.map(({ type }) => type) } : { anyOf: alternatives };
}

function toObjectSchema({ members, isOpen }: ObjectForm, context: Context): JsonSchema {
  const required = [...members].flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]));
  return {
    type: "object",
    properties: Object.fromEntries([...members].map(([name, { shape }]) => [name, toSchema(shape, context)])),
    ...(required.length > 0 && { required }),
    ...(!isOpen && { additionalProperties: false }),
  };
}

function withoutAbsentMembers(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
