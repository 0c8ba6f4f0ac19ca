import type { Limits } from "@groundrule/contract";
import { isJsonType, JSON_TYPE } from "./media-type.ts";
import { Refusal } from "./refusal.ts";
import { MalformedJson, parseStrictJson } from "./strict-json.ts";

/**
 * Reads a request's JSON body within the limits.
 *
 * Fails: `UNSUPPORTED_MEDIA_TYPE`; `PAYLOAD_TOO_LARGE`, before a byte is read where the length is
 * declared, else as soon as the limit is passed; `MALFORMED_REQUEST` where the body breaks off;
 * `MALFORMED_JSON` with the fault's place.
 */
export async function readJsonBody(request: Request, limits: Limits): Promise<unknown> {
  requireJson(request);
  const bytes = await readBytes(request, limits.bodyBytes);
  try {
    return parseStrictJson(bytes, limits.jsonDepth);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    const { code, pointer, message, offset } = error;
    throw new Refusal("MALFORMED_JSON", `The body is refused: ${message}.`, {
      errors: [{ pointer, code, message }],
      details: { offset },
    });
  }
}

function requireJson(request: Request): void {
  const type = request.headers.get("Content-Type");
  if (!isJsonType(type ?? undefined)) {
    throw new Refusal(
      "UNSUPPORTED_MEDIA_TYPE",
      `The body is ${type === null ? "of no stated media type" : `declared as "${type}"`}; expected ${JSON_TYPE} in UTF-8.`,
      { headers: { "Accept-Post": JSON_TYPE } },
    );
  }
  const encoding = request.headers.get("Content-Encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    throw new Refusal(
      "UNSUPPORTED_MEDIA_TYPE",
      `The body is encoded as "${encoding}"; expected no encoding.`,
      {
        headers: { "Accept-Encoding": "identity" },
      },
    );
  }
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get("Content-Length");
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit, Number(declared));
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength;
      if (length > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The peer went away or ran out of time: nobody reads this, but it is no fault of ours either.
    throw new Refusal("MALFORMED_REQUEST", "The body broke off before its end.");
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function tooLarge(limit: number, declared?: number): Refusal {
  return new Refusal(
    "PAYLOAD_TOO_LARGE",
    `The body has ${declared === undefined ? "more than" : `${declared} bytes, allowed are`} ${limit} bytes.`,
    { details: { limit_bytes: limit } },
  );
}
