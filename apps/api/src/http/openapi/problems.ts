import { ERRORS, type ErrorCode, PROBLEM_MEDIA_TYPE, PROBLEM_MEMBERS, schemaRef } from "@groundrule/contract";
import * as z from "zod";
import { type HeaderName, headersOf, OCCASIONAL_HEADERS, PROBLEM_HEADERS } from "./headers.ts";
import { type Json, tidySchema } from "./json.ts";
import { problemExample } from "./problem-examples.ts";

/**
 * Answers that are problems, by status, each with the codes that it can carry here.
 *
 * @param operation its name, for its examples
 */
export function problems(operation: string, codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...new Set(codes)].sort()) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [status, problem(operation, status, ofStatus)]),
  );
}

function problem(operation: string, status: number, codes: readonly ErrorCode[]): Json {
  const carried = [...new Set(codes.flatMap((code) => PROBLEM_HEADERS[code] ?? []))];
  const always = carried.filter((name) => codes.every((code) => PROBLEM_HEADERS[code]?.includes(name)));
  const occasional = codes.flatMap((code) => OCCASIONAL_HEADERS[code] ?? []);
  const sometimes = [...new Set([...carried, ...occasional])].filter((name) => !always.includes(name));
  const all: readonly HeaderName[] = ["X-Request-Id", ...always];
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join(". "),
    headers: { ...headersOf(all, true), ...headersOf(sometimes, false) },
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: schemaOf(status, codes),
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            { summary: ERRORS[code].title, value: problemExample(operation, code) },
          ]),
        ),
      },
    },
  };
}

function schemaOf(status: number, codes: readonly ErrorCode[]): Json {
  const plain = codes.filter((code) => PROBLEM_MEMBERS[code] === undefined);
  const special = codes.filter((code) => PROBLEM_MEMBERS[code] !== undefined);
  const alternatives = [
    ...(plain.length === 0 ? [] : [problemWith({ status: { const: status }, code: { enum: plain } })]),
    ...special.map((code) => ({ $ref: schemaRef(problemName(code)) })),
  ];
  return alternatives.length === 1 ? alternatives[0]! : { anyOf: alternatives };
}

/** A schema for each code that adds members of its own. */
export function codeProblems(): Json {
  return Object.fromEntries(
    Object.entries(PROBLEM_MEMBERS).map(([code, members]) => {
      const { properties, required = [] } = z.toJSONSchema(z.object(members), { override: tidySchema });
      const { status } = ERRORS[code as ErrorCode];
      const own = { status: { const: status }, code: { const: code }, ...properties };
      return [problemName(code), problemWith(own, required)];
    }),
  );
}

function problemWith(properties: Json, required: readonly string[] = []): Json {
  return {
    allOf: [
      { $ref: schemaRef("Problem") },
      { type: "object", properties, required: ["status", "code", ...required] },
    ],
  };
}

/** `QUOTA_EXCEEDED` → `QuotaExceededProblem` */
function problemName(code: string): string {
  const words = code.split("_").map((word) => word.slice(0, 1) + word.slice(1).toLowerCase());
  return `${words.join("")}Problem`;
}
