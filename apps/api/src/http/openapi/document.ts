import {
  createRulesetQuerySchema,
  decisionQuerySchema,
  decisionsQuerySchema,
  distanceQuerySchema,
  type ErrorCode,
  evaluateQuerySchema,
  GEOJSON_TYPE,
  IDEMPOTENCY_KEY_PATTERN,
  intersectionsQuerySchema,
  JSON_TYPE,
  jobResultsQuerySchema,
  jobsQuerySchema,
  type Limits,
  NDJSON_TYPE,
  RULESET_VERSION_MAX,
  rulesetsQuerySchema,
  schemaRef,
  sourcesQuerySchema,
  subjectsQuerySchema,
} from "@groundrule/contract";
import { RULESET_NAME_PATTERN } from "@groundrule/engine/rulesets";
import { MAX_ZOOM, TILE_MEDIA_TYPE } from "@groundrule/tiles";
import type * as z from "zod";
import { CSV_TYPE, HTML_TYPE } from "../routes/decisions.ts";
import { REFERENCE_FILES } from "../routes/reference-page.ts";
import { componentSchemas, queryParameters } from "./components.ts";
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from "./examples.ts";
import { BILLABLE_HEADERS, CODING_HEADERS, type HeaderName, headersOf } from "./headers.ts";
import type { Json } from "./json.ts";
import { describeMembers, describeParameters } from "./member-descriptions.ts";
import { problems } from "./problems.ts";

/** The OpenAPI 3.1 description of the service, from the schemas that requests are checked with. */
export function openApiDocument(limits: Limits): Json {
  const known = described.get(limits);
  if (known !== undefined) return known;
  const document = describe(limits);
  described.set(limits, document);
  return document;
}

/** A process has one, unless it is a test. */
const described = new WeakMap<Limits, Json>();

function describe(limits: Limits): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "groundrule",
      version: "1",
      summary:
        "Whether a plot of land, and the company behind it, complies with a ruleset, and on what evidence",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The service that serves this description" }],
    tags: TAGS,
    security: [{ apiKey: [] }],
    paths: describeParameters({
      "/v1/evaluate": {
        post: question({
          id: "evaluate",
          tag: "Verdicts",
          summary: "Evaluate a ruleset on a plot and the subjects behind it",
          query: evaluateQuerySchema,
          request: "EvaluateRequest",
          answers: { [JSON_TYPE]: "EvaluateResponse", [GEOJSON_TYPE]: "EvaluateFeatures" },
          codes: [
            ...GEOMETRY_CODES,
            "INPUT_INCOMPLETE",
            "RESULT_TOO_LARGE",
            "RULESET_INVALID",
            "RULESET_NOT_FOUND",
            "SCHEME_UNSUPPORTED",
          ],
        }),
      },
      "/v1/intersections": {
        post: question({
          id: "intersections",
          tag: "Discovery",
          summary: "List the reference areas that share a point with a geometry",
          query: intersectionsQuerySchema,
          request: "IntersectionsRequest",
          answers: { [GEOJSON_TYPE]: "IntersectionsResponse", [JSON_TYPE]: "IntersectionsResponse" },
          codes: [...GEOMETRY_CODES, "RESULT_TOO_LARGE"],
        }),
      },
      "/v1/distance": {
        post: question({
          id: "distance",
          tag: "Discovery",
          summary: "List the reference areas whose distance from a geometry lies within a range",
          query: distanceQuerySchema,
          request: "DistanceRequest",
          answers: { [JSON_TYPE]: "DistanceResponse", [GEOJSON_TYPE]: "DistanceFeatures" },
          codes: [...GEOMETRY_CODES, "RESULT_TOO_LARGE"],
        }),
      },
      "/v1/subjects": {
        post: question({
          id: "subjects",
          tag: "Discovery",
          summary: "Look up a typed identifier in the registers",
          query: subjectsQuerySchema,
          request: "SubjectsRequest",
          answers: { [JSON_TYPE]: "SubjectsResponse" },
          codes: ["PATTERN_TOO_COMPLEX", "SCHEME_UNSUPPORTED", "SOURCE_UNKNOWN"],
        }),
      },
      "/v1/validate": {
        post: {
          operationId: "validate",
          tags: ["Verdicts"],
          summary: "Check whether a geometry, plots or a ruleset are valid; never billed",
          requestBody: body("validate", "ValidateRequest"),
          responses: {
            200: answer("validate", { [JSON_TYPE]: "ValidateResponse" }),
            ...problems("validate", [...KEYED_CODES, ...BODY_CODES, "GEOMETRY_TOO_COMPLEX"]),
          },
        },
      },
      "/v1/jobs": {
        post: {
          operationId: "createJob",
          tags: ["Jobs"],
          summary:
            "Send thousands of plots to be judged one by one; each verdict is charged as a single request",
          parameters: [JOB_KEY],
          requestBody: jobBody(),
          responses: {
            202: answer("createJob", { [JSON_TYPE]: "JobResponse" }, ["Location"], ["Idempotent-Replayed"]),
            ...problems("createJob", [
              ...KEYED_CODES,
              ...BODY_CODES,
              "IDEMPOTENCY_KEY_CONFLICT",
              "IDEMPOTENCY_KEY_INVALID",
              "IDEMPOTENCY_KEY_REQUIRED",
              "JOB_EXPIRED",
              "JOB_LIMIT_REACHED",
              "OUTCOME_UNKNOWN",
              "RULESET_INVALID",
              "RULESET_NOT_FOUND",
              "SCOPE_INSUFFICIENT",
              "SOURCE_UNKNOWN",
            ]),
          },
        },
        get: free({
          id: "jobs",
          tag: "Jobs",
          summary: "List the jobs that have not expired, newest first",
          parameters: queryParameters(jobsQuerySchema),
          schema: "JobsResponse",
          codes: ["SCOPE_INSUFFICIENT"],
        }),
      },
      "/v1/jobs/{id}": {
        get: free({
          id: "job",
          tag: "Jobs",
          summary: "Get how far a job is",
          parameters: [JOB_ID],
          schema: "JobResponse",
          codes: JOB_CODES,
        }),
      },
      "/v1/jobs/{id}/results": {
        get: {
          operationId: "jobResults",
          tags: ["Jobs"],
          summary: "Get a line of JSON for each plot, in order, up to the first plot that has none yet",
          parameters: [JOB_ID, ...queryParameters(jobResultsQuerySchema)],
          responses: {
            200: {
              ...answer("jobResults", {}, ["X-Next-From"]),
              content: { [NDJSON_TYPE]: { ...TEXT, example: RESPONSE_EXAMPLES.jobResults } },
            },
            ...problems("jobResults", [...KEYED_CODES, ...JOB_CODES]),
          },
        },
      },
      "/v1/jobs/{id}/cancel": {
        post: free({
          id: "cancelJob",
          tag: "Jobs",
          summary: "End a job; what was charged stays",
          parameters: [JOB_ID],
          schema: "JobResponse",
          codes: [...JOB_CODES, "OUTCOME_UNKNOWN"],
        }),
      },
      "/v1/sources": {
        get: free({
          id: "sources",
          tag: "Catalog",
          summary: "List the data sources that are available to the caller",
          parameters: queryParameters(sourcesQuerySchema),
          schema: "SourcesResponse",
          codes: [],
        }),
      },
      "/v1/sources/{name}/tiles/{z}/{x}/{y}": {
        get: {
          operationId: "sourceTile",
          tags: ["Catalog"],
          summary: "Get a vector tile with the areas of a source and where it speaks; never charged",
          parameters: [
            {
              name: "name",
              in: "path",
              required: true,
              description: "Name of a source of areas; of a group, ask for each member",
              schema: { type: "string" },
              example: "demo:parks",
            },
            ...TILE_PLACE,
            IF_NONE_MATCH,
          ],
          responses: {
            200: {
              ...answer("sourceTile", {}, ["ETag"]),
              content: {
                [TILE_MEDIA_TYPE]: { schema: { type: "string", contentMediaType: TILE_MEDIA_TYPE } },
              },
            },
            204: {
              description: "The source has nothing there",
              headers: { ...headersOf(["ETag", "X-Request-Id"], true) },
            },
            ...NOT_MODIFIED,
            ...problems("sourceTile", [
              ...KEYED_CODES,
              "EVALUATION_ABORTED",
              "NOT_FOUND",
              "SNAPSHOT_CORRUPT",
              "SOURCE_UNKNOWN",
            ]),
          },
        },
      },
      "/v1/rulesets": {
        get: free({
          id: "listRulesets",
          tag: "Catalog",
          summary: "List the saved rulesets, newest first, without their bodies",
          parameters: queryParameters(rulesetsQuerySchema),
          schema: "RulesetsResponse",
          codes: ["SCOPE_INSUFFICIENT"],
        }),
        post: {
          operationId: "createRuleset",
          tags: ["Catalog"],
          summary: "Publish a version of a ruleset; a published version never changes",
          parameters: [...queryParameters(createRulesetQuerySchema), PUBLICATION_KEY],
          requestBody: body("createRuleset", "CreateRulesetRequest"),
          responses: {
            201: {
              ...answer(
                "createRuleset",
                { [JSON_TYPE]: "CreateRulesetResponse" },
                ["Location"],
                ["Idempotent-Replayed"],
              ),
              links: {
                version: {
                  operationId: "ruleset",
                  parameters: {
                    name: "$response.body#/data/ruleset",
                    version: "$response.body#/data/version",
                  },
                },
                latest: {
                  operationId: "latestRuleset",
                  parameters: { name: "$response.body#/data/ruleset" },
                },
              },
            },
            ...problems("createRuleset", [
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
          tag: "Catalog",
          summary: "Get the latest version of a ruleset, with colours for display",
          parameters: [RULESET_NAME],
          schema: "RulesetResponse",
          headers: ["ETag", "Vary"],
          codes: ["RULESET_NOT_FOUND", "SCOPE_INSUFFICIENT"],
        }),
      },
      "/v1/rulesets/{name}/{version}": {
        get: free({
          id: "ruleset",
          tag: "Catalog",
          summary: "Get a version of a ruleset, with colours for display",
          parameters: [RULESET_NAME, RULESET_VERSION],
          schema: "RulesetResponse",
          headers: ["ETag", "Vary"],
          codes: ["RULESET_NOT_FOUND", "SCOPE_INSUFFICIENT"],
        }),
      },
      "/v1/me": {
        get: free({
          id: "me",
          tag: "Metering",
          summary: "Get whose the API key is, what it may ask, and within which limits",
          parameters: [],
          schema: "MeResponse",
          codes: [],
        }),
      },
      "/v1/usage": {
        get: free({
          id: "usage",
          tag: "Metering",
          summary: "Get the usage of the quota in the current period",
          parameters: [],
          schema: "UsageResponse",
          codes: ["SCOPE_INSUFFICIENT"],
        }),
      },
      "/v1/decisions": {
        get: free({
          id: "decisions",
          tag: "Metering",
          summary: "List the charges, newest first",
          parameters: queryParameters(decisionsQuerySchema),
          schema: "DecisionsResponse",
          more: { [CSV_TYPE]: { schema: { type: "string" } } },
          headers: ["Vary"],
          headersOfMore: ["X-Total-Count"],
          codes: ["SCOPE_INSUFFICIENT"],
        }),
      },
      "/v1/decisions/{id}": {
        get: free({
          id: "decision",
          tag: "Metering",
          summary: "Get a charge, with its request and its answer",
          parameters: [
            inPath("id", { type: "string", examples: ["dec_019abc"] }),
            ...queryParameters(decisionQuerySchema),
            ACCEPT_LANGUAGE,
          ],
          schema: "DecisionResponse",
          more: { [HTML_TYPE]: { schema: { type: "string" } } },
          headers: ["Vary"],
          headersOfMore: ["Content-Language"],
          codes: ["NOT_FOUND", "SCOPE_INSUFFICIENT"],
        }),
      },
      "/openapi.json": {
        get: lasting("openapi", "This description", { [JSON_TYPE]: { schema: { type: "object" } } }),
      },
      "/docs": { get: lasting("reference", "This description as a page", { "text/html": TEXT }) },
      "/docs/errors": {
        get: lasting("errors", "What each error code means, as a page", { "text/html": TEXT }),
      },
      "/docs/guides": {
        get: lasting(
          "guides",
          "The list of guides, as a page, where this service has them",
          { "text/html": TEXT },
          problems("guides", ["NOT_FOUND"]),
        ),
      },
      "/docs/guides/{page}": {
        get: {
          ...lasting("guide", "A guide, as a page", { "text/html": TEXT }, problems("guide", ["NOT_FOUND"])),
          parameters: [
            { ...inPath("page", { type: "string", examples: ["embed"] }), description: "Name of the guide" },
            IF_NONE_MATCH,
          ],
        },
      },
      "/docs/{file}": {
        get: {
          ...lasting(
            "referenceFile",
            "A file of that page",
            { "image/svg+xml": TEXT, "text/css": TEXT, "text/javascript": TEXT },
            problems("referenceFile", ["NOT_FOUND"]),
          ),
          parameters: [inPath("file", { type: "string", enum: REFERENCE_FILES }), IF_NONE_MATCH],
        },
      },
      "/metrics": {
        get: open("metrics", "Metrics in the text format of Prometheus", { "text/plain": TEXT }),
      },
      "/healthz": {
        get: open("health", "Whether the process answers", content({ [JSON_TYPE]: "HealthResponse" })),
      },
      "/readyz": {
        get: open(
          "ready",
          "Whether the service is ready for requests, and which sources could not be opened",
          content({ [JSON_TYPE]: "ReadyResponse" }),
          {
            503: {
              description: "The service is stopping, or cannot reach its storage",
              headers: headersOf(["X-Request-Id"], true),
              content: content({ [JSON_TYPE]: "ReadyResponse" }),
            },
          },
        ),
      },
    }),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `gr_live_…` or `gr_test_…`" },
      },
      schemas: describeMembers(componentSchemas(limits)),
    },
  };
}

const DESCRIPTION = `Tells whether a plot of land, and the company behind it, complies with a ruleset, and on what evidence.

Bodies are I-JSON (RFC 7493): UTF-8, no duplicate members, no number beyond ±(2⁵³ − 1), and no U+0000 in a string. Members and parameters that are not described here are refused, except inside GeoJSON. A member that is \`null\` counts as absent.

A body may be sent as gzip (\`Content-Encoding: gzip\`); the limits are those of what comes out of it. A long answer is sent as gzip to whoever accepts that (\`Accept-Encoding\`).

Every error is a problem (RFC 9457) with a stable \`code\`. A known path answers other methods with 405 \`METHOD_NOT_ALLOWED\` and the header \`Allow\`. A verdict is never an error: NON_COMPLIANT and DEGRADED have status 200.

A page of another origin can call the service where the operator has named that origin (\`cors_origins\`). Every answer to it, refusals included, then has the CORS headers, and lets it read the headers that are described here.`;

const TAGS: readonly Json[] = [
  { name: "Verdicts", description: "Apply a ruleset to a plot" },
  { name: "Discovery", description: "Query areas and registers directly" },
  { name: "Jobs", description: "Apply a ruleset to thousands of plots" },
  { name: "Catalog", description: "Sources and saved rulesets. Never billed" },
  { name: "Metering", description: "Who asks, and what was charged. Never billed" },
  { name: "Operations", description: "The service itself; requires no API key" },
];

/** Of everything: what is refused before it is known where it leads. */
const COMMON_CODES: readonly ErrorCode[] = ["HEADERS_TOO_LARGE", "INTERNAL_ERROR", "MALFORMED_REQUEST"];
const GEOMETRY_CODES: readonly ErrorCode[] = [
  "CRS_MISMATCH",
  "CRS_UNKNOWN",
  "GEOMETRY_INVALID",
  "GEOMETRY_TOO_COMPLEX",
  "SOURCE_UNKNOWN",
];
/** Of everything that takes a key. */
const KEYED_CODES: readonly ErrorCode[] = [
  ...COMMON_CODES,
  "API_KEY_EXPIRED",
  "API_KEY_INVALID",
  "API_KEY_REVOKED",
  "AUTHENTICATION_REQUIRED",
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
  "PAYLOAD_TOO_LARGE",
  "REQUEST_TIMEOUT",
  "TRANSFER_ENCODING_UNSUPPORTED",
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

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The caller's name for this request; a retry with the same key gets the same answer and is charged once",
  schema: { type: "string", pattern: IDEMPOTENCY_KEY_PATTERN.source },
};

const PUBLICATION_KEY: Json = {
  ...IDEMPOTENCY_KEY,
  description:
    "The caller's name for this publication; a retry with the same key gets the same answer and publishes nothing",
};

const JOB_KEY: Json = {
  ...IDEMPOTENCY_KEY,
  required: true,
  description:
    "The caller's name for this job; an upload that is sent again under the same key is the same job",
};

const ACCEPT_LANGUAGE: Json = {
  name: "Accept-Language",
  in: "header",
  required: false,
  description:
    "Languages of the page, the best of which is taken; English where it is written in none of them",
  schema: { type: "string", examples: ["pt-BR, pt;q=0.9, en;q=0.5"] },
};

const JOB_ID = inPath("id", { type: "string", examples: ["job_019abc"] });
const JOB_CODES: readonly ErrorCode[] = ["JOB_EXPIRED", "JOB_NOT_FOUND", "SCOPE_INSUFFICIENT"];

const RULESET_NAME = inPath("name", { type: "string", pattern: RULESET_NAME_PATTERN.source });
const RULESET_VERSION = inPath("version", { type: "integer", minimum: 1, maximum: RULESET_VERSION_MAX });

function inPath(name: string, schema: Json): Json {
  return { name, in: "path", required: true, schema };
}

interface QuestionDescription {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly query: z.ZodType;
  readonly request: string;
  /** Schema of the answer by media type, the default first. */
  readonly answers: Readonly<Record<string, string>>;
  readonly codes: readonly ErrorCode[];
}

function question({ id, tag, summary, query, request, answers, codes }: QuestionDescription): Json {
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: [...queryParameters(query), IDEMPOTENCY_KEY],
    requestBody: body(id, request),
    responses: { 200: billableAnswer(id, answers), ...problems(id, [...QUESTION_CODES, ...codes]) },
  };
}

interface FreeDescription {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters: readonly Json[];
  readonly schema: string;
  /** Other media types of the answer. */
  readonly more?: Json;
  /** Headers that every answer has. */
  readonly headers?: readonly HeaderName[];
  /** Headers of other media types. */
  readonly headersOfMore?: readonly HeaderName[];
  readonly codes: readonly ErrorCode[];
}

/** An endpoint that takes a key and costs nothing. */
function free({
  id,
  tag,
  summary,
  parameters,
  schema,
  more = {},
  headers = [],
  headersOfMore = [],
  codes,
}: FreeDescription): Json {
  const { content: whole, ...rest } = answer(id, { [JSON_TYPE]: schema }, headers, headersOfMore);
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: headers.includes("ETag") ? [...parameters, IF_NONE_MATCH] : parameters,
    responses: {
      200: { ...rest, content: { ...(whole as Json), ...more } },
      ...(headers.includes("ETag") && NOT_MODIFIED),
      ...problems(id, [...KEYED_CODES, ...codes]),
    },
  };
}

/** Zoom, column and row of a tile. */
const TILE_PLACE: readonly Json[] = [
  ["z", `Zoom, up to ${MAX_ZOOM}; maps enlarge those tiles beyond it`, MAX_ZOOM, 8],
  ["x", "Column of the Web Mercator pyramid, from the west", 2 ** MAX_ZOOM - 1, 86],
  ["y", "Row, from the north", 2 ** MAX_ZOOM - 1, 135],
].map(([name, description, maximum, example]) => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "integer", minimum: 0, maximum },
  example,
})) as readonly Json[];

const TEXT: Json = { schema: { type: "string" } };

/** An endpoint that takes no key. */
function open(id: string, summary: string, whole: Json, more: Json = {}): Json {
  return {
    operationId: id,
    tags: ["Operations"],
    summary,
    security: [],
    responses: {
      200: {
        description: "The answer",
        headers: { ...headersOf(CODING_HEADERS, false), ...headersOf(["X-Request-Id"], true) },
        content: whole,
      },
      ...problems(id, COMMON_CODES),
      ...more,
    },
  };
}

/** An endpoint that takes no key, and whose answer stays the same as long as the service runs. */
function lasting(id: string, summary: string, whole: Json, more: Json = {}): Json {
  const { responses, ...rest } = open(id, summary, whole, more) as Json & { readonly responses: Json };
  const answered = responses[200] as Json & { readonly headers: Json };
  const headers = { ...answered.headers, ...headersOf(["ETag", "Vary"], true) };
  return {
    ...rest,
    parameters: [IF_NONE_MATCH],
    responses: { ...responses, 200: { ...answered, headers }, ...NOT_MODIFIED },
  };
}

const IF_NONE_MATCH: Json = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "`ETag` of an earlier answer: where it is still the same, it is not sent again",
  schema: { type: "string" },
};

const NOT_MODIFIED: Json = {
  304: {
    description: "The answer that `If-None-Match` names is still the same",
    headers: headersOf(["X-Request-Id", "ETag", "Vary"], true),
  },
};

/** With `explain=true` the answer is the plan; its JSON is told from the question's by `data.plan`. */
function billableAnswer(id: string, schemaByType: Readonly<Record<string, string>>): Json {
  const { content: whole, ...rest } = answer(
    id,
    schemaByType,
    [],
    [...BILLABLE_HEADERS, ...(Object.keys(schemaByType).length > 1 ? (["Vary"] as const) : [])],
  );
  const byType = whole as Readonly<Record<string, Json>>;
  const anyOf = [schemaByType[JSON_TYPE], "ExplainResponse"].map((name) => ({
    $ref: schemaRef(String(name)),
  }));
  return { ...rest, content: { ...byType, [JSON_TYPE]: { ...byType[JSON_TYPE], schema: { anyOf } } } };
}

function body(id: string, schema: string): Json {
  const examples = REQUEST_EXAMPLES[id];
  return {
    required: true,
    content: {
      [JSON_TYPE]: { schema: { $ref: schemaRef(schema) }, ...(examples !== undefined && { examples }) },
    },
  };
}

/** In lines, the first has the members of the other form but for the plots, and every other is a plot. */
function jobBody(): Json {
  const { content: whole, ...rest } = body("createJob", "CreateJobRequest") as { content: Json };
  const lines = {
    schema: {
      type: "string",
      description: "The terms in the first line; in every other a plot, a GeoJSON Feature or geometry",
    },
  };
  return { ...rest, content: { ...whole, [NDJSON_TYPE]: lines } };
}

function answer(
  id: string,
  schemaByType: Readonly<Record<string, string>>,
  always: readonly HeaderName[] = [],
  sometimes: readonly HeaderName[] = [],
): Json {
  return {
    description: "The answer",
    headers: {
      ...headersOf([...CODING_HEADERS, ...sometimes], false),
      ...headersOf(["X-Request-Id", ...always], true),
    },
    content: content(schemaByType, RESPONSE_EXAMPLES[id]),
  };
}

/** @param example of the first type's schema */
function content(schemaByType: Readonly<Record<string, string>>, example?: unknown): Json {
  return Object.fromEntries(
    Object.entries(schemaByType).map(([type, name], index) => [
      type,
      {
        schema: { $ref: schemaRef(name) },
        ...(index === 0 && example !== undefined && { example }),
      },
    ]),
  );
}
