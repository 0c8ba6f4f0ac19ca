import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredManifest } from "@groundrule/engine";
import type { SnapshotMeta } from "@groundrule/engine/build";
import { checkShape, compareStrings, sourceNameShape } from "@groundrule/engine/internal";
import { DataError } from "../data-error.ts";
import { checkCatalog, parseCatalog, toFolderName } from "./catalog-file.ts";
import { CATALOG_FORMAT, type Catalog, type Pin } from "./catalog-form.ts";
import { checkGroupCutoffs } from "./cutoffs.ts";
import { buildCatalogGroup } from "./groups.ts";
import type { LiveEntry } from "./live-source.ts";

export { formatCatalog } from "./catalog-file.ts";
export type { Catalog, Pin } from "./catalog-form.ts";
export { buildEffectiveGroups, listRemovedSources } from "./groups.ts";

/** The catalog of a data folder without sources. */
export const EMPTY_CATALOG: Catalog = {
  format: CATALOG_FORMAT,
  sources: [],
  groups: [],
  pins: [],
  live: [],
  removed: [],
};

/**
 * Reads the catalog of a data folder.
 *
 * Fails: `DATA_FOLDER_MISSING` if there is no catalog, `CATALOG_VERSION_UNSUPPORTED`, `CATALOG_CORRUPT` with the first
 * fault.
 */
export function readCatalog(dir: string): Catalog {
  const path = formatCatalogPath(dir);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    // ENOTDIR: the path names a file.
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      throw new DataError(
        "DATA_FOLDER_MISSING",
        `there is no catalog at ${path}; create one with "groundrule snapshot build", or name another data folder`,
        { path },
      );
    }
    throw error;
  }
  try {
    return parseCatalog(bytes, path);
  } catch (error) {
    if (!(error instanceof DataError) || error.code !== "CATALOG_CORRUPT") throw error;
    const message = `${error.message}; to make it anew from the stored editions: groundrule sources recover`;
    throw new DataError("CATALOG_CORRUPT", message, error.details);
  }
}

/**
 * Like {@link readCatalog}, but returns an empty catalog if there is none yet.
 *
 * Fails: as {@link readCatalog}, `DATA_FOLDER_MISSING` excepted.
 */
export function readCatalogOrEmpty(dir: string): Catalog {
  try {
    return readCatalog(dir);
  } catch (error) {
    if (error instanceof DataError && error.code === "DATA_FOLDER_MISSING") return EMPTY_CATALOG;
    throw error;
  }
}

/** Path of the catalog's file. */
export function formatCatalogPath(dir: string): string {
  return join(dir, "catalog.json");
}

/** Folder of a source's editions. Colons become underscores, since some systems forbid them in file names. */
export function editionsFolder(dir: string, sourceName: string): string {
  return join(dir, "editions", toFolderName(sourceName));
}

/** Path of the snapshot file of an edition. */
export function formatEditionPath(dir: string, sourceName: string, edition: string): string {
  return join(editionsFolder(dir, sourceName), `${edition}.snapshot`);
}

/**
 * The catalog after a source's edition became current.
 *
 * Fails: `SOURCE_NAME_CLASH` if the name is a group's, or another source stores its editions in the same folder (`a:b`
 * and `a_b`); `GROUP_INVALID` if its manifest names a group that has the name of a source, or one with a later cut-off
 * ({@link checkGroupCutoffs}).
 */
export function withEdition(catalog: Catalog, meta: SnapshotMeta): Catalog {
  const name = meta.manifest.source_name;
  const others = catalog.sources.filter((source) => source.manifest.source_name !== name);
  // The places of left-out features are in the edition itself.
  const { left_out: _, ...known } = meta;
  const sources = [...others, known].sort(bySourceName);
  return checkGroupCutoffs(checkCatalog({ ...catalog, sources }));
}

/**
 * The catalog after a source was pinned to its current edition; an earlier pin is replaced.
 *
 * @param pin of a source in the catalog, to its current edition
 *
 * Fails: `CATALOG_CORRUPT` if another edition is current.
 */
export function withPin(catalog: Catalog, pin: Pin): Catalog {
  const others = catalog.pins.filter(({ source_name }) => source_name !== pin.source_name);
  const pins = [...others, pin].sort((a, b) => compareStrings(a.source_name, b.source_name));
  return checkCatalog({ ...catalog, pins });
}

/** The catalog without a source's pin; unchanged if it has none. */
export function withoutPin(catalog: Catalog, sourceName: string): Catalog {
  return { ...catalog, pins: catalog.pins.filter(({ source_name }) => source_name !== sourceName) };
}

/**
 * The catalog without a source and its pin. Groups keep it as a member: to them it is a failed source, until they are
 * defined anew.
 *
 * Fails: `CATALOG_CORRUPT`, `GROUP_INVALID`, `SOURCE_NAME_CLASH` for a catalog that was inconsistent before.
 */
export function withoutSource(
  catalog: Catalog,
  sourceName: string,
  {
    leavesGroups = false,
  }: {
    /** True to remove it from its groups; a group left without members is removed as well. */
    readonly leavesGroups?: boolean;
  } = {},
): Catalog {
  const isIt = ({ manifest }: { readonly manifest: StoredManifest }) => manifest.source_name === sourceName;
  const stored = catalog.sources.find(isIt);
  const gone = stored ?? catalog.live.find(isIt);
  const without = (names: readonly string[] = []) => names.filter((name) => name !== sourceName);
  const groups = catalog.groups
    .map((group) => ({
      ...group,
      members: leavesGroups ? without(group.members) : group.members,
      excluded: without(group.excluded),
    }))
    .filter(({ members, excluded }) => members.length + excluded.length > 0);
  const removed =
    gone === undefined
      ? catalog.removed
      : [
          ...catalog.removed,
          { manifest: gone.manifest, ...(stored && { feature_count: stored.feature_count }) },
        ];
  return checkCatalog({
    ...withoutPin(catalog, sourceName),
    sources: catalog.sources.filter((source) => !isIt(source)),
    live: catalog.live.filter((source) => !isIt(source)),
    groups,
    removed: removed.toSorted((a, b) => compareStrings(a.manifest.source_name, b.manifest.source_name)),
  });
}

/**
 * The catalog after a live source was connected, or its entry replaced.
 *
 * Fails: `SOURCE_NAME_CLASH` if the name is that of a source with editions, `GROUP_INVALID` as {@link withEdition}.
 */
export function withLiveSource(catalog: Catalog, entry: LiveEntry): Catalog {
  const name = entry.manifest.source_name;
  if (catalog.sources.some(({ manifest }) => manifest.source_name === name)) {
    const message = `source "${name}" has editions in this data folder; remove them first, or choose another name`;
    throw new DataError("SOURCE_NAME_CLASH", message, { name });
  }
  const others = catalog.live.filter(({ manifest }) => manifest.source_name !== name);
  const live = [...others, entry].sort((a, b) =>
    compareStrings(a.manifest.source_name, b.manifest.source_name),
  );
  return checkGroupCutoffs(checkCatalog({ ...catalog, live }));
}

/**
 * The catalog with a group set to exactly these members; an empty list removes the group. Other sources whose manifests
 * name the group are excluded from it.
 *
 * @param name the name of the group
 *
 * Fails: `GROUP_INVALID` if the name of the group is malformed or the name of a source, or if a member is not a source
 * or its observations end before the group's cut-off.
 */
export function withGroup(catalog: Catalog, name: string, members: readonly string[]): Catalog {
  if (checkShape(sourceNameShape, name).faults !== undefined) {
    throw new DataError(
      "GROUP_INVALID",
      `found the group name "${name}", expected lowercase words of a-z, 0-9 and _ joined by colons, at most 64 characters`,
      { name },
    );
  }
  const others = catalog.groups.filter((group) => group.name !== name);
  const group = buildCatalogGroup(catalog, name, members);
  const groups = group === undefined ? others : [...others, group];
  return checkGroupCutoffs(
    checkCatalog({ ...catalog, groups: groups.sort((a, b) => compareStrings(a.name, b.name)) }),
  );
}

function bySourceName(a: SnapshotMeta, b: SnapshotMeta): number {
  return compareStrings(a.manifest.source_name, b.manifest.source_name);
}
