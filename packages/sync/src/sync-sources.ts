import { existsSync, mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { BuildAllowance } from "@groundrule/engine";
import type { FetchPlan, IngestProgress, KeepOptions, RasterProgress, Source } from "@groundrule/ingest";
import type { Guard } from "@groundrule/node";
import { acquireFileLock } from "@groundrule/node/internal";
import { type CheckLive, connectSource } from "./connect-source.ts";
import type { GranulesPlanned } from "./download/acquire-files.ts";
import { DownloadFolder } from "./download/download-folder.ts";
import type { SourceFile } from "./download/source-files.ts";
import type { SyncOutcome } from "./outcome.ts";
import { toReason } from "./outcome.ts";
import { SyncError } from "./sync-error.ts";
import { syncSource } from "./sync-source.ts";

/** Options of a sync. Absent members are the host's own. */
export interface SyncOptions {
  /** The data folder, which is made where it is not there. */
  readonly dir: string;
  /** The folder in which every relative `fetch.file` begins; absent: that of each manifest. */
  readonly from?: string | undefined;
  /**
   * The content of files that the host can write, by the path at which a manifest expects the file in its own folder.
   * One is written below the data folder if it is not in the folder where it is expected.
   */
  readonly writtenFiles?: ReadonlyMap<string, () => Promise<Iterable<string>>> | undefined;
  /**
   * Which land of rasters is kept: of one in many files, only those that meet it are fetched. Absent: all, and a raster
   * in many files fails.
   */
  readonly keep?: KeepOptions | undefined;
  /** Guards that are skipped. */
  readonly allow?: readonly Guard[] | undefined;
  /** Exceptions for builds, besides those of their manifests; the manifests of their editions keep it. */
  readonly allowances?: readonly BuildAllowance[] | undefined;
  /** Ends the sync: what is downloaded so far stays for the next one. */
  readonly signal?: AbortSignal | undefined;
  /** Variables that name proxies, as `HTTPS_PROXY` and `NO_PROXY`; absent: none is used. */
  readonly proxies?: NodeJS.ProcessEnv | undefined;
  /** Sources that download at once; absent: 4. They are built one at a time. */
  readonly concurrency?: number | undefined;
  /**
   * Queries a live source once, before it enters the catalog; absent: it is not queried.
   *
   * Fails: where it cannot answer. The catalog then stays as it was.
   */
  readonly checkLive?: CheckLive | undefined;
  /** Called with the outcome of each source as it is known; the sync waits for what it returns. */
  readonly onDone?: ((outcome: SyncOutcome) => void | Promise<void>) | undefined;
  /** Called with what will be fetched of a raster in many files; the sync waits for what it returns. */
  readonly onGranules?: ((sourceName: string, planned: GranulesPlanned) => void | Promise<void>) | undefined;
  /** Called again and again as a source is downloaded and built. */
  readonly onProgress?: ((sourceName: string, progress: SyncProgress) => void) | undefined;
  /** The clock that dates builds; a date of a publisher that lies after it is not believed. */
  readonly now?: (() => Date) | undefined;
  /** Waits; rejects with the signal's reason where that comes first. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** A number from 0 up to 1, which spreads the repetitions of many. */
  readonly random?: (() => number) | undefined;
  /** Bytes between two marks of what is on the disk for certain; absent: 8 MiB. */
  readonly markBytes?: number | undefined;
}

/** How far one source has got: bytes of its download, or its build. */
export type SyncProgress =
  | {
      /** Bytes of the file that are here, those of an earlier run included. */
      readonly downloadedBytes: number;
    }
  | IngestProgress
  | RasterProgress;

/**
 * Updates sources, each by its manifest. One that fails does not stop the others, and keeps its current edition; its
 * outcome has the reason.
 *
 * Only one sync at a time works on a data folder. A crash at any point loses nothing that is there: the next sync goes
 * on with downloads, and builds what was not installed.
 *
 * @returns an outcome for each file, in their order
 *
 * Fails: `SYNC_RUNNING`; the signal's reason; what the system says where the data folder cannot be made.
 */
export async function syncSources(
  files: readonly SourceFile[],
  options: SyncOptions,
): Promise<readonly SyncOutcome[]> {
  const downloads = join(options.dir, "downloads");
  mkdirSync(downloads, { recursive: true });
  const lock = await acquireFileLock(join(downloads, "sync.lock"), 0);
  if (lock === undefined) {
    throw new SyncError("SYNC_RUNNING", `another sync is at work on ${options.dir}`, { dir: options.dir });
  }
  try {
    const run = new SyncRun(downloads, options);
    return await mapConcurrently(files, options.concurrency ?? 4, (file) => run.one(file));
  } finally {
    lock.release();
  }
}

class SyncRun {
  readonly #downloads: string;
  readonly #options: SyncOptions;
  readonly #signal: AbortSignal;
  /** Milliseconds that each waited for the builds of others. */
  readonly #waited = new Map<SourceFile, number>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(downloads: string, options: SyncOptions) {
    this.#downloads = downloads;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
  }

  async one(file: SourceFile): Promise<SyncOutcome> {
    this.#signal.throwIfAborted();
    const started = performance.now();
    const result = await this.#attempt(file);
    const waited = this.#waited.get(file) ?? 0;
    const seconds = Math.round(performance.now() - started - waited) / 1000;
    const outcome = { source_name: file.source?.manifest.source_name ?? file.path, ...result, seconds };
    await this.#options.onDone?.(outcome);
    return outcome;
  }

  async #attempt(file: SourceFile): Promise<Omit<SyncOutcome, "source_name" | "seconds">> {
    try {
      const { source, fault } = file;
      if (source === undefined) throw fault;
      const { fetch, provider } = source;
      if (provider !== undefined) {
        return await connectSource(
          { ...source, provider },
          { ...this.#options, manifestFolder: file.folder },
        );
      }
      if (fetch === undefined) return { outcome: "skipped" };
      return await this.#fetched(file, { ...source, fetch });
    } catch (error) {
      this.#signal.throwIfAborted();
      return { outcome: "failed", reasons: [toReason(error)] };
    }
  }

  /**
   * The folder in which the file of a source is expected, or another one if the host has to write the file.
   *
   * @param other the folder for such a file
   */
  async #findFileFolder(manifestFolder: string, { file = "" }: FetchPlan, other: string): Promise<string> {
    const { from = manifestFolder, writtenFiles } = this.#options;
    const write = writtenFiles?.get(join(manifestFolder, file));
    if (write === undefined || existsSync(join(from, file))) return from;
    mkdirSync(other, { recursive: true });
    await writeFile(join(other, file), await write());
    return other;
  }

  async #fetched(file: SourceFile, source: Source & { readonly fetch: FetchPlan }) {
    const { dir, keep, allow, allowances, now, sleep, random, proxies, markBytes, onGranules, onProgress } =
      this.#options;
    const name = source.manifest.source_name;
    const folder = new DownloadFolder(join(this.#downloads, name.replaceAll(":", "_")));
    return syncSource(source, {
      dir,
      folder,
      manifestFolder: file.folder,
      from: await this.#findFileFolder(file.folder, source.fetch, `${folder.dir}.written`),
      keep,
      allow: allow ?? [],
      allowances: allowances ?? [],
      now: now ?? (() => new Date()),
      host: {
        signal: this.#signal,
        proxies,
        markBytes,
        random: random ?? Math.random,
        sleep: sleep ?? ((ms, signal) => pause(ms, undefined, { signal })),
        onBytes: (downloadedBytes) => onProgress?.(name, { downloadedBytes }),
      },
      onGranules: (planned) => onGranules?.(name, planned),
      onProgress: (progress) => onProgress?.(name, progress),
      inTurn: (build) => this.#inTurn(file, build),
    });
  }

  #inTurn<T>(file: SourceFile, build: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const done = this.#turn.then(() => {
      this.#waited.set(file, performance.now() - startedMs);
      return build();
    });
    this.#turn = done.catch(() => {});
    return done;
  }
}

/** Runs an action on each, a number of them at once. @returns what they give, in order */
async function mapConcurrently<T, R>(
  all: readonly T[],
  concurrency: number,
  action: (each: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(all.length);
  const waiting = all.entries();
  const work = async () => {
    for (const [i, each] of waiting) results[i] = await action(each);
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(concurrency, all.length) }, work));
  for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
  return results;
}
