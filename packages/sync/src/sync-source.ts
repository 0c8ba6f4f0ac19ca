import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import zlib from "node:zlib";
import { crsTable } from "@groundrule/crs";
import type { SourceManifest } from "@groundrule/engine";
import { openLocalFile } from "@groundrule/formats";
import {
  type BuildOptions,
  buildSnapshot,
  type IngestProgress,
  readOptions,
  type Source,
} from "@groundrule/ingest";
import { type Guard, installEdition } from "@groundrule/node";
import { assertInstallable, joinGroups, openSpillFile } from "@groundrule/node/internal";
import { type Acquired, acquire } from "./download/acquire.ts";
import { sha256OfFile } from "./download/digest.ts";
import type { DownloadHost } from "./download/download.ts";
import type { Built, DownloadFolder } from "./download/download-folder.ts";
import { currentBuild, earlierOutcome, type SyncOrigin } from "./earlier-build.ts";
import { guardReasons, type OutcomeKind, pinnedTo, type SyncOutcome } from "./outcome.ts";
import { recipeOf } from "./recipe.ts";
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
  readonly allow: readonly Guard[];
  readonly host: DownloadHost;
  readonly now: () => Date;
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** Runs one build at a time: each takes memory, and all share one thread. */
  readonly inTurn: <T>(build: () => Promise<T>) => Promise<T>;
}

type Result = Omit<SyncOutcome, "source_name" | "seconds">;

/**
 * Brings one source up to date: asks its publisher whether there is anything new, downloads and checks it, builds its
 * edition and makes it current if the guards do not object.
 *
 * Fails: as what it calls; the current edition stays then.
 */
export async function syncSource(
  source: Source & { readonly fetch: object },
  context: SourceContext,
): Promise<Result> {
  const { dir, folder, from, host, allow } = context;
  const { manifest, fetch } = source;
  assertInstallable(dir, manifest);
  const recipe = recipeOf(source, context.manifestFolder);
  const current = currentBuild(dir, manifest.source_name);
  // Its validator says enough only where nothing else could ask for another build.
  const { url, ...origin } = current?.origin ?? {};
  const known = origin.recipe === recipe && url !== undefined ? { ...origin, url } : undefined;
  const acquired = await acquire(fetch, from, manifest, folder, known, host);
  if (acquired === undefined) {
    const changes = await joinGroups(dir, manifest);
    return { outcome: "unchanged", edition: current?.edition, areas: current?.areas, bytes: 0, changes };
  }
  const earlier = earlierOutcome({
    dir,
    name: manifest.source_name,
    folder,
    current,
    acquired,
    recipe,
    allow,
  });
  if (earlier !== undefined) return { ...earlier, changes: await joinGroups(dir, manifest) };
  return context.inTurn(() => build(source, acquired, recipe, context));
}

async function build(
  source: Source,
  acquired: Acquired,
  recipe: string,
  context: SourceContext,
): Promise<Result> {
  const { dir, folder, host } = context;
  host.signal.throwIfAborted();
  await assertIntact(acquired, folder, host.signal);
  const manifest = datedManifest(source.manifest, acquired.publisher?.last_modified, context.now());
  const input = await openLocalFile(acquired.path);
  const spill = manifest.kind === "subject_register" ? openSpillFile() : undefined;
  try {
    const { file, report } = await buildSnapshot(input, manifest, {
      ...buildOptions(context),
      read: readOptions(source.read),
      spill,
    });
    host.signal.throwIfAborted();
    // What was built may be of another file than the one whose digest is known, or of halves of both.
    assertUnchanged(acquired);
    const { sha256, bytes, publisher } = acquired;
    const origin: SyncOrigin = { ...publisher, sha256, bytes, recipe };
    const notes = {
      left_out: report.left_out.length,
      read: report.read,
      built_at: context.now().toISOString(),
      origin,
    };
    const before = currentBuild(dir, manifest.source_name)?.edition;
    const { meta, isCurrent, findings, pinned, changes } = await installEdition(dir, file, notes, {
      allow: context.allow,
    });
    const built: Built = { sha256, recipe, edition: meta.edition, findings };
    folder.writeBuilt(built);
    return {
      outcome: outcomeOf(isCurrent, before === meta.edition, pinned),
      edition: meta.edition,
      areas: meta.feature_count,
      left_out: report.left_out.length,
      bytes: acquired.publisher === undefined ? bytes : acquired.fetched,
      reasons: pinned === undefined ? guardReasons(findings) : [pinnedTo(pinned)],
      changes,
    };
  } finally {
    spill?.close();
    await input.close();
  }
}

function outcomeOf(isCurrent: boolean, isSame: boolean, pinned: string | undefined): OutcomeKind {
  if (isCurrent) return isSame ? "unchanged" : "installed";
  return pinned === undefined ? "refused" : "pinned";
}

/** Others may write to a file on this machine after its digest was taken. */
function assertUnchanged({ path, bytes, changedMs }: Acquired): void {
  if (changedMs === undefined) return;
  const now = statSync(path, { throwIfNoEntry: false });
  if (now?.mtimeMs === changedMs && now.size === bytes) return;
  const message = `${path} was changed while it was read; the next sync reads it again`;
  throw new SyncError("FETCH_CHANGED", message, { path });
}

/** A download that lay on the disk may have decayed there. */
async function assertIntact(
  { path, sha256, fetched, publisher }: Acquired,
  folder: DownloadFolder,
  signal: AbortSignal,
): Promise<void> {
  if (publisher === undefined || fetched > 0 || (await sha256OfFile(path, signal)) === sha256) return;
  folder.forget();
  const message = `${path} is no longer what was downloaded; the next sync downloads it again`;
  throw new SyncError("FETCH_CHECKSUM", message, { path });
}

/**
 * The manifest of an edition. Where it does not say when the data was collected, the publisher does: the data is no
 * newer than its last change. A file's own time of change says nothing of its data.
 */
function datedManifest(
  manifest: SourceManifest,
  lastModified: string | undefined,
  now: Date,
): SourceManifest {
  if (manifest.collected_at !== undefined || lastModified === undefined) return manifest;
  const at = Date.parse(lastModified);
  if (Number.isNaN(at) || at > now.getTime()) return manifest;
  return { ...manifest, collected_at: new Date(at).toISOString() };
}

function buildOptions({ manifestFolder, host, onProgress }: SourceContext): BuildOptions {
  return {
    sha256: () => createHash("sha256"),
    crc32: zlib.crc32,
    crs: crsTable,
    openPolygons: (named) => readChunks(join(manifestFolder, named), host.signal),
    onProgress: (progress) => {
      host.signal.throwIfAborted();
      onProgress?.(progress);
    },
  };
}

function readChunks(path: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 1 << 20, signal });
}
