import { EngineError, type FailedSource, type LiveSource, type StoredSource } from "@groundrule/engine";
import { openSnapshot, type SnapshotMeta } from "@groundrule/engine/build";
import { computeAgeDays } from "@groundrule/engine/internal";
import { MalformedJson, parseStrictJson } from "@groundrule/engine/internal/json";
import {
  buildEffectiveGroups,
  type Catalog,
  DataError,
  listRemovedSources,
  parseBuildNotes,
  parseCatalog,
} from "@groundrule/node/internal/pure";
import type { PublishedRuleset } from "../local-catalog.ts";
import type { HereFile, OpenedFile, Progress } from "../protocol.ts";
import { getFileName, readWholeFile, UnreadableFile } from "./read-file.ts";

/** The content of a user's files: sources for an engine, rulesets, and the state of each file. */
export interface OpenedFolder {
  readonly sources: readonly (StoredSource | FailedSource | LiveSource)[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly rulesets: readonly PublishedRuleset[];
  readonly files: readonly OpenedFile[];
}

/** Maximum bytes of catalogs, notes and rulesets, which are small. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Reads files as a data folder: snapshots and, if present, its catalog and the notes of builds. Each file may fail by
 * itself; the others are opened.
 *
 * With a catalog, the editions are those it declares current, as in a service on that folder. Without one each snapshot
 * is a source; of two editions of a source, the one collected last is used.
 */
export async function openDataFolderFiles(
  files: readonly HereFile[],
  tell: (progress: Progress) => void = () => {},
): Promise<OpenedFolder> {
  const reports: OpenedFile[] = [];
  const byKind = Map.groupBy(files, (file) => detectFileKind(getFileName(file)));
  const hasCatalog = byKind.has("catalog");
  const catalog = await readFirstCatalog(byKind.get("catalog") ?? [], reports);
  const rulesets = await readRulesets(byKind.get("ruleset") ?? [], reports);
  const notes = await readBuildNotes(byKind.get("notes") ?? [], reports);
  const read: ReadSnapshot[] = [];
  for (const file of byKind.get("snapshot") ?? []) {
    const name = getFileName(file);
    // With its catalog, a data folder has other files than snapshots; alone, a snapshot may have any name.
    if (hasCatalog && !name.endsWith(".snapshot")) continue;
    const edition = EDITION_FILE.exec(name)?.[1];
    if (catalog !== undefined && edition !== undefined && !isCurrent(catalog, edition)) {
      reports.push({ name, kind: "snapshot", state: "left aside", edition, code: "EDITION_NOT_CURRENT" });
      continue;
    }
    const snapshot = await readSnapshotFile(file, notes, tell);
    if ("state" in snapshot) reports.push(snapshot);
    else read.push(snapshot);
  }
  const sources =
    catalog === undefined ? selectNewestEditions(read, reports) : listCatalogSources(catalog, read, reports);
  const metas = sources.flatMap((source) =>
    "manifest" in source && source.manifest ? [source.manifest] : [],
  );
  return {
    sources,
    groups: catalog === undefined ? buildSourceGroups(metas, reports) : buildEffectiveGroups(catalog),
    rulesets,
    files: reports,
  };
}

const EDITION_FILE = /(?:^|\/)([0-9a-f]{64})\.snapshot$/;

function detectFileKind(name: string): "snapshot" | "catalog" | "notes" | "ruleset" {
  if (/(?:^|\/)catalog\.json$/.test(name)) return "catalog";
  if (name.endsWith(".build.json")) return "notes";
  return name.endsWith(".json") ? "ruleset" : "snapshot";
}

function isCurrent({ sources, live }: Catalog, edition: string): boolean {
  return (
    sources.some((source) => source.edition === edition) || live.some((source) => source.blank === edition)
  );
}

async function readFirstCatalog(
  files: readonly HereFile[],
  reports: OpenedFile[],
): Promise<Catalog | undefined> {
  let catalog: Catalog | undefined;
  for (const file of files) {
    const name = getFileName(file);
    if (catalog !== undefined) {
      reports.push({ name, kind: "catalog", state: "left aside", code: "SECOND_CATALOG" });
      continue;
    }
    await readTextFile(file, "catalog", reports, (bytes) => {
      catalog = parseCatalog(bytes, name);
      reports.push({ name, kind: "catalog", state: "open" });
    });
  }
  return catalog;
}

/** Reads a small file and parses it; records the reason if that fails. */
async function readTextFile(
  file: HereFile,
  kind: OpenedFile["kind"],
  reports: OpenedFile[],
  take: (bytes: Uint8Array<ArrayBuffer>, name: string) => void,
): Promise<void> {
  const name = getFileName(file);
  try {
    take((await readWholeFile(file, undefined, TEXT_BYTES_MAX)).bytes, name);
  } catch (error) {
    reports.push({ name, kind, ...describeFileFailure(error) });
  }
}

async function readBuildNotes(files: readonly HereFile[], reports: OpenedFile[]): Promise<Notes> {
  const notes: Notes = new Map();
  for (const file of files) {
    await readTextFile(file, "notes", reports, (bytes, name) => {
      const parsed = parseBuildNotes(bytes);
      if (parsed !== undefined) notes.set(name.replace(/\.build\.json$/, ".snapshot"), parsed);
    });
  }
  return notes;
}

type Notes = Map<string, NonNullable<ReturnType<typeof parseBuildNotes>>>;

async function readRulesets(files: readonly HereFile[], reports: OpenedFile[]): Promise<PublishedRuleset[]> {
  const rulesets: PublishedRuleset[] = [];
  for (const file of files) {
    await readTextFile(file, "ruleset", reports, (bytes, path) => {
      const value = parseStrictJson(bytes);
      if (!isRuleset(value)) {
        reports.push({ name: path, kind: "unknown", state: "left aside", code: "NO_RULESET" });
        return;
      }
      const { name: own, ...body } = value;
      const name = typeof own === "string" ? own : path.replace(/^.*\/|\.json$/g, "");
      rulesets.push({ name, version: 1, body });
      reports.push({ name: path, kind: "ruleset", state: "open" });
    });
  }
  return rulesets;
}

function isRuleset(value: unknown): value is { readonly name?: unknown } {
  return typeof value === "object" && value !== null && "sets" in value && "checks" in value;
}

interface ReadSnapshot {
  readonly name: string;
  readonly meta: SnapshotMeta;
  readonly stored: StoredSource;
}

async function readSnapshotFile(
  file: HereFile,
  notes: Notes,
  tell: (progress: Progress) => void,
): Promise<ReadSnapshot | OpenedFile> {
  const name = getFileName(file);
  try {
    const { bytes, modifiedAt } = await readWholeFile(file, tell);
    const { meta } = openSnapshot(bytes.buffer);
    const noted = notes.get(name);
    const builtAt = noted?.built_at ?? modifiedAt;
    return {
      name,
      meta,
      stored: {
        manifest: meta.manifest,
        edition: meta.edition,
        bytes: bytes.buffer,
        ...(builtAt !== undefined && { builtAt }),
        ...(noted?.left_out !== undefined && { leftOut: noted.left_out }),
      },
    };
  } catch (error) {
    return { name, kind: "snapshot", ...describeFileFailure(error) };
  }
}

/** Each source once, with the edition that was collected last. */
function selectNewestEditions(read: readonly ReadSnapshot[], reports: OpenedFile[]): StoredSource[] {
  const bySource = Map.groupBy(read, ({ meta }) => meta.manifest.source_name);
  return [...bySource.keys()].sort().map((source_name) => {
    const [used, ...others] = bySource
      .get(source_name)!
      .toSorted((a, b) => compareTexts(getCollectionDate(b), getCollectionDate(a)));
    reports.push(toOpenedFile(used!));
    for (const { name, meta } of others) {
      const code = meta.edition === used!.meta.edition ? "SAME_EDITION" : "OTHER_EDITION";
      reports.push({ name, kind: "snapshot", state: "left aside", source_name, edition: meta.edition, code });
    }
    return used!.stored;
  });
}

function toOpenedFile({ name, meta }: ReadSnapshot): OpenedFile {
  const { source_name } = meta.manifest;
  return { name, kind: "snapshot", state: "open", source_name, edition: meta.edition };
}

/** A collection date in the future is a mistake, and must not make an edition the newest. */
function getCollectionDate({ meta: { manifest }, stored }: ReadSnapshot): string {
  const { collected_at } = manifest;
  if (collected_at === undefined) return stored.builtAt ?? "";
  return computeAgeDays({ manifest: { collected_at } }, Date.now()) === undefined ? "" : collected_at;
}

/** The sources of a catalog, as a data folder opens them: one whose file is missing or damaged has failed. */
function listCatalogSources(
  catalog: Catalog,
  read: readonly ReadSnapshot[],
  reports: OpenedFile[],
): (StoredSource | FailedSource | LiveSource)[] {
  const unused = new Set(read);
  const fileOf = (source: string, edition: string): ReadSnapshot | undefined => {
    const found = read.find(({ meta }) => meta.manifest.source_name === source && meta.edition === edition);
    if (found === undefined) return undefined;
    if (unused.delete(found)) reports.push(toOpenedFile(found));
    return found;
  };
  const stored = catalog.sources.map(({ manifest, edition }): StoredSource | FailedSource => {
    const found = fileOf(manifest.source_name, edition);
    if (found !== undefined) return { ...found.stored, manifest, edition };
    const { source_name } = manifest;
    reports.push({
      name: source_name,
      kind: "snapshot",
      state: "failed",
      source_name,
      edition,
      code: "EDITION_MISSING",
    });
    return { manifest, edition, failed: MISSING };
  });
  const live = catalog.live.map(({ manifest, blank }): LiveSource | FailedSource => {
    if (blank === undefined) return { manifest, live: true };
    const found = fileOf(manifest.source_name, blank);
    return found === undefined
      ? { manifest, failed: MISSING }
      : { manifest, live: true, blank: found.stored.bytes };
  });
  for (const { name, meta } of unused) {
    const { manifest, edition } = meta;
    reports.push({
      name,
      kind: "snapshot",
      state: "left aside",
      source_name: manifest.source_name,
      edition,
      code: "EDITION_NOT_CURRENT",
    });
  }
  return [...stored, ...live, ...listRemovedSources(catalog)];
}

/** The same text as in a data folder. */
const MISSING = "the file of its edition is missing";

/** Groups that manifests declare. A group with the name of a source is ignored. */
function buildSourceGroups(
  manifests: readonly SnapshotMeta["manifest"][],
  reports: OpenedFile[],
): Record<string, readonly string[]> {
  const sources = manifests.map((manifest) => ({ manifest }) as SnapshotMeta);
  const groups = buildEffectiveGroups({ sources, groups: [], live: [] });
  const names = new Set(manifests.map(({ source_name }) => source_name));
  return Object.fromEntries(
    Object.entries(groups).filter(([name]) => {
      if (!names.has(name)) return true;
      reports.push({ name, kind: "unknown", state: "left aside", source_name: name, code: "GROUP_INVALID" });
      return false;
    }),
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function describeFileFailure(error: unknown): Pick<OpenedFile, "state" | "code" | "message"> {
  const state = "failed";
  if (error instanceof UnreadableFile) return { state, code: "FILE_UNREADABLE", message: error.message };
  if (error instanceof MalformedJson) return { state, code: "MALFORMED_JSON", message: error.message };
  if (error instanceof EngineError || error instanceof DataError) {
    return { state, code: error.code, message: error.message };
  }
  if (error instanceof RangeError) {
    return { state, code: "FILE_UNREADABLE", message: `there is not enough memory: ${error.message}` };
  }
  throw error;
}
