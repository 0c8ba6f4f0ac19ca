import type { SnapshotFile } from "@groundrule/engine/build";
import { editionPath, editionsFolder, withLiveSource, withoutLiveSource } from "./catalog.ts";
import { writeDurably } from "./durable-file.ts";
import { changeCatalog, makeFolder } from "./install-edition.ts";
import type { LiveEntry, ProviderConfig } from "./live-source.ts";

/**
 * Connects a live source, or replaces how one is asked. Servers that watch the folder ask it from then on.
 *
 * @param blank the source's edition without areas: what builds of no features give. It holds the manifest, whose
 *   columns are complete, and the territory of its coverage
 *
 * Fails: `SOURCE_NAME_CLASH`, `GROUP_INVALID`, `DATA_FOLDER_LOCKED`.
 */
export async function connectLiveSource(
  dir: string,
  blank: SnapshotFile,
  provider: ProviderConfig,
): Promise<LiveEntry> {
  const { manifest, edition } = blank.meta;
  const { source_name, coverage } = manifest;
  const isBounded = coverage !== undefined && coverage !== "global";
  const entry: LiveEntry = { manifest, provider, ...(isBounded && { blank: edition }) };
  return changeCatalog(dir, (catalog) => {
    const next = withLiveSource(catalog, entry);
    if (isBounded) {
      makeFolder(editionsFolder(dir, source_name));
      writeDurably(editionPath(dir, source_name, edition), blank.chunks);
    }
    return { catalog: next, result: entry };
  });
}

/**
 * Disconnects a live source. Its territory stays, for records that need it.
 *
 * @returns whether there was one of that name
 *
 * Fails: `GROUP_INVALID`, `DATA_FOLDER_LOCKED`.
 */
export async function disconnectLiveSource(dir: string, sourceName: string): Promise<boolean> {
  return changeCatalog(dir, (catalog) => {
    const next = withoutLiveSource(catalog, sourceName);
    return { catalog: next, result: next !== catalog };
  });
}
