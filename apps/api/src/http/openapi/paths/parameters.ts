import { IDEMPOTENCY_KEY_PATTERN } from "@groundrule/contract";
import type { Json } from "../json.ts";

/** A parameter in the path. */
export function inPath(name: string, schema: Json): Json {
  return { name, in: "path", required: true, schema };
}

/** Of requests that happen once however often they are sent. */
export const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The caller's name for this request; a retry with the same key gets the same answer and is charged once",
  schema: { type: "string", pattern: IDEMPOTENCY_KEY_PATTERN.source },
};

export const IF_NONE_MATCH: Json = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "`ETag` of an earlier answer: if the answer has not changed, it is not sent again",
  schema: { type: "string" },
};
