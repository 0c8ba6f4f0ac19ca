import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { ApiEnv } from "./env.ts";
import { JSON_TYPE } from "./media-type.ts";

/**
 * An answer, complete when it is made: headers that are added to one later cost more than all the rest
 * of it. Nothing here is to be framed, sniffed or cached: answers hold customers' plots.
 *
 * @param headers its `Content-Type` above all; they come on top of the common ones
 */
export function answerOf(
  requestId: string,
  body: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(body, {
    status,
    headers: { ...COMMON_HEADERS, "X-Request-Id": requestId, ...headers },
  });
}

/** Answers a request; see {@link answerOf}. */
export function respond(
  c: Context<ApiEnv>,
  body: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  return answerOf(c.get("requestId"), body, status, headers);
}

/** Answers with a value as JSON. */
export function respondJson(
  c: Context<ApiEnv>,
  value: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return respond(c, JSON.stringify(value), status, { "Content-Type": JSON_TYPE, ...headers });
}

/** Hono's recommended headers, taken from an answer that it set them on. */
const secured = await new Hono()
  .use(secureHeaders({ xFrameOptions: "DENY" }))
  .get("/", (c) => c.body(null))
  .request("/");

const COMMON_HEADERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(secured.headers),
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};
