import fc from "fast-check";

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Values that a JSON Schema describes, as far as its words go that our own descriptions use; what it
 * says by `pattern` and `examples` is followed often, not always, so that near misses come as well.
 *
 * @param document where `$ref`s lead
 */
export function createArbitraryValues(
  schema: JsonSchema,
  document: object,
  depth = 0,
): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, examples, properties, items, prefixItems } = schema;
  const inner = (of: unknown): fc.Arbitrary<unknown> =>
    createArbitraryValues(of as JsonSchema, document, depth + 1);
  if (depth > 6) return fc.constant(null);
  if (typeof $ref === "string") return inner(resolveReference($ref, document));
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(examples) && examples.length > 0) {
    const { examples: _, ...rest } = schema;
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...examples) },
      { weight: 1, arbitrary: inner(rest) },
    );
  }
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return fc.oneof(...alternatives.map(inner));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object": {
      const members = Object.entries((properties as Record<string, unknown> | undefined) ?? {});
      const required = (schema.required as string[] | undefined) ?? [];
      const known = fc.record(Object.fromEntries(members.map(([name, of]) => [name, inner(of)])), {
        requiredKeys: required.filter((name) => members.some(([member]) => member === name)),
      });
      const { additionalProperties: others } = schema;
      if (typeof others !== "object" || others === null) return known;
      const names = fc.stringMatching(/^[a-z][a-z_]{0,5}$/);
      return fc
        .tuple(known, fc.dictionary(names, inner(others), { maxKeys: 3 }))
        .map(([a, b]) => ({ ...b, ...a }));
    }
    case "array":
      if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.map(inner));
      return fc.array(items === undefined ? fc.jsonValue({ maxDepth: 1 }) : inner(items), { maxLength: 3 });
    case "string":
      return createArbitraryStrings(schema);
    case "integer":
    case "number": {
      const least = Number(schema.minimum ?? schema.exclusiveMinimum ?? -1_000);
      const most = Number(schema.maximum ?? schema.exclusiveMaximum ?? 2_000_000);
      return schema.type === "integer"
        ? fc.integer({ min: Math.ceil(least), max: Math.floor(most) })
        : fc.double({ min: least, max: most, noNaN: true });
    }
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function createArbitraryStrings({ pattern, maxLength }: JsonSchema): fc.Arbitrary<string> {
  const any = fc.string({ maxLength: Math.min(Number(maxLength ?? 40), 140) });
  if (typeof pattern !== "string") return any;
  return fc.oneof(
    { weight: 4, arbitrary: fc.stringMatching(new RegExp(pattern)) },
    { weight: 1, arbitrary: any },
  );
}

function resolveReference(reference: string, document: object): unknown {
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
}
