import type { MiddlewareHandler } from "hono";
import { containsApiKey } from "../../../keys/api-key.ts";
import type { Cors } from "../cors.ts";
import type { ApiEnv } from "../env.ts";
import { mintAscendingId } from "./mint-id.ts";

const REQUEST_ID = /^[A-Za-z0-9_:.-]{1,128}$/;

/**
 * Takes the caller's `X-Request-Id` if it has the right form, otherwise mints one, and sets the headers common to every
 * answer. The id is logged and stored, so one that contains an API key is not accepted.
 */
export function createRequestIdMiddleware(mint: () => string, cors: Cors): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const sent = c.req.header("X-Request-Id");
    const id = sent !== undefined && REQUEST_ID.test(sent) && !containsApiKey(sent) ? sent : mint();
    c.set("requestId", id);
    c.set("common", { "X-Request-Id": id, ...cors.headersFor(c.req.header("Origin")) });
    await next();
  };
}

export function mintRequestId(): string {
  return mintAscendingId("req_");
}
