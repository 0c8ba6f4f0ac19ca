import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import {
  type FetchPlan,
  type GranuleFile,
  type GranulePlan,
  type GranuleSquare,
  granulesToFetch,
  type KeepOptions,
  type Source,
} from "@groundrule/ingest";
import { SyncError } from "../sync-error.ts";
import { type Acquired, acquireSourceFile } from "./acquire.ts";
import { type DownloadHost, fetchPublishedSize, isAbsence, type Known } from "./download.ts";
import { DownloadFolder } from "./download-folder.ts";

/** A file that is whole on this machine, and where its downloads are kept. */
export interface AcquiredFile extends Acquired {
  readonly folder: DownloadFolder;
  /** The square in which the cells of a granule must lie. */
  readonly square?: GranuleSquare;
}

/** All that a source is built from. */
export interface AcquiredFiles {
  readonly files: readonly AcquiredFile[];
  /** The files of a raster's mask. */
  readonly masks: readonly AcquiredFile[];
  /** Digest of the one file; for granules, of their names and digests. */
  readonly sha256: string;
  readonly bytes: number;
  /** Bytes that came over the network. */
  readonly fetched: number;
  /** The publisher's data about the one file; for granules their template, and the latest change. */
  readonly publisher?: Acquired["publisher"];
}

/** Files of a raster that a sync is about to fetch. */
export interface GranulesPlanned {
  /** Files to fetch, those of the mask included. */
  readonly granules: number;
  /** Files that the publisher does not have. */
  readonly absent: number;
  /** Bytes of the files to fetch, as far as the publisher states them. */
  readonly bytes: number;
  /** Files whose size it does not state. */
  readonly unsized: number;
  /** Files that are here already; the publisher is queried for newer ones. */
  readonly here: number;
}

/** Where the files of a source come from, and go to. */
export interface FilesContext {
  readonly folder: DownloadFolder;
  /** The folder in which `fetch.file` begins. */
  readonly from: string;
  readonly keep: KeepOptions | undefined;
  readonly host: DownloadHost;
  readonly onGranules: ((planned: GranulesPlanned) => void | Promise<void>) | undefined;
}

/**
 * Gets the files of a source: one, or the granules of a raster that meet the land to keep.
 *
 * @param known as `acquire` takes it
 * @returns undefined where the publisher still has the one file that is `known`
 *
 * Fails: `EXTENT_MISSING`; as `acquire` does.
 */
export async function acquireSourceFiles(
  { manifest, fetch }: Source & { readonly fetch: FetchPlan },
  known: Known | undefined,
  context: FilesContext,
): Promise<AcquiredFiles | undefined> {
  if (fetch.granules !== undefined) {
    return new Granules(manifest, { ...fetch, granules: fetch.granules }, context).acquire();
  }
  const { folder, from, host } = context;
  const file = await acquireSourceFile(fetch, from, manifest, folder, known, host);
  if (file === undefined) return undefined;
  const { sha256, bytes, fetched, publisher } = file;
  return { files: [{ ...file, folder }], masks: [], sha256, bytes, fetched, publisher };
}

type GranulesFetch = FetchPlan & { readonly granules: GranulePlan };

interface Part {
  readonly name: string;
  readonly plan: FetchPlan;
  readonly folder: DownloadFolder;
  readonly isMask: boolean;
  readonly square: GranuleSquare;
}

/** The granules of one source. */
class Granules {
  readonly #manifest: Source["manifest"];
  readonly #fetch: GranulesFetch;
  readonly #context: FilesContext;

  constructor(manifest: Source["manifest"], fetch: GranulesFetch, context: FilesContext) {
    this.#manifest = manifest;
    this.#fetch = fetch;
    this.#context = context;
  }

  async acquire(): Promise<AcquiredFiles> {
    const { keep, host } = this.#context;
    if (keep === undefined) {
      const message = `${this.#manifest.source_name} is published in many files, and nothing says which land to keep: name countries or a box, on the command line --countries BRA,COL or --bounds=W,S,E,N`;
      throw new SyncError("EXTENT_MISSING", message);
    }
    const parts = this.#parts(await granulesToFetch(this.#fetch, keep));
    const there = await this.#plan(parts);
    const found: { part: Part; file: AcquiredFile }[] = [];
    let before = 0;
    for (const part of there) {
      const onBytes = (bytes: number) => host.onBytes?.(before + bytes);
      const file = await this.#acquireOne(part, { ...host, onBytes });
      if (file === undefined) continue;
      before += file.fetched;
      found.push({ part, file });
    }
    const files = found.filter(({ part }) => !part.isMask);
    if (files.length === 0) {
      const message = `the publisher of ${this.#manifest.source_name} has none of the ${parts.length} files that meet the land to keep; its addresses may have changed`;
      throw new SyncError("FETCH_REFUSED", message, { files: parts.map(({ name }) => name) });
    }
    const digests = found.map(({ part, file }) => `${part.name} ${file.sha256}\n`).join("");
    const publishers = found.flatMap(({ file }) => file.publisher ?? []);
    return {
      files: files.map(({ file }) => file),
      masks: found.flatMap(({ part, file }) => (part.isMask ? [file] : [])),
      sha256: createHash("sha256").update(digests).digest("hex"),
      bytes: found.reduce((sum, { file }) => sum + file.bytes, 0),
      fetched: before,
      ...(this.#fetch.url !== undefined && {
        publisher: { url: this.#fetch.url, last_modified: findLatestTime(publishers) },
      }),
    };
  }

  #parts(granules: readonly GranuleFile[]): Part[] {
    const { url, file: _, granules: __, ...plan } = this.#fetch;
    return granules.flatMap(({ name, address, mask, square }) =>
      [address, mask].flatMap((each, i) => {
        if (each === undefined) return [];
        const place = url === undefined ? { file: each } : { url: each };
        const part = i === 0 ? name : `${name}_mask`;
        const folder = new DownloadFolder(join(`${this.#context.folder.dir}.granules`, part));
        return [{ name: part, plan: { ...plan, ...place }, folder, isMask: i === 1, square }];
      }),
    );
  }

  /** Reports the files that will be fetched. @returns the files that the publisher has, as far as it states them */
  async #plan(parts: readonly Part[]): Promise<readonly Part[]> {
    let [absent, bytes, unsized, here] = [0, 0, 0, 0];
    const there: Part[] = [];
    for (const part of parts) {
      const size = await this.#findSize(part);
      if (size === "absent" && this.#mayBeAbsent) {
        absent++;
        continue;
      }
      there.push(part);
      if (size === "here") here++;
      else if (typeof size === "number") bytes += size;
      else unsized++;
    }
    await this.#context.onGranules?.({ granules: there.length - here, absent, bytes, unsized, here });
    return there;
  }

  async #findSize({ plan, folder }: Part): Promise<number | "absent" | "here" | undefined> {
    const { url, file } = plan;
    if (url === undefined) {
      const isThere = statSync(join(this.#context.from, file!), { throwIfNoEntry: false })?.isFile() ?? false;
      return isThere ? "here" : "absent";
    }
    if (folder.download()?.url === url) return "here";
    const size = await fetchPublishedSize({ ...plan, url }, this.#context.host);
    return typeof size === "number" ? size - (folder.part()?.bytes ?? 0) : size;
  }

  async #acquireOne({ plan, folder, square }: Part, host: DownloadHost): Promise<AcquiredFile | undefined> {
    const { from } = this.#context;
    try {
      const file = await acquireSourceFile(plan, from, this.#manifest, folder, undefined, host);
      return file && { ...file, folder, square };
    } catch (error) {
      if (this.#mayBeAbsent && error instanceof SyncError && isAbsence(error.details.status))
        return undefined;
      throw error;
    }
  }

  get #mayBeAbsent(): boolean {
    return this.#fetch.granules.absent === "nodata";
  }
}

/** The latest of the publishers' times of change. */
function findLatestTime(publishers: readonly NonNullable<Acquired["publisher"]>[]): string | undefined {
  const times = publishers.flatMap(({ last_modified }) => last_modified ?? []);
  return times.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
}
