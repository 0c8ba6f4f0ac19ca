import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type Catalog,
  editionsFolder,
  formatCatalogPath,
  formatEditionPath,
  readCatalog,
} from "../catalog/catalog.ts";
import { notesPath } from "../files/build-notes.ts";
import { listStoredEditions } from "./find-edition.ts";
import { changeCatalog } from "./install-edition.ts";
import { listEditionsNewestFirst } from "./list-editions.ts";
import { deleteEditionFiles, isNamed } from "./remove-edition.ts";

/** An item that pruning deletes. */
export type Prunable =
  | {
      readonly what: "edition";
      readonly source_name: string;
      readonly edition: string;
      /** Time of the build, ISO 8601 UTC. */
      readonly built_at: string;
      /** Size of its file. */
      readonly bytes: number;
    }
  | {
      /** `leftover`: a file that a crash left behind. */
      readonly what: "leftover";
      /** Its path. */
      readonly path: string;
      /** Its size. */
      readonly bytes: number;
    };

/** The items to keep, in addition to those that the catalog names. */
export interface PruneOptions {
  /** Number of the latest editions of each source to keep, including the current one. From 1. */
  readonly keep: number;
  /** Returns true if something else needs an edition: a stored decision, a record, a job. */
  readonly isNeeded: (edition: string) => boolean;
}

/**
 * Finds what pruning would delete: editions that the catalog does not name, that are not among the newest and that
 * nothing needs, and files that a crash left behind. Folders of sources that left the catalog are included: of them,
 * only needed editions stay.
 *
 * Fails: as {@link readCatalog}.
 */
export function findPrunableItems(dir: string, options: PruneOptions): Prunable[] {
  return listPrunableItems(dir, readCatalog(dir), options);
}

/**
 * Deletes the items that {@link findPrunableItems} finds. Servers and replays that have an edition open can still read it.
 *
 * Fails: as {@link readCatalog}; `DATA_FOLDER_LOCKED`.
 *
 * @returns the deleted items
 */
export async function pruneEditions(dir: string, options: PruneOptions): Promise<readonly Prunable[]> {
  readCatalog(dir);
  return changeCatalog(dir, (catalog) => {
    const found = listPrunableItems(dir, catalog, options);
    for (const each of found) {
      if (each.what === "edition") deleteEditionFiles(dir, each.source_name, each.edition);
      else rmSync(each.path, { force: true });
    }
    for (const name of listEditionFolders(dir)) {
      const folder = join(dir, "editions", name);
      if (readdirSync(folder).length === 0) rmdirSync(folder);
    }
    return { catalog, result: found };
  });
}

function listPrunableItems(dir: string, catalog: Catalog, { keep, isNeeded }: PruneOptions): Prunable[] {
  const found: Prunable[] = [];
  const named = [...catalog.sources, ...catalog.live].map(({ manifest }) => manifest.source_name);
  const byFolder = new Map(named.map((name) => [editionsFolder(dir, name), name]));
  for (const folder of listEditionFolders(dir)) {
    const path = join(dir, "editions", folder);
    const name = byFolder.get(path);
    // A name's folder is enough to find its files.
    const sourceName = name ?? folder;
    const editions = listEditionsNewestFirst(dir, sourceName);
    const newest = name === undefined ? 0 : keep;
    for (const [i, { edition, builtAt }] of editions.entries()) {
      if (i < newest || isNamed(catalog, sourceName, edition) || isNeeded(edition)) continue;
      const bytes = getFileSize(formatEditionPath(dir, sourceName, edition));
      found.push({ what: "edition", source_name: sourceName, edition, built_at: builtAt, bytes });
    }
    for (const left of listLeftoverFiles(dir, sourceName, path)) found.push(toLeftover(left));
  }
  const temporary = `${formatCatalogPath(dir)}.tmp`;
  if (statSync(temporary, { throwIfNoEntry: false }) !== undefined) found.push(toLeftover(temporary));
  return found;
}

/** Temporary files, and notes of editions that are not there. */
function listLeftoverFiles(dir: string, sourceName: string, folder: string): string[] {
  const notes = new Set(
    listStoredEditions(dir, sourceName).map((edition) =>
      notesPath(formatEditionPath(dir, sourceName, edition)),
    ),
  );
  return readdirSync(folder)
    .map((file) => join(folder, file))
    .filter((path) => path.endsWith(".tmp") || (path.endsWith(".build.json") && !notes.has(path)));
}

function toLeftover(path: string): Prunable {
  return { what: "leftover", path, bytes: getFileSize(path) };
}

function getFileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Names of the folders of editions. */
function listEditionFolders(dir: string): string[] {
  try {
    const entries = readdirSync(join(dir, "editions"), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
