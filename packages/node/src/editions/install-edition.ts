import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { EngineError, type SourceManifest } from "@groundrule/engine";
import type { SnapshotFile, SnapshotMeta } from "@groundrule/engine/build";
import {
  buildEffectiveGroups,
  type Catalog,
  editionsFolder,
  formatCatalog,
  formatCatalogPath,
  formatEditionPath,
  readCatalogOrEmpty,
  withEdition,
  withGroup,
  withoutPin,
  withPin,
} from "../catalog/catalog.ts";
import { parseCatalog } from "../catalog/catalog-file.ts";
import type { EditionDiff } from "../catalog/edition-diff.ts";
import { listSourceChanges, type SourceChange, withContentChange } from "../catalog/source-changes.ts";
import { withWriteLock } from "../catalog/write-lock.ts";
import { DataError } from "../data-error.ts";
import { type BuildNotes, writeBuildNotes } from "../files/build-notes.ts";
import {
  assertNoReadFault,
  syncFolderToDisk,
  writeFileDurably,
  writeReadableFile,
} from "../files/durable-file.ts";
import { diffEditions } from "./contents/diff-editions.ts";
import { type EditionMeasures, measureEditionOrThrow } from "./contents/measure-edition.ts";
import { type EditionExtent, type Guard, type GuardFinding, listGuardFindings } from "./guards.ts";
import { getStoredExtent } from "./stored-extent.ts";

/** The result of installing an edition. */
export interface InstallResult {
  readonly meta: SnapshotMeta;
  /** True if it is now the current edition of its source. */
  readonly isCurrent: boolean;
  /** Findings that stopped it from becoming current and were not allowed. */
  readonly findings: readonly GuardFinding[];
  /** The edition to which the source is pinned, if the pin stopped it from becoming current. */
  readonly pinned?: string;
  /** Differences from the edition that was current, if there was another one that opens. */
  readonly diff?: EditionDiff;
  /** The changes of the source; empty without changes, and for a new source. */
  readonly changes: readonly SourceChange[];
}

/**
 * Stores an edition in a data folder and makes it the current edition of its source. Creates the folder if needed.
 *
 * An edition with findings of the guards ({@link listGuardFindings}), or of a pinned source, is stored and does not become
 * current. The current edition itself, built again, stays current whatever the findings.
 *
 * The edition's file is durable before the catalog names it, and the catalog is replaced by rename: a reader, or a
 * crash, at any point finds the old edition or the new one. Old editions stay.
 *
 * @param notes the build's report apart from the content; stored in a separate file next to the snapshot.
 *    Its square metres are measured here.
 * @param options.allow guards that are switched off
 *
 * Fails: `SOURCE_NAME_CLASH`, `GROUP_INVALID` and, for a manifest that the catalog could not store, `WRITE_UNREADABLE`
 * before anything is written; `WRITE_UNREADABLE` for an edition that does not open; `DATA_FOLDER_LOCKED`.
 */
export async function installEdition(
  dir: string,
  file: SnapshotFile,
  notes?: BuildNotes,
  options: { readonly allow?: readonly Guard[] | undefined } = {},
): Promise<InstallResult> {
  const { result, before } = await installSnapshotFile(dir, file, notes, options.allow);
  const { manifest, edition } = result.meta;
  if (before === undefined || before === edition) return result;
  // After releasing the lock: the comparison of large editions takes long.
  const diff = tryDiffEditions(dir, manifest.source_name, before, edition);
  if (diff === undefined) return result;
  return { ...result, diff, ...(result.isCurrent && { changes: withContentChange(result.changes, diff) }) };
}

/** Undefined if one of two editions is damaged, or they are of different kinds. */
export function tryDiffEditions(
  dir: string,
  sourceName: string,
  before: string,
  after: string,
): EditionDiff | undefined {
  try {
    return diffEditions(dir, sourceName, before, after);
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

interface Installed {
  readonly result: InstallResult;
  /** The edition that was current. */
  readonly before: string | undefined;
}

async function installSnapshotFile(
  dir: string,
  file: SnapshotFile,
  notes: BuildNotes | undefined,
  allow: readonly Guard[] = [],
): Promise<Installed> {
  const { meta } = file;
  const name = meta.manifest.source_name;
  return changeCatalog<Installed>(dir, (catalog) => {
    const next = withEdition(withoutPin(catalog, name), meta);
    assertNoReadFault(formatCatalogPath(dir), findCatalogFault(encodeCatalog(next), formatCatalogPath(dir)));
    const current = catalog.sources.find(({ manifest }) => manifest.source_name === name);
    const toResult = (changed: Catalog, result: Omit<InstallResult, "changes">) => ({
      catalog: changed,
      result: {
        result: { ...result, changes: listSourceChanges(catalog, changed, name) },
        before: current?.edition,
      },
    });
    const notAllowed = (findings: readonly GuardFinding[]) =>
      findings.filter(({ guard }) => !allow.includes(guard));
    const pin = catalog.pins.find(({ source_name }) => source_name === name);
    if (current?.edition === meta.edition) {
      const { kind } = meta.manifest;
      const same = { kind, featureCount: meta.feature_count };
      const findings = notAllowed(
        listGuardFindings(
          { ...same, manifest: meta.manifest },
          { ...same, manifest: current.manifest },
        ).filter(({ guard }) => guard === "regrouped"),
      );
      // The current edition stays, and so does its manifest.
      if (findings.length > 0) return toResult(catalog, { meta, isCurrent: false, findings });
      storeEditionFiles(dir, file, notes);
      const changed = pin === undefined ? next : withPin(next, { source_name: name, edition: pin.edition });
      return toResult(changed, { meta, isCurrent: true, findings });
    }
    makeDurableFolder(editionsFolder(dir, name));
    const measures = storeEditionFiles(dir, file, notes);
    const findings = notAllowed(
      listGuardFindings(
        {
          kind: meta.manifest.kind,
          featureCount: meta.feature_count,
          squareMeters: measures.square_meters,
          filled: measures.filled,
          manifest: meta.manifest,
          read: notes?.read,
          leftOut: notes?.left_out,
          identifiers: notes?.identifiers,
          malformed: notes?.malformed,
        },
        current === undefined ? findRememberedExtent(catalog, name) : getStoredExtent(dir, current),
      ),
    );
    if (findings.length > 0) return toResult(catalog, { meta, isCurrent: false, findings });
    if (pin !== undefined) {
      const waiting = withPin(withEditionGroups(catalog, meta.manifest), { ...pin, next: meta.edition });
      return toResult(waiting, { meta, isCurrent: false, findings, pinned: pin.edition });
    }
    return toResult(next, { meta, isCurrent: true, findings });
  });
}

/** Writes the files of an edition, after the engine opened it. @returns what it holds. Fails: `WRITE_UNREADABLE`. */
function storeEditionFiles(dir: string, { meta, chunks }: SnapshotFile, notes?: BuildNotes): EditionMeasures {
  const name = meta.manifest.source_name;
  let measures: EditionMeasures | undefined;
  writeEditionFile(dir, name, meta.edition, chunks, (opened) => {
    measures = opened;
    // Written before the snapshot, whose new modification time makes servers read both.
    if (notes !== undefined) writeBuildNotes(dir, name, meta.edition, { ...notes, ...measures });
  });
  return measures!;
}

/**
 * Writes the snapshot file of an edition, after the engine opened it.
 *
 * @param opened called with the edition's measures before the file takes its place
 *
 * Fails: `WRITE_UNREADABLE`.
 */
export function writeEditionFile(
  dir: string,
  name: string,
  edition: string,
  chunks: Iterable<Uint8Array>,
  opened: (measures: EditionMeasures) => void = () => undefined,
): void {
  const path = formatEditionPath(dir, name, edition);
  writeFileDurably(path, chunks, (temporary) => {
    let measures: EditionMeasures;
    try {
      measures = measureEditionOrThrow(temporary);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      assertNoReadFault(path, error.message);
      throw error;
    }
    opened(measures);
  });
}

/** Measures of a removed source that groups still include: it must not come back with less. */
function findRememberedExtent({ removed }: Catalog, name: string): EditionExtent | undefined {
  const known = removed.find(({ manifest }) => manifest.source_name === name);
  if (known?.feature_count === undefined) return undefined;
  const { manifest, feature_count } = known;
  return { kind: manifest.kind, featureCount: feature_count, manifest };
}

/**
 * Adds a source to the groups of a manifest whose edition is not current, or unchanged. It stays in groups that the
 * manifest no longer names: leaving them is a matter of the guards.
 *
 * @returns the changes
 *
 * Fails: `GROUP_INVALID`, `DATA_FOLDER_LOCKED`; as {@link readCatalogOrEmpty}.
 */
export async function joinManifestGroups(
  dir: string,
  manifest: SourceManifest,
): Promise<readonly SourceChange[]> {
  return changeCatalog(dir, (catalog) => {
    const changed = withEditionGroups(catalog, manifest);
    return { catalog: changed, result: listSourceChanges(catalog, changed, manifest.source_name) };
  });
}

/** The groups in the manifest of an edition apply to the current edition, too. */
function withEditionGroups(
  catalog: Catalog,
  { source_name, groups = [], fictional }: Pick<SourceManifest, "source_name" | "groups" | "fictional">,
): Catalog {
  const current = catalog.sources.find(({ manifest }) => manifest.source_name === source_name);
  if (current === undefined) return catalog;
  const known = current.manifest.groups ?? [];
  const joined = groups.filter((group) => !known.includes(group));
  if (joined.length === 0 && current.manifest.fictional === fictional) return catalog;
  const { fictional: _, ...manifest } = current.manifest;
  const all = [...known, ...joined];
  const changed = { ...manifest, ...(fictional && { fictional }), ...(all.length > 0 && { groups: all }) };
  return withEdition(catalog, { ...current, manifest: changed });
}

/**
 * Checks that an edition of this source could be installed, before the long work of building it.
 *
 * Fails: `SOURCE_NAME_CLASH`, `GROUP_INVALID`, and as {@link readCatalog} for a damaged catalog.
 */
export function assertSourceInstallable(dir: string, manifest: SourceManifest): void {
  const { coverage: _declared, ...undeclared } = manifest;
  const unbuilt = { manifest: undeclared, edition: "", feature_count: 0, country_coverage: [], schemes: [] };
  withEdition(withoutPin(readCatalogOrEmpty(dir), manifest.source_name), unbuilt);
}

/** The change of a group. */
export interface GroupChange {
  /** All current members, ascending. */
  readonly members: readonly string[];
  /** New members. */
  readonly joined: readonly string[];
  /** Former members: rulesets that name the group no longer query them. */
  readonly left: readonly string[];
}

/**
 * Sets a group to exactly these members; an empty list removes the group. Other sources whose manifests name the group
 * are excluded.
 *
 * @param name the name of the group
 *
 * Fails: `GROUP_INVALID`, `DATA_FOLDER_LOCKED`.
 */
export async function setGroup(dir: string, name: string, members: readonly string[]): Promise<GroupChange> {
  return changeCatalog(dir, (catalog) => {
    const changed = withGroup(catalog, name, members);
    const [was = [], is = []] = [catalog, changed].map((each) => buildEffectiveGroups(each)[name]);
    const joined = is.filter((member) => !was.includes(member));
    const left = was.filter((member) => !is.includes(member));
    return { catalog: changed, result: { members: is, joined, left } };
  });
}

/**
 * Changes the catalog while no other writer does; an unchanged one is not written.
 *
 * @param change returns the new catalog, and a result for the caller
 *
 * Fails: `DATA_FOLDER_LOCKED`, `WRITE_UNREADABLE` if the new one could not be read back, as {@link readCatalogOrEmpty},
 * and as `change` does.
 */
export async function changeCatalog<Result>(
  dir: string,
  change: (catalog: Catalog) => { readonly catalog: Catalog; readonly result: Result },
): Promise<Result> {
  makeDurableFolder(dir);
  return withWriteLock(dir, () => {
    const before = readCatalogOrEmpty(dir);
    const { catalog, result } = change(before);
    if (catalog !== before || !existsSync(formatCatalogPath(dir))) writeCatalog(dir, catalog);
    return result;
  });
}

/** Replaces the catalog. Callers hold the write lock. Fails: `WRITE_UNREADABLE`. */
export function writeCatalog(dir: string, catalog: Catalog): void {
  const path = formatCatalogPath(dir);
  writeReadableFile(path, formatCatalog(catalog), (bytes) => findCatalogFault(bytes, path));
}

function encodeCatalog(catalog: Catalog): Uint8Array {
  return new TextEncoder().encode(formatCatalog(catalog));
}

function findCatalogFault(bytes: Uint8Array, path: string): string | undefined {
  try {
    parseCatalog(bytes, path);
    return undefined;
  } catch (error) {
    if (error instanceof DataError) return error.message;
    throw error;
  }
}

/** Makes a folder and those above it, each one's name durable in its parent. */
export function makeDurableFolder(dir: string): void {
  const last = resolve(dir);
  const first = mkdirSync(last, { recursive: true });
  if (first === undefined) return;
  for (let made = last; made.length >= first.length; made = dirname(made)) syncFolderToDisk(dirname(made));
}
