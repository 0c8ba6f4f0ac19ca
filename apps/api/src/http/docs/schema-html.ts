import type { Json } from "../openapi/json.ts";
import { type Html, html, renderInlineCode } from "./html.ts";

const REF = "#/components/schemas/";

/** The members of a schema as a list: name, type, required or not, description, limits and default. */
export function renderSchemaMembers(schema: Json): Html {
  const alternatives = findSchemaAlternatives(schema);
  if (alternatives !== undefined && schema.properties === undefined) {
    return html`<p>One of:</p>${alternatives.map((each) => html`<div class="alternative">${renderSchemaMembers(each)}</div>`)}`;
  }
  const properties = schema.properties as Readonly<Record<string, Json>> | undefined;
  if (properties === undefined || Object.keys(properties).length === 0)
    return html`<p>${renderSchemaType(schema)}</p>`;
  const required = new Set((schema.required as readonly string[] | undefined) ?? []);
  return html`<dl class="members">${Object.entries(properties).map(([name, member]) =>
    renderSchemaMember(name, member, required.has(name)),
  )}</dl>`;
}

/** A member, or a parameter, with its type and limits. */
export function renderSchemaMember(
  name: string,
  schema: Json,
  isRequired: boolean,
  description?: string,
): Html {
  const said = description ?? (schema.description as string | undefined);
  const inner = findInnerSchema(schema);
  const limits = describeSchemaLimits(schema);
  return html`<div><dt><code>${name}</code> <span class="type">${renderSchemaType(schema)}</span>${
    isRequired ? html` <span class="required">required</span>` : undefined
  }</dt><dd>${said === undefined ? undefined : html`<p>${renderInlineCode(said)}</p>`}${
    limits.length === 0 ? undefined : html`<p class="limits">${renderInlineCode(limits.join(", "))}</p>`
  }${
    inner === undefined
      ? undefined
      : html`<details><summary>Members of <code>${name}</code></summary>${renderSchemaMembers(inner)}</details>`
  }</dd></div>`;
}

function renderSchemaType(schema: Json): Html {
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.slice(REF.length);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const alternatives = findSchemaAlternatives(schema);
  if (alternatives !== undefined) {
    const names = new Map(alternatives.map((each) => [renderSchemaType(each).text, renderSchemaType(each)]));
    return html`${[...names.values()].flatMap((each, i) => (i === 0 ? [each] : [" or ", each]))}`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (Array.isArray(schema.enum)) return html`one of ${schema.enum.length} words`;
  if (schema.type === "array") {
    return html`array of ${schema.items === undefined ? "values" : renderSchemaType(schema.items as Json)}`;
  }
  if (Array.isArray(schema.type)) return html`${schema.type.join(" or ")}`;
  return html`${String(schema.type ?? "any value")}`;
}

/** The inner schema of a member, if that has no name of its own. */
function findInnerSchema(schema: Json): Json | undefined {
  if (schema.properties !== undefined) return schema;
  const items = schema.items as Json | undefined;
  if (items !== undefined) return findInnerSchema(items);
  const alternatives = findSchemaAlternatives(schema);
  const inner = alternatives?.map(findInnerSchema).filter((each) => each !== undefined) ?? [];
  if (inner.length === 0) return undefined;
  return inner.length === 1 ? inner[0] : { anyOf: inner };
}

function findSchemaAlternatives(schema: Json): readonly Json[] | undefined {
  const { anyOf, oneOf, allOf } = schema as Readonly<Record<string, readonly Json[] | undefined>>;
  return anyOf ?? oneOf ?? allOf;
}

const LIMITS: Readonly<Record<string, (value: unknown) => string>> = {
  minimum: (value) => `at least ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  maximum: (value) => `at most ${value}`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  pattern: (value) => `matches \`${value}\``,
  format: (value) => `format ${value}`,
  enum: (value) => (value as readonly unknown[]).map((word) => `\`${word}\``).join(", "),
  default: (value) => `default \`${JSON.stringify(value)}\``,
};

function describeSchemaLimits(schema: Json): string[] {
  return Object.entries(LIMITS).flatMap(([name, say]) =>
    schema[name] === undefined ? [] : [say(schema[name])],
  );
}
