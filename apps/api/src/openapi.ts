import {
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
  intersectionsQuerySchema,
  intersectionsRequestSchema,
  intersectionsResponseSchema,
  type Limits,
  PROBLEM_MEDIA_TYPE,
  problemSchema,
  sourcesQuerySchema,
  sourcesResponseSchema,
  subjectsQuerySchema,
  subjectsRequestSchema,
  subjectsResponseSchema,
} from "@groundrule/contract";
import { rulesetJsonSchema } from "@groundrule/engine";
import * as z from "zod";
import { GEOJSON_TYPE, JSON_TYPE } from "./media-type.ts";

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
      "/v1/sources": {
        get: {
          operationId: "sources",
          summary: "The catalog of data sources",
          parameters: parameters(sourcesQuerySchema),
          responses: {
            200: answer(content({ [JSON_TYPE]: "SourcesResponse" })),
            ...problems([...KEY_CODES, "NOT_ACCEPTABLE", "VALIDATION_FAILED", "INTERNAL_ERROR"]),
          },
        },
      },
      "/openapi.json": { get: open("openapi", "This description") },
      "/healthz": { get: open("health", "Whether the process answers") },
      "/readyz": {
        get: open("ready", "Whether requests should be sent here, and which sources cannot be asked", {
          503: { description: "The service is stopping" },
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
        }),
        ...schemasOf("output", {
          ExplainResponse: explainResponseSchema,
          EvaluateResponse: evaluateResponseSchema,
          EvaluateFeatures: evaluateFeaturesSchema,
          IntersectionsResponse: intersectionsResponseSchema,
          DistanceResponse: distanceResponseSchema,
          DistanceFeatures: distanceFeaturesSchema,
          SubjectsResponse: subjectsResponseSchema,
          SourcesResponse: sourcesResponseSchema,
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
const QUESTION_CODES: readonly ErrorCode[] = [
  ...KEY_CODES,
  "EVALUATION_ABORTED",
  "INTERNAL_ERROR",
  "MALFORMED_JSON",
  "NOT_ACCEPTABLE",
  "OVERLOADED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_FAILED",
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
    parameters: parameters(query),
    requestBody: { required: true, content: content({ [JSON_TYPE]: request }) },
    responses: { 200: answer(withExplanation(answers)), ...problems([...QUESTION_CODES, ...codes]) },
  };
}

/** With `explain=true` the answer is a plan, always as JSON. */
function withExplanation(answers: Readonly<Record<string, string>>): Readonly<Record<string, Json>> {
  const described = content(answers);
  const schemas = [answers[JSON_TYPE]!, "ExplainResponse"].map(referenceTo);
  return { ...described, [JSON_TYPE]: { schema: { anyOf: schemas } } };
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

function answer(contentByType: Readonly<Record<string, Json>>): Json {
  return {
    description: "The answer",
    headers: { "X-Request-Id": { schema: { type: "string" }, description: "The caller's, or minted" } },
    content: contentByType,
  };
}

function content(schemaByType: Readonly<Record<string, string>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(schemaByType).map(([type, name]) => [type, { schema: referenceTo(name) }]),
  );
}

function referenceTo(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
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
