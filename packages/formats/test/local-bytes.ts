import type { LocalFile } from "../src/file/local-file.ts";

/** Bytes as a file, and how many were read of it. */
export function toLocalFile(bytes: Uint8Array, name = "test"): LocalFile & { bytesRead: number } {
  const file = {
    name,
    path: `/nowhere/${name}`,
    size: bytes.length,
    bytesRead: 0,
    async read(offset: number, length: number): Promise<Uint8Array> {
      const part = bytes.slice(offset, offset + length);
      file.bytesRead += part.length;
      return part;
    },
    async *stream(from = 0): AsyncGenerator<Uint8Array> {
      for (let at = from; at < bytes.length; at += 7919) yield bytes.slice(at, at + 7919);
    },
    async close(): Promise<void> {},
  };
  return file;
}
