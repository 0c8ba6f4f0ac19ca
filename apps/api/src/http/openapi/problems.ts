import { ERRORS, type ErrorCode, PROBLEM_MEDIA_TYPE, PROBLEM_MEMBERS, schemaRef } from "@groundrule/contract";
import { objectOf, toJsonSchema } from "@groundrule/engine/internal";
import { buildResponseHeaders, type HeaderName, OCCASIONAL_HEADERS, PROBLEM_HEADERS } from "./headers.ts";
import type { Json } from "./json.ts";
import { getProblemExample } from "./problem-examples.ts";

/**
 * Answers that are problems, by status, each with the codes that it can carry here.
 *
 * @param operation its name, for its examples
 */
export function buildProblemResponses(operation: string, codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...new Set(codes)].sort()) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [status, buildProblemResponse(operation, status, ofStatus)]),
  );
}

function buildProblemResponse(operation: string, status: number, codes: readonly ErrorCode[]): Json {
  const carried = [...new Set(codes.flatMap((code) => PROBLEM_HEADERS[code] ?? []))];
  const always = carried.filter((name) => codes.every((code) => PROBLEM_HEADERS[code]?.includes(name)));
  const occasional = codes.flatMap((code) => OCCASIONAL_HEADERS[code] ?? []);
  const sometimes = [...new Set([...carried, ...occasional])].filter((name) => !always.includes(name));
  const all: readonly HeaderName[] = ["X-Request-Id", ...always];
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join(". "),
    headers: { ...buildResponseHeaders(all, true), ...buildResponseHeaders(sometimes, false) },
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: buildProblemSchema(status, codes),
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            { summary: ERRORS[code].title, value: getProblemExample(operation, code) },
          ]),
        ),
      },
    },
  };
}

function buildProblemSchema(status: number, codes: readonly ErrorCode[]): Json {
  const plain = codes.filter((code) => !(code in PROBLEM_MEMBERS));
  const special = codes.filter((code) => code in PROBLEM_MEMBERS);
  const alternatives = [
    ...(plain.length === 0 ? [] : [composeProblemSchema(status, plain)]),
    ...special.map((code) => ({ $ref: schemaRef(toProblemName(code)) })),
  ];
  return alternatives.length === 1 ? alternatives[0]! : { anyOf: alternatives };
}

/**
 * Schemas of problems as components, where each stands once: named for the status, and where several share it for the
 * first operation too.
 */
export function extractProblemSchemas(paths: Readonly<Record<string, Json>>): {
  readonly paths: Json;
  readonly schemas: Json;
} {
  const byStatus = new Map<string, Set<string>>();
  const names = new Map<string, string>();
  const schemas: Record<string, unknown> = {};
  const visit = (each: (operationId: string, status: string, schema: Json) => Json): Json =>
    mapJsonMembers(paths, (methods) =>
      mapJsonMembers(methods as Json, (operation) => {
        const { operationId, responses } = operation as { operationId: string; responses: Json };
        const named = mapJsonMembers(responses, (response, status) => {
          const { content } = response as { content?: Readonly<Record<string, Json>> };
          const { schema, ...rest } = content?.[PROBLEM_MEDIA_TYPE] ?? {};
          if (schema === undefined) return response;
          const problem = { schema: each(operationId, status, schema as Json), ...rest };
          return { ...(response as Json), content: { ...content, [PROBLEM_MEDIA_TYPE]: problem } };
        });
        return { ...(operation as Json), responses: named };
      }),
    );
  visit((_, status, schema) => {
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(JSON.stringify(schema)));
    return schema;
  });
  const named = visit((operationId, status, schema) => {
    if ("$ref" in schema) return schema;
    const text = JSON.stringify(schema);
    const operation = byStatus.get(status)!.size > 1 ? operationId : "";
    const name =
      names.get(text) ?? `${operation.slice(0, 1).toUpperCase()}${operation.slice(1)}Problem${status}`;
    names.set(text, name);
    const { anyOf } = schema as { anyOf?: readonly Json[] };
    const alternatives = anyOf?.map((alternative) => {
      if ("$ref" in alternative) return alternative;
      schemas[`${name}Plain`] = alternative;
      return { $ref: schemaRef(`${name}Plain`) };
    });
    schemas[name] = alternatives === undefined ? schema : { anyOf: alternatives };
    return { $ref: schemaRef(name) };
  });
  return { paths: named, schemas };
}

function mapJsonMembers(of: Json, change: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]));
}

/** A schema for each code that adds members of its own. */
export function buildCodeProblemSchemas(): Json {
  return Object.fromEntries(
    Object.entries(PROBLEM_MEMBERS).map(([code, members]) => {
      const { schema } = toJsonSchema(objectOf<object>(members));
      const { properties, required = [] } = schema as { properties: Json; required?: readonly string[] };
      const { status } = ERRORS[code as ErrorCode];
      return [toProblemName(code), composeProblemSchema(status, [code as ErrorCode], properties, required)];
    }),
  );
}

/** Lists of one value, since generators know how to narrow a list, and few a constant. */
function composeProblemSchema(
  status: number,
  codes: readonly ErrorCode[],
  members: Json = {},
  required: readonly string[] = [],
): Json {
  const own = {
    status: { description: "The HTTP status, as in the status line", type: "integer", enum: [status] },
    code: { description: "Stable code for programs", type: "string", enum: codes },
  };
  return {
    allOf: [
      { $ref: schemaRef("Problem") },
      { type: "object", properties: { ...own, ...members }, required: ["status", "code", ...required] },
    ],
  };
}

/** `QUOTA_EXCEEDED` → `QuotaExceededProblem` */
function toProblemName(code: string): string {
  const words = code.split("_").map((word) => word.slice(0, 1) + word.slice(1).toLowerCase());
  return `${words.join("")}Problem`;
}
