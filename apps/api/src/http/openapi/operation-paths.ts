import { JSON_TYPE, schemaRef } from "@groundrule/contract";
import { listErrorCodes } from "../operations/record/codes.ts";
import { IDEMPOTENCY_KEY, IF_NONE_MATCH } from "../operations/record/headers.ts";
import type { Answer, HeaderParameter, Operation, RequestBody } from "../operations/record/operation.ts";
import { buildQueryParameters } from "./components.ts";
import { BILLABLE_HEADERS, buildResponseHeaders, CODING_HEADERS } from "./headers.ts";
import type { Json } from "./json.ts";
import { buildProblemResponses } from "./problems.ts";
import { RESPONSE_EXAMPLES } from "./response-examples.ts";

/** The paths of the description, each with its operations. */
export function buildOperationPaths(operations: readonly Operation[]): Readonly<Record<string, Json>> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: buildOperationObject(operation) };
  }
  return paths;
}

function buildOperationObject(operation: Operation): Json {
  const { id, tag, summary, description, key, request, answer, otherAnswers = {} } = operation;
  const isTagged = answer.always?.includes("ETag") === true;
  const parameters = buildOperationParameters(operation, isTagged);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(key === "none" && { security: [] }),
    // Generators expect the list of any operation with a key, but for a body alone.
    ...((parameters.length > 0 || (key !== "none" && request === undefined)) && { parameters }),
    ...(request !== undefined && { requestBody: buildRequestBody(request) }),
    responses: {
      [answer.status ?? 200]: buildSuccessResponse(operation),
      ...(isTagged && NOT_MODIFIED),
      ...buildProblemResponses(id, listErrorCodes(operation)),
      ...Object.fromEntries(
        Object.entries(otherAnswers).map(([status, { description, headers = [], content }]) => [
          status,
          {
            description,
            headers: buildResponseHeaders([...headers, "X-Request-Id"], true),
            ...(content !== undefined && { content: buildAnswerContent(content) }),
          },
        ]),
      ),
    },
  };
}

function buildOperationParameters(operation: Operation, isTagged: boolean): Json[] {
  const { parameters, query, headers = [], isCharged } = operation;
  return [
    ...Object.entries(parameters).map(
      ([name, { schema, description, example }]): Json => ({
        name,
        in: "path",
        required: true,
        ...(description !== undefined && { description }),
        schema,
        ...(example !== undefined && { example }),
      }),
    ),
    ...(typeof query === "string" ? [] : buildQueryParameters(query)),
    ...[...headers, ...(isCharged ? [IDEMPOTENCY_KEY] : []), ...(isTagged ? [IF_NONE_MATCH] : [])].map(
      buildHeaderParameter,
    ),
  ];
}

function buildHeaderParameter({ name, required = false, description, schema }: HeaderParameter): Json {
  return { name, in: "header", required, description, schema };
}

function buildRequestBody({ schema, examples, more = {} }: RequestBody): Json {
  const json = { schema: { $ref: schemaRef(schema.name) }, examples };
  const others = Object.entries(more).map(([type, schema]) => [type, { schema }]);
  return { required: true, content: { [JSON_TYPE]: json, ...Object.fromEntries(others) } };
}

function buildSuccessResponse({ id, isCharged, answer }: Operation): Json {
  const { content, always = [], sometimes = [], links } = answer;
  const ofCharge = isCharged ? BILLABLE_HEADERS : [];
  const ofTypes = isCharged && Object.keys(content).length > 1 ? (["Vary"] as const) : [];
  const described = buildAnswerContent(content, RESPONSE_EXAMPLES[id]);
  return {
    description: "The answer",
    headers: {
      ...buildResponseHeaders([...CODING_HEADERS, ...sometimes, ...ofCharge, ...ofTypes], false),
      ...buildResponseHeaders(["X-Request-Id", ...always], true),
    },
    content: isCharged ? addPlanAlternative(described) : described,
    ...(links !== undefined && { links }),
  };
}

/** With `explain=true` the answer is the plan; its JSON differs from the question's by `data.plan`. */
function addPlanAlternative(content: Readonly<Record<string, Json>>): Json {
  const { schema, ...rest } = content[JSON_TYPE]!;
  const anyOf = [schema, { $ref: schemaRef("ExplainResponse") }];
  return { ...content, [JSON_TYPE]: { schema: { anyOf }, ...rest } };
}

/** @param example of the first type's schema */
function buildAnswerContent(content: Answer["content"], example?: unknown): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(content).map(([type, of], index) => [
      type,
      {
        schema: "of" in of ? { $ref: schemaRef(of.name) } : of.schema,
        ...(index === 0 && example !== undefined && { example }),
      },
    ]),
  );
}

const NOT_MODIFIED: Json = {
  304: {
    description: "The answer has not changed since the one that `If-None-Match` names",
    headers: buildResponseHeaders(["X-Request-Id", "ETag", "Vary"], true),
  },
};
