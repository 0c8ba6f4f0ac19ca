import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { JSON_TYPE, type Limits } from "@groundrule/contract";
import { Refusal, type SentBody } from "@groundrule/service";
import type { Context } from "hono";
import type { ApiEnv } from "../env.ts";
import { HttpRefusal } from "../http-refusal.ts";
import type { BodyReservation } from "../ticket.ts";
import { isTypeInUtf8 } from "./media-type.ts";

/**
 * Reads the body of a request, JSON by default, within the limit, without parsing it. A gzip body is unpacked as it
 * arrives, in another thread; limit and room apply to the unpacked bytes.
 *
 * Fails: `UNSUPPORTED_MEDIA_TYPE`; `PAYLOAD_TOO_LARGE`, before a byte is read if the length is declared, otherwise as
 * soon as the limit is passed; `MALFORMED_REQUEST` if the body breaks off or is not gzip; `REQUEST_TIMEOUT` if it
 * arrives too slowly; `OVERLOADED` if there is no room for it.
 */
export async function readRequestBody(
  c: Context<ApiEnv>,
  { bodyBytes }: Pick<Limits, "bodyBytes">,
  types: readonly string[] = [JSON_TYPE],
): Promise<SentBody> {
  requireContentType(c, types);
  const isPacked = isGzip(c);
  const declared = c.req.header("Content-Length");
  if (declared !== undefined && Number(declared) > bodyBytes) {
    throw bodyTooLargeRefusal(bodyBytes, Number(declared));
  }
  // Wrapping Node's stream in a web stream costs more than everything else about reading a small body.
  const incoming = c.env?.incoming;
  const { body } = c.get("ticket");
  if (incoming !== undefined) return readIncomingBody(incoming, isPacked, bodyBytes, body);
  const stream = c.req.raw.body;
  if (stream === null || !isPacked) return readBodyStream(stream, bodyBytes, body);
  return readBodyStream(startGzipUnpacking(Readable.from(stream), () => {}).unpacked, bodyBytes, body);
}

/** Bodies of at least this size share their memory with the thread that parses them. */
const SHARED_FROM_BYTES = 65_536;

function toSentBody(chunks: readonly Uint8Array[], length: number): SentBody {
  if (length < SHARED_FROM_BYTES) return Buffer.concat(chunks, length).toString("latin1");
  const body = new Uint8Array(new SharedArrayBuffer(length));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

function requireContentType(c: Context<ApiEnv>, types: readonly string[]): void {
  const type = c.req.header("Content-Type");
  if (!types.some((expected) => isTypeInUtf8(type, expected))) {
    throw new HttpRefusal(
      "UNSUPPORTED_MEDIA_TYPE",
      `Found ${type === undefined ? "no Content-Type" : `the Content-Type "${type}"`}, expected ${types.join(" or ")} in UTF-8; send the header \`Content-Type: ${types[0]}\`.`,
      { headers: { "Accept-Post": types.join(", ") } },
    );
  }
}

/** True if the body was sent as gzip. Refuses any other coding: `UNSUPPORTED_MEDIA_TYPE`. */
function isGzip(c: Context<ApiEnv>): boolean {
  const encoding = c.req.header("Content-Encoding");
  if (encoding === undefined) return false;
  const coding = encoding.trim().toLowerCase();
  if (coding === "identity") return false;
  if (coding === "gzip" || coding === "x-gzip") return true;
  throw new HttpRefusal(
    "UNSUPPORTED_MEDIA_TYPE",
    `Found the content encoding "${encoding}", expected gzip or none.`,
    { headers: { "Accept-Encoding": "gzip, identity" } },
  );
}

async function readBodyStream(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
  bodyRoom: BodyReservation,
): Promise<SentBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.byteLength;
      bodyRoom.count(chunk.byteLength);
      if (length > limit) throw bodyTooLargeRefusal(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw body instanceof Readable ? invalidGzipRefusal(error as Error) : incompleteBodyRefusal();
  }
  return toSentBody(chunks, length);
}

/** The server discards the rest of a body that exceeds the limit. */
function readIncomingBody(
  incoming: IncomingMessage,
  isPacked: boolean,
  limit: number,
  bodyRoom: BodyReservation,
): Promise<SentBody> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    let stopUnpacking = (): void => {};
    let bytesLeft = (): number => 0;
    const end = (settle: () => void): void => {
      source.off("data", onData).off("end", onEnd);
      incoming.off("close", onClose).off("error", onClose);
      stopUnpacking();
      bodyRoom.arrived();
      settle();
    };
    const onData = (chunk: Uint8Array): void => {
      length += chunk.byteLength;
      if (length > limit) {
        refuse(bodyTooLargeRefusal(limit));
        return;
      }
      chunks.push(chunk);
      bodyRoom.count(chunk.byteLength);
    };
    const refuse = (refusal: Refusal): void => {
      incoming.pause();
      end(() => reject(refusal));
    };
    const onEnd = (): void => {
      if (bytesLeft() > 0) refuse(invalidGzipRefusal({ message: "there is data after its end" }));
      else end(() => resolve(toSentBody(chunks, length)));
    };
    // A packed body may have arrived completely before it is unpacked.
    const onClose = (): void => {
      if (!isPacked || !incoming.readableEnded) end(() => reject(incompleteBodyRefusal()));
    };
    let source: Readable = incoming;
    if (incoming.readableEnded) {
      resolve("");
      return;
    }
    if (incoming.destroyed) {
      reject(incompleteBodyRefusal());
      return;
    }
    if (isPacked) {
      const { unpacked, left, stop } = startGzipUnpacking(incoming, (packedBytes) => {
        if (packedBytes > limit) refuse(bodyTooLargeRefusal(limit));
      });
      unpacked.once("error", (error) => refuse(invalidGzipRefusal(error)));
      stopUnpacking = stop;
      bytesLeft = left;
      source = unpacked;
    }
    bodyRoom.arrives(source, refuse);
    source.on("data", onData).on("end", onEnd);
    incoming.on("close", onClose).on("error", onClose);
  });
}

/** The peer left or ran out of time: nobody reads this refusal, and it is not our error either. */
function incompleteBodyRefusal(): Refusal {
  return new Refusal("MALFORMED_REQUEST", "The body ended before it was complete.");
}

function bodyTooLargeRefusal(limit: number, declared?: number): Refusal {
  return new Refusal(
    "PAYLOAD_TOO_LARGE",
    `Found a body of ${declared ?? `more than ${limit}`} bytes, expected at most ${limit}; send a smaller body.`,
    { details: { limit_bytes: limit } },
  );
}

/** Bytes that come out at a time: more would be made than there may be room for. */
const STEP_BYTES = 64 * 1024;

/** Encodings that are unpacked while the body arrives. */
interface Unpacking {
  readonly unpacked: Gunzip;
  /** Packed bytes that have come and were no part of any member: what follows a zero byte is passed over. */
  left(): number;
  /** Leaves what has not arrived to whoever reads on. */
  stop(): void;
}

/**
 * Unpacks gzip (RFC 1952) of one member or several. Node unpacks it in another thread, and no further
 * than somebody reads: however much a few bytes stand for, one step at a time is in memory.
 *
 * @param onPacked hears how many packed bytes have come so far
 */
function startGzipUnpacking(packed: Readable, onPacked: (bytes: number) => void): Unpacking {
  const unpacked = createGunzip({ chunkSize: STEP_BYTES });
  let bytes = 0;
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.byteLength;
    onPacked(bytes);
  };
  packed.on("data", count).pipe(unpacked);
  const stop = (): void => {
    packed.off("data", count).unpipe(unpacked);
    unpacked.destroy();
  };
  return { unpacked, left: () => bytes - unpacked.bytesWritten, stop };
}

/** Refuses what cannot be unpacked, ends too early or goes on after its end. */
function invalidGzipRefusal({ message }: Pick<Error, "message">): Refusal {
  return new Refusal(
    "MALFORMED_REQUEST",
    `Found a body that is not valid gzip (${message}), expected gzip because of its Content-Encoding; send the complete gzip data, or send the body without a Content-Encoding.`,
  );
}
