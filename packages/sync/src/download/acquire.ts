import { realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { FetchPlan, Source } from "@groundrule/ingest";
import { SyncError } from "../sync-error.ts";
import { computeFileSha256 } from "./checksum.ts";
import { type DownloadHost, downloadFile, FETCH_DEFAULTS, type Known } from "./download.ts";
import type { Download, DownloadFolder } from "./download-folder.ts";

/** The file of a source, whole, on this machine. */
export interface Acquired {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Bytes that came over the network for it. */
  readonly fetched: number;
  /** For a file on this machine: the time of its last change before its digest was computed. */
  readonly changedMs?: number | undefined;
  /** The publisher's data about the file; absent for files on this machine. */
  readonly publisher?: Omit<Download, "sha256" | "bytes"> | undefined;
}

/**
 * Gets the file of a source. A file known to be unchanged is not read, or read only for its digest.
 *
 * @param manifest of the source: it tells where a file that is missing can be had
 * @param known what the current edition was built from, if it needs no file to be kept as it is
 * @returns undefined where the publisher still has what is `known`
 *
 * Fails: {@link SyncError} with `FILE_MISSING`, or a code of `FETCH_…`.
 */
export async function acquireSourceFile(
  plan: FetchPlan,
  from: string,
  manifest: Source["manifest"],
  folder: DownloadFolder,
  known: Known | undefined,
  host: DownloadHost,
): Promise<Acquired | undefined> {
  const { file, url } = plan;
  if (url === undefined) return acquireLocalFile(from, file!, plan, manifest, host.signal);
  const kept = folder.download();
  const fromDisk = kept?.url === url ? kept : undefined;
  const got = await downloadFile({ ...plan, url }, folder, fromDisk ?? known, host);
  if (got !== undefined) return toAcquired(folder, got, got.bytes);
  return fromDisk && toAcquired(folder, fromDisk, 0);
}

function toAcquired(
  folder: DownloadFolder,
  { sha256, bytes, ...publisher }: Download,
  fetched: number,
): Acquired {
  return { path: folder.toPath({ sha256 }), sha256, bytes, fetched, publisher };
}

async function acquireLocalFile(
  from: string,
  file: string,
  { sha256, max_bytes = FETCH_DEFAULTS.max_bytes, origin }: FetchPlan,
  manifest: Source["manifest"],
  signal: AbortSignal,
): Promise<Acquired> {
  const path = join(from, file);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) {
    const found = stat === undefined ? "there is no such file" : "it is no file";
    throw new SyncError(
      "FILE_MISSING",
      `cannot read ${path}: ${found}${describeWhereToGet(manifest, origin)}`,
      {
        path,
      },
    );
  }
  if (!isInside(from, path)) {
    throw new SyncError("FILE_MISSING", `${path} leads out of ${from}, where its file must be`, { path });
  }
  if (stat.size > max_bytes) {
    const message = `${path} has ${stat.size} bytes, and "max_bytes" allows ${max_bytes}`;
    throw new SyncError("FETCH_TOO_LARGE", message, { path, bytes: stat.size, allowed: max_bytes });
  }
  const found = await computeFileSha256(path, signal);
  if (sha256 !== undefined && found !== sha256) {
    const message = `${path}: found the SHA-256 ${found}, expected ${sha256}`;
    throw new SyncError("FETCH_CHECKSUM", message, { path, found, expected: sha256 });
  }
  return { path, sha256: found, bytes: stat.size, fetched: 0, changedMs: stat.mtimeMs };
}

/** Where people get the file: the publisher's page, of which day, under which licence, and this very copy. */
function describeWhereToGet(manifest: Source["manifest"], origin: FetchPlan["origin"]): string {
  const { source_dataset, source_url, collected_at, license_spdx } = manifest;
  const license = origin?.license ?? license_spdx;
  const facts = [
    source_url && `published at ${source_url}`,
    collected_at && `collected ${collected_at.slice(0, 10)}`,
    license && `licence: ${license}`,
    origin && `this copy was taken from ${origin.taken_from}`,
    origin?.changes && `changed since: ${origin.changes}`,
  ].filter((fact) => fact !== undefined);
  if (facts.length === 0) return "";
  return `. ${source_dataset === undefined ? "The data set" : `"${source_dataset}"`}: ${facts.join("; ")}`;
}

/** Links may lead anywhere. */
function isInside(folder: string, path: string): boolean {
  const way = relative(realpathSync(folder), realpathSync(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && way !== "";
}
