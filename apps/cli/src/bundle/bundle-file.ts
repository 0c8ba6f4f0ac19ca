import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** A file of a bundle: its path in the bundle, with `/`, and the source of its bytes. */
export interface BundleFile {
  readonly path: string;
  readonly isExecutable?: boolean;
  readonly from: { readonly file: string } | { readonly bytes: Uint8Array };
}

/** A file of a bundle with its size and digest. */
export interface CountedFile extends BundleFile {
  readonly bytes: number;
  /** Digest of its bytes, 64 hex digits. */
  readonly sha256: string;
}

/** A file with this text, in UTF-8. */
export function createTextFile(path: string, text: string, isExecutable = false): BundleFile {
  return { path, isExecutable, from: { bytes: new TextEncoder().encode(text) } };
}

/** Computes size and digest of a file, read as a stream. Fails: as reading it does. */
export async function computeFileSizeAndDigest(file: BundleFile): Promise<CountedFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of readFileContent(file)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { ...file, bytes, sha256: hash.digest("hex") };
}

/** Yields the bytes of a file, in pieces. */
export async function* readFileContent({ from }: BundleFile): AsyncGenerator<Uint8Array> {
  if ("bytes" in from) yield from.bytes;
  else yield* createReadStream(from.file, { highWaterMark: 256 * 1024 });
}
