import {
  explainResponseShape,
  type Limits,
  problemBaseSchema,
  REQUEST_COMPONENTS,
  schemaRef,
} from "@groundrule/contract";
import { type AnyShape, toJsonSchema } from "@groundrule/engine/internal";
import { rulesetJsonSchema } from "@groundrule/engine/rulesets";
import * as z from "zod";
import type { Component, Operation } from "../operations/record/operation.ts";
import { type Json, removeRedundantMembers } from "./json.ts";
import { buildCodeProblemSchemas } from "./problems.ts";

type Schemas = Readonly<Record<string, z.ZodType>>;

/** Every schema of the description, by name: those of operations, and the engine's of rulesets. */
export function buildComponentSchemas(operations: readonly Operation[], limits: Limits): Json {
  const requests = {
    ...buildJsonSchemas("input", { ...collectRequestSchemas(operations, limits), ...REQUEST_COMPONENTS }),
    ...buildRulesetSchemas(),
  };
  // Answers have narrower or looser forms of some parts of requests, which the name of the part serves for.
  return normalizeFlagMembers({
    ...collectAnswerSchemas(operations),
    ...requests,
    ...buildJsonSchemas("output", { Problem: problemBaseSchema }),
    ...buildCodeProblemSchemas(),
  });
}

function collectRequestSchemas(operations: readonly Operation[], limits: Limits): Schemas {
  const found = operations.flatMap(({ request }) => (request === undefined ? [] : [request.schema]));
  return Object.fromEntries(
    sortByComponentPlace(found, ({ name }) => name).map(({ name, of }) => [
      name,
      typeof of === "function" ? of(limits) : of,
    ]),
  );
}

/**
 * The components that have a place, so that a new one changes nothing else in the description. Others follow: requests as
 * their operations do, answers by name.
 */
const PLACES: readonly string[] = [
  "EvaluateRequest",
  "IntersectionsRequest",
  "DistanceRequest",
  "SubjectsRequest",
  "ValidateRequest",
  "CreateRulesetRequest",
  "CreateJobRequest",
  "EvaluateResponse",
  "EvaluateFeatures",
  "IntersectionsResponse",
  "DistanceResponse",
  "DistanceFeatures",
  "SubjectsResponse",
  "SourcesResponse",
  "ExplainResponse",
  "ValidateResponse",
  "CreateRulesetResponse",
  "RulesetResponse",
  "RulesetsResponse",
  "JobResponse",
  "JobsResponse",
  "MeResponse",
  "UsageResponse",
  "DecisionResponse",
  "DecisionsResponse",
  "HealthResponse",
  "ReadyResponse",
];

/** @param nameOf the name of a component */
function sortByComponentPlace<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const place = (item: Item): number => {
    const found = PLACES.indexOf(nameOf(item));
    return found === -1 ? PLACES.length : found;
  };
  return items.toSorted((a, b) => place(a) - place(b));
}

/** The answers, and the parts of them that have a name. */
function collectAnswerSchemas(operations: readonly Operation[]): Json {
  const named: Record<string, Json> = {};
  for (const { name, of } of [...operations.flatMap(listAnswerComponents), EXPLANATION]) {
    const { schema, definitions } = toJsonSchema(of, schemaRef);
    Object.assign(named, definitions, { [name]: definitions[name] ?? schema });
  }
  const { anyOf } = named.OverlapGeometry!;
  named.OverlapGeometry = { oneOf: anyOf, discriminator: { propertyName: "type" } };
  const names = sortByComponentPlace(Object.keys(named).sort(), (name) => name);
  return Object.fromEntries(names.map((name) => [name, named[name]]));
}

const EXPLANATION: Component<AnyShape> = { name: "ExplainResponse", of: explainResponseShape };

function listAnswerComponents({ answer, otherAnswers = {} }: Operation): Component<AnyShape>[] {
  const contents = [answer, ...Object.values(otherAnswers)].flatMap(({ content = {} }) =>
    Object.values(content),
  );
  return contents.flatMap((content) =>
    "of" in content ? [content] : content.line === undefined ? [] : [content.line],
  );
}

/**
 * Members that are always true, or always false, in a form that generators write code of which compiles. Of a constant
 * with a type openapi-generator makes Java that does not; of an optional one without, openapi-python-client makes Python.
 */
function normalizeFlagMembers(schemas: Json): Json {
  return JSON.parse(JSON.stringify(schemas), (_, value) => {
    if (value?.type === "object") removeRedundantMembers({ jsonSchema: value });
    for (const [name, member] of Object.entries<Json>(value?.properties ?? {})) {
      if (typeof member?.const !== "boolean") continue;
      const { type: _type, const: always, ...rest } = member;
      const isRequired = value.required?.includes(name);
      value.properties[name] = isRequired
        ? { ...rest, const: always }
        : { ...rest, type: "boolean", not: { const: !always } };
    }
    return value;
  });
}

/** Parameters of a query, whose schemas may name components. */
export function buildQueryParameters(query: z.ZodType): Json[] {
  const { Query } = buildJsonSchemas("input", { Query: query, ...REQUEST_COMPONENTS }) as {
    Query: { readonly properties?: Readonly<Record<string, Json>> };
  };
  const defaults = query.parse({}) as Readonly<Record<string, unknown>>;
  return Object.entries(Query.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: false,
    ...(description !== undefined && { description }),
    schema: defaults[name] === undefined ? schema : { ...schema, default: defaults[name] },
  }));
}

/** JSON Schemas that name each other. */
function buildJsonSchemas(io: "input" | "output", schemas: Schemas): Readonly<Record<string, Json>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const described = z.toJSONSchema(registry, {
    io,
    uri: schemaRef,
    override: removeRedundantMembers,
  }).schemas as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    Object.entries(described).map(([name, { $schema, $id, ...schema }]) => [name, schema]),
  );
}

/** The engine's schema of rulesets, in parts that other schemas name. */
function buildRulesetSchemas(): Json {
  const { $schema, $defs, ...schema } = rulesetJsonSchema() as Json & {
    readonly $defs: Readonly<Record<string, Json>>;
    readonly properties: { readonly sets: Json; readonly checks: Json };
  };
  const { sets, checks, ...members } = schema.properties;
  const nameOf = (definition: string): string =>
    `Ruleset${definition[0]!.toUpperCase()}${definition.slice(1)}`;
  const { filter, filterArgument, ...definitions } = $defs;
  const parts = {
    Ruleset: {
      ...schema,
      properties: {
        ...(allowNullMembers({ properties: members }).properties as Json),
        sets: { $ref: schemaRef("RulesetSets") },
        checks: { $ref: schemaRef("RulesetChecks") },
      },
    },
    RulesetSets: allowNullMembers(sets),
    RulesetChecks: allowNullMembers(checks),
    // In the language of filters null is a value.
    RulesetFilter: filter,
    RulesetFilterArgument: filterArgument,
    ...Object.fromEntries(
      Object.entries(definitions).map(([name, of]) => [nameOf(name), allowNullMembers(of)]),
    ),
  };
  return JSON.parse(JSON.stringify(parts), (key, value) =>
    key === "$ref"
      ? String(value).replace(/^#\/\$defs\/(\w+)$/, (_, name) => schemaRef(nameOf(name)))
      : value,
  );
}

/** In a ruleset a member that is null is absent, so any that may be left out may be null. */
function allowNullMembers(schema: Json): Json {
  const { properties, required = [], additionalProperties } = schema;
  const orNull = (of: unknown): Json => {
    const { description, ...rest } = of as Json;
    return {
      ...(description !== undefined && { description }),
      anyOf: [allowNullMembers(rest), { type: "null" }],
    };
  };
  const inner = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (name === "anyOf") return [name, (value as Json[]).map(allowNullMembers)];
    if (name === "items") return [name, allowNullMembers(value as Json)];
    return [name, value];
  });
  return {
    ...Object.fromEntries(inner),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Json).map(([name, of]) => [
          name,
          (required as readonly string[]).includes(name) ? allowNullMembers(of as Json) : orNull(of),
        ]),
      ),
    }),
    ...(typeof additionalProperties === "object" && { additionalProperties: orNull(additionalProperties) }),
  };
}
