import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { FetchPlan } from "@groundrule/ingest";
import { refusedStatusError } from "../refused.ts";
import { SyncError } from "../sync-error.ts";
import { redactAddress } from "./address.ts";
import { type ExchangeOptions, sendRequest } from "./exchange.ts";

const LIST_LIMIT = 1 << 20;

/**
 * The publisher's SHA-256 of the file of `url`, from a list in the form of `sha256sum` or alone; undefined if the
 * manifest names no list.
 *
 * Fails: `FETCH_CHECKSUM` where the list says nothing of the file; as {@link sendRequest}.
 */
export async function fetchPublishedChecksum(
  { url, sha256_url }: Pick<FetchPlan, "url" | "sha256_url">,
  options: ExchangeOptions,
): Promise<string | undefined> {
  if (sha256_url === undefined || url === undefined) return undefined;
  const list = new URL(sha256_url);
  const name = decodePercentName(new URL(url).pathname.split("/").at(-1) ?? "");
  const text = await readShortText(list, options);
  const found = text.split(/\r?\n/).flatMap((line) => {
    const [, digest, named] = /^([0-9a-f]{64})(?: [ *]?(.*))?$/i.exec(line.trim()) ?? [];
    return digest === undefined ? [] : [{ digest: digest.toLowerCase(), named: named?.split("/").at(-1) }];
  });
  const digest = found.find(({ named }) => named === name) ?? (found.length === 1 ? found[0] : undefined);
  if (digest !== undefined && (digest.named === undefined || digest.named === name)) return digest.digest;
  const message = `${redactAddress(list)} has no SHA-256 of "${name}"`;
  throw new SyncError("FETCH_CHECKSUM", message, { url: redactAddress(list), name });
}

async function readShortText(url: URL, options: ExchangeOptions): Promise<string> {
  const answer = await sendRequest(url, {}, options);
  try {
    const at = redactAddress(answer.url);
    if (answer.status !== 200) throw refusedStatusError(answer.status, at, answer.headers["retry-after"]);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of answer.body()) {
      bytes += chunk.length;
      if (bytes > LIST_LIMIT) {
        throw new SyncError("FETCH_TOO_LARGE", `${at} sends more than ${LIST_LIMIT} bytes of checksums`, {
          url: at,
        });
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  } finally {
    answer.discard();
  }
}

/**
 * Compares a file's SHA-256 with the expected one; that of what is packed in it counts too, for servers
 * pack files on the way.
 *
 * Fails: `FETCH_CHECKSUM`.
 */
export async function assertChecksum(
  path: string,
  found: string,
  expected: string | undefined,
  maxBytes: number,
): Promise<void> {
  if (expected === undefined || found === expected) return;
  if ((await computeUnpackedSha256(path, maxBytes)) === expected) return;
  throw new SyncError("FETCH_CHECKSUM", `found the SHA-256 ${found}, expected ${expected}`, {
    found,
    expected,
  });
}

/** A name as it stands where its percent signs encode nothing. */
function decodePercentName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** SHA-256 of a file, in hexadecimal digits. */
export async function computeFileSha256(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const stream = createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) });
  for await (const chunk of stream) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

/** SHA-256 of what a gzipped file holds; undefined where that is not gzip, or more than `limit` bytes. */
async function computeUnpackedSha256(path: string, limit: number): Promise<string | undefined> {
  const hash = createHash("sha256");
  let bytes = 0;
  async function count(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > limit) throw new RangeError("unpacked beyond the limit");
      hash.update(chunk);
    }
  }
  try {
    await pipeline(createReadStream(path), createGunzip(), count);
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}
