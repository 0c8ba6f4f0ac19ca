import {
  array,
  checkShape,
  choice,
  editionShape,
  number,
  object,
  optional,
  type Shape,
  snapshotMetaShape,
  sourceNameShape,
  storedManifestShape,
} from "@groundrule/engine/internal";
import { MalformedJson, parseStrictJson } from "@groundrule/engine/internal/json";
import { DataError } from "../data-error.ts";
import {
  CATALOG_FORMAT,
  type Catalog,
  type CatalogGroup,
  type Pin,
  type RemovedSource,
} from "./catalog-form.ts";
import { withEarlyMembersApart } from "./cutoffs.ts";
import { checkGroups, listRememberedGroups, listRememberedSources, withFictionalApart } from "./groups.ts";
import { liveSourceShape } from "./live-source.ts";

/** In format 3, groups store only members that were set by name, and fictional sources are not marked. */
const READABLE_FORMATS = [3, CATALOG_FORMAT] as const;

/** Canonical text of a catalog: equal catalogs have equal files. */
export function formatCatalog(catalog: Catalog): string {
  return `${JSON.stringify(catalog, undefined, 2)}\n`;
}

/**
 * Parses the file of a catalog.
 *
 * @param bytes the file
 * @param path of the file, for errors
 *
 * Fails: `CATALOG_VERSION_UNSUPPORTED`, `CATALOG_CORRUPT` with the first fault.
 */
export function parseCatalog(bytes: Uint8Array, path: string): Catalog {
  let value: unknown;
  try {
    value = parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    const { message, pointer } = error;
    throw new DataError("CATALOG_CORRUPT", `catalog ${path} is not valid JSON at "${pointer}": ${message}`, {
      path,
      pointer,
    });
  }
  const format = (value as { format?: unknown } | null)?.format;
  if (typeof format === "number" && !READABLE_FORMATS.some((each) => each === format)) {
    throw new DataError(
      "CATALOG_VERSION_UNSUPPORTED",
      `found format ${format} in catalog ${path}, expected ${READABLE_FORMATS.join(" or ")}; use the release that wrote it, or build the sources anew`,
      { path, found: format, supported: READABLE_FORMATS },
    );
  }
  const read = checkShape(catalogShape, value);
  if (read.faults !== undefined) {
    const [{ pointer, message }] = read.faults;
    throw new DataError("CATALOG_CORRUPT", `catalog ${path} at "${pointer}": ${message}`, { path, pointer });
  }
  try {
    const { removed = [], ...stored } = read.value;
    const catalog = { ...stored, format: CATALOG_FORMAT, removed } as const;
    return checkCatalog(stored.format < CATALOG_FORMAT ? withEarlierMended(catalog) : catalog);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new DataError("CATALOG_CORRUPT", `catalog ${path}: ${error.message}`, { path, ...error.details });
  }
}

/** The catalog of an earlier release, without group members that this release refuses. */
function withEarlierMended(catalog: Catalog): Catalog {
  return withEarlyMembersApart(withFictionalApart(catalog));
}

/** The catalog with the effective members of its groups. Fails: if it is inconsistent. */
export function checkCatalog(catalog: Catalog): Catalog {
  const remembering = { ...catalog, groups: listRememberedGroups(catalog) };
  const removed = listRememberedSources(remembering);
  return checkPins(checkGroups(checkEditionFolders({ ...remembering, removed })));
}

/** Checks that no two sources store their editions in one folder: equal contents have equal file names. */
function checkEditionFolders(catalog: Catalog): Catalog {
  const owners = new Map<string, string>();
  for (const { manifest } of [...catalog.sources, ...catalog.live]) {
    const name = manifest.source_name;
    const folder = toFolderName(name);
    const taken = owners.get(folder);
    if (taken === name) {
      throw new DataError("SOURCE_NAME_CLASH", `source "${name}" is listed twice`, { name });
    }
    if (taken !== undefined) {
      throw new DataError(
        "SOURCE_NAME_CLASH",
        `sources "${taken}" and "${name}" would share the folder "${folder}"; choose names that differ in more than : and _`,
        { name, taken, folder },
      );
    }
    owners.set(folder, name);
  }
  return catalog;
}

/** Checks that a pinned edition is the current one. */
function checkPins(catalog: Catalog): Catalog {
  const current = new Map(catalog.sources.map(({ manifest, edition }) => [manifest.source_name, edition]));
  const seen = new Set<string>();
  for (const { source_name, edition } of catalog.pins) {
    const details = { source_name, edition };
    if (seen.has(source_name)) {
      throw new DataError("CATALOG_CORRUPT", `source "${source_name}" is pinned twice`, details);
    }
    seen.add(source_name);
    const found = current.get(source_name);
    if (found === edition) continue;
    const is = found === undefined ? "there is no such source" : `its current edition is ${found}`;
    throw new DataError(
      "CATALOG_CORRUPT",
      `source "${source_name}" is pinned to ${edition}, but ${is}`,
      details,
    );
  }
  return catalog;
}

/** Name of a source's folder. */
export function toFolderName(name: string): string {
  return name.replaceAll(":", "_");
}

// Sources and groups are arrays, not objects keyed by name: "__proto__" is a well-formed source name.
type StoredCatalog = Omit<Catalog, "format" | "removed"> &
  Partial<Pick<Catalog, "removed">> & {
    readonly format: (typeof READABLE_FORMATS)[number];
  };
/** A group in a catalog. */
export const groupShape: Shape<CatalogGroup> = object<CatalogGroup>({
  name: sourceNameShape,
  members: array(sourceNameShape),
  excluded: optional(array(sourceNameShape)),
});
/** A pin in a catalog. */
export const pinShape: Shape<Pin> = object<Pin>({
  source_name: sourceNameShape,
  edition: editionShape,
  next: optional(editionShape),
});
/** A removed source in a catalog. */
export const removedSourceShape: Shape<RemovedSource> = object<RemovedSource>({
  manifest: storedManifestShape,
  feature_count: optional(number({ whole: true, min: 0 })),
});

const catalogShape: Shape<StoredCatalog> = object<StoredCatalog>({
  format: choice(...READABLE_FORMATS),
  sources: array(snapshotMetaShape),
  groups: array(groupShape),
  pins: array(pinShape),
  live: array(liveSourceShape),
  removed: optional(array(removedSourceShape)),
});
