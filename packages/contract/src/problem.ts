import type { Fault } from "@groundrule/engine";
import * as z from "zod";
import { ERRORS, type ErrorCode } from "./error-codes.ts";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Body of every answer that is not a success: RFC 9457, with a stable `code`. */
export interface Problem {
  /** `urn:groundrule:error:<code>`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  /** The request id, also in the header `X-Request-Id`. */
  readonly instance: string;
  /** Each fault with its place; empty where the problem has no place. */
  readonly errors: readonly Fault[];
  /** Facts behind `detail` as data: what was found, what was allowed. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export function problemOf(
  code: ErrorCode,
  detail: string,
  instance: string,
  errors: readonly Fault[] = [],
  details: Readonly<Record<string, unknown>> = {},
): Problem {
  const { status, title } = ERRORS[code];
  return {
    type: `urn:groundrule:error:${code}`,
    title,
    status,
    code,
    detail,
    instance,
    errors,
    ...(Object.keys(details).length > 0 ? { details } : {}),
  };
}

const faultSchema: z.ZodType<Fault> = z
  .looseObject({
    pointer: z
      .string()
      .describe(
        "JSON pointer (RFC 6901) into the body; `?name` for a query parameter, `` for the whole body",
      ),
    code: z.string(),
    message: z.string(),
  })
  .meta({
    title: "Fault",
    description: "Faults of a geometry also say polygon, ring and position by number, and the coordinate",
  });

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export const problemSchema: z.ZodType<Problem> = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(codes),
  detail: z.string(),
  instance: z.string(),
  errors: z.array(faultSchema),
  details: z.record(z.string(), z.unknown()).optional(),
});
