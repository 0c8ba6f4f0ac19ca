import { JSON_TYPE, schemaRef } from "@groundrule/contract";
import { REQUEST_EXAMPLES } from "./examples.ts";
import { BILLABLE_HEADERS, CODING_HEADERS, type HeaderName, headersOf } from "./headers.ts";
import type { Json } from "./json.ts";
import { RESPONSE_EXAMPLES } from "./response-examples.ts";

/** The body of a request, with its examples. */
export function body(id: string, schema: string): Json {
  const examples = REQUEST_EXAMPLES[id];
  return {
    required: true,
    content: {
      [JSON_TYPE]: { schema: { $ref: schemaRef(schema) }, ...(examples !== undefined && { examples }) },
    },
  };
}

/**
 * An answer with its headers.
 *
 * @param always headers that it has in any case
 */
export function answer(
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

/** With `explain=true` the answer is the plan; its JSON is told from the question's by `data.plan`. */
export function billableAnswer(id: string, schemaByType: Readonly<Record<string, string>>): Json {
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

/** @param example of the first type's schema */
export function content(schemaByType: Readonly<Record<string, string>>, example?: unknown): Json {
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

/** A text without a schema of its own. */
export const TEXT: Json = { schema: { type: "string" } };

export const NOT_MODIFIED: Json = {
  304: {
    description: "The answer has not changed since the one that `If-None-Match` names",
    headers: headersOf(["X-Request-Id", "ETag", "Vary"], true),
  },
};
