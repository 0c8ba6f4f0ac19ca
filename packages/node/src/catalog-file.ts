import type { SnapshotMeta } from "@groundrule/engine/build";
import { MalformedJson, parseStrictJson } from "@groundrule/engine/json";
import {
  array,
  checkShape,
  choice,
  editionShape,
  object,
  optional,
  type Shape,
  snapshotMetaShape,
  sourceNameShape,
} from "@groundrule/engine/shapes";
import { DataError } from "./data-error.ts";
import { type LiveEntry, liveSourceShape } from "./live-source.ts";

/** Version of the layout of `catalog.json` that is written; raised when an older reader would misread it. */
export const CATALOG_FORMAT = 3;
/** Format 1 has no coverage in its manifests, formats 1 and 2 no pins and no live sources; in nothing else do they differ. */
const READABLE_FORMATS = [1, 2, CATALOG_FORMAT] as const;

/** A named collection of sources. */
export interface CatalogGroup {
  /** The name of the group, which differs from the name of every source. */
  readonly name: string;
  /** Names of sources, ascending. */
  readonly members: readonly string[];
}

/** A source whose current edition was chosen: editions that are built later do not become current. */
export interface Pin {
  readonly source_name: string;
  /** The edition that stays current. */
  readonly edition: string;
  /** The edition that would be current without the pin, where one was built since. */
  readonly next?: string;
}

/**
 * Which edition of each source is current, and what that edition says about itself. So a source whose file
 * does not open still has its name, kind, column types and schemes.
 */
export interface Catalog {
  readonly format: typeof CATALOG_FORMAT;
  /** Ascending by source name. */
  readonly sources: readonly SnapshotMeta[];
  /** Groups that were set by name, ascending; those that manifests declare are not repeated here. */
  readonly groups: readonly CatalogGroup[];
  /** Ascending by source name. */
  readonly pins: readonly Pin[];
  /** Sources without editions, ascending by source name. */
  readonly live: readonly LiveEntry[];
}

/**
 * Every group with its members: those set by name together with those that manifests declare.
 * The object has no prototype, so that a group may have any name.
 */
export function effectiveGroups(catalog: Catalog): Record<string, string[]> {
  const members = new Map<string, Set<string>>();
  const join = (group: string, member: string) => {
    const known = members.get(group);
    if (known === undefined) members.set(group, new Set([member]));
    else known.add(member);
  };
  for (const group of catalog.groups) for (const member of group.members) join(group.name, member);
  for (const { manifest } of [...catalog.sources, ...catalog.live]) {
    for (const group of manifest.groups ?? []) join(group, manifest.source_name);
  }
  const groups: Record<string, string[]> = Object.create(null);
  for (const name of [...members.keys()].sort()) groups[name] = [...members.get(name)!].sort();
  return groups;
}

/** Canonical text of a catalog: equal catalogs give equal files. */
export function formatCatalog(catalog: Catalog): string {
  return `${JSON.stringify(catalog, undefined, 2)}\n`;
}

/**
 * Reads the file of a catalog.
 *
 * @param bytes the file
 * @param path where it is, for errors
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
      `found format ${format} in catalog ${path}, expected ${READABLE_FORMATS.join(" or ")}; use the release that wrote it`,
      { path, found: format, supported: READABLE_FORMATS },
    );
  }
  const read = checkShape(catalogShape, value);
  if (read.faults !== undefined) {
    const [{ pointer, message }] = read.faults;
    throw new DataError("CATALOG_CORRUPT", `catalog ${path} at "${pointer}": ${message}`, { path, pointer });
  }
  try {
    const { pins = [], live = [], ...stored } = read.value;
    return checkedCatalog({ ...stored, format: CATALOG_FORMAT, pins, live });
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new DataError("CATALOG_CORRUPT", `catalog ${path}: ${error.message}`, { path, ...error.details });
  }
}

/** Fails: where the catalog does not add up. */
export function checkedCatalog(catalog: Catalog): Catalog {
  return checkPins(checkGroups(checkFolders(catalog)));
}

/** No two sources keep their editions in one folder: equal contents have equal file names. */
function checkFolders(catalog: Catalog): Catalog {
  const owners = new Map<string, string>();
  for (const { manifest } of [...catalog.sources, ...catalog.live]) {
    const name = manifest.source_name;
    const folder = folderName(name);
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

function checkGroups(catalog: Catalog): Catalog {
  const sources = new Set([...catalog.sources, ...catalog.live].map((source) => source.manifest.source_name));
  const groups = effectiveGroups(catalog);
  for (const [name, members] of Object.entries(groups)) {
    if (sources.has(name)) {
      throw new DataError("GROUP_INVALID", `"${name}" cannot be both a source and a group`, { name });
    }
    for (const member of members) {
      if (sources.has(member)) continue;
      const found = Object.hasOwn(groups, member)
        ? "a group, and members must be sources"
        : "not a source in this data folder";
      throw new DataError("GROUP_INVALID", `member "${member}" of group "${name}" is ${found}`, {
        name,
        member,
      });
    }
  }
  return catalog;
}

/** A pinned edition is the current one. */
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

/** Name of the folder of a source. */
export function folderName(name: string): string {
  return name.replaceAll(":", "_");
}

// Sources and groups are arrays, not objects keyed by name: "__proto__" is a well-formed source name.
type StoredCatalog = Omit<Catalog, "format" | "pins" | "live"> &
  Partial<Pick<Catalog, "pins" | "live">> & { readonly format: (typeof READABLE_FORMATS)[number] };
const catalogShape: Shape<StoredCatalog> = object<StoredCatalog>({
  format: choice(...READABLE_FORMATS),
  sources: array(snapshotMetaShape),
  groups: array(object<CatalogGroup>({ name: sourceNameShape, members: array(sourceNameShape, { min: 1 }) })),
  pins: optional(
    array(object<Pin>({ source_name: sourceNameShape, edition: editionShape, next: optional(editionShape) })),
  ),
  live: optional(array(liveSourceShape)),
});
