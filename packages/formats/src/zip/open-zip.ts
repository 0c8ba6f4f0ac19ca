/// <reference path="./yauzl.d.ts" />
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { FormatError } from "../format-error.ts";
import { type FormatLimits, limitsOf, RATIO_FREE_BYTES } from "../limits.ts";
import { type LocalFile, tooLarge } from "../local-file.ts";

/** A file in an archive. */
export interface ZipEntry {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** Bytes, unpacked, as the directory states them. */
  readonly size: number;
  /** Bytes in the archive. */
  readonly packedSize: number;
}

/** An archive whose directory has been read. */
export interface ZipArchive {
  /** Its files, in the order of its directory; not its folders, nor what macOS adds (`__MACOSX/`, `._*`, `.DS_Store`). */
  readonly entries: readonly ZipEntry[];
  /**
   * Unpacks a file, which may be asked for again.
   *
   * Fails, as it is read: `ARCHIVE_INVALID` where it is encrypted, packed in another way than by deflate, cut, not of
   * its stated size, or not of its CRC-32; `UNPACKED_TOO_LARGE` past the limits, which hold for all that is unpacked of
   * the archive together.
   */
  open(entry: ZipEntry): AsyncIterable<Uint8Array>;
}

/** Most entries of an archive. */
export const ZIP_ENTRIES = 10_000;
/** Most bytes of an entry's name. */
export const ZIP_NAME_BYTES = 1_024;

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads the directory of a zip archive (zip64 too). Archives in it are entries like others: nothing is unpacked that
 * is not asked for.
 *
 * @param file stays open as long as the archive is used
 *
 * Fails: `ARCHIVE_INVALID` for what is no zip archive, is cut, has several disks, more than {@link ZIP_ENTRIES}
 * entries, two of one name, names that lead out of it, or entries that share bytes.
 */
export async function openZip(
  file: LocalFile,
  options: { readonly limits?: Partial<FormatLimits> | undefined } = {},
): Promise<ZipArchive> {
  const zip = await directoryOf(file);
  const listed = await listEntries(zip);
  const ends = endsOf(listed, file.size);
  const limits = limitsOf(options);
  const budget = { left: limits.unpackedBytes };
  const byEntry = new Map<ZipEntry, Entry>();
  for (const entry of listed) {
    if (!isHidden(entry.fileName)) byEntry.set(describe(entry), entry);
  }
  return {
    entries: [...byEntry.keys()],
    open: (wanted) => {
      const entry = byEntry.get(wanted);
      if (entry === undefined) throw new Error("an entry of another archive");
      return unpack(file, zip, entry, ends.get(entry)!, limits, budget);
    },
  };
}

function describe(entry: Entry): ZipEntry {
  return { name: entry.fileName, size: entry.uncompressedSize, packedSize: entry.compressedSize };
}

/** Folders, and what macOS puts beside each file. */
function isHidden(name: string): boolean {
  return name.endsWith("/") || /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$)/.test(name);
}

async function directoryOf(file: LocalFile): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(new FileReader(file), file.size, { autoClose: false });
  } catch (error) {
    throw asFormatError(error, undefined);
  }
}

/** yauzl reads through this, and knows nothing else of the file. */
class FileReader extends RandomAccessReader {
  readonly #file: LocalFile;

  constructor(file: LocalFile) {
    super();
    this.#file = file;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#file.read(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        callback(null, bytes.length);
      },
      (error: Error) => callback(error),
    );
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}

async function listEntries(zip: ZipFile): Promise<readonly Entry[]> {
  if (zip.entryCount > ZIP_ENTRIES) throw tooMany(zip.entryCount);
  const entries: Entry[] = [];
  const names = new Set<string>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileNameLength > ZIP_NAME_BYTES) {
        throw invalid(`a name of ${entry.fileNameLength} bytes`, `names of at most ${ZIP_NAME_BYTES} bytes`);
      }
      if (names.has(entry.fileName)) {
        throw invalid(`two entries "${entry.fileName}"`, "each name once");
      }
      names.add(entry.fileName);
      entries.push(entry);
    }
  } catch (error) {
    throw asFormatError(error, undefined);
  }
  return entries;
}

function tooMany(count: number): FormatError {
  const found = `${count} entries`;
  const expected = `at most ${ZIP_ENTRIES}`;
  return new FormatError("ARCHIVE_INVALID", `found ${found}, expected ${expected}`, {
    found,
    expected,
    limit: ZIP_ENTRIES,
  });
}

const LOCAL_HEADER_BYTES = 30;

/** Before which byte each entry must end: where the next one begins. Entries that share bytes unpack them many times. */
function endsOf(entries: readonly Entry[], fileSize: number): ReadonlyMap<Entry, number> {
  const start = (entry: Entry): number => entry.relativeOffsetOfLocalHeader;
  const inOrder = [...entries].sort((a, b) => start(a) - start(b));
  const ends = new Map<Entry, number>();
  for (const [index, entry] of inOrder.entries()) {
    const next = inOrder[index + 1];
    const end = next === undefined ? fileSize : start(next);
    const least = start(entry) + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize;
    if (least > end) throw overlaps(entry, least, end);
    ends.set(entry, end);
  }
  return ends;
}

function overlaps(entry: Entry, end: number, limit: number): FormatError {
  return invalid(
    `bytes up to ${end}`,
    `the entry to end by byte ${limit}, where something else begins`,
    entry,
  );
}

async function* unpack(
  file: LocalFile,
  zip: ZipFile,
  entry: Entry,
  endsBy: number,
  limits: FormatLimits,
  budget: { left: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  checkPromise(entry, limits, budget.left);
  const start = await dataStart(zip, entry);
  const end = start + entry.compressedSize;
  if (end > endsBy) throw overlaps(entry, end, endsBy);
  const packed = bytesOf(file, start, end);
  let size = 0;
  let sum = 0;
  for await (const chunk of entry.compressionMethod === STORED ? packed : inflate(packed, entry)) {
    size += chunk.length;
    budget.left -= chunk.length;
    if (size > entry.uncompressedSize) {
      throw invalid("more bytes", `${entry.uncompressedSize} bytes as the directory states`, entry);
    }
    if (budget.left < 0) throw tooLarge(limits.unpackedBytes);
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (size !== entry.uncompressedSize) {
    throw invalid(`${size} bytes`, `${entry.uncompressedSize} bytes as the directory states`, entry);
  }
  if (sum !== entry.crc32) {
    throw invalid(`the CRC-32 ${hex(sum)}`, `${hex(entry.crc32)} as the directory states`, entry);
  }
}

const STORED = 0;
const DEFLATED = 8;

/** What the directory says of an entry is held against the limits before a byte is unpacked. */
function checkPromise(entry: Entry, limits: FormatLimits, left: number): void {
  if (entry.isEncrypted()) {
    throw invalid(
      "an encrypted file",
      "one that is not: unpack the archive, and pack it without a password",
      entry,
    );
  }
  const method = entry.compressionMethod;
  if (method !== STORED && method !== DEFLATED) {
    throw invalid(
      `compression method ${method}`,
      "deflate (8) or none (0): unpack it and pack it anew",
      entry,
    );
  }
  if (entry.uncompressedSize > left) throw tooLarge(limits.unpackedBytes);
  const ratio = entry.uncompressedSize / entry.compressedSize;
  if (entry.uncompressedSize > RATIO_FREE_BYTES && ratio > limits.ratio) {
    const found = `${entry.uncompressedSize} bytes packed into ${entry.compressedSize}`;
    const expected = `at most ${limits.ratio} times as many`;
    throw new FormatError("UNPACKED_TOO_LARGE", `found ${found}, expected ${expected}`, {
      place: { entry: entry.fileName },
      found,
      expected,
      limit: limits.ratio,
    });
  }
}

async function dataStart(zip: ZipFile, entry: Entry): Promise<number> {
  try {
    const header = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    return header.fileDataStart;
  } catch (error) {
    throw asFormatError(error, entry);
  }
}

async function* bytesOf(file: LocalFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const chunk = await file.read(at, Math.min(CHUNK_BYTES, end - at));
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}

async function* inflate(packed: AsyncIterable<Uint8Array>, entry: Entry): AsyncGenerator<Uint8Array> {
  // The callback only keeps the error from being thrown twice: the loop below receives it.
  const unpacked = pipeline(Readable.from(packed), createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {});
  try {
    for await (const chunk of unpacked) yield chunk as Uint8Array;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) {
      throw invalid(error.message, "a whole stream of deflate", entry);
    }
    throw error;
  }
}

/** yauzl throws plain errors; those of the operating system have a code, and stay. */
function asFormatError(error: unknown, entry: Entry | undefined): unknown {
  if (!(error instanceof Error) || error instanceof FormatError || "code" in error) return error;
  return invalid(error.message, "a whole zip archive", entry);
}

function invalid(found: string, expected: string, entry?: Entry): FormatError {
  const place = entry === undefined ? undefined : { entry: entry.fileName };
  return new FormatError("ARCHIVE_INVALID", `found ${found}, expected ${expected}`, {
    place,
    found,
    expected,
  });
}

function hex(sum: number): string {
  return sum.toString(16).padStart(8, "0");
}
