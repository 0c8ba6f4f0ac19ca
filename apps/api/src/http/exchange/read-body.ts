import type { IncomingMessage } from "node:http";
import { JSON_TYPE, type Limits } from "@groundrule/contract";
import { Refusal, type SentBody } from "@groundrule/service";
import type { Context } from "hono";
import type { ApiEnv } from "./env.ts";
import { HttpRefusal } from "./http-refusal.ts";
import { isJsonType } from "./media-type.ts";
import type { HeldBody } from "./ticket.ts";

/**
 * Reads the body of a JSON request within the limit, and does not look inside.
 *
 * Fails: `UNSUPPORTED_MEDIA_TYPE`; `PAYLOAD_TOO_LARGE`, before a byte is read where the length is
 * declared, else as soon as the limit is passed; `MALFORMED_REQUEST` where the body breaks off;
 * `REQUEST_TIMEOUT` where it comes too slowly; `OVERLOADED` where there is no room for it.
 */
export async function readBody(c: Context<ApiEnv>, { bodyBytes }: Limits): Promise<SentBody> {
  requireJson(c);
  const declared = c.req.header("Content-Length");
  if (declared !== undefined && Number(declared) > bodyBytes) {
    throw tooLarge(bodyBytes, Number(declared));
  }
  // A stream of the web around Node's costs more than the rest of reading a small body.
  const incoming = c.env?.incoming;
  const { body } = c.get("ticket");
  return incoming === undefined
    ? readStream(c.req.raw.body, bodyBytes, body)
    : readIncoming(incoming, bodyBytes, body);
}

/** Bodies from here on are shared with the thread that parses them. */
const SHARED_FROM_BYTES = 65_536;

function sentBody(chunks: readonly Uint8Array[], length: number): SentBody {
  if (length < SHARED_FROM_BYTES) return Buffer.concat(chunks, length).toString("latin1");
  const body = new Uint8Array(new SharedArrayBuffer(length));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

function requireJson(c: Context<ApiEnv>): void {
  const type = c.req.header("Content-Type");
  if (!isJsonType(type)) {
    throw new HttpRefusal(
      "UNSUPPORTED_MEDIA_TYPE",
      `Found ${type === undefined ? "no Content-Type" : `the Content-Type "${type}"`}, expected ${JSON_TYPE} in UTF-8.`,
      { headers: { "Accept-Post": JSON_TYPE } },
    );
  }
  const encoding = c.req.header("Content-Encoding");
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    throw new HttpRefusal(
      "UNSUPPORTED_MEDIA_TYPE",
      `Found the content encoding "${encoding}", expected none.`,
      {
        headers: { "Accept-Encoding": "identity" },
      },
    );
  }
}

async function readStream(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  held: HeldBody,
): Promise<SentBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.byteLength;
      held.count(chunk.byteLength);
      if (length > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : brokenOff();
  }
  return sentBody(chunks, length);
}

/** What is left unread past the limit is the server's to throw away. */
function readIncoming(incoming: IncomingMessage, limit: number, held: HeldBody): Promise<SentBody> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const end = (settle: () => void): void => {
      incoming.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      held.arrived();
      settle();
    };
    const onData = (chunk: Uint8Array): void => {
      length += chunk.byteLength;
      if (length > limit) {
        refuse(tooLarge(limit));
        return;
      }
      chunks.push(chunk);
      held.count(chunk.byteLength);
    };
    const refuse = (refusal: Refusal): void => {
      incoming.pause();
      end(() => reject(refusal));
    };
    const onEnd = (): void => end(() => resolve(sentBody(chunks, length)));
    const onClose = (): void => end(() => reject(brokenOff()));
    if (incoming.readableEnded) resolve("");
    else if (incoming.destroyed) reject(brokenOff());
    else {
      held.arrives(incoming, refuse);
      incoming.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
    }
  });
}

/** The peer went away or ran out of time: nobody reads this, but it is no fault of ours either. */
function brokenOff(): Refusal {
  return new Refusal("MALFORMED_REQUEST", "The body ended before it was complete.");
}

function tooLarge(limit: number, declared?: number): Refusal {
  return new Refusal(
    "PAYLOAD_TOO_LARGE",
    `Found a body of ${declared ?? `more than ${limit}`} bytes, expected at most ${limit}; send a smaller body.`,
    { details: { limit_bytes: limit } },
  );
}
