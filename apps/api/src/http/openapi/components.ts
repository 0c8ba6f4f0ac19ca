import {
  createJobRequestSchema,
  createRulesetRequestSchema,
  createRulesetResponseShape,
  decisionResponseShape,
  decisionsResponseShape,
  distanceFeaturesShape,
  distanceRequestSchema,
  distanceResponseShape,
  evaluateFeaturesShape,
  evaluateRequestSchema,
  evaluateResponseShape,
  explainResponseShape,
  healthResponseShape,
  intersectionsRequestSchema,
  intersectionsResponseShape,
  jobResponseShape,
  jobResultShape,
  jobsResponseShape,
  type Limits,
  meResponseShape,
  problemBaseSchema,
  REQUEST_COMPONENTS,
  readyResponseShape,
  rulesetResponseShape,
  rulesetsResponseShape,
  schemaRef,
  sourcesResponseShape,
  subjectsRequestSchema,
  subjectsResponseShape,
  usageResponseShape,
  validateRequestSchema,
  validateResponseShape,
} from "@groundrule/contract";
import { type AnyShape, jsonSchema } from "@groundrule/engine/internal";
import { rulesetJsonSchema } from "@groundrule/engine/rulesets";
import * as z from "zod";
import { type Json, tidySchema } from "./json.ts";
import { codeProblems } from "./problems.ts";

type Schemas = Readonly<Record<string, z.ZodType>>;

function requests(limits: Limits): Schemas {
  return {
    EvaluateRequest: evaluateRequestSchema,
    IntersectionsRequest: intersectionsRequestSchema,
    DistanceRequest: distanceRequestSchema(limits.distanceMeters),
    SubjectsRequest: subjectsRequestSchema,
    ValidateRequest: validateRequestSchema,
    CreateRulesetRequest: createRulesetRequestSchema,
    CreateJobRequest: createJobRequestSchema,
    ...REQUEST_COMPONENTS,
  };
}

const RESPONSES: Readonly<Record<string, AnyShape>> = {
  EvaluateResponse: evaluateResponseShape,
  EvaluateFeatures: evaluateFeaturesShape,
  IntersectionsResponse: intersectionsResponseShape,
  DistanceResponse: distanceResponseShape,
  DistanceFeatures: distanceFeaturesShape,
  SubjectsResponse: subjectsResponseShape,
  SourcesResponse: sourcesResponseShape,
  ExplainResponse: explainResponseShape,
  ValidateResponse: validateResponseShape,
  CreateRulesetResponse: createRulesetResponseShape,
  RulesetResponse: rulesetResponseShape,
  RulesetsResponse: rulesetsResponseShape,
  JobResponse: jobResponseShape,
  JobResult: jobResultShape,
  JobsResponse: jobsResponseShape,
  MeResponse: meResponseShape,
  UsageResponse: usageResponseShape,
  DecisionResponse: decisionResponseShape,
  DecisionsResponse: decisionsResponseShape,
  HealthResponse: healthResponseShape,
  ReadyResponse: readyResponseShape,
};

/** Every schema of the description, by name: the contract's, and the engine's of rulesets. */
export function componentSchemas(limits: Limits): Json {
  return withFlags({
    ...jsonSchemasOf("input", requests(limits)),
    ...rulesetSchemas(),
    ...answers(),
    ...jsonSchemasOf("output", { Problem: problemBaseSchema }),
    ...codeProblems(),
  });
}

/** The answers, then by name the parts of them that have one. */
function answers(): Json {
  const named: Record<string, Json> = {};
  for (const [name, shape] of Object.entries(RESPONSES)) {
    const { schema, definitions } = jsonSchema(shape, schemaRef);
    Object.assign(named, definitions, { [name]: definitions[name] ?? schema });
  }
  delete named.Ruleset; // as requests have it
  const { anyOf } = named.OverlapGeometry!;
  named.OverlapGeometry = { oneOf: anyOf, discriminator: { propertyName: "type" } };
  const order = [
    ...Object.keys(RESPONSES).filter((name) => name !== "JobResult"),
    ...Object.keys(named).sort(),
  ];
  return Object.fromEntries(order.map((name) => [name, named[name]]));
}

/**
 * Members that are always true, or always false, in a form that generators write code of which compiles. Of a constant
 * with a type openapi-generator makes Java that does not; of an optional one without, openapi-python-client makes Python.
 */
function withFlags(schemas: Json): Json {
  return JSON.parse(JSON.stringify(schemas), (_, value) => {
    if (value?.type === "object") tidySchema({ jsonSchema: value });
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
export function queryParameters(query: z.ZodType): Json[] {
  const { Query } = jsonSchemasOf("input", { Query: query, ...REQUEST_COMPONENTS }) as {
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
function jsonSchemasOf(io: "input" | "output", schemas: Schemas): Readonly<Record<string, Json>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const described = z.toJSONSchema(registry, {
    io,
    uri: schemaRef,
    override: tidySchema,
  }).schemas as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    Object.entries(described).map(([name, { $schema, $id, ...schema }]) => [name, schema]),
  );
}

/** The engine's schema of rulesets, in parts that other schemas name. */
function rulesetSchemas(): Json {
  const { $schema, $defs, ...schema } = rulesetJsonSchema() as Json & {
    readonly $defs: { readonly filter: Json; readonly filterArgument: Json };
    readonly properties: { readonly sets: Json; readonly checks: Json };
  };
  const { sets, checks, ...members } = schema.properties;
  const parts = {
    Ruleset: {
      ...schema,
      properties: {
        ...(withNulls({ properties: members }).properties as Json),
        sets: { $ref: schemaRef("RulesetSets") },
        checks: { $ref: schemaRef("RulesetChecks") },
      },
    },
    RulesetSets: withNulls(sets),
    RulesetChecks: withNulls(checks),
    RulesetFilter: $defs.filter,
    RulesetFilterArgument: $defs.filterArgument,
  };
  const moved = JSON.stringify(parts)
    .replaceAll('"#/$defs/filter"', `"${schemaRef("RulesetFilter")}"`)
    .replaceAll('"#/$defs/filterArgument"', `"${schemaRef("RulesetFilterArgument")}"`);
  return JSON.parse(moved);
}

/** In a ruleset a member that is null is absent, so any that may be left out may be null. */
function withNulls(schema: Json): Json {
  const { properties, required = [], additionalProperties } = schema;
  const orNull = (of: unknown): Json => ({ anyOf: [withNulls(of as Json), { type: "null" }] });
  const inner = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (name === "anyOf") return [name, (value as Json[]).map(withNulls)];
    if (name === "items") return [name, withNulls(value as Json)];
    return [name, value];
  });
  return {
    ...Object.fromEntries(inner),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Json).map(([name, of]) => [
          name,
          (required as readonly string[]).includes(name) ? withNulls(of as Json) : orNull(of),
        ]),
      ),
    }),
    ...(typeof additionalProperties === "object" && { additionalProperties: orNull(additionalProperties) }),
  };
}
