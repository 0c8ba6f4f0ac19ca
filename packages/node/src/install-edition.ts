import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { SourceManifest } from "@groundrule/engine";
import type { SnapshotFile, SnapshotMeta } from "@groundrule/engine/build";
import { type BuildNotes, writeBuildNotes } from "./build-notes.ts";
import {
  type Catalog,
  catalogPath,
  editionPath,
  editionsFolder,
  formatCatalog,
  readCatalogOrEmpty,
  withEdition,
  withGroup,
} from "./catalog.ts";
import { syncFolder, writeDurably } from "./durable-file.ts";
import { withWriteLock } from "./write-lock.ts";

/**
 * Stores an edition in a data folder and makes it the current edition of its source. Creates the folder if needed.
 *
 * The edition's file is durable before the catalog names it, and the catalog is replaced by rename:
 * a reader, or a crash, at any point finds the old edition or the new one. Old editions stay.
 *
 * @param notes what the build reports besides the content; stored in a file of its own beside the snapshot
 *
 * Fails: `SOURCE_NAME_CLASH` and `GROUP_INVALID` before anything is written; `DATA_FOLDER_LOCKED`.
 */
export async function installEdition(
  dir: string,
  file: SnapshotFile,
  notes?: BuildNotes,
): Promise<SnapshotMeta> {
  const { meta } = file;
  const name = meta.manifest.source_name;
  await changeCatalog(dir, (catalog) => {
    const next = withEdition(catalog, meta);
    makeFolder(editionsFolder(dir, name));
    // Before the snapshot, whose new time of change makes servers read both.
    if (notes !== undefined) writeBuildNotes(dir, name, meta.edition, notes);
    writeDurably(editionPath(dir, name, meta.edition), file.chunks);
    return next;
  });
  return meta;
}

/**
 * Whether an edition of this source could be installed, asked before the long work of building it.
 *
 * Fails: `SOURCE_NAME_CLASH`, `GROUP_INVALID`, and as {@link readCatalog} for a damaged catalog.
 */
export function assertInstallable(dir: string, manifest: SourceManifest): void {
  const { coverage: _declared, ...undeclared } = manifest;
  const unbuilt = { manifest: undeclared, edition: "", feature_count: 0, country_coverage: [], schemes: [] };
  withEdition(readCatalogOrEmpty(dir), unbuilt);
}

/**
 * Gives a group exactly these members; an empty list removes the group. Memberships that manifests declare stay.
 *
 * @param name the name of the group
 *
 * Fails: `GROUP_INVALID`, `DATA_FOLDER_LOCKED`.
 */
export async function setGroup(dir: string, name: string, members: readonly string[]): Promise<void> {
  await changeCatalog(dir, (catalog) => withGroup(catalog, name, members));
}

async function changeCatalog(dir: string, change: (catalog: Catalog) => Catalog): Promise<void> {
  makeFolder(dir);
  await withWriteLock(dir, () => {
    const next = change(readCatalogOrEmpty(dir));
    writeDurably(catalogPath(dir), [new TextEncoder().encode(formatCatalog(next))]);
  });
}

/** Makes a folder and those above it, each one's name durable in its parent. */
function makeFolder(dir: string): void {
  const last = resolve(dir);
  const first = mkdirSync(last, { recursive: true });
  if (first === undefined) return;
  for (let made = last; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}
