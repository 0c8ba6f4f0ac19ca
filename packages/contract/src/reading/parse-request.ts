import type { Fault } from "@groundrule/engine";
import { describeValue } from "@groundrule/engine/internal";
import { FAULT_LIMIT, findNearestName, formatJsonPointer } from "@groundrule/engine/internal/json";
import * as z from "zod";
import { describeExpectation } from "./expectation.ts";

/** The result of parsing a request: its value, or its faults. */
export type ParsedRequest<Request> =
  | { readonly value: Request }
  | { readonly faults: readonly [Fault, ...Fault[]] };

/**
 * Checks a body (or the members of a query) against its schema and lists every fault with its place, at most 100 in
 * schema order. An unknown member is a fault of its own, with the nearest known name: a typo must not widen a question.
 *
 * @param value the parsed JSON of the body, or the members of the query
 * @param pointerOf converts a path to the fault's pointer; RFC 6901 by default
 */
export function parseRequest<Request>(
  schema: z.ZodType<Request, unknown>,
  value: unknown,
  pointerOf: (path: readonly PropertyKey[]) => string = formatJsonPointer,
): ParsedRequest<Request> {
  const parsed = schema.safeParse(value, { error: describeExpectation });
  if (parsed.success) return { value: parsed.data };
  const [first, ...others] = collectRequestFaults(schema, value, parsed.error.issues, pointerOf);
  if (first === undefined) throw new Error("a schema refused a value without saying why");
  return { faults: [first, ...others.slice(0, FAULT_LIMIT - 1)] };
}

/** Query of a route without parameters: an unknown one would otherwise be ignored. */
export const noQuerySchema: z.ZodType<Record<string, never>, unknown> = z.strictObject({});

type Issue = z.core.$ZodIssue;

function collectRequestFaults(
  schema: z.ZodType,
  value: unknown,
  issues: readonly Issue[],
  pointerOf: (path: readonly PropertyKey[]) => string,
): Fault[] {
  const faults: Fault[] = [];
  for (const issue of listInnermostIssues(issues)) {
    if (issue.code === "unrecognized_keys") {
      const known = listMemberNames(findSchemaAt(schema, issue.path));
      for (const key of issue.keys.slice(0, FAULT_LIMIT)) {
        const near = findNearestName(key, known);
        faults.push({
          pointer: pointerOf([...issue.path, key]),
          code: "UNKNOWN_MEMBER",
          message: `unknown member ${quoteShortened(key)}; ${
            near === undefined ? describeExpectedNames(known) : `did you mean ${quoteShortened(near)}?`
          }`,
        });
      }
    } else {
      faults.push({
        pointer: pointerOf(issue.path),
        code: FAULT_CODES[issue.code] ?? "INVALID_VALUE",
        message: `found ${describeValue(findValueAt(value, issue.path))}, ${issue.message}`,
      });
    }
  }
  return faults;
}

/** Fault codes by zod's issue codes; any other issue is an `INVALID_VALUE`. */
const FAULT_CODES: Readonly<Partial<Record<Issue["code"], string>>> = {
  invalid_type: "INVALID_TYPE",
  too_big: "TOO_BIG",
  too_small: "TOO_SMALL",
};

/** Replaces a failed union by the issues of the alternative whose outer type matches, if one does. */
function listInnermostIssues(issues: readonly Issue[], prefix: readonly PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const path = [...prefix, ...issue.path];
    if (issue.code === "invalid_union") {
      const fitting = issue.errors.find((alternative) =>
        alternative.every((inner) => inner.path.length > 0 || inner.code !== "invalid_type"),
      );
      if (fitting !== undefined) return listInnermostIssues(fitting, path);
    }
    return [{ ...issue, path }];
  });
}

/** The value at a path in a JSON value. */
function findValueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? at[key as keyof typeof at]
        : undefined,
    value,
  );
}

/** The schema at a path; undefined if the path leaves the described members. */
function findSchemaAt(schema: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  for (const candidate of listSchemaAlternatives(schema)) {
    if (candidate instanceof z.ZodObject && Object.hasOwn(candidate.shape, key)) {
      return findSchemaAt(candidate.shape[String(key)], rest);
    }
    if (candidate instanceof z.ZodArray && typeof key === "number")
      return findSchemaAt(candidate.element, rest);
  }
  return undefined;
}

function listMemberNames(schema: unknown): string[] {
  return listSchemaAlternatives(schema).flatMap((candidate) =>
    candidate instanceof z.ZodObject ? Object.keys(candidate.shape) : [],
  );
}

/** The schema inside its wrappers: the possible alternatives. */
function listSchemaAlternatives(schema: unknown): unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return listSchemaAlternatives(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return listSchemaAlternatives(schema.in);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(listSchemaAlternatives);
  return [schema];
}

function describeExpectedNames(known: readonly string[]): string {
  return known.length === 0 ? "expected none" : `expected one of ${known.map(quoteShortened).join(", ")}`;
}

function quoteShortened(name: string): string {
  return `"${name.length > 64 ? `${name.slice(0, 64)}…` : name}"`;
}
