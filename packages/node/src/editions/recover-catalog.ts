import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceKind } from "@groundrule/engine";
import { openSnapshot, type SnapshotMeta } from "@groundrule/engine/build";
import {
  checkShape,
  editionShape,
  type Shape,
  snapshotMetaShape,
  sourceNameShape,
} from "@groundrule/engine/internal";
import { isObject, parseStrictJson } from "@groundrule/engine/internal/json";
import {
  type Catalog,
  EMPTY_CATALOG,
  formatCatalogPath,
  formatEditionPath,
  readCatalog,
  withEdition,
  withLiveSource,
} from "../catalog/catalog.ts";
import {
  checkCatalog,
  groupShape,
  pinShape,
  removedSourceShape,
  toFolderName,
} from "../catalog/catalog-file.ts";
import type { RemovedSource } from "../catalog/catalog-form.ts";
import { liveSourceShape } from "../catalog/live-source.ts";
import { withWriteLock } from "../catalog/write-lock.ts";
import { DataError } from "../data-error.ts";
import { writeFileDurably } from "../files/durable-file.ts";
import { readEditionFile } from "../files/read-edition.ts";
import { ENGINE_OPTIONS } from "../threads/host.ts";
import { readVerifiedEdition } from "./contents/edition-archive.ts";
import { type EditionExtent, listGuardFindings } from "./guards.ts";
import { writeCatalog } from "./install-edition.ts";
import { listEditionsNewestFirst } from "./list-editions.ts";
import { getStoredExtent } from "./stored-extent.ts";

/** A source whose entry was made anew. */
export interface RecoveredSource {
  readonly source_name: string;
  /** The edition that is current now; absent where none of those stored can be. */
  readonly edition?: string;
  /** Stored editions that were passed over, newest first, each with the reason. */
  readonly passed_over: readonly { readonly edition: string; readonly reason: string }[];
}

/** The result of {@link recoverCatalog}. */
export interface Recovery {
  /** The fault of the catalog; absent where it is readable, and nothing was done. */
  readonly fault?: string;
  /** Where the unreadable catalog is now; absent where there was none. */
  readonly kept_as?: string;
  /** Sources whose entries were read from the damaged catalog and are as they were. */
  readonly unchanged: readonly string[];
  /** Sources that were found in the folder of editions, ascending by name. */
  readonly recovered: readonly RecoveredSource[];
  /** The entries that could not be read and were not recovered, in words. */
  readonly lost: readonly string[];
}

/**
 * Makes the catalog of a data folder anew where it cannot be read, or is missing beside stored editions.
 *
 * Every entry of the damaged catalog that can be read stays. The current edition of another source is the one that its
 * entry names if it can be used; else the builds are repeated, oldest first: an edition becomes current where it is
 * intact and the guards do not object to it after the one before. A member of a group that is not found fails in it.
 * The damaged file is kept beside the new one.
 *
 * Fails: `DATA_FOLDER_MISSING` where there are no editions either; `CATALOG_VERSION_UNSUPPORTED`; `DATA_FOLDER_LOCKED`.
 */
export async function recoverCatalog(dir: string): Promise<Recovery> {
  if (!existsSync(join(dir, "editions"))) readCatalog(dir);
  return withWriteLock(dir, () => {
    const fault = findReadFault(dir);
    if (fault === undefined) return { unchanged: [], recovered: [], lost: [] };
    const bytes = existsSync(formatCatalogPath(dir)) ? readFileSync(formatCatalogPath(dir)) : undefined;
    const { catalog, ...found } = new Recoverer(dir, bytes).recover();
    const kept = bytes && copyDamagedCatalog(dir, bytes);
    writeCatalog(dir, catalog);
    return { fault, ...(kept !== undefined && { kept_as: kept }), ...found };
  });
}

/** Fails: as {@link readCatalog}, but for a catalog that is corrupt or missing. */
function findReadFault(dir: string): string | undefined {
  try {
    readCatalog(dir);
    return undefined;
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    if (error.code === "DATA_FOLDER_MISSING") return "it is missing";
    if (error.code === "CATALOG_CORRUPT") return error.message;
    throw error;
  }
}

/** The members of a damaged catalog, as far as it is JSON. */
function parseDamagedCatalog(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseStrictJson(bytes, { exact: false });
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @returns the path of the copy */
function copyDamagedCatalog(dir: string, bytes: Uint8Array): string {
  const digits = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const path = join(dir, `catalog.${digits}.damaged.json`);
  writeFileDurably(path, [bytes]);
  return path;
}

class Recoverer {
  readonly #dir: string;
  readonly #damaged: Readonly<Record<string, unknown>> | undefined;
  readonly #lost: string[] = [];
  readonly #recovered: RecoveredSource[] = [];
  readonly #unchanged: string[] = [];
  #catalog: Catalog = EMPTY_CATALOG;
  /** Sources in the damaged catalog that the new one lacks: groups keep them as members. */
  readonly #missing = new Map<string, RemovedSource>();

  constructor(dir: string, bytes: Uint8Array | undefined) {
    this.#dir = dir;
    this.#damaged = bytes && parseDamagedCatalog(bytes);
    if (this.#damaged !== undefined) return;
    const why = bytes === undefined ? "the catalog is missing" : "the catalog is not JSON";
    this.#lost.push(`pins, live sources, and groups that were defined by name: ${why}`);
  }

  recover(): { readonly catalog: Catalog } & Pick<Recovery, "unchanged" | "recovered" | "lost"> {
    const named = this.#sources();
    this.#live();
    this.#removed();
    this.#folders(named);
    this.#groups();
    this.#pins();
    this.#recovered.sort((a, b) => (a.source_name < b.source_name ? -1 : 1));
    return {
      catalog: this.#catalog,
      unchanged: this.#unchanged,
      recovered: this.#recovered,
      lost: this.#lost,
    };
  }

  /** @returns true if every source of the damaged catalog could be named */
  #sources(): boolean {
    let named = this.#damaged !== undefined && Array.isArray(this.#damaged.sources);
    for (const entry of this.#entries("sources")) {
      const meta = parseExactShape(snapshotMetaShape, entry);
      const name = meta?.manifest.source_name ?? findSourceName(entry);
      if (name === undefined) {
        named = false;
        continue;
      }
      if (meta !== undefined && this.#add(() => withEdition(this.#catalog, meta)) === undefined) {
        this.#unchanged.push(name);
        continue;
      }
      this.#fromEditions(name, entry);
    }
    return named;
  }

  /** Editions of sources that the damaged catalog does not name, where it may have lost the names. */
  #folders(isNamed: boolean): void {
    if (isNamed) return;
    const known = new Set(
      [...this.#catalog.sources, ...this.#catalog.live, ...this.#missing.values()].map(({ manifest }) =>
        toFolderName(manifest.source_name),
      ),
    );
    for (const folder of listEditionFolders(this.#dir)) {
      if (known.has(folder)) continue;
      const name = findFolderSource(this.#dir, folder);
      if (name === undefined) this.#lost.push(`the folder editions/${folder}, where no edition opens`);
      else this.#fromEditions(name, undefined);
    }
  }

  #fromEditions(name: string, entry: unknown): void {
    const before = parseExactShape(editionShape, findMember(entry, "edition"));
    const { metas, passed } = listUsableEditions(this.#dir, name);
    const chosen =
      metas.find(({ edition }) => edition === before) ?? findAcceptableEdition(this.#dir, metas, passed);
    const refused = chosen && this.#add(() => withEdition(this.#catalog, chosen));
    if (chosen === undefined || refused !== undefined) {
      if (refused !== undefined) passed.unshift({ edition: chosen!.edition, reason: refused });
      const kind = metas[0]?.manifest.kind ?? detectSourceKind(entry);
      this.#missing.set(name, { manifest: { source_name: name, kind } });
    }
    const edition = refused === undefined ? chosen?.edition : undefined;
    this.#recovered.push({
      source_name: name,
      ...(edition !== undefined && { edition }),
      passed_over: passed,
    });
  }

  #live(): void {
    for (const entry of this.#entries("live")) {
      const live = parseExactShape(liveSourceShape, entry);
      const name = live?.manifest.source_name ?? findSourceName(entry);
      if (live !== undefined && this.#add(() => withLiveSource(this.#catalog, live)) === undefined) {
        this.#unchanged.push(live.manifest.source_name);
      } else if (name !== undefined) {
        this.#missing.set(name, { manifest: { source_name: name, kind: "leaf" } });
        this.#lost.push(`the live source ${name}; connect it again`);
      } else this.#lost.push("a live source without a name");
    }
  }

  #removed(): void {
    for (const entry of this.#entries("removed")) {
      const removed = parseExactShape(removedSourceShape, entry);
      const name = removed?.manifest.source_name ?? findSourceName(entry);
      if (name === undefined) continue;
      this.#missing.set(name, removed ?? { manifest: { source_name: name, kind: detectSourceKind(entry) } });
    }
  }

  /** A member that is found nowhere else fails in its groups, like a removed one. */
  #groups(): void {
    const groups = this.#entries("groups").flatMap((entry) => {
      const group = parseExactShape(groupShape, entry);
      if (group === undefined) this.#lost.push(`the group ${formatEntryLabel(entry)}; define it again`);
      return group ?? [];
    });
    for (const group of groups) {
      const present = new Set(
        [...this.#catalog.sources, ...this.#catalog.live].map(({ manifest }) => manifest.source_name),
      );
      const gone = group.members.filter((name) => !present.has(name));
      const removed = [
        ...this.#catalog.removed.filter(({ manifest }) => !gone.includes(manifest.source_name)),
        ...gone.map(
          (name) => this.#missing.get(name) ?? { manifest: { source_name: name, kind: "leaf" as const } },
        ),
      ].sort((a, b) => (a.manifest.source_name < b.manifest.source_name ? -1 : 1));
      const others = this.#catalog.groups.filter(({ name }) => name !== group.name);
      const all = [...others, group].sort((a, b) => (a.name < b.name ? -1 : 1));
      const refused = this.#add(() => checkCatalog({ ...this.#catalog, groups: all, removed }));
      if (refused !== undefined) this.#lost.push(`the group ${group.name}: ${refused}`);
    }
  }

  #pins(): void {
    for (const entry of this.#entries("pins")) {
      const pin = parseExactShape(pinShape, entry);
      const refused =
        pin === undefined
          ? "it cannot be read"
          : this.#add(() => checkCatalog({ ...this.#catalog, pins: [...this.#catalog.pins, pin] }));
      if (refused !== undefined)
        this.#lost.push(`the pin of ${pin?.source_name ?? formatEntryLabel(entry)}: ${refused}`);
    }
  }

  #entries(member: string): readonly unknown[] {
    const found = this.#damaged?.[member];
    if (Array.isArray(found)) return found;
    if (this.#damaged !== undefined && found !== undefined) this.#lost.push(`the member "${member}"`);
    return [];
  }

  /** @returns the reason why the catalog rejects it; undefined if it accepts it */
  #add(change: () => Catalog): string | undefined {
    try {
      this.#catalog = change();
      return undefined;
    } catch (error) {
      if (error instanceof DataError) return error.message;
      throw error;
    }
  }
}

/** The stored editions of a source that a catalog can hold, oldest first, and the reasons why others are skipped. */
function listUsableEditions(
  dir: string,
  name: string,
): { readonly metas: readonly SnapshotMeta[]; readonly passed: { edition: string; reason: string }[] } {
  const metas: SnapshotMeta[] = [];
  const passed: { edition: string; reason: string }[] = [];
  for (const { edition } of listEditionsNewestFirst(dir, name)) {
    try {
      const { meta } = readVerifiedEdition(dir, name, edition).snapshot;
      const checked = checkShape(snapshotMetaShape, meta, { exact: true });
      if (checked.faults === undefined) metas.unshift(meta);
      else
        passed.push({ edition, reason: `at "${checked.faults[0].pointer}": ${checked.faults[0].message}` });
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      passed.push({ edition, reason: error.message });
    }
  }
  return { metas, passed };
}

/** The edition that would be current if each had been built in turn and nothing had been allowed. */
function findAcceptableEdition(
  dir: string,
  oldestFirst: readonly SnapshotMeta[],
  passed: { edition: string; reason: string }[],
): SnapshotMeta | undefined {
  let accepted: { readonly meta: SnapshotMeta; readonly extent: EditionExtent } | undefined;
  for (const meta of oldestFirst) {
    const extent = getStoredExtent(dir, meta);
    const [finding] = listGuardFindings(extent, accepted?.extent);
    if (finding === undefined) accepted = { meta, extent };
    else passed.unshift({ edition: meta.edition, reason: `${finding.guard}: ${finding.message}` });
  }
  return accepted?.meta;
}

function listEditionFolders(dir: string): string[] {
  const entries = readdirSync(join(dir, "editions"), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
}

/** The source name of a folder, which its editions contain; undefined if none opens. */
function findFolderSource(dir: string, folder: string): string | undefined {
  // The folder's own name leads to its files: it has no colons that would be replaced.
  for (const { edition } of listEditionsNewestFirst(dir, folder)) {
    try {
      const path = formatEditionPath(dir, folder, edition);
      const { manifest } = openSnapshot(readEditionFile(path), {
        name: path,
        crc32: ENGINE_OPTIONS.crc32,
      }).meta;
      if (toFolderName(manifest.source_name) === folder) return manifest.source_name;
    } catch {
      // A damaged edition has no readable name; another one may.
    }
  }
  return undefined;
}

function parseExactShape<Value>(shape: Shape<Value>, value: unknown): Value | undefined {
  const checked = checkShape(shape, value, { exact: true });
  return checked.faults === undefined ? checked.value : undefined;
}

function findMember(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function findSourceName(entry: unknown): string | undefined {
  return parseExactShape(sourceNameShape, findMember(findMember(entry, "manifest"), "source_name"));
}

function detectSourceKind(entry: unknown): SourceKind {
  return findMember(findMember(entry, "manifest"), "kind") === "subject_register"
    ? "subject_register"
    : "leaf";
}

function formatEntryLabel(entry: unknown): string {
  const name = findMember(entry, "name") ?? findMember(entry, "source_name");
  return typeof name === "string" ? `"${name.slice(0, 64)}"` : "without a name";
}
