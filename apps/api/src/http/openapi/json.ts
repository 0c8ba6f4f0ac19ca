export type Json = Readonly<Record<string, unknown>>;

/** Takes out what says nothing, or what is said once for all schemas. */
export function removeRedundantMembers({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  const { additionalProperties } = jsonSchema;
  if (isEmpty(jsonSchema.properties)) delete jsonSchema.properties;
  // `{}` says what leaving it out says, and reads worse in generated types: but of what has no members that are known,
  // generators make a type that holds none.
  if (isEmpty(additionalProperties)) {
    if (jsonSchema.properties === undefined) jsonSchema.additionalProperties = true;
    else delete jsonSchema.additionalProperties;
  }
  // Every number in a body has these bounds.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
