import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import zlib from "node:zlib";
import { crsTable } from "@groundrule/crs";
import type { BuildAllowance, SourceManifest } from "@groundrule/engine";
import type { SnapshotFile, Spill } from "@groundrule/engine/build";
import { type LocalFile, openLocalFile } from "@groundrule/formats";
import {
  type BuildCounts,
  type BuildOptions,
  buildCounts,
  buildRaster,
  buildSnapshot,
  type FetchPlan,
  type IngestProgress,
  type KeepOptions,
  type RasterProgress,
  readOptions,
  type Source,
} from "@groundrule/ingest";
import { type Guard, installEdition } from "@groundrule/node";
import { assertSourceInstallable, joinManifestGroups, openSpillFile } from "@groundrule/node/internal";
import {
  type AcquiredFile,
  type AcquiredFiles,
  acquireSourceFiles,
  type FilesContext,
} from "./download/acquire-files.ts";
import { computeFileSha256 } from "./download/checksum.ts";
import type { DownloadHost } from "./download/download.ts";
import type { Built, DownloadFolder } from "./download/download-folder.ts";
import {
  computeRecipeDigest,
  findCurrentBuild,
  findEarlierOutcome,
  type SyncOrigin,
} from "./earlier-build.ts";
import { createPinnedReason, listGuardReasons, type OutcomeKind, type SyncOutcome } from "./outcome.ts";
import { SyncError } from "./sync-error.ts";

/** Where a source is kept, and what its build is done with. */
export interface SourceContext {
  /** The data folder. */
  readonly dir: string;
  readonly folder: DownloadFolder;
  /** The folder of the manifest, where the polygons that it names are. */
  readonly manifestFolder: string;
  /** The folder in which `fetch.file` begins. */
  readonly from: string;
  /** Which land of rasters is kept; absent: all. */
  readonly keep: KeepOptions | undefined;
  readonly allow: readonly Guard[];
  /** Exceptions for builds, besides those of their manifests. */
  readonly allowances: readonly BuildAllowance[];
  readonly host: DownloadHost;
  readonly now: () => Date;
  readonly onGranules: FilesContext["onGranules"];
  readonly onProgress?: ((progress: IngestProgress | RasterProgress) => void) | undefined;
  /** Runs one build at a time: each takes memory, and all share one thread. */
  readonly inTurn: <T>(build: () => Promise<T>) => Promise<T>;
}

type Result = Omit<SyncOutcome, "source_name" | "seconds">;

/**
 * Updates one source: queries its publisher for changes, downloads and checks the file, builds its edition and makes
 * it current if the guards do not object.
 *
 * Fails: as what it calls; the current edition stays then.
 */
export async function syncSource(
  source: Source & { readonly fetch: FetchPlan },
  context: SourceContext,
): Promise<Result> {
  const { dir, folder, allow, keep } = context;
  const { manifest } = source;
  assertSourceInstallable(dir, manifest);
  const recipe = computeRecipeDigest(source, context.manifestFolder, keep);
  const current = findCurrentBuild(dir, manifest.source_name);
  // Its validator suffices only if nothing else could require another build.
  const { url, ...origin } = current?.origin ?? {};
  const known = origin.recipe === recipe && url !== undefined ? { ...origin, url } : undefined;
  const acquired = await acquireSourceFiles(source, known, context);
  if (acquired === undefined) {
    const changes = await joinManifestGroups(dir, manifest);
    return { outcome: "unchanged", edition: current?.edition, areas: current?.areas, bytes: 0, changes };
  }
  const earlier = findEarlierOutcome({
    dir,
    name: manifest.source_name,
    folder,
    current,
    acquired,
    recipe,
    allow,
  });
  if (earlier !== undefined) return { ...earlier, changes: await joinManifestGroups(dir, manifest) };
  return context.inTurn(() => buildAndInstallEdition(source, acquired, recipe, context));
}

async function buildAndInstallEdition(
  source: Source,
  acquired: AcquiredFiles,
  recipe: string,
  context: SourceContext,
): Promise<Result> {
  const { dir, folder, host } = context;
  host.signal.throwIfAborted();
  const files = [...acquired.files, ...acquired.masks];
  for (const file of files) await assertDownloadIntact(file, host.signal);
  const dated = withCollectionDate(source.manifest, acquired.publisher?.last_modified, context.now());
  const manifest = withAllowances(dated, context.allowances);
  const opened: LocalFile[] = [];
  const isSpilled = manifest.kind === "subject_register" || manifest.cells !== undefined;
  const spill = isSpilled ? openSpillFile() : undefined;
  try {
    for (const { path } of files) opened.push(await openLocalFile(path));
    const { file, counts } = await buildFromFiles(opened, acquired, source, manifest, spill, context);
    host.signal.throwIfAborted();
    // The build may have read another file than the one whose digest is known, or halves of both.
    for (const file of files) assertFileUnchanged(file);
    const { sha256, bytes, publisher } = acquired;
    const origin: SyncOrigin = { ...publisher, sha256, bytes, recipe };
    const notes = {
      ...counts,
      built_at: context.now().toISOString(),
      origin,
    };
    const before = findCurrentBuild(dir, manifest.source_name)?.edition;
    const { meta, isCurrent, findings, pinned, changes } = await installEdition(dir, file, notes, {
      allow: context.allow,
    });
    const built: Built = { sha256, recipe, edition: meta.edition, findings };
    folder.writeBuilt(built);
    return {
      outcome: toOutcomeKind(isCurrent, before === meta.edition, pinned),
      edition: meta.edition,
      areas: meta.feature_count,
      left_out: counts.left_out,
      bytes: acquired.publisher === undefined ? bytes : acquired.fetched,
      reasons: pinned === undefined ? listGuardReasons(findings) : [createPinnedReason(pinned)],
      changes,
    };
  } finally {
    spill?.close();
    for (const file of opened) await file.close();
  }
}

/**
 * Builds the edition of a source from its open files.
 *
 * @param opened those of `acquired`: first its files, then the masks
 */
async function buildFromFiles(
  opened: readonly LocalFile[],
  { files, masks }: AcquiredFiles,
  { read }: Source,
  manifest: SourceManifest,
  spill: Spill | undefined,
  context: SourceContext,
): Promise<{ file: SnapshotFile; counts: BuildCounts }> {
  const { manifestFolder, host, keep, onProgress } = context;
  const options: Omit<BuildOptions, "onProgress"> = {
    sha256: () => createHash("sha256"),
    crc32: zlib.crc32,
    crs: crsTable,
    openPolygons: (named) => readFileChunks(join(manifestFolder, named), host.signal),
    spill,
  };
  const reportProgress = (progress: IngestProgress | RasterProgress) => {
    host.signal.throwIfAborted();
    onProgress?.(progress);
  };
  if (manifest.cells === undefined) {
    const built = await buildSnapshot(opened[0]!, manifest, {
      ...options,
      read: readOptions(read),
      onProgress: reportProgress,
    });
    return { file: built.file, counts: buildCounts(built.report) };
  }
  const openIfThere = (path: string) => (existsSync(path) ? openLocalFile(path) : undefined);
  const listSquares = (acquired: readonly AcquiredFile[]) => acquired.flatMap(({ square }) => square ?? []);
  const { file, report } = await buildRaster(opened.slice(0, files.length), manifest, {
    ...options,
    keep,
    squares: listSquares(files),
    ...(masks.length > 0 && { maskFiles: opened.slice(files.length), maskSquares: listSquares(masks) }),
    openFile: (path) => openLocalFile(join(manifestFolder, path)),
    openSibling: async ({ path }, ending) => await openIfThere(`${path}${ending}`),
    onProgress: reportProgress,
  });
  return { file, counts: { read: report.stored, left_out: 0 } };
}

function toOutcomeKind(isCurrent: boolean, isSame: boolean, pinned: string | undefined): OutcomeKind {
  if (isCurrent) return isSame ? "unchanged" : "installed";
  return pinned === undefined ? "refused" : "pinned";
}

/** Others may write to a file on this machine after its digest was taken. */
function assertFileUnchanged({ path, bytes, changedMs }: AcquiredFile): void {
  if (changedMs === undefined) return;
  const now = statSync(path, { throwIfNoEntry: false });
  if (now?.mtimeMs === changedMs && now.size === bytes) return;
  const message = `${path} was changed while it was read; the next sync reads it again`;
  throw new SyncError("FETCH_CHANGED", message, { path });
}

/** A download that lay on the disk may have decayed there. */
async function assertDownloadIntact(
  { path, sha256, fetched, publisher, folder }: AcquiredFile,
  signal: AbortSignal,
): Promise<void> {
  if (publisher === undefined || fetched > 0 || (await computeFileSha256(path, signal)) === sha256) return;
  folder.forget();
  const message = `${path} is no longer what was downloaded; the next sync downloads it again`;
  throw new SyncError("FETCH_CHECKSUM", message, { path });
}

/**
 * The manifest of an edition. If it does not state when the data was collected, the publisher's time is used: the data
 * is no newer than its last change. A file's own time of change is no evidence about its data.
 */
function withCollectionDate(
  manifest: SourceManifest,
  lastModified: string | undefined,
  now: Date,
): SourceManifest {
  if (manifest.collected_at !== undefined || lastModified === undefined) return manifest;
  const at = Date.parse(lastModified);
  if (Number.isNaN(at) || at > now.getTime()) return manifest;
  return { ...manifest, collected_at: new Date(at).toISOString() };
}

/** The manifest of an edition, which keeps what was allowed to its build. Cells leave nothing out. */
function withAllowances(manifest: SourceManifest, allowances: readonly BuildAllowance[]): SourceManifest {
  if (allowances.length === 0 || manifest.cells !== undefined) return manifest;
  return { ...manifest, allow: [...new Set([...(manifest.allow ?? []), ...allowances])].sort() };
}

function readFileChunks(path: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 1 << 20, signal });
}
