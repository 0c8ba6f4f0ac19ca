import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { Context } from "hono";
import { computeEntityDigest, formatEntityTag } from "./entity-tag.ts";
import type { ApiEnv } from "./env.ts";
import { parseAcceptEncoding } from "./request/content-coding.ts";
import { respondIfNotModified, respondSharedBytes, SECURITY_HEADERS } from "./respond.ts";

/**
 * A document with the same bytes for every caller while the service runs. A client that has it asks if it changed, and
 * gets a short 304.
 */
export class SharedDocument {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #entity: string;
  /** Packed once, at the first request for it. */
  #packed: Promise<Uint8Array<ArrayBuffer>> | undefined;

  /**
   * @param headers above all its `Content-Type`
   * @param cacheControl how long it may be cached without asking; default: not at all
   */
  constructor(
    content: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>>,
    cacheControl = "no-cache",
  ) {
    this.#bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.#headers = { ...headers, "Cache-Control": cacheControl, Vary: "Accept-Encoding" };
    // Different headers make a different answer: not every browser takes a new policy from a 304.
    const said = JSON.stringify({ ...SECURITY_HEADERS, ...this.#headers });
    this.#entity = computeEntityDigest(Buffer.concat([Buffer.from(said), this.#bytes]));
  }

  async respond(c: Context<ApiEnv>): Promise<Response> {
    const coding = parseAcceptEncoding(c.req.header("Accept-Encoding")).gzip ? "gzip" : "identity";
    const headers = { ...this.#headers, ETag: formatEntityTag(this.#entity, coding) };
    const same = respondIfNotModified(c, this.#entity, headers);
    if (same !== undefined) return same;
    if (coding === "identity") return respondSharedBytes(c, this.#bytes, headers);
    this.#packed ??= promisify(gzip)(this.#bytes, { level: constants.Z_BEST_COMPRESSION });
    return respondSharedBytes(c, await this.#packed, { ...headers, "Content-Encoding": "gzip" });
  }
}
