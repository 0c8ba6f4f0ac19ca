import { type ErrorCode, JSON_TYPE } from "@groundrule/contract";
import type * as z from "zod";
import { COMMON_CODES, KEYED_CODES, QUESTION_CODES } from "../codes.ts";
import { queryParameters } from "../components.ts";
import { answer, billableAnswer, body, NOT_MODIFIED } from "../contents.ts";
import { CODING_HEADERS, type HeaderName, headersOf } from "../headers.ts";
import type { Json } from "../json.ts";
import { problems } from "../problems.ts";
import { IDEMPOTENCY_KEY, IF_NONE_MATCH } from "./parameters.ts";

/** A billable question. */
export function question({ id, tag, summary, query, request, answers, codes }: QuestionDescription): Json {
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: [...queryParameters(query), IDEMPOTENCY_KEY],
    requestBody: body(id, request),
    responses: { 200: billableAnswer(id, answers), ...problems(id, [...QUESTION_CODES, ...codes]) },
  };
}

/** An endpoint that takes a key and costs nothing. */
export function free({
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

/** An endpoint that takes no key. */
export function open(id: string, summary: string, whole: Json, more: Json = {}): Json {
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
export function lasting(id: string, summary: string, whole: Json, more: Json = {}): Json {
  const { responses, ...rest } = open(id, summary, whole, more) as Json & { readonly responses: Json };
  const answered = responses[200] as Json & { readonly headers: Json };
  const headers = { ...answered.headers, ...headersOf(["ETag", "Vary"], true) };
  return {
    ...rest,
    parameters: [IF_NONE_MATCH],
    responses: { ...responses, 200: { ...answered, headers }, ...NOT_MODIFIED },
  };
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
