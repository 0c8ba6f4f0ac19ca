import { type FileHandle, open } from "node:fs/promises";
import type { FetchPlan } from "@groundrule/ingest";
import { refusedStatusError } from "../refused.ts";
import { SyncError } from "../sync-error.ts";
import { redactAddress } from "./address.ts";
import { assertChecksum, computeFileSha256, fetchPublishedChecksum } from "./checksum.ts";
import { assertFileIsData } from "./content.ts";
import type { Download, DownloadFolder, PartialDownload, Validator } from "./download-folder.ts";
import { type Answer, type ExchangeOptions, sendRequest } from "./exchange.ts";
import { retryAction } from "./repeatedly.ts";

/** Clock, randomness and proxies of a download. */
export interface DownloadHost {
  readonly signal: AbortSignal;
  readonly proxies?: NodeJS.ProcessEnv | undefined;
  /** Waits; rejects with the signal's reason where that comes first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A number from 0 to 1, which spreads the repetitions of many. */
  readonly random: () => number;
  /** Called with the bytes that came so far. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Bytes between two marks of what is on the disk for certain; absent: 8 MiB. */
  readonly markBytes?: number | undefined;
}

/** Data about a file that was downloaded before. */
export type Known = Validator & {
  readonly sha256?: string | undefined;
  readonly checksum?: string | undefined;
};

/** The patience and the limits of a download, unless a manifest states others. */
export const FETCH_DEFAULTS: Readonly<Record<"max_bytes" | "timeout_s" | "stall_s" | "retries", number>> = {
  max_bytes: 4 * 2 ** 30,
  timeout_s: 7200,
  stall_s: 60,
  retries: 4,
};

/**
 * Downloads the file of a URL into its folder, or finds that the publisher still has the known one.
 *
 * Asks by the publisher's validator (`ETag`, else `Last-Modified`), goes on with what an earlier run downloaded, and
 * takes up again what broke. The file is there whole and checked, or not at all.
 *
 * @param known what an edition was built from, or what was downloaded last
 * @returns undefined where the publisher has nothing new
 *
 * Fails: {@link SyncError} with a code of `FETCH_…`; what the system says of a full disk.
 */
export async function downloadFile(
  plan: FetchPlan & { readonly url: string },
  folder: DownloadFolder,
  known: Known | undefined,
  host: DownloadHost,
): Promise<Download | undefined> {
  const limits = {
    maxBytes: plan.max_bytes ?? FETCH_DEFAULTS.max_bytes,
    timeoutSeconds: plan.timeout_s ?? FETCH_DEFAULTS.timeout_s,
    retries: plan.retries ?? FETCH_DEFAULTS.retries,
  };
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(downloadTimeoutError(plan.url, limits.timeoutSeconds)),
    limits.timeoutSeconds * 1000,
  );
  const signal = AbortSignal.any([host.signal, deadline.signal]);
  const exchange: ExchangeOptions = {
    allowHttp: plan.allow_http === true,
    stallMs: (plan.stall_s ?? FETCH_DEFAULTS.stall_s) * 1000,
    signal,
    proxies: host.proxies,
  };
  try {
    folder.make();
    folder.clean();
    return await retryAction(
      { retries: limits.retries, signal, sleep: host.sleep, random: host.random },
      async () => {
        const sha256 = plan.sha256 ?? (await fetchPublishedChecksum(plan, exchange));
        if (sha256 !== undefined && (sha256 === known?.sha256 || sha256 === known?.checksum))
          return undefined;
        // The known file is not the wanted one, so its validator is of no use.
        const attempt = new Attempt(plan.url, limits.maxBytes, folder, exchange, host);
        try {
          const got = await attempt.run(sha256 === undefined ? known : undefined);
          return got && (await attempt.finish(got, sha256));
        } catch (error) {
          if (error instanceof SyncError && error.repetition?.fromScratch) folder.removePart();
          throw error;
        }
      },
    );
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Size of a file according to its publisher.
 *
 * @returns undefined where it does not say, `absent` where it says that there is no such file
 *
 * Fails: `FETCH_ADDRESS`, `FETCH_REDIRECTS`, `FETCH_STALLED`, `FETCH_UNAVAILABLE`.
 */
export async function fetchPublishedSize(
  plan: FetchPlan & { readonly url: string },
  host: DownloadHost,
): Promise<number | "absent" | undefined> {
  const { signal, sleep, random, proxies } = host;
  const stallMs = (plan.stall_s ?? FETCH_DEFAULTS.stall_s) * 1000;
  const exchange = { allowHttp: plan.allow_http === true, stallMs, signal, proxies };
  const patience = { retries: plan.retries ?? FETCH_DEFAULTS.retries, signal, sleep, random };
  return await retryAction(patience, async () => {
    const answer = await sendRequest(new URL(plan.url), {}, exchange, "HEAD");
    answer.discard();
    if (isAbsence(answer.status)) return "absent";
    return answer.status === 200 ? parseDeclaredLength(answer.headers["content-length"]) : undefined;
  });
}

/** True if a status means that there is no such file. */
export function isAbsence(status: unknown): boolean {
  return status === 404 || status === 410;
}

/** One request for a file, and what comes of it. */
class Attempt {
  readonly #url: URL;
  readonly #maxBytes: number;
  readonly #folder: DownloadFolder;
  readonly #exchange: ExchangeOptions;
  readonly #host: DownloadHost;
  #isResumed = false;

  constructor(
    url: string,
    maxBytes: number,
    folder: DownloadFolder,
    exchange: ExchangeOptions,
    host: DownloadHost,
  ) {
    this.#url = new URL(url);
    this.#maxBytes = maxBytes;
    this.#folder = folder;
    this.#exchange = exchange;
    this.#host = host;
  }

  /** @returns the part, whole; undefined where the server says that `known` is still what it has */
  async run(known: Validator | undefined): Promise<PartialDownload | undefined> {
    const part = this.#resumable();
    if (part !== undefined && part.bytes === part.total) return part;
    const conditions =
      part === undefined ? buildConditionalHeaders(known, this.#url) : buildResumeHeaders(part);
    const answer = await sendRequest(this.#url, conditions, this.#exchange);
    try {
      const start = this.#findStart(answer, part, Object.keys(conditions).length > 0);
      return start && (await this.#receive(answer, start));
    } finally {
      answer.discard();
    }
  }

  /** Checks what came, and makes it the file of the source. */
  async finish(part: PartialDownload, sha256: string | undefined): Promise<Download> {
    const path = this.#folder.partPath;
    try {
      assertFileIsData(path, this.#url);
      const found = await computeFileSha256(path, this.#host.signal);
      await assertChecksum(path, found, sha256, this.#maxBytes);
      const { url, etag, last_modified, bytes } = part;
      const download: Download = { url, etag, last_modified, sha256: found, checksum: sha256, bytes };
      this.#folder.accept(download);
      return download;
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      this.#folder.removePart();
      // Two halves of different files look like a false checksum.
      throw this.#isResumed
        ? new SyncError(error.code, error.message, error.details, { fromScratch: true })
        : error;
    }
  }

  /** Partial file of an earlier run, if the server can confirm that it continues the same file. */
  #resumable(): PartialDownload | undefined {
    const part = this.#folder.part();
    if (part === undefined || part.url !== this.#url.href || part.bytes === 0) return undefined;
    return findStrongValidator(part) === undefined ? undefined : part;
  }

  /** From where the body of an answer is written; undefined: the server has nothing new. */
  #findStart(
    answer: Answer,
    part: PartialDownload | undefined,
    isConditional: boolean,
  ): PartialDownload | undefined {
    const { status, headers } = answer;
    const at = redactAddress(answer.url);
    if (status === 304 && part === undefined && isConditional) return undefined;
    if (status === 200) {
      const total = parseDeclaredLength(headers["content-length"]);
      this.#assertSize(total, at);
      this.#assertEncoding(headers["content-encoding"], at);
      return {
        ...{
          url: this.#url.href,
          etag: headers.etag,
          last_modified: headers["last-modified"],
          bytes: 0,
          total,
        },
        date: headers.date,
      };
    }
    if (part !== undefined && (status === 206 || status === 416 || status === 304)) {
      const range = parseContentRange(headers["content-range"]);
      const sameTag = headers.etag === undefined || part.etag === undefined || headers.etag === part.etag;
      if (status === 206 && range?.from === part.bytes && sameTag) {
        this.#assertSize(range.total, at);
        this.#assertEncoding(headers["content-encoding"], at);
        this.#isResumed = true;
        return { ...part, total: range.total ?? part.total };
      }
      const message = `${at} has another file than the one that was begun (status ${status})`;
      throw new SyncError("FETCH_CHANGED", message, { url: at, status }, { fromScratch: true });
    }
    throw refusedStatusError(status, at, headers["retry-after"]);
  }

  #assertSize(bytes: number | undefined, at: string): void {
    if (bytes === undefined || bytes <= this.#maxBytes) return;
    const message = `${at} declares ${bytes} bytes, and "max_bytes" allows ${this.#maxBytes}`;
    throw new SyncError("FETCH_TOO_LARGE", message, { url: at, bytes, allowed: this.#maxBytes });
  }

  /** A packed body is kept packed, for readers unpack gzip themselves, within limits. */
  #assertEncoding(encoding: string | undefined, at: string): void {
    const coding = encoding?.trim().toLowerCase() ?? "identity";
    if (["", "identity", "gzip", "x-gzip"].includes(coding)) return;
    const message = `${at} is encoded as "${coding}", expected no encoding, as was asked for, or gzip`;
    throw new SyncError("FETCH_NOT_DATA", message, { url: at, found: coding });
  }

  async #receive(answer: Answer, start: PartialDownload): Promise<PartialDownload> {
    const at = redactAddress(answer.url);
    const file = await openPartialFile(this.#folder.partPath, start.bytes);
    const marks = this.#host.markBytes ?? 8 * 2 ** 20;
    let bytes = start.bytes;
    let marked = bytes;
    const mark = async () => {
      await file.sync();
      this.#folder.writePart({ ...start, bytes });
      marked = bytes;
    };
    try {
      // From now on the bytes on the disk belong to this file, whatever they were before.
      await mark();
      for await (const chunk of answer.body()) {
        if (bytes + chunk.length > this.#maxBytes) throw this.#tooLarge(at);
        await writeChunkAt(file, chunk, bytes);
        bytes += chunk.length;
        this.#host.onBytes?.(bytes);
        if (bytes - marked >= marks) await mark();
      }
      if (start.total !== undefined && bytes !== start.total) throw wrongLengthError(at, bytes, start.total);
      await mark();
      return { ...start, bytes };
    } catch (error) {
      await this.#keepOrRemove(error, mark);
      throw error;
    } finally {
      await file.close();
    }
  }

  async #keepOrRemove(error: unknown, mark: () => Promise<void>): Promise<void> {
    if (error instanceof SyncError && error.code === "FETCH_TOO_LARGE") this.#folder.removePart();
    else await mark().catch(() => {});
  }

  #tooLarge(at: string): SyncError {
    const message = `${at} sends more than the ${this.#maxBytes} bytes that "max_bytes" allows`;
    return new SyncError("FETCH_TOO_LARGE", message, { url: at, allowed: this.#maxBytes });
  }
}

async function openPartialFile(path: string, bytes: number): Promise<FileHandle> {
  const file = await open(path, bytes === 0 ? "w" : "r+");
  try {
    // Bytes after the last mark may not be on the disk.
    await file.truncate(bytes);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function writeChunkAt(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}

/** Headers that request the file only if it is not the known one. */
function buildConditionalHeaders(known: Validator | undefined, url: URL): Record<string, string> {
  if (known === undefined || known.url !== url.href) return {};
  if (known.etag !== undefined) return { "if-none-match": known.etag };
  return known.last_modified === undefined ? {} : { "if-modified-since": known.last_modified };
}

/** Headers that request the rest of a file, or all of it if it has changed. */
function buildResumeHeaders(part: PartialDownload): Record<string, string> {
  return { range: `bytes=${part.bytes}-`, "if-range": findStrongValidator(part)! };
}

/**
 * Validator that proves two parts to be of one file (RFC 9110, 8.8): a strong tag, or a time of change that was a
 * minute old when the first part was sent.
 */
function findStrongValidator({ etag, last_modified, date }: PartialDownload): string | undefined {
  if (etag !== undefined) return etag.startsWith("W/") ? undefined : etag;
  if (last_modified === undefined || date === undefined) return undefined;
  return Date.parse(date) - Date.parse(last_modified) >= 60_000 ? last_modified : undefined;
}

function parseDeclaredLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function parseContentRange(
  header: string | undefined,
): { from: number; total: number | undefined } | undefined {
  const found = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(header ?? "");
  if (found === null) return undefined;
  return { from: Number(found[1]), total: found[2] === "*" ? undefined : Number(found[2]) };
}

function wrongLengthError(at: string, found: number, declared: number): SyncError {
  const message = `${at} sent ${found} bytes in all, and declared ${declared}`;
  return new SyncError("FETCH_INCOMPLETE", message, { url: at, found, declared }, { fromScratch: true });
}

function downloadTimeoutError(url: string, seconds: number): SyncError {
  const at = redactAddress(new URL(url));
  return new SyncError("FETCH_TIMEOUT", `the download of ${at} was not done after ${seconds} s`, {
    url: at,
    seconds,
  });
}
