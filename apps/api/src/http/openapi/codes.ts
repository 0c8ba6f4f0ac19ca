import type { ErrorCode } from "@groundrule/contract";

// Codes that several operations refuse with.

/** Of everything: what is refused before it is known where it leads. */
export const COMMON_CODES: readonly ErrorCode[] = [
  "HEADERS_TOO_LARGE",
  "INTERNAL_ERROR",
  "MALFORMED_REQUEST",
];
export const GEOMETRY_CODES: readonly ErrorCode[] = [
  "CRS_MISMATCH",
  "CRS_UNKNOWN",
  "GEOMETRY_INVALID",
  "GEOMETRY_TOO_COMPLEX",
  "SOURCE_UNKNOWN",
];
/** Of everything that takes a key. */
export const KEYED_CODES: readonly ErrorCode[] = [
  ...COMMON_CODES,
  "API_KEY_EXPIRED",
  "API_KEY_INVALID",
  "API_KEY_REVOKED",
  "AUTHENTICATION_REQUIRED",
  "NOT_ACCEPTABLE",
  "OVERLOADED",
  "RATE_LIMIT_EXCEEDED",
  "STORAGE_UNAVAILABLE",
  "VALIDATION_FAILED",
];
/** Of everything that takes a body. */
export const BODY_CODES: readonly ErrorCode[] = [
  "EVALUATION_ABORTED",
  "MALFORMED_JSON",
  "PAYLOAD_TOO_LARGE",
  "REQUEST_TIMEOUT",
  "TRANSFER_ENCODING_UNSUPPORTED",
  "UNSUPPORTED_MEDIA_TYPE",
];
export const QUESTION_CODES: readonly ErrorCode[] = [
  ...KEYED_CODES,
  ...BODY_CODES,
  "IDEMPOTENCY_IN_PROGRESS",
  "IDEMPOTENCY_KEY_CONFLICT",
  "IDEMPOTENCY_KEY_EXHAUSTED",
  "IDEMPOTENCY_KEY_INVALID",
  "IDEMPOTENCY_REPLAY_EXPIRED",
  "OUTCOME_UNKNOWN",
  "QUOTA_EXCEEDED",
  "SCOPE_INSUFFICIENT",
  "SUBSCRIPTION_INACTIVE",
  "UNCHARGED_LIMIT_REACHED",
];
