import { promisify } from "node:util";
import { gzip, gzipSync, type ZlibOptions } from "node:zlib";
import { JSON_TYPE } from "@groundrule/contract";
import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { computeEntityDigest, formatEntityTag, isKnown } from "./entity-tag.ts";
import type { ApiEnv, CommonHeaders } from "./env.ts";
import { PART_BYTES } from "./outbox.ts";
import { parseAcceptEncoding } from "./request/content-coding.ts";

/**
 * Creates a complete answer at once: adding headers later costs more than everything else about it. Answers may not be
 * framed, sniffed or cached: they contain customers' plots.
 *
 * @param common headers common to all answers to the request
 * @param headers added to the common ones, above all `Content-Type`
 */
export function buildAnswer(
  common: CommonHeaders,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const { Vary } = common;
  return new Response(body, {
    status,
    headers: {
      ...SECURITY_HEADERS,
      ...common,
      ...headers,
      ...(Vary !== undefined && { Vary: "Vary" in headers ? `${headers.Vary}, ${Vary}` : Vary }),
    },
  });
}

/**
 * Answers a request; see {@link buildAnswer}. A long answer is packed if the client accepts that, and leaves in parts, as
 * fast as it is read.
 */
export function respondBody(
  c: Context<ApiEnv>,
  body: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  if (body === null) return buildAnswer(c.get("common"), null, status, headers);
  // Nearly every answer is short, and nearly every client accepts a plain one.
  if (body.length < PACKED_FROM_BYTES && !refusesPlain(c)) {
    return buildAnswer(c.get("common"), body, status, headers);
  }
  const { Vary } = headers;
  const varying = { ...headers, Vary: Vary ? `${Vary}, ${CODING}` : CODING };
  if (chooseContentCoding(c, body.length) === "gzip") return respondPacked(c, toBytes(body), status, varying);
  return body.length > PART_BYTES
    ? respondInParts(c, toBytes(body), status, varying, { organization: c.get("caller")?.organization })
    : buildAnswer(c.get("common"), body, status, varying);
}

/**
 * Sends the response with an ETag, or 304 if the client already has it.
 *
 * @param headers above all its `Content-Type`, and how long it may be cached
 * @param entity the source of its tag, if that is not the body; see {@link buildTaggedHeaders}
 */
export function respondWithTag(
  c: Context<ApiEnv>,
  body: string | Uint8Array<ArrayBuffer>,
  headers: KeptHeaders,
  entity?: string,
): Response | Promise<Response> {
  const isPacked = body.length >= PACKED_FROM_BYTES || refusesPlain(c);
  const coding = isPacked ? chooseContentCoding(c, body.length) : "identity";
  const named = entity ?? computeEntityDigest(body);
  const whole = buildTaggedHeaders(headers, named, entity === undefined ? coding : "any");
  const same = respondIfNotModified(c, named, whole);
  if (same !== undefined) return same;
  if (coding === "gzip") return respondPacked(c, toBytes(body), 200, whole);
  return buildAnswer(c.get("common"), body, 200, whole);
}

type KeptHeaders = Readonly<Record<"Cache-Control" | "Content-Type", string>>;

/**
 * The headers of a tagged answer that depends on the caller: an answer to one key must not reach another, nor a shared
 * cache.
 *
 * @param coding `any` if the tag is sent before the coding is known
 */
export function buildTaggedHeaders(
  headers: KeptHeaders,
  entity: string,
  coding: "any" | "gzip" | "identity",
): Readonly<Record<string, string>> {
  return { ...headers, ETag: formatEntityTag(entity, coding), Vary: `Authorization, ${CODING}` };
}

/**
 * Answers 304 if the client already has the current answer; undefined if the request names no such answer.
 *
 * Caches replace their stored headers by those of a 304 (RFC 9111 §4.3.4), and a browser then applies them, including
 * the policy. So a 304 has all headers of the whole answer, except those about the body.
 *
 * @param headers those of the whole answer
 */
export function respondIfNotModified(
  c: Context<ApiEnv>,
  entity: string,
  headers: Readonly<Record<string, string>>,
): Response | undefined {
  if (!isKnown(c.req.header("If-None-Match"), entity)) return undefined;
  const { "Content-Type": _, ...lasting } = headers;
  return buildAnswer(c.get("common"), null, 304, lasting);
}

const CODING = "Accept-Encoding";

/** True if an answer must be packed, however short; a client that accepts neither form gets a plain answer. */
function refusesPlain(c: Context<ApiEnv>): boolean {
  const accept = c.req.header(CODING);
  return (
    accept?.includes("=0") === true &&
    !parseAcceptEncoding(accept).identity &&
    parseAcceptEncoding(accept).gzip
  );
}

function chooseContentCoding(c: Context<ApiEnv>, length: number): "gzip" | "identity" {
  const { gzip, identity } = parseAcceptEncoding(c.req.header(CODING));
  return gzip && (!identity || isPackedNow(length)) ? "gzip" : "identity";
}

async function respondPacked(
  c: Context<ApiEnv>,
  bytes: Uint8Array<ArrayBuffer>,
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { outbox, outgoing } = c.env ?? {};
  const organization = c.get("caller")?.organization;
  const isLong = bytes.length > PART_BYTES;
  if (isLong && outgoing !== undefined) outbox?.hold(outgoing, organization, bytes.length);
  const packed = await gzipBytes(bytes);
  if (isLong && outgoing !== undefined) outbox?.progress(outgoing, bytes.length - packed.length);
  const coded = { ...headers, "Content-Encoding": "gzip" };
  if (packed.length > PART_BYTES) return respondInParts(c, packed, status, coded, { organization });
  return buildAnswer(c.get("common"), packed, status, coded);
}

function toBytes(body: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? Buffer.from(body) : body;
}

/** Answers with bytes that are kept in memory for all callers. */
export function respondSharedBytes(
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
  return buildAnswer(c.get("common"), body, status, { ...headers, "Content-Length": String(bytes.length) });
}

/** Answers with a value as JSON. */
export function respondJson(
  c: Context<ApiEnv>,
  value: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  return respondBody(c, JSON.stringify(value), status, { "Content-Type": JSON_TYPE, ...headers });
}

/** Hono's recommended headers, copied from an answer that it set them on. */
const secured = await new Hono()
  .use(secureHeaders({ xFrameOptions: "DENY" }))
  .get("/", (c) => c.body(null))
  .request("/");

/** Default headers of every answer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(secured.headers),
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

/** Shorter answers are sent as they are: they fit in a few packets, and packing them costs as much as a gate. */
const PACKED_FROM_BYTES: number = 4 * 1024;

/** Up to here packing costs less than handing the bytes to another thread. */
const AT_ONCE_BYTES = 8 * 1024;

/** Long answers that are packed at a time, in the threads that Node has for such work: others find some free. */
const LONG_AT_A_TIME = 2;

/** Higher levels take twice the time for a hundredth of the bytes of a long answer. */
const OPTIONS: ZlibOptions = { level: 4, chunkSize: 64 * 1024 };

const gzipAside = promisify<Uint8Array, ZlibOptions, Buffer<ArrayBuffer>>(gzip);

let running = 0;
const waiting: (() => void)[] = [];

/** True if bytes would be packed now: a long answer does not wait for others to be packed. */
function isPackedNow(length: number): boolean {
  return length <= AT_ONCE_BYTES || running < LONG_AT_A_TIME;
}

/** Bytes as gzip: few at once, many in another thread, two answers at a time. */
function gzipBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  return bytes.length <= AT_ONCE_BYTES ? gzipSync(bytes, OPTIONS) : gzipInThread(bytes);
}

async function gzipInThread(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (running >= LONG_AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await gzipAside(bytes, OPTIONS);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
