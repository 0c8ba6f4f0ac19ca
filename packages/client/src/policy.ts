import { ApiError, type NetworkError } from "./errors.ts";

/**
 * The action after a failed attempt. `retry`: again under the same key, as often as attempts allow; `wait`: the service
 * works and demands a pause, limited only by the call's deadline; `final`: another attempt would not change the result.
 */
export type NextStep = "retry" | "wait" | "final";

/** Decides the action after a failure. Every step except `final` keeps the key, so there is at most one charge. */
export function decideNextStep(error: ApiError | NetworkError): NextStep {
  return error instanceof ApiError ? decideAfterRefusal(error) : decideAfterNoAnswer(error);
}

function decideAfterRefusal({ code, status }: ApiError): NextStep {
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

function decideAfterNoAnswer({ reason, status }: NetworkError): NextStep {
  if (reason === "redirect" || reason === "too_large") return "final";
  if (status === undefined || status < 300) return "retry";
  // From a proxy between the client and the service, which sends no codes.
  return status >= 500 || status === 408 || status === 425 || status === 429 || status === 499
    ? "retry"
    : "final";
}

/** Initial bound of the delay between attempts, milliseconds; it doubles up to the maximum. */
const FIRST_DELAY_MS = 500;
const GREATEST_DELAY_MS = 20_000;
/** Minimum wait, so that "0 seconds" does not cause a busy loop. */
const LEAST_WAIT_MS = 50;

/**
 * The delay before the next attempt, milliseconds: exponential backoff with full jitter, not before the service's
 * `Retry-After`. Callers that were refused together do not return together.
 *
 * @param failures attempts that have failed so far, from 1
 * @param retryAfterSeconds the service's `Retry-After`
 * @param random from 0 inclusive to 1 exclusive
 */
export function computeRetryDelayMs(
  failures: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number {
  const bound = Math.min(GREATEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 30));
  const requestedMs = (retryAfterSeconds ?? 0) * 1000;
  return Math.max(LEAST_WAIT_MS, Math.ceil(requestedMs + random * bound));
}
