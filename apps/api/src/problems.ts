import { ERRORS, PROBLEM_MEDIA_TYPE, problemOf } from "@groundrule/contract";
import type { EngineError } from "@groundrule/engine";
import { Refusal } from "./refusal.ts";

/** The answer to a request that was refused. */
export function problemResponse(refusal: Refusal, requestId: string): Response {
  const { code, message, errors, details, headers } = refusal;
  const { status } = ERRORS[code];
  return new Response(JSON.stringify(problemOf(code, message, requestId, errors, details)), {
    status,
    headers: {
      "Content-Type": PROBLEM_MEDIA_TYPE,
      ...(status === 503 ? { "Retry-After": "2" } : {}),
      ...headers,
    },
  });
}

/** Where in a request the values lie that were handed to the engine, by the code of what it refuses. */
export type Places = Readonly<Partial<Record<EngineError["code"], string>>> & {
  /** For every other code. */
  readonly otherwise: string;
};

/**
 * What the engine would not answer, in terms of the request: its pointers lead into the values
 * that were handed in, the refusal's into the body.
 */
export function refusalOf(error: EngineError, places: Places): Refusal {
  const { faults = [], ...details } = error.details;
  const place = places[error.code] ?? places.otherwise;
  const errors =
    faults.length > 0
      ? faults.map((fault) => ({ ...fault, pointer: place + fault.pointer }))
      : [{ pointer: place, code: error.code, message: error.message }];
  return new Refusal(error.code, error.message, {
    errors: PLACELESS.has(error.code) ? [] : errors,
    details,
  });
}

/** Codes that are about the answer or the reference data, not about a place in the request. */
const PLACELESS: ReadonlySet<EngineError["code"]> = new Set([
  "RESULT_TOO_LARGE",
  "SNAPSHOT_CORRUPT",
  "SNAPSHOT_VERSION_UNSUPPORTED",
]);
