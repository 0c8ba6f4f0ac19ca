import type { AnswerProblem } from "./answerer.ts";

/** The part at which a problem lies. Only `plot` says something about the plot. */
export type Blamed = "plot" | "ruleset" | "key" | "quota" | "service";

/** Codes of problems that do not lie at the plot. */
const BLAMED: Readonly<Record<string, Blamed>> = {
  API_KEY_INVALID: "key",
  API_KEY_EXPIRED: "key",
  API_KEY_REVOKED: "key",
  AUTHENTICATION_REQUIRED: "key",
  SCOPE_INSUFFICIENT: "key",
  QUOTA_EXCEEDED: "quota",
  SUBSCRIPTION_INACTIVE: "quota",
  UNCHARGED_LIMIT_REACHED: "quota",
  RULESET_INVALID: "ruleset",
  RULESET_NOT_FOUND: "ruleset",
  SOURCE_UNKNOWN: "ruleset",
  DATA_UNAVAILABLE: "service",
  IDEMPOTENCY_KEY_CONFLICT: "service",
  IDEMPOTENCY_KEY_EXHAUSTED: "service",
  IDEMPOTENCY_REPLAY_EXPIRED: "service",
  NETWORK_FAILED: "service",
  OVERLOADED: "service",
  RATE_LIMIT_EXCEEDED: "service",
  STORAGE_UNAVAILABLE: "service",
};

/** By status of HTTP, for other codes; 0 if the page itself answered. Any other status lies at the service. */
const BLAMED_BY_STATUS: Readonly<Record<number, Blamed>> = {
  0: "plot",
  400: "plot",
  401: "key",
  402: "quota",
  403: "key",
  413: "plot",
  422: "plot",
};

/** Finds the part at which a problem lies, by its code, else by its status. */
export function findBlamed({ code, status = 0 }: Pick<AnswerProblem, "code" | "status">): Blamed {
  return (Object.hasOwn(BLAMED, code) ? BLAMED[code] : BLAMED_BY_STATUS[status]) ?? "service";
}
