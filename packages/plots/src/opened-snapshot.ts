import {
  type AreaSnapshot,
  isRaster,
  openSnapshot,
  type SnapshotFile,
  snapshotBytes,
} from "@groundrule/engine/build";

/** A snapshot that was just written, opened in memory. */
export function openedSnapshot(file: SnapshotFile): AreaSnapshot {
  const snapshot = openSnapshot(snapshotBytes(file).buffer);
  if (snapshot.kind !== "leaf" || isRaster(snapshot))
    throw new Error("areas were written, and something else was opened");
  return snapshot;
}
