import { rmSync } from "node:fs";
import {
  type Catalog,
  editionsFolder,
  formatEditionPath,
  readCatalogOrEmpty,
  withoutPin,
  withoutSource,
  withPin,
} from "../catalog/catalog.ts";
import { listGroupsWithMember } from "../catalog/groups.ts";
import { DataError } from "../data-error.ts";
import { notesPath } from "../files/build-notes.ts";
import { syncFolderToDisk } from "../files/durable-file.ts";
import { getCurrentMeta, listStoredEditions } from "./find-edition.ts";
import { changeCatalog } from "./install-edition.ts";

/**
 * Removes a stored edition that is not in use. A process that has it open can still read it.
 *
 * @param edition 64 hex digits
 *
 * Fails: `SOURCE_MISSING`, `EDITION_MISSING`; `EDITION_IN_USE` for the current edition; `DATA_FOLDER_LOCKED`.
 */
export async function removeEdition(dir: string, sourceName: string, edition: string): Promise<void> {
  getCurrentMeta(readCatalogOrEmpty(dir), dir, sourceName);
  // The catalog forgets the edition before its file goes.
  await changeCatalog(dir, (catalog) => {
    const details = { source_name: sourceName, edition };
    if (getCurrentMeta(catalog, dir, sourceName).edition === edition) {
      const message = `edition ${edition} of "${sourceName}" is the current one; use another edition first, or remove the source`;
      throw new DataError("EDITION_IN_USE", message, details);
    }
    if (!listStoredEditions(dir, sourceName).includes(edition)) {
      throw new DataError("EDITION_MISSING", `found no edition ${edition} of "${sourceName}"`, details);
    }
    const pin = catalog.pins.find((each) => each.source_name === sourceName);
    if (pin?.next !== edition) return { catalog, result: undefined };
    const unwaiting = withPin(withoutPin(catalog, sourceName), {
      source_name: sourceName,
      edition: pin.edition,
    });
    return { catalog: unwaiting, result: undefined };
  });
  await changeCatalog(dir, (catalog) => {
    if (!isNamed(catalog, sourceName, edition)) deleteEditionFiles(dir, sourceName, edition);
    return { catalog, result: undefined };
  });
}

/** True if the catalog names an edition: as current, or as the one that waits for a pin's release. */
export function isNamed(catalog: Catalog, sourceName: string, edition: string): boolean {
  return (
    catalog.sources.some((each) => each.manifest.source_name === sourceName && each.edition === edition) ||
    catalog.pins.some((pin) => pin.source_name === sourceName && pin.next === edition) ||
    catalog.live.some((each) => each.manifest.source_name === sourceName && each.blank === edition)
  );
}

/** Deletes the files of an edition; callers hold the write lock, and the catalog does not name it. */
export function deleteEditionFiles(dir: string, sourceName: string, edition: string): void {
  const path = formatEditionPath(dir, sourceName, edition);
  // The snapshot is deleted first: notes without a snapshot are a leftover, but a snapshot without notes would lack its
  // left-out features.
  rmSync(path, { force: true });
  rmSync(notesPath(path), { force: true });
  syncFolderToDisk(editionsFolder(dir, sourceName));
}

/**
 * Removes a source and its pin from the catalog. Groups keep it as a member: verdicts through them are degraded until
 * they are defined anew.
 *
 * Fails: `SOURCE_MISSING`; `DATA_FOLDER_LOCKED`.
 */
export async function removeSource(
  dir: string,
  sourceName: string,
  {
    keepEditions = false,
    leaveGroups = false,
  }: {
    /** True to keep its editions in the folder, for records that are replayed. */
    readonly keepEditions?: boolean;
    /** True to remove it from its groups, so that they no longer query it. */
    readonly leaveGroups?: boolean;
  } = {},
): Promise<{
  /** The editions whose files were removed. */
  readonly removed: readonly string[];
  /** The groups with it as a member, ascending. */
  readonly groups: readonly string[];
}> {
  getCurrentMeta(readCatalogOrEmpty(dir), dir, sourceName);
  const groups = await changeCatalog(dir, (catalog) => {
    getCurrentMeta(catalog, dir, sourceName);
    return {
      catalog: withoutSource(catalog, sourceName, { leavesGroups: leaveGroups }),
      result: listGroupsWithMember(catalog, sourceName),
    };
  });
  if (keepEditions) return { removed: [], groups };
  return changeCatalog(dir, (catalog) => {
    const isBack = catalog.sources.some(({ manifest }) => manifest.source_name === sourceName);
    const removed = isBack ? [] : listStoredEditions(dir, sourceName);
    for (const edition of removed) deleteEditionFiles(dir, sourceName, edition);
    if (!isBack) rmSync(editionsFolder(dir, sourceName), { recursive: true, force: true });
    return { catalog, result: { removed, groups } };
  });
}
