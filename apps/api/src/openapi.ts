import {
  createRulesetQuerySchema,
  createRulesetRequestSchema,
  createRulesetResponseSchema,
  decisionResponseSchema,
  decisionsQuerySchema,
  decisionsResponseSchema,
  distanceFeaturesSchema,
  distanceQuerySchema,
  distanceRequestSchema,
  distanceResponseSchema,
  ERRORS,
  type ErrorCode,
  evaluateFeaturesSchema,
  evaluateQuerySchema,
  evaluateRequestSchema,
  evaluateResponseSchema,
  explainResponseSchema,
  IDEMPOTENCY_KEY_PATTERN,
  intersectionsQuerySchema,
  intersectionsRequestSchema,
  intersectionsResponseSchema,
  type Limits,
  PROBLEM_MEDIA_TYPE,
  problemSchema,
  rulesetResponseSchema,
  rulesetsQuerySchema,
  rulesetsResponseSchema,
  sourcesQuerySchema,
  sourcesResponseSchema,
  subjectsQuerySchema,
  subjectsRequestSchema,
  subjectsResponseSchema,
  usageResponseSchema,
  validateRequestSchema,
  validateResponseSchema,
} from "@groundrule/contract";
import { rulesetJsonSchema } from "@groundrule/engine";
import * as z from "zod";
import { GEOJSON_TYPE, JSON_TYPE } from "./media-type.ts";
import { CSV_TYPE, HTML_TYPE } from "./routes/decisions.ts";

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 description of the service, from the schemas that requests are checked with. */
export function openApiDocument(limits: Limits): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "groundrule",
      version: "1",
      description:
        "Tells whether a plot of land, and the company behind it, complies with a ruleset, and on what evidence.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    security: [{ apiKey: [] }],
    paths: {
      "/v1/evaluate": {
        post: question({
          id: "evaluate",
          summary: "The verdict of a ruleset on a plot and the subjects behind it",
          query: evaluateQuerySchema,
          request: "EvaluateRequest",
          answers: { [JSON_TYPE]: "EvaluateResponse", [GEOJSON_TYPE]: "EvaluateFeatures" },
          codes: [
            ...GEOMETRY_CODES,
            "INPUT_INCOMPLETE",
            "RULESET_INVALID",
            "RULESET_NOT_FOUND",
            "SCHEME_UNSUPPORTED",
          ],
        }),
      },
      "/v1/intersections": {
        post: question({
          id: "intersections",
          summary: "Every reference area that shares a point with a geometry",
          query: intersectionsQuerySchema,
          request: "IntersectionsRequest",
          answers: { [GEOJSON_TYPE]: "IntersectionsResponse", [JSON_TYPE]: "IntersectionsResponse" },
          codes: [...GEOMETRY_CODES, "RESULT_TOO_LARGE"],
        }),
      },
      "/v1/distance": {
        post: question({
          id: "distance",
          summary: "The reference areas whose distance from a geometry lies within a range",
          query: distanceQuerySchema,
          request: "DistanceRequest",
          answers: { [JSON_TYPE]: "DistanceResponse", [GEOJSON_TYPE]: "DistanceFeatures" },
          codes: [...GEOMETRY_CODES, "RESULT_TOO_LARGE"],
        }),
      },
      "/v1/subjects": {
        post: question({
          id: "subjects",
          summary: "What registers hold under a typed identifier",
          query: subjectsQuerySchema,
          request: "SubjectsRequest",
          answers: { [JSON_TYPE]: "SubjectsResponse" },
          codes: ["SCHEME_UNSUPPORTED", "SOURCE_UNKNOWN"],
        }),
      },
      "/v1/validate": {
        post: {
          operationId: "validate",
          summary: "Whether a geometry or a ruleset would be taken; never billed",
          requestBody: { required: true, content: content({ [JSON_TYPE]: "ValidateRequest" }) },
          responses: {
            200: answer({ [JSON_TYPE]: "ValidateResponse" }),
            ...problems([...KEYED_CODES, ...BODY_CODES]),
          },
        },
      },
      "/v1/sources": {
        get: free({
          id: "sources",
          summary: "The catalog of data sources that are available to the caller",
          parameters: parameters(sourcesQuerySchema),
          schema: "SourcesResponse",
          codes: [],
        }),
      },
      "/v1/rulesets": {
        get: free({
          id: "listRulesets",
          summary: "The rulesets of the catalog, newest first, without their bodies",
          parameters: parameters(rulesetsQuerySchema),
          schema: "RulesetsResponse",
          codes: ["SCOPE_INSUFFICIENT"],
        }),
        post: {
          operationId: "createRuleset",
          summary: "Publishes a version of a ruleset, which never changes afterwards",
          parameters: [...parameters(createRulesetQuerySchema), PUBLICATION_KEY],
          requestBody: { required: true, content: content({ [JSON_TYPE]: "CreateRulesetRequest" }) },
          responses: {
            201: {
              ...answer({ [JSON_TYPE]: "CreateRulesetResponse" }),
              headers: { Location: { schema: { type: "string" }, description: "The version's path" } },
            },
            ...problems([
              ...KEYED_CODES,
              ...BODY_CODES,
              "FORBIDDEN",
              "IDEMPOTENCY_KEY_CONFLICT",
              "IDEMPOTENCY_KEY_EXHAUSTED",
              "IDEMPOTENCY_KEY_INVALID",
              "IDEMPOTENCY_REPLAY_EXPIRED",
              "OUTCOME_UNKNOWN",
              "RULESET_ALREADY_EXISTS",
              "RULESET_INVALID",
              "SCOPE_INSUFFICIENT",
              "SOURCE_UNKNOWN",
            ]),
          },
        },
      },
      "/v1/rulesets/{name}": {
        get: free({
          id: "latestRuleset",
          summary: "The latest version of a ruleset, and colours to show it in",
          parameters: [inPath("name")],
          schema: "RulesetResponse",
          codes: ["RULESET_NOT_FOUND", "SCOPE_INSUFFICIENT"],
        }),
      },
      "/v1/rulesets/{name}/{version}": {
        get: free({
          id: "ruleset",
          summary: "A version of a ruleset, and colours to show it in",
          parameters: [inPath("name"), inPath("version")],
          schema: "RulesetResponse",
          codes: ["RULESET_NOT_FOUND", "SCOPE_INSUFFICIENT"],
        }),
      },
      "/v1/usage": {
        get: free({
          id: "usage",
          summary: "What the current period has used of the quota",
          parameters: [],
          schema: "UsageResponse",
          codes: ["SCOPE_INSUFFICIENT"],
        }),
      },
      "/v1/decisions": {
        get: free({
          id: "decisions",
          summary: "What was charged, newest first",
          parameters: parameters(decisionsQuerySchema),
          schema: "DecisionsResponse",
          more: { [CSV_TYPE]: { schema: { type: "string" } } },
          codes: ["SCOPE_INSUFFICIENT"],
        }),
      },
      "/v1/decisions/{id}": {
        get: free({
          id: "decision",
          summary: "A charge, with the request and the answer it was for",
          parameters: [inPath("id")],
          schema: "DecisionResponse",
          more: { [HTML_TYPE]: { schema: { type: "string" } } },
          codes: ["NOT_FOUND", "SCOPE_INSUFFICIENT"],
        }),
      },
      "/openapi.json": { get: open("openapi", "This description") },
      "/docs": { get: openFile("reference", "This description as a page", "text/html") },
      "/docs/{file}": {
        get: {
          ...openFile("referenceFile", "What the page is made of", "*/*", problems(["NOT_FOUND"])),
          parameters: [inPath("file")],
        },
      },
      "/metrics": { get: openFile("metrics", "Metrics in the text format of Prometheus", "text/plain") },
      "/healthz": { get: open("health", "Whether the process answers") },
      "/readyz": {
        get: open("ready", "Whether requests should be sent here, and which sources cannot be asked", {
          503: { description: "The service is stopping, or its state cannot be reached" },
        }),
      },
    },
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `gr_live_…` or `gr_test_…`" },
      },
      schemas: {
        EvaluateRequest: evaluateRequest(),
        Ruleset: ruleset(),
        ...schemasOf("input", {
          IntersectionsRequest: intersectionsRequestSchema,
          DistanceRequest: distanceRequestSchema(limits.distanceMeters),
          SubjectsRequest: subjectsRequestSchema,
          ValidateRequest: validateRequestSchema,
          CreateRulesetRequest: createRulesetRequestSchema,
        }),
        ...schemasOf("output", {
          EvaluateResponse: evaluateResponseSchema,
          EvaluateFeatures: evaluateFeaturesSchema,
          IntersectionsResponse: intersectionsResponseSchema,
          DistanceResponse: distanceResponseSchema,
          DistanceFeatures: distanceFeaturesSchema,
          SubjectsResponse: subjectsResponseSchema,
          SourcesResponse: sourcesResponseSchema,
          ExplainResponse: explainResponseSchema,
          ValidateResponse: validateResponseSchema,
          CreateRulesetResponse: createRulesetResponseSchema,
          RulesetResponse: rulesetResponseSchema,
          RulesetsResponse: rulesetsResponseSchema,
          UsageResponse: usageResponseSchema,
          DecisionResponse: decisionResponseSchema,
          DecisionsResponse: decisionsResponseSchema,
          Problem: problemSchema,
        }),
      },
    },
  };
}

const KEY_CODES: readonly ErrorCode[] = [
  "API_KEY_EXPIRED",
  "API_KEY_INVALID",
  "API_KEY_REVOKED",
  "AUTHENTICATION_REQUIRED",
];
const GEOMETRY_CODES: readonly ErrorCode[] = [
  "CRS_UNKNOWN",
  "GEOMETRY_INVALID",
  "GEOMETRY_TOO_COMPLEX",
  "SOURCE_UNKNOWN",
];
/** Of everything that takes a key. */
const KEYED_CODES: readonly ErrorCode[] = [
  ...KEY_CODES,
  "INTERNAL_ERROR",
  "NOT_ACCEPTABLE",
  "OVERLOADED",
  "RATE_LIMIT_EXCEEDED",
  "STORAGE_UNAVAILABLE",
  "VALIDATION_FAILED",
];
/** Of everything that takes a body. */
const BODY_CODES: readonly ErrorCode[] = [
  "EVALUATION_ABORTED",
  "MALFORMED_JSON",
  "MALFORMED_REQUEST",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];
const QUESTION_CODES: readonly ErrorCode[] = [
  ...KEYED_CODES,
  ...BODY_CODES,
  "IDEMPOTENCY_IN_PROGRESS",
  "IDEMPOTENCY_KEY_CONFLICT",
  "IDEMPOTENCY_KEY_EXHAUSTED",
  "IDEMPOTENCY_KEY_INVALID",
  "IDEMPOTENCY_REPLAY_EXPIRED",
  "OUTCOME_UNKNOWN",
  "QUOTA_EXCEEDED",
  "SCOPE_INSUFFICIENT",
  "SUBSCRIPTION_INACTIVE",
];

interface QuestionDescription {
  readonly id: string;
  readonly summary: string;
  readonly query: z.ZodType;
  readonly request: string;
  /** Schema of the answer by media type, the default first. */
  readonly answers: Readonly<Record<string, string>>;
  readonly codes: readonly ErrorCode[];
}

function question({ id, summary, query, request, answers, codes }: QuestionDescription): Json {
  return {
    operationId: id,
    summary,
    parameters: [...parameters(query), IDEMPOTENCY_KEY],
    requestBody: { required: true, content: content({ [JSON_TYPE]: request }) },
    responses: { 200: billableAnswer(answers), ...problems([...QUESTION_CODES, ...codes]) },
  };
}

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The caller's name for this request: sent again, it is answered again and charged once",
  schema: { type: "string", pattern: IDEMPOTENCY_KEY_PATTERN.source },
};

const PUBLICATION_KEY: Json = {
  ...IDEMPOTENCY_KEY,
  description:
    "The caller's name for this publication: sent again, it is answered again and publishes nothing",
};

interface FreeDescription {
  readonly id: string;
  readonly summary: string;
  readonly parameters: readonly Json[];
  readonly schema: string;
  /** Other media types of the answer. */
  readonly more?: Json;
  readonly codes: readonly ErrorCode[];
}

/** An endpoint that takes a key and costs nothing. */
function free({ id, summary, parameters, schema, more = {}, codes }: FreeDescription): Json {
  return {
    operationId: id,
    summary,
    parameters,
    responses: {
      200: { ...answer({}), content: { ...content({ [JSON_TYPE]: schema }), ...more } },
      ...problems([...KEYED_CODES, ...codes]),
    },
  };
}

function inPath(name: string): Json {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

/** A file that takes no key. */
function openFile(id: string, summary: string, mediaType: string, more: Json = {}): Json {
  return {
    operationId: id,
    summary,
    security: [],
    responses: {
      200: { description: "The file", content: { [mediaType]: { schema: { type: "string" } } } },
      ...more,
    },
  };
}

/** An endpoint that takes no key. */
function open(id: string, summary: string, more: Json = {}): Json {
  return {
    operationId: id,
    summary,
    security: [],
    responses: {
      200: { description: "The answer", content: { [JSON_TYPE]: { schema: { type: "object" } } } },
      ...more,
    },
  };
}

/** With `explain=true` the answer is the plan; its JSON is told from the question's by `data.ask`. */
function billableAnswer(schemaByType: Readonly<Record<string, string>>): Json {
  const { headers, ...rest } = answer(schemaByType);
  const whole = schemaByType[JSON_TYPE];
  const json = {
    schema: { anyOf: [whole, "ExplainResponse"].map((name) => ({ $ref: schemaRef(String(name)) })) },
  };
  return {
    ...rest,
    headers: { ...(headers as Json), ...QUOTA_HEADERS },
    content: { ...content(schemaByType), [JSON_TYPE]: json },
  };
}

const QUOTA_HEADERS: Json = {
  "X-RateLimit-Limit": { schema: { type: "integer" }, description: "The quota of the period" },
  "X-RateLimit-Remaining": { schema: { type: "integer" }, description: "What is left of it" },
  "X-RateLimit-Reset": {
    schema: { type: "integer" },
    description: "When the period ends, in seconds since 1970",
  },
  "Idempotent-Replayed": {
    schema: { type: "string", enum: ["true"] },
    description: "This is the stored answer of an earlier request with the same key",
  },
  "X-Decision-Id": { schema: { type: "string" }, description: "The decision that was charged" },
};

function schemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}

function answer(schemaByType: Readonly<Record<string, string>>): Json {
  return {
    description: "The answer",
    headers: { "X-Request-Id": { schema: { type: "string" }, description: "The caller's, or minted" } },
    content: content(schemaByType),
  };
}

function content(schemaByType: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(schemaByType).map(([type, name]) => [type, { schema: { $ref: schemaRef(name) } }]),
  );
}

/** Problems by status, each with the codes that it can carry here. */
function problems(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...codes].sort()) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `${code}: ${ERRORS[code].title}`).join(". "),
        content: content({ [PROBLEM_MEDIA_TYPE]: "Problem" }),
      },
    ]),
  );
}

function parameters(query: z.ZodType): Json[] {
  const { properties = {} } = z.toJSONSchema(query, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    ...(typeof schema === "object" && schema.description !== undefined
      ? { description: schema.description }
      : {}),
    schema,
  }));
}

function schemasOf(io: "input" | "output", schemas: Readonly<Record<string, z.ZodType>>): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema, ...described } = z.toJSONSchema(schema, { io });
      return [name, described];
    }),
  );
}

/** The request's schema leaves the ruleset to the engine; its description does not. */
function evaluateRequest(): Json {
  const { $schema, properties, ...schema } = z.toJSONSchema(evaluateRequestSchema, { io: "input" });
  const sent = { anyOf: [{ $ref: RULESET_REF }, { type: "null" }] };
  return { ...schema, properties: { ...properties, ruleset: sent } };
}

/** The engine's schema of rulesets, its inner references moved to where it stands here. */
function ruleset(): Json {
  const { $schema, ...schema } = rulesetJsonSchema();
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${RULESET_REF}/$defs/`));
}

const RULESET_REF = "#/components/schemas/Ruleset";
