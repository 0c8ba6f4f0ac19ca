import type { SnapshotFile } from "@groundrule/engine/build";

/** A finished snapshot's bytes in one buffer. */
export function joinFileBytes(file: SnapshotFile): ArrayBuffer {
  return joinChunksInto(file, new ArrayBuffer(file.byteLength));
}

/** The same in a buffer of the caller's, which must have the file's length. */
export function joinChunksInto<T extends ArrayBuffer | SharedArrayBuffer>(file: SnapshotFile, buffer: T): T {
  const bytes = new Uint8Array(buffer);
  let end = 0;
  for (const chunk of file.chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  if (end !== file.byteLength || end !== buffer.byteLength) {
    throw new Error(`${end} bytes written, ${file.byteLength} announced, ${buffer.byteLength} expected`);
  }
  return buffer;
}
