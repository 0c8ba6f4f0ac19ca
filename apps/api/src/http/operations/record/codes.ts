import type { ErrorCode } from "@groundrule/contract";
import type { Operation } from "./operation.ts";

/** Every code that an operation refuses with. */
export function listErrorCodes({ key, request, isCharged, codes }: Operation): readonly ErrorCode[] {
  return [
    ...COMMON_CODES,
    ...(key === "none" ? [] : KEYED_CODES),
    ...(key === "none" || key === "any" ? [] : (["SCOPE_INSUFFICIENT"] as const)),
    ...(request === undefined ? [] : BODY_CODES),
    ...(isCharged ? CHARGED_CODES : []),
    ...codes,
  ];
}

/** Errors that any request can get before it is routed. */
const COMMON_CODES: readonly ErrorCode[] = ["HEADERS_TOO_LARGE", "INTERNAL_ERROR", "MALFORMED_REQUEST"];

const KEYED_CODES: readonly ErrorCode[] = [
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

const BODY_CODES: readonly ErrorCode[] = [
  "EVALUATION_ABORTED",
  "MALFORMED_JSON",
  "PAYLOAD_TOO_LARGE",
  "REQUEST_TIMEOUT",
  "TRANSFER_ENCODING_UNSUPPORTED",
  "UNSUPPORTED_MEDIA_TYPE",
];

const CHARGED_CODES: readonly ErrorCode[] = [
  "DATA_UNAVAILABLE",
  "IDEMPOTENCY_IN_PROGRESS",
  "IDEMPOTENCY_KEY_CONFLICT",
  "IDEMPOTENCY_KEY_EXHAUSTED",
  "IDEMPOTENCY_KEY_INVALID",
  "IDEMPOTENCY_REPLAY_EXPIRED",
  "OUTCOME_UNKNOWN",
  "QUOTA_EXCEEDED",
  "SUBSCRIPTION_INACTIVE",
  "UNCHARGED_LIMIT_REACHED",
];

/** Codes of operations that read a geometry. */
export const GEOMETRY_CODES: readonly ErrorCode[] = [
  "CRS_MISMATCH",
  "CRS_UNKNOWN",
  "GEOMETRY_INVALID",
  "GEOMETRY_TOO_COMPLEX",
  "SOURCE_UNKNOWN",
];
