import { readFileSync } from "node:fs";
import { join } from "node:path";
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
const CATALOG_FORMAT = 3;
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

/** The catalog of a data folder without sources. */
const EMPTY_CATALOG: Catalog = { format: CATALOG_FORMAT, sources: [], groups: [], pins: [], live: [] };

/**
 * The catalog of a data folder.
 *
 * Fails: `DATA_FOLDER_MISSING` where there is no catalog, `CATALOG_VERSION_UNSUPPORTED`,
 * `CATALOG_CORRUPT` with the first fault.
 */
export function readCatalog(dir: string): Catalog {
  const path = catalogPath(dir);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    // ENOTDIR: what is named is a file.
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      throw new DataError(
        "DATA_FOLDER_MISSING",
        `there is no catalog at ${path}; create one with "groundrule snapshot build", or name another data folder`,
        { path },
      );
    }
    throw error;
  }
  return parseCatalog(bytes, path);
}

/**
 * Like {@link readCatalog}, but an empty catalog where there is none yet.
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

/** Path of the file that holds the catalog. */
export function catalogPath(dir: string): string {
  return join(dir, "catalog.json");
}

/** Folder of the editions of a source. Colons become underscores, for not every system allows them in file names. */
export function editionsFolder(dir: string, sourceName: string): string {
  return join(dir, "editions", folderName(sourceName));
}

/** Path of the snapshot file of an edition. */
export function editionPath(dir: string, sourceName: string, edition: string): string {
  return join(editionsFolder(dir, sourceName), `${edition}.snapshot`);
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

/**
 * The catalog after a source's edition became current.
 *
 * Fails: `SOURCE_NAME_CLASH` when the name is a group's, or another source keeps its editions in
 * the same folder (`a:b` and `a_b`); `GROUP_INVALID` when its manifest joins a group that has the
 * name of a source.
 */
export function withEdition(catalog: Catalog, meta: SnapshotMeta): Catalog {
  const name = meta.manifest.source_name;
  const others = catalog.sources.filter((source) => source.manifest.source_name !== name);
  const sources = [...others, meta].sort(bySourceName);
  return checked({ ...catalog, sources });
}

/**
 * The catalog after a source was pinned to its current edition; a pin that it had is replaced.
 *
 * @param pin of a source in the catalog, to the edition that is current there
 *
 * Fails: `CATALOG_CORRUPT` where another edition is current.
 */
export function withPin(catalog: Catalog, pin: Pin): Catalog {
  const others = catalog.pins.filter(({ source_name }) => source_name !== pin.source_name);
  const pins = [...others, pin].sort((a, b) => compareText(a.source_name, b.source_name));
  return checked({ ...catalog, pins });
}

/** The catalog after a source's pin was taken away; the same where it has none. */
export function withoutPin(catalog: Catalog, sourceName: string): Catalog {
  return { ...catalog, pins: catalog.pins.filter(({ source_name }) => source_name !== sourceName) };
}

/**
 * The catalog without a source, its pin, and its place in groups that were set by name; a group that this
 * leaves without members goes as well.
 *
 * Fails: `GROUP_INVALID` where a group of a manifest no longer has sources alone as members.
 */
export function withoutSource(catalog: Catalog, sourceName: string): Catalog {
  const groups = catalog.groups.map(({ name, members }) => ({
    name,
    members: members.filter((member) => member !== sourceName),
  }));
  return checked({
    ...withoutPin(catalog, sourceName),
    sources: catalog.sources.filter(({ manifest }) => manifest.source_name !== sourceName),
    groups: groups.filter(({ members }) => members.length > 0),
  });
}

/**
 * The catalog after a live source was connected, or its entry replaced.
 *
 * Fails: `SOURCE_NAME_CLASH` where the name is that of a source with editions, `GROUP_INVALID` as {@link withEdition}.
 */
export function withLiveSource(catalog: Catalog, entry: LiveEntry): Catalog {
  const name = entry.manifest.source_name;
  if (catalog.sources.some(({ manifest }) => manifest.source_name === name)) {
    const message = `source "${name}" has editions in this data folder; remove them first, or choose another name`;
    throw new DataError("SOURCE_NAME_CLASH", message, { name });
  }
  const others = catalog.live.filter(({ manifest }) => manifest.source_name !== name);
  const live = [...others, entry].sort((a, b) => compareText(a.manifest.source_name, b.manifest.source_name));
  return checked({ ...catalog, live });
}

/**
 * The catalog after a live source was disconnected, its place in groups that were set by name taken away too; the
 * same where there is none of that name.
 *
 * Fails: `CATALOG_CORRUPT`, `GROUP_INVALID`, `SOURCE_NAME_CLASH` for a catalog that did not add up before.
 */
export function withoutLiveSource(catalog: Catalog, sourceName: string): Catalog {
  const live = catalog.live.filter(({ manifest }) => manifest.source_name !== sourceName);
  return live.length === catalog.live.length
    ? catalog
    : { ...withoutSource({ ...catalog, live }, sourceName) };
}

/**
 * The catalog after a group was given exactly these members; an empty list removes the group. Memberships that
 * manifests declare stay.
 *
 * @param name the name of the group
 *
 * Fails: `GROUP_INVALID` when the name of the group is malformed or the name of a source, or when a member is not a source.
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
  const group = { name, members: [...new Set(members)].sort() };
  const groups = members.length === 0 ? others : [...others, group];
  return checked({ ...catalog, groups: groups.sort((a, b) => compareText(a.name, b.name)) });
}

/** Canonical text of a catalog: equal catalogs give equal files. */
export function formatCatalog(catalog: Catalog): string {
  return `${JSON.stringify(catalog, undefined, 2)}\n`;
}

function parseCatalog(bytes: Uint8Array, path: string): Catalog {
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
    return checked({ ...stored, format: CATALOG_FORMAT, pins, live });
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new DataError("CATALOG_CORRUPT", `catalog ${path}: ${error.message}`, { path, ...error.details });
  }
}

function checked(catalog: Catalog): Catalog {
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

function folderName(name: string): string {
  return name.replaceAll(":", "_");
}

function bySourceName(a: SnapshotMeta, b: SnapshotMeta): number {
  return compareText(a.manifest.source_name, b.manifest.source_name);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
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
