import type { SnapshotFile } from "../snapshot.ts";

/** The bytes of a snapshot file, in one array. */
export function snapshotBytes({ byteLength, chunks }: SnapshotFile): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteLength);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
