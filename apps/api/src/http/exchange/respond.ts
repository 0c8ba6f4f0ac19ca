import { JSON_TYPE } from "@groundrule/contract";
import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { ApiEnv } from "./env.ts";
import { PART_BYTES } from "./outbox.ts";

/**
 * An answer, complete when it is made: headers that are added to one later cost more than all the rest
 * of it. Nothing here is to be framed, sniffed or cached: answers hold customers' plots.
 *
 * @param headers its `Content-Type` above all; they come on top of the common ones
 */
export function answerOf(
  requestId: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(body, {
    status,
    headers: { ...COMMON_HEADERS, "X-Request-Id": requestId, ...headers },
  });
}

/** Answers a request; see {@link answerOf}. What is long leaves in parts, as fast as it is read. */
export function respond(
  c: Context<ApiEnv>,
  body: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const isLong = body !== null && body.length > PART_BYTES;
  if (!isLong) return answerOf(c.get("requestId"), body, status, headers);
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return respondInParts(c, bytes, status, headers, { organization: c.get("caller")?.organization });
}

/** Answers with bytes that are kept for everyone who asks for them. */
export function respondShared(
  c: Context<ApiEnv>,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Response {
  return respondInParts(c, bytes, 200, headers, { isShared: true });
}

function respondInParts(
  c: Context<ApiEnv>,
  bytes: Uint8Array<ArrayBuffer>,
  status: number,
  headers: Readonly<Record<string, string>>,
  whose: { readonly organization?: string | undefined; readonly isShared?: boolean },
): Response {
  const { outbox, outgoing } = c.env ?? {};
  const hasReader = outbox !== undefined && outgoing !== undefined;
  const body = hasReader ? outbox.inParts(bytes, outgoing, whose) : bytes;
  return answerOf(c.get("requestId"), body, status, { ...headers, "Content-Length": String(bytes.length) });
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
