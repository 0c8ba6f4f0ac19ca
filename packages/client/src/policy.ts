import { ApiError, type NetworkError } from "./errors.ts";

/**
 * What to do after a failed attempt. `retry`: again under the same key, as often as attempts allow; `wait`: the
 * service is well and asks for time, which the call's deadline alone limits; `final`: nothing changes by asking again.
 */
export type NextStep = "retry" | "wait" | "final";

/** What a failure calls for. Every step that is not `final` keeps the key: a charge happens once. */
export function nextStep(error: ApiError | NetworkError): NextStep {
  return error instanceof ApiError ? afterRefusal(error) : afterNoAnswer(error);
}

function afterRefusal({ code, status }: ApiError): NextStep {
  switch (code) {
    case "RATE_LIMIT_EXCEEDED":
    case "IDEMPOTENCY_IN_PROGRESS":
      return "wait";
    case "TRANSFER_ENCODING_UNSUPPORTED":
      return "final";
    default:
      // 408: the request did not arrive in time.
      return status >= 500 || status === 408 ? "retry" : "final";
  }
}

function afterNoAnswer({ reason, status }: NetworkError): NextStep {
  if (reason === "redirect" || reason === "too_large") return "final";
  if (status === undefined || status < 300) return "retry";
  // From something between the client and the service, which has no codes to go by.
  return status >= 500 || status === 408 || status === 425 || status === 429 || status === 499
    ? "retry"
    : "final";
}

/** First bound of the time between attempts, milliseconds; it doubles up to the greatest. */
const FIRST_DELAY_MS = 500;
const GREATEST_DELAY_MS = 20_000;
/** A wait that is asked for is at least this long, so that "0 seconds" is no loop. */
const LEAST_WAIT_MS = 50;

/**
 * How long to wait before the next attempt, milliseconds: exponential backoff with full jitter, not before the service
 * wants to be asked again. Callers that were sent away together do not come back together.
 *
 * @param failures attempts that have failed so far, from 1
 * @param retryAfterSeconds what the service asked for
 * @param random from 0 inclusive to 1 exclusive
 */
export function delayMs(failures: number, retryAfterSeconds: number | undefined, random: number): number {
  const bound = Math.min(GREATEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 30));
  const asked = (retryAfterSeconds ?? 0) * 1000;
  return Math.max(LEAST_WAIT_MS, Math.ceil(asked + random * bound));
}
