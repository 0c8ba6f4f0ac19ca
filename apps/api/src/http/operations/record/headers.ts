import { IDEMPOTENCY_KEY_PATTERN } from "@groundrule/contract";
import type { HeaderParameter } from "./operation.ts";

// Headers that several operations read.

/** Names a request that happens once however often it is sent. */
export const IDEMPOTENCY_KEY: HeaderParameter = {
  name: "Idempotency-Key",
  description:
    "The caller's name for this request; a retry with the same key gets the same answer and is charged once",
  schema: { type: "string", pattern: IDEMPOTENCY_KEY_PATTERN.source },
};

export const IF_NONE_MATCH: HeaderParameter = {
  name: "If-None-Match",
  description: "`ETag` of an earlier answer: if the answer has not changed, it is not sent again",
  schema: { type: "string" },
};
