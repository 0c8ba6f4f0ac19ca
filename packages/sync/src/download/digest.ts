import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

/** SHA-256 of a file, in hexadecimal digits. */
export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const stream = createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) });
  for await (const chunk of stream) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

/** SHA-256 of what a gzipped file holds; undefined where that is not gzip, or more than `limit` bytes. */
export async function sha256OfUnpacked(path: string, limit: number): Promise<string | undefined> {
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
