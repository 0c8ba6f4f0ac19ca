import { ERRORS, PROBLEM_MEDIA_TYPE, problemOf } from "@groundrule/contract";
import type { Refusal } from "@groundrule/service";
import { HttpRefusal } from "./http-refusal.ts";
import { answerOf } from "./respond.ts";

/** The answer to a request that was refused. */
export function problemResponse(refusal: Refusal, requestId: string): Response {
  const { code, message, errors, details } = refusal;
  const { headers = {}, members = {} } = refusal instanceof HttpRefusal ? refusal : {};
  const { status } = ERRORS[code];
  const body = JSON.stringify(problemOf(code, message, requestId, errors, details, members));
  return answerOf(requestId, body, status, {
    "Content-Type": PROBLEM_MEDIA_TYPE,
    ...(status === 503 && { "Retry-After": "2" }),
    ...headers,
  });
}
