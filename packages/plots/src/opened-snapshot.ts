import { type AreaSnapshot, openSnapshot, type SnapshotFile } from "@groundrule/engine/build";

/** A snapshot that was just written, opened in memory. */
export function openedSnapshot(file: SnapshotFile): AreaSnapshot {
  const bytes = new Uint8Array(file.byteLength);
  let at = 0;
  for (const chunk of file.chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  const snapshot = openSnapshot(bytes.buffer);
  if (snapshot.kind !== "leaf") throw new Error("areas were written, and something else was opened");
  return snapshot;
}
