import { buildProblem, ERRORS, PROBLEM_MEDIA_TYPE } from "@groundrule/contract";
import type { Refusal } from "@groundrule/service";
import { hideApiKeys } from "../../keys/api-key.ts";
import type { CommonHeaders } from "./env.ts";
import { HttpRefusal } from "./http-refusal.ts";
import { buildAnswer } from "./respond.ts";

/**
 * The answer to a refused request.
 *
 * @param common headers of that request's answers
 */
export function createProblemResponse(refusal: Refusal, common: CommonHeaders): Response {
  const { code, message, errors, details } = refusal;
  const { headers = {}, members = {} } = refusal instanceof HttpRefusal ? refusal : {};
  const { status } = ERRORS[code];
  const problem = buildProblem(code, message, common["X-Request-Id"], errors, details, members);
  // Messages quote what a caller sent: perhaps a key that was put in the wrong place.
  const body = hideApiKeys(JSON.stringify(problem));
  return buildAnswer(common, body, status, {
    "Content-Type": PROBLEM_MEDIA_TYPE,
    ...(status === 503 && { "Retry-After": "2" }),
    ...headers,
  });
}
